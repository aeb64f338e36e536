// System: nodes, the network between them, the faults that may strike, and what must be true.
//
//   System system;
//   system.add<Server>(3);                          // nodes 1, 2, 3
//   system.request(1, Propose{7});                  // some time, node 1 gets this request
//   system.crash({2}).detector(Detector::kPerfect); // node 2 may crash; the others are told
//   system.always("agreement", agreement());
//   Result<Report> report = check(system);
//
// Everything that can happen is an action: deliveries, timers, requests, crashes, drops. By default
// the network is a bag (every message arrives once, in any order), and nothing fails. The order of
// declarations does not matter, except that nodes get their ids in the order in which they are
// added, and that a component, whose id component() returns, comes after all nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/detail/points.h"
#include "ordeal/fair.h"
#include "ordeal/liveness.h"
#include "ordeal/node.h"
#include "ordeal/predicate.h"
#include "ordeal/property.h"
#include "ordeal/steering.h"
#include "ordeal/value.h"
#include "ordeal/world.h"

namespace ordeal {

namespace dynamic {
class NodeType;  // ordeal/dynamic_node.h
}  // namespace dynamic

enum class Network : uint8_t {
  kBag,      // unordered; each copy is delivered once
  kSet,      // unordered with unlimited duplication: a message stays deliverable for ever
  kOrdered,  // first in, first out per pair of sender and receiver
};

enum class Detector : uint8_t {
  kNone,
  kPerfect,            // every crash is reported to every node that is up, in any order
  kEventuallyPerfect,  // … and it may suspect wrongly, with a budget per pair, and take it back
};

namespace detail {

struct NodeDeclaration {
  SharedNodeType type;
  // The node as it is before `start`, for its id. Value nodes.
  std::function<value::Any(NodeId)> make_value;
  // A new object, owned by the caller. Opaque nodes.
  std::function<void*(NodeId)> make_object;
  bool component = false;
  std::string name;   // components only
  NodeId given = -1;  // components only: the id that component() returned
};

// A way to split the network: blocks of nodes.
using Split = std::vector<std::vector<NodeId>>;

// What was declared. Nothing in it may depend on the order of declarations: what follows from
// several of them together is worked out at the end, in settled().
struct Declaration {
  std::vector<NodeDeclaration> nodes;  // components last
  int first_id = 1;
  std::vector<std::pair<NodeId, value::Any>> requests;
  Network network = Network::kBag;
  uint32_t drops = 0;
  uint32_t duplicates = 0;
  std::vector<NodeId> may_crash;
  uint32_t crash_lists = 0;  // how often they were listed
  uint32_t crashes = 0;      // how many crashes in a run, all nodes together
  uint32_t recoveries = 0;   // how many recoveries in a run
  bool crash_at_persist = false;
  Detector detector = Detector::kNone;
  uint32_t wrong_suspicions = 0;  // per pair
  uint32_t partition_budget = 0;
  std::optional<std::vector<Split>> splits;  // only these; none: in two, in any way
  std::optional<bool> says_timed;            // timed() was called
  bool prompt = false;
  bool skip_noops = false;
  bool never_chooses = false;
  bool free_faults = false;
  struct NamedPredicate {
    Property property;
    Predicate predicate;
  };
  std::vector<NamedPredicate> properties;
  // What is said of runs: atoms are predicates, or what a property says, by its place in
  // `properties`; the claims' properties are numbered as in the list of all, the implicit one
  // first.
  struct Atom {
    std::optional<uint32_t> property = {};
    std::optional<Predicate> predicate = {};
  };
  std::vector<Atom> atoms;
  std::vector<Liveness::Claim> claims;
  std::vector<Formula> assumed;
  std::vector<std::string> assumed_words;
  std::vector<Fair> fair;
  std::vector<std::function<bool(const View&)>> constraints;
  // What is alike: nodes by id, nodes by their type, names by their tag.
  std::vector<std::vector<NodeId>> alike;
  struct LikeType {
    TypeId id;
    SharedNodeType made;  // not null: of this node type, whatever its states are
  };
  std::vector<LikeType> alike_types;
  std::vector<LikeNames> interchangeable;
  // What exploration is led by (ordeal/steering.h).
  struct Colour {
    Colouring colouring;
    TypeId type;  // of the nodes that it colours
    std::function<uint64_t(const void*, NodeId self)> hash;
    std::function<value::Tree(const void*, NodeId self)> show;
  };
  std::vector<Colour> colours;
  struct Family {
    PredicateFamily family;
    std::function<Predicate(std::span<const int64_t>)> make;
    // Of a graded one: how far it is from being so.
    using Grade = std::function<int64_t(const View&)>;
    std::function<Grade(std::span<const int64_t>)> grade = {};
  };
  std::vector<Family> predicates;
  std::vector<Waypoints> waypoints;
  std::vector<RewardMachine> machines;

