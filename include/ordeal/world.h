// The contract between systems under test and strategies.
//
// A StateSpace is a system whose states can be saved and come back to: nodes that are values, raw
// models. Stateful search needs one. A World is a system that can only be run from the start: nodes
// that are opaque objects. Every StateSpace can also be driven as a World (see run_world()).
//
// Clauses of the contract:
//  - enabled actions come in a canonical order that depends on the content of the state alone;
//  - applying the same action in the same state gives the same state, always: time, randomness,
//    network and storage enter through actions and choose(n), nowhere else;
//  - a fingerprint depends on content alone, and on everything that can influence the future; or on
//    less, where the subject says that states are one that differ otherwise (a view, a canonical
//    form). Of such states the first is kept, in canonical order: of the states that were reached
//    first the first, and of its actions the first. apply() gives the state that it leads to, and
//    no other of the same fingerprint: traces go from state to state.
// A StateSpace is shared by all threads; each thread uses an Explorer of its own.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/event.h"
#include "ordeal/footprint.h"
#include "ordeal/liveness.h"
#include "ordeal/property.h"
#include "ordeal/result.h"
#include "ordeal/steering.h"

namespace ordeal {

// A state in packed form. Meaningful to one StateSpace object in one process: the words may be
// interned ids, which are accidents. Never printed, compared or stored; fingerprints are.
using StateRef = std::span<const uint32_t>;

// What the checks say of one state.
struct Judgement {
  std::vector<uint32_t> violated;  // indexes of properties
  std::vector<uint32_t> reached;   // indexes of `sometimes` properties that are true here
  // What the caller need not be told again: `sometimes` properties that it has seen to be true, by
  // index; may be shorter than the list of properties. clear() keeps it.
  std::vector<bool> settled;
  bool is_settled(uint32_t property) const {
    return property < settled.size() && settled[property];
  }
  void clear() {
    violated.clear();
    reached.clear();
  }
};

// A readable picture of a state: one part per node, and the rest (messages in flight, budgets,
// history). Digests tell parts apart without comparing trees.
struct Snapshot {
  struct Part {
    std::string name;  // "node 1", "network", "faults", "history", "state"; a component's name
    std::string type;  // the type of a node or component
    int node = -1;
    bool component = false;
    bool up = true;
    uint64_t digest = 0;
    value::Tree tree;
  };
  // What traces keep of the state. Types count by their short names in it (value::Any::digest()):
  // it finds out that a run goes another way; states are told apart by their fingerprints.
  uint64_t digest = 0;
  std::vector<Part> parts;
  std::vector<Sent> pending;                  // what is in flight
  std::vector<HistoryEvent> open_operations;  // client operations that have not returned
};

// Effort and memory of a space, for reports.
struct SpaceStatistics {
  uint64_t handler_calls = 0;  // how often user code ran; 0 for raw models
  uint64_t bytes = 0;          // interned values, and what is remembered of handlers
  // Two different values that have the same hash: states were taken for one that are not, and
  // nothing that was explored can be trusted. "": there are none.
  std::string collision;
};

// What steps are counted by: a handler of a type of nodes and what it handles, or a kind of fault.
// Choice::sort is its number.
struct StepSort {
  // "Vote", "request Read at Server", "timer election", "crash"; "": no such sort.
  std::string name;
  bool ran = false;  // handled where the step was then left out, as one without effect
};

// A change to what is pending that no action makes: filters lose, change and invent messages.
struct Amendment {
  enum class Kind : uint8_t {
    kRemove,   // one of these, if there is one; a timer is cancelled
    kReplace,  // one of these, if there is one, by one that carries `other`, in the same place
    kCopy,     // one more of these, if there is one: right behind it
    kAdd,      // one more, behind all others
  };
  Kind kind = Kind::kRemove;
  ActionKind what = ActionKind::kDeliver;  // kDeliver, kEvent, kRequest, kTimer (removing only)
  NodeId from = -1;
  NodeId to = -1;
  value::Any payload;     // of a timer: its name, as a std::string
  value::Any other = {};  // kReplace: what comes there
  // Where links keep the order of messages: the one with so many before it. -1: the newest of
  // those that are equal.
  int place = -1;
};

// A step by what it is called: an action and what its parameters are. Kind kNull: any.
struct NamedStep {
  std::string name;           // as Action::type
  value::Tree bindings = {};  // as Action::payload
};

class Explorer {
 public:
  virtual ~Explorer() = default;

  // Appends the enabled actions in canonical order. The index in that order is the action's choice
  // index in traces. What a Choice refers to stays valid until the next call.
  virtual void enumerate(StateRef state, std::vector<Choice>& out) = 0;

  // Appends the packed successor to `out` and returns its fingerprint.
  // REQUIRES: `choice` was enumerated for `state` by this explorer; !choice.fails; `out` does not
  // alias `state`.
  virtual uint64_t apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                         std::vector<uint32_t>& out) = 0;

  // False if the state lies outside the declared constraint (System::within).
  virtual bool within(StateRef state) = 0;

  // Why the last call of enumerate(), within(), judge() or judge_step() could not be answered: a
  // function that was applied outside of its domain, say. What it answered then counts for nothing.
  // Null: it was answered. Exploration ends there, and reports it with the run that led there.
  virtual const std::string* trouble() { return nullptr; }

  // Judges the state by all properties; `terminal`: no progress action is enabled in it.
  virtual void judge(StateRef state, bool terminal, Judgement& out) = 0;

  // Explains one verdict: which nodes, which values.
  virtual Outcome explain(StateRef state, bool terminal, uint32_t property) = 0;

  // Judges a step by the properties that are about steps (Property::on_steps): adds to
  // out.violated. Called for every step that is computed, also for those to known states and to
  // states outside of the constraint; only where there are such properties.
  // REQUIRES: `choice` as for apply(), which gave `after`.
  virtual void judge_step(StateRef before, const Choice& choice, StateRef after, Judgement& out) {
    (void)before, (void)choice, (void)after, (void)out;
  }
  virtual Outcome explain_step(StateRef before, const Choice& choice, StateRef after,
                               uint32_t property) {
    (void)before, (void)choice, (void)after, (void)property;
    return true;
  }

  // The enabled action of this name, without listing all where the subject can do that; valid as if
  // it had been enumerated. Several: the first in canonical order. None: nullopt. An Error: whether
  // it is enabled cannot be said.
  virtual Result<std::optional<Choice>> step_named(StateRef state, const NamedStep& step);

  // So many steps lie behind the state that is asked about next, on the way that led there: what
  // some specifications ask for.
  virtual void at_depth(uint32_t depth) { (void)depth; }

  // The stable identity of an action, and with detail() all that it does.
  virtual Action action(StateRef state, const Choice& choice) = 0;
  virtual StepDetail detail(StateRef state, const Choice& choice) = 0;
  virtual Snapshot observe(StateRef state) = 0;

  // The fingerprint computed from scratch (apply computes it from the parent's).
  virtual uint64_t fingerprint(StateRef state) = 0;

  // Another 64 bits of the same content, independent of fingerprint(): together they are 128.
  virtual uint64_t second_fingerprint(StateRef state) = 0;

  // The memory that this explorer holds besides what its space does: what it remembers.
  virtual uint64_t bytes() const { return 0; }

  // --- For partial-order reduction; `choice` as for apply() -------------------------------------
  // What the action touches. By default: everything, so that nothing is reduced.
  virtual void footprint(StateRef state, const Choice& choice, Footprint& out) {
    (void)state, (void)choice;
    out.clear();
    out.everything = true;
  }
  // Whether footprints are the user's word, which may be wrong.
  virtual bool declares_footprints() const { return false; }
  // From now on, actions that change what an `always` or `sometimes` reads of several nodes depend
  // on each other. For exploring runs: without it only what single nodes go through is the same in
  // all runs of a partial order.
  virtual void watch_properties() {}
  // Names the action in every state that differs from this one by independent actions alone. From
  // content; different for different actions of one state.
  virtual uint64_t key(StateRef state, const Choice& choice) = 0;
  // The name that an action of the state last given to apply() has in the successor that apply()
  // made. Differs from key() only where apply() renames nodes.
  virtual uint64_t key_after_apply(StateRef state, const Choice& choice) {
    return key(state, choice);
  }