  // --- Worked out by settled() -------------------------------------------------------------------
  std::vector<std::vector<int>> partitions;  // each: block number per node, by position
  bool timed = false;
  bool repeat_requests = false;
};

// The declaration with all that follows from it.
Declaration settled(const Declaration& declared);

}  // namespace detail

class System : public Checkable {
 public:
  System();
  System(System&&) noexcept;
  System& operator=(System&&) noexcept;
  ~System() override;

  // Nodes get ids first_id, first_id + 1, … in the order in which they are added. Default 1.
  System& first_id(int id);

  // Adds `count` value nodes; `make(id)` gives each as it is before `start`.
  template <Value T, class Make>
  System& add(int count, Make make) {
    detail::require_const<Make, NodeId>();
    return add_nodes(count,
                     {detail::value_node_type<T>(),
                      [make = std::move(make)](NodeId id) { return value::Any::of(T(make(id))); },
                      nullptr, false, ""});
  }
  template <Value T>
  System& add(int count = 1) {
    return add<T>(count, [](NodeId) { return T{}; });
  }

  // Adds `count` nodes of any class behind a factory (NodeId) -> std::unique_ptr<T>. States of such
  // a system cannot be saved: only run-based strategies fit, and they run in worker processes.
  template <class T, class Make>
  System& add_opaque(int count, Make make) {
    detail::require_const<Make, NodeId>();
    return add_nodes(
        count,
        {detail::opaque_node_type<T>(), nullptr,
         [make = std::move(make)](NodeId id) -> void* { return make(id).release(); }, false, ""});
  }

  // Adds a mocked component, an event source: what nodes send to it is handled at once, within the
  // sender's step; what it posts reaches its target at any later time, and is never lost. It does
  // not crash, and is none of view.nodes(). Returns its id, to be given to the nodes.
  // REQUIRES: all nodes have been added.
  template <Value T>
  NodeId component(std::string name, T initial = {}) {
    return add_component(
        {detail::value_node_type<T>(),
         [initial = std::move(initial)](NodeId) { return value::Any::of(initial); }, nullptr, true,
         std::move(name)});
  }

  // Nodes and components of a type of run time: `make(id)` gives the value::Any of a state. Without
  // it, each is a new value of the type.
  template <class Make>
  System& add(const dynamic::NodeType& type, int count, Make make) {
    detail::require_const<Make, NodeId>();
    return add_made(type, count, std::move(make));
  }
  System& add(const dynamic::NodeType& type, int count = 1);
  NodeId component(std::string name, const dynamic::NodeType& type, value::Any initial);

  // At any time, once: node gets this request (its handler `request`).
  template <Value R>
  System& request(NodeId node, R request) {
    return add_request(node, value::Any::of(std::move(request)));
  }
  System& request(NodeId node, value::Any request) { return add_request(node, std::move(request)); }

  // --- Links -----------------------------------------------------------------------------------
  System& network(Network kind);
  System& drops(uint32_t budget);       // messages that may be lost in a run
  System& duplicates(uint32_t budget);  // messages that may be delivered once more in a run
  // Leaves out deliveries that change nothing and send nothing: the message stays in flight.
  System& skip_noops(bool on = true);
  // No handler of a node asks choose(n); one that does fails. Runs are faster then: what a message
  // does is found out where it arrives, and not wherever it is on its way.
  System& never_chooses(bool on = true);

  // --- Time ------------------------------------------------------------------------------------
  // Timers fire in the order of virtual time (their `after`), not in any order. Messages may still
  // take any time.
  System& timed(bool on = true);
  // … and time passes only where nothing can be delivered: links are fast, compared with timers.
  // What a partition or a filter keeps away does not count as deliverable.
  System& prompt(bool on = true);