  // --- For properties of runs (ordeal/liveness.h) ------------------------------------------------
  // Which atoms are true of a state, by number: `out` is as long as Liveness::state_atoms says.
  // trouble() tells where it could not be said.
  virtual void atoms_of_state(StateRef state, bool terminal, std::vector<bool>& out) {
    (void)state, (void)terminal, (void)out;
  }
  // … of a step. REQUIRES: `choice` as for apply(), which gave `after`.
  virtual void atoms_of_step(StateRef before, const Choice& choice, StateRef after,
                             std::vector<bool>& out) {
    (void)before, (void)choice, (void)after, (void)out;
  }
  // Whom the step serves; only where Liveness::has_duties. `choice` as for apply().
  virtual Duty duty(StateRef state, const Choice& choice) {
    (void)state, (void)choice;
    return {};
  }

  // --- For filters and property machines ---------------------------------------------------------
  // What the action is about: of deliver, drop and duplicate the message. Cheap, from content.
  virtual Offer offer(StateRef state, const Choice& choice);
  // Appends the events of a step, in the order of ordeal/event.h. `after` is what apply() gave.
  // What the events refer to stays valid until the next call. By default, and for raw models: one
  // kStep with the label of the action.
  virtual void events(StateRef before, const Choice& choice, StateRef after,
                      std::vector<Event>& out);
  // Appends all that is on its way in the state, each copy once; as events, in canonical order.
  virtual void on_its_way(StateRef state, std::vector<Event>& out) { (void)state, (void)out; }
  // As apply(), for changes that no action makes. Raw models have
  // nothing to amend.
  virtual uint64_t amend(StateRef state, std::span<const Amendment> changes,
                         std::vector<uint32_t>& out) {
    (void)changes;
    out.insert(out.end(), state.begin(), state.end());
    return fingerprint(state);
  }

  // --- For steering (ordeal/steering.h) ----------------------------------------------------------
  // A predicate by its text, "LogDiff(2)", ready to be asked for by this explorer.
  virtual Result<uint32_t> predicate(const std::string& text);
  // REQUIRES: predicate() gave that number.
  virtual bool holds(StateRef state, uint32_t predicate) {
    (void)state, (void)predicate;
    return false;
  }
  // How far it is from being so: 0 where it holds, and only there. None: it is not graded.
  virtual std::optional<uint32_t> distance(StateRef state, uint32_t predicate) {
    (void)state, (void)predicate;
    return std::nullopt;
  }
  // A colouring by its name. By default there is one, by which all states differ.
  virtual Result<uint32_t> colouring(const std::string& name);
  // Appends the colour of every node (components are none), in their order; of a raw model, one.
  // From content. REQUIRES: colouring() gave that number.
  virtual void colours(StateRef state, uint32_t colouring, std::vector<uint64_t>& out) {
    (void)colouring;
    out.push_back(fingerprint(state));
  }
  // The same, to be shown.
  virtual void show_colours(StateRef state, uint32_t colouring, std::vector<value::Tree>& out);

 private:
  std::string label_;  // of the last step, for events()
};

class StateSpace {
 public:
  struct Initial {
    uint64_t fingerprint = 0;
    std::vector<uint32_t> state;
    std::vector<uint32_t> choices;  // answers of choose(n) while the nodes started
  };

  virtual ~StateSpace() = default;
  virtual const std::vector<Property>& properties() const = 0;
  // The scenario that it is under, in words that tell it from others; "" where there is none.
  virtual std::string scenario() const { return ""; }
  // What decides what handlers do and is no part of the program: the text that node types of run
  // time interpret. An Error where one does not say: nothing that outlives the process can be known
  // to be about the same system then.
  virtual Result<std::string> interprets() const { return std::string(); }
  // Whether states outside of the constraint are judged, too (as not terminal); they are never gone
  // on from.
  virtual bool judges_outside() const { return false; }
  // What is said of runs. An Error: it cannot be checked, and why.
  virtual Result<Liveness> liveness() const { return Liveness{}; }
  // In canonical order. An Error where the system cannot start (a `start` handler that fails).
  virtual Result<std::vector<Initial>> initial() = 0;
  virtual std::unique_ptr<Explorer> explorer() = 0;
  virtual SpaceStatistics statistics() const = 0;
  // By number. Empty: its steps are of no sorts (a raw model).
  virtual std::vector<StepSort> sorts() const { return {}; }
  // The kinds of actions that it describes. Valid, by validate_kinds().
  virtual std::vector<KindRef> kinds() const { return {}; }
  // --- For searches over several processes -----------------------------------------------------
  // Whether states can leave the process.
  virtual bool can_travel() const { return false; }
  // Appends the state as content: bytes that mean the same in every process in which the same
  // program has built the same subject. REQUIRES: can_travel().
  virtual void encode(StateRef state, std::string& bytes) {
    (void)state, (void)bytes;
    std::abort();
  }
  // Appends the packed state to `out` and returns its fingerprint. An Error: these are no bytes of
  // a state of this subject, or not all of them. REQUIRES: can_travel().
  virtual Result<uint64_t> decode(std::string_view bytes, std::vector<uint32_t>& out) {
    (void)bytes, (void)out;
    return Error{"states of this subject cannot leave the process"};
  }
  // Forgets interned values so that memory stays bounded over many runs. Invalidates every packed
  // state and explorer's memory of it. REQUIRES: no other thread uses the space.
  virtual void forget() = 0;
};

// A system that runs from the start, one action after the other.
class World {
 public:
  virtual ~World() = default;
  virtual const std::vector<Property>& properties() const = 0;

  // Starts a new run in initial state number `initial`.
  virtual Result<void> reset(uint32_t initial = 0) = 0;
  virtual uint32_t initial_count() = 0;

  // The enabled actions of the current state. Valid until the next apply() or reset().
  virtual const std::vector<Choice>& enabled() = 0;
  // Takes action number `index`. An Error means that the subject failed (a handler threw, the
  // process died); the run is then over and only reset() may follow.
  virtual Result<void> apply(uint32_t index) = 0;

  virtual uint64_t fingerprint() = 0;
  // Whether fingerprints cover everything: equal ones, equal futures and verdicts. Not so under a
  // scenario with functions that remember something by themselves.
  virtual bool is_value() const { return true; }
  virtual bool within() = 0;
  virtual bool judges_outside() const { return false; }  // as StateSpace::judges_outside()
  virtual void judge(bool terminal, Judgement& out) = 0;
  virtual Outcome explain(bool terminal, uint32_t property) = 0;
  // As those of Explorer, of the last apply(): nothing is judged before the first.
  virtual void judge_step(Judgement& out) { (void)out; }
  virtual Outcome explain_step(uint32_t property) {
    (void)property;
    return true;
  }
  // What could not be said of the current state or of the step that led to it, by any of enabled(),
  // within(), judge() and judge_step() since then; enabled() is empty where it could not be said.
  virtual const std::string* trouble() { return nullptr; }
  virtual Action action(uint32_t index) = 0;
  virtual StepDetail detail(uint32_t index) = 0;
  // As Explorer::footprint() and Explorer::key(), for action number `index`.
  virtual void footprint(uint32_t index, Footprint& out) = 0;
  virtual uint64_t key(uint32_t index) = 0;
  // Called after apply() with the detail() of that action: adds what could not be known before
  // (opaque objects only tell what they do by doing it).
  virtual void after_step(StepDetail& detail) { (void)detail; }
  virtual Snapshot observe() = 0;
  virtual SpaceStatistics statistics() const = 0;
  // As StateSpace::sorts() and StateSpace::kinds().
  virtual std::vector<StepSort> sorts() const { return {}; }
  virtual std::vector<KindRef> kinds() const { return {}; }
  // Forgets what can be found out again, to give memory back. REQUIRES: reset() comes next.
  virtual void forget() {}

  // As Explorer::offer(), for action number `index`.
  virtual Offer offer(uint32_t index);
  // As Explorer::events(), of the last apply(); valid until the next call of anything.
  virtual void events(std::vector<Event>& out) { (void)out; }
  virtual void on_its_way(std::vector<Event>& out) { (void)out; }
  virtual void amend(std::span<const Amendment> changes) { (void)changes; }