  // --- Faults ----------------------------------------------------------------------------------
  // These nodes may crash, each any number of times; all together at most `max` times in a run
  // (default: as many as there are nodes in the list).
  // REQUIRES: called once.
  System& crash(std::vector<NodeId> nodes, int max = -1);
  // Crashed nodes may come back, at most `budget` times in a run; they keep what they persisted.
  System& recoveries(uint32_t budget);
  // A crash may also fall right after each persist, in the middle of a handler.
  System& crash_at_persist(bool on = true);
  System& detector(Detector kind, uint32_t wrong_suspicions_per_pair = 1);
  // The network may split in two in any way, at most `budget` times in a run, and heal.
  System& partitions(uint32_t budget);
  // … only in these ways: each a list of blocks of nodes; nodes that no block names are together.
  System& partitions(uint32_t budget, std::vector<detail::Split> splits);
  // As a live run has it, where a person decides: any node may crash and come back, any message be
  // lost or delivered twice, any request be made again, any timer fire at any time; no budgets, no
  // virtual time, no partitions (a link that loses everything is one), no crashes inside handlers.
  System& free_faults();

  // --- Symmetry --------------------------------------------------------------------------------
  // These nodes differ in nothing but their ids: with Options::symmetry, states that differ in who
  // is who among them are one. Only ids of type NodeId are renamed. Several calls, several classes.
  System& alike(std::vector<NodeId> nodes);
  // All nodes of type T.
  template <class T>
  System& alike() {
    return add_alike({detail::type_id<T>(), nullptr});
  }
  System& alike(const dynamic::NodeType& type);
  // The values 0 … count - 1 of this Name<Tag> (see ordeal/name.h) differ in nothing but that.
  template <class N>
  System& interchangeable(uint32_t count) {
    return add_interchangeable(N(), count);
  }

  // --- Checks ----------------------------------------------------------------------------------
  System& always(std::string name, Predicate predicate);
  System& sometimes(std::string name, Predicate predicate);
  // In every state where a run ends; and of a run that goes on for ever, in some state.
  System& eventually(std::string name, Predicate predicate);
  // Of runs (ordeal/liveness.h), under what is declared fair: whenever the one, then or later the
  // other; again and again; from some time on for ever. Where a run ends its last state stays.
  System& leads_to(std::string name, Predicate from, Predicate to);
  System& infinitely_often(std::string name, Predicate predicate);
  System& eventually_always(std::string name, Predicate predicate);
  // Any formula: `atom` makes one of a predicate.
  Formula atom(Predicate predicate);
  System& claim(std::string name, Formula formula, std::string word = "claim");
  // What is owed to which actions, besides the default (ordeal/fair.h).
  System& fair(Fair fair);
  // Only runs of which this is true count; `words` say it to people.
  System& assume(Formula formula, std::string words);
  // A terminal state where `done` is false is a violation of the property "no deadlock".
  template <class F>
  System& no_deadlock(F done) {
    detail::require_const<F, const View&>();
    return add_no_deadlock(std::move(done));
  }
  // Explores only states where `constraint` holds; several are joined by "and".
  template <class F>
  System& within(F constraint) {
    detail::require_const<F, const View&>();
    return add_constraint(std::move(constraint));
  }