  // As those of Explorer, of the current state. Predicates and colours are unknown by default.
  virtual Result<uint32_t> predicate(const std::string& text);
  virtual bool holds(uint32_t predicate) {
    (void)predicate;
    return false;
  }
  virtual std::optional<uint32_t> distance(uint32_t predicate) {
    (void)predicate;
    return std::nullopt;
  }
  virtual Result<uint32_t> colouring(const std::string& name);
  virtual void colours(uint32_t colouring, std::vector<uint64_t>& out) {
    (void)colouring;
    out.push_back(fingerprint());
  }
  virtual void show_colours(uint32_t colouring, std::vector<value::Tree>& out);
};

// Drives a StateSpace as a World. Forgets interned values between runs once they take more than
// `memory_limit` bytes.
std::unique_ptr<World> run_world(std::shared_ptr<StateSpace> space,
                                 uint64_t memory_limit = uint64_t{1} << 30);

class Symmetry;  // ordeal/symmetry.h

// Who takes part in a system and what they handle, for finding mistakes in scenarios before they
// run. Raw models have nobody.
struct Cast {
  struct Member {
    NodeId id;
    std::string name;                    // of a component; "" of a node
    const value::Type* state = nullptr;  // null: an opaque object
    std::vector<const value::Type*> messages;
    std::vector<const value::Type*> requests;
    bool may_crash = false;
    bool component = false;
  };
  std::vector<Member> members;  // nodes, then components
  bool recoveries = false;
  bool timed = false;
  bool ordered = false;   // links keep the order of messages
  bool prompt = false;    // timers wait until nothing can be delivered
  bool is_model = false;  // a raw model: nothing is sent, and nothing can be amended

  const Member* find(NodeId id) const;
  std::vector<NodeId> nodes() const;  // without components
};

// What is to be said of a property without looking at states: an assumption about constants is true
// or not, and what nobody here can check is undecided.
struct Foregone {
  enum class Is : uint8_t { kTrue, kFalse, kUnknown };
  uint32_t property = 0;
  Is is = Is::kTrue;
  std::string why = {};  // kFalse, kUnknown: for a person
};

// What an exploration came to, for what is judged after it.
struct Totals {
  uint64_t distinct_states = 0;
  uint64_t generated_states = 0;
  uint32_t depth = 0;
  bool complete = false;
};

// What a user hands to check(): a system or a model, ready to be explored.
class Checkable {
 public:
  virtual ~Checkable() = default;
  virtual const std::vector<Property>& properties() const = 0;
  // Null where states cannot be saved and come back to (opaque nodes).
  virtual std::shared_ptr<StateSpace> space() const = 0;
  virtual std::unique_ptr<World> world() const = 0;
  // Whether a constraint is declared: a clean result then reads "holds within the constraint".
  virtual bool constrained() const = 0;
  // An Error that says what makes no sense about it. check() asks before it starts.
  virtual Result<void> validate() const = 0;
  // What is declared alike, over a new space. An Error where nothing is, or where states cannot be
  // renamed.
  virtual Result<std::shared_ptr<Symmetry>> symmetry() const = 0;
  virtual Cast cast() const { return {.members = {}, .is_model = true}; }
  // Whether there is anything to explore; false: it says things about constants alone.
  virtual bool has_behaviours() const { return true; }
  // Judged before anything is explored; where one is false, nothing is.
  virtual std::vector<Foregone> foregone() const { return {}; }
  // Judged when exploration has ended with nothing violated. An Error: it could not be said.
  virtual Result<std::vector<Foregone>> afterwards(const Totals& totals) const {
    (void)totals;
    return std::vector<Foregone>{};
  }
  // What is declared of it that exploration can be led by. Valid, by validate().
  virtual Steering steering() const { return {}; }
  // The same under System::free_faults(). An Error where there are no nodes that could fail.
  virtual Result<std::unique_ptr<Checkable>> with_free_faults() const;
  // Takes so many steps of random runs twice: as searches do, where equal values are one, and on
  // objects that are kept from step to step, as in a program that really runs. An Error says what
  // differs: a handler depends on something that is no part of the state. Subjects whose states
  // cannot be saved, and raw models, have nothing to rehearse.
  virtual Result<void> rehearse(uint64_t seed, uint64_t steps) const {
    (void)seed, (void)steps;
    return {};
  }
};

}  // namespace ordeal