  // --- Steering: what exploration may be led by (ordeal/steering.h) ------------------------------
  // What nodes of type T look like: any value that a const function makes of their state, and of
  // who they are where it asks for a NodeId, too. Ids do not belong into colours: "voted for
  // itself" does, for whom not. Nodes of types without one look like what they are.
  template <Value T, class F>
  System& colour(Colouring colouring, F f) {
    const auto of = [f](const void* node, NodeId self) {
      const T& state = *static_cast<const T*>(node);
      if constexpr (std::is_invocable_v<const F&, const T&, NodeId>) {
        return f(state, self);
      } else {
        detail::require_const<F, const T&>();
        (void)self;
        return f(state);
      }
    };
    static_assert(Value<std::decay_t<decltype(of(nullptr, NodeId()))>>,
                  "ordeal: a colour is a value, which the engine can hash and show");
    detail::Declaration::Colour colour;
    colour.colouring = std::move(colouring);
    colour.type = detail::type_id<T>();
    colour.hash = [of](const void* node, NodeId self) { return value::hash(of(node, self)); };
    colour.show = [of](const void* node, NodeId self) { return value::tree(of(node, self)); };
    declare().colours.push_back(std::move(colour));
    return *this;
  }
  template <Value T, class F>
  System& colour(F f) {
    return colour<T>(Colouring{kDefaultColouring}, std::move(f));
  }
  // A predicate that can be named, or, of a function of whole numbers that returns one, a family.
  template <class F>
  System& predicate(std::string name, std::string what, F make) {
    if constexpr (std::is_convertible_v<F, Predicate>) {
      return add_family(
          {{std::move(name), std::move(what), 0},
           [one = Predicate(std::move(make))](std::span<const int64_t>) { return one; }});
    } else {
      return add_family({{std::move(name), std::move(what), detail::arguments_of<F>()},
                         detail::with_arguments<Predicate>(std::move(make))});
    }
  }
  // A predicate that says how far it is from being so: a const function of the view that returns a
  // whole number, or, of a function of whole numbers that returns one, a family. It holds where
  // that number is 0 or less.
  template <class F>
  System& graded(std::string name, std::string what, F make) {
    using Grade = detail::Declaration::Family::Grade;
    std::function<Grade(std::span<const int64_t>)> grade;
    uint32_t arguments = 0;
    if constexpr (std::is_invocable_r_v<int64_t, const F&, const View&>) {
      grade = [one = Grade(std::move(make))](std::span<const int64_t>) { return one; };
    } else {
      arguments = detail::arguments_of<F>();
      grade = detail::with_arguments<Grade>(std::move(make));
    }
    const auto holds = [grade](std::span<const int64_t> given) -> Predicate {
      return [far = grade(given)](const View& view) { return far(view) <= 0; };
    };
    return add_family({{std::move(name), std::move(what), arguments, true}, holds, grade});
  }
  // Predicates in the order in which they should become true, "LogDiff(1), LogDiff(2)"; the last is
  // the target.
  System& waypoints(std::string name, const std::string& predicates, std::string what = "");
  // Ways that branch and loop (ordeal/steering.h says how they are written).
  System& reward_machine(std::string name, std::string text, std::string what = "");

  const std::vector<Property>& properties() const override { return properties_; }
  std::shared_ptr<StateSpace> space() const override;
  std::unique_ptr<World> world() const override;
  bool constrained() const override { return !declaration().constraints.empty(); }

  // An Error that says what is wrong with the declaration (a request to a node that does not exist
  // or that has no handler for it, a node that may crash but is none, …); check() calls it first.
  Result<void> validate() const override;
  Result<std::shared_ptr<Symmetry>> symmetry() const override;
  Cast cast() const override;
  Steering steering() const override;
  Result<std::unique_ptr<Checkable>> with_free_faults() const override;
  Result<void> rehearse(uint64_t seed, uint64_t steps) const override;

  // All that was declared, and what follows from it. Valid until the next declaration.
  const detail::Declaration& declaration() const { return *settled(); }

 private:
  System& add_nodes(int count, detail::NodeDeclaration node);
  System& add_made(const dynamic::NodeType& type, int count,
                   std::function<value::Any(NodeId)> make);
  NodeId add_component(detail::NodeDeclaration node);
  System& add_request(NodeId node, value::Any request);
  System& add_property(std::string name, PropertyKind kind, Predicate predicate);
  System& add_no_deadlock(std::function<bool(const View&)> done);
  System& add_constraint(std::function<bool(const View&)> constraint);
  System& add_alike(detail::Declaration::LikeType type);
  System& add_family(detail::Declaration::Family family);
  template <class Tag>
  System& add_interchangeable(Name<Tag>, uint32_t count) {
    declare().interchangeable.push_back(
        {value::name_tag<Tag>(), std::string(detail::kShortTypeName<Tag>), count});
    return *this;
  }
  detail::Declaration& declare();
  std::shared_ptr<const detail::Declaration> settled() const;

  struct Declared;
  std::unique_ptr<Declared> declared_;
  std::vector<Property> properties_;
};

}  // namespace ordeal
