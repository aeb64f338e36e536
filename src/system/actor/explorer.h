// ActorExplorer: enumerates and applies actions of a system of nodes, for one thread.
// docs/reference/world-rules.md says what each action does.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ordeal/world.h"
#include "system/actor/handler_events.h"
#include "system/actor/judge.h"
#include "system/actor/memo.h"
#include "system/actor/space.h"
#include "system/actor/steer.h"

namespace ordeal::actor {

// A state taken apart, to be changed; for actions that touch more than one node and the network.
struct Working {
  uint32_t environment = 0;
  uint32_t history = 0;
  std::vector<uint32_t> parts;
  std::vector<uint32_t> pending;
};

// Adds what the first `count` captured effects show people: timers, decisions, history, log.
void collect_effects(const Context::Captured& captured, size_t count, int client, StepDetail& out);

Sent sent_of(const ActorSpace& space, const Event& event);

// Whether the action runs a handler of a node; a crash does not, nor does what befalls messages.
bool runs_handler(ActionKind kind);

// "1,2 | 3": the nodes of each block of a declared split, by its number.
std::string show_split(const ActorSpace& space, uint32_t split);

class ActorExplorer : public Explorer {
 public:
  explicit ActorExplorer(std::shared_ptr<ActorSpace> space);

  void enumerate(StateRef state, std::vector<Choice>& out) override;
  uint64_t apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                 std::vector<uint32_t>& out) override;
  void take_runs() override;
  bool fails(StateRef state, const Choice& choice) override;
  bool within(StateRef state) override { return judge_.within(state); }
  void judge(StateRef state, bool terminal, Judgement& out) override {
    judge_.judge(state, terminal, out);
  }
  Outcome explain(StateRef state, bool terminal, uint32_t property) override {
    return judge_.explain(state, terminal, property);
  }
  Action action(StateRef state, const Choice& choice) override;
  StepDetail detail(StateRef state, const Choice& choice) override;
  Snapshot observe(StateRef state) override;
  uint64_t fingerprint(StateRef state) override { return space_->fingerprint(state); }
  uint64_t second_fingerprint(StateRef state) override { return space_->second_fingerprint(state); }
  uint64_t bytes() const override;
  void footprint(StateRef state, const Choice& choice, Footprint& out) override;
  void watch_properties() override;
  uint64_t key(StateRef state, const Choice& choice) override;
  // In runs.cc.
  void atoms_of_state(StateRef state, bool terminal, std::vector<bool>& out) override;
  Duty duty(StateRef state, const Choice& choice) override;
  // In events.cc. What events refer to stays valid until ActorSpace::forget().
  Offer offer(StateRef state, const Choice& choice) override;
  void events(StateRef before, const Choice& choice, StateRef after,
              std::vector<ordeal::Event>& out) override;
  void on_its_way(StateRef state, std::vector<ordeal::Event>& out) override;
  uint64_t amend(StateRef state, std::span<const Amendment> changes,
                 std::vector<uint32_t>& out) override;
  Result<uint32_t> predicate(const std::string& text) override { return steer_.predicate(text); }
  bool holds(StateRef state, uint32_t predicate) override {
    refresh();
    return steer_.holds(state, predicate);
  }
  std::optional<uint32_t> distance(StateRef state, uint32_t predicate) override {
    refresh();
    return steer_.distance(state, predicate);
  }
  Result<uint32_t> colouring(const std::string& name) override { return steer_.colouring(name); }
  void colours(StateRef state, uint32_t colouring, std::vector<uint64_t>& out) override {
    refresh();
    steer_.colours(state, colouring, out);
  }
  void show_colours(StateRef state, uint32_t colouring, std::vector<value::Tree>& out) override {
    steer_.show_colours(state, colouring, out);
  }

  // --- For initial states, and for opaque objects ------------------------------------------------
  // Every node new, every request pending; nobody has started yet.
  Working before_start();
  void unpack(StateRef state, Working& out) const;
  void pack(const Working& working, std::vector<uint32_t>& out) const;
  // Lets one way a handler of the node at `position` went happen. Returns "" or why it fails.
  std::string perform(Working& working, const HandlerOutcome& outcome, uint32_t position);
  void add_pending(Working& working, uint32_t event) const;

  // See Judge.
  void hold_to_symmetry(Images* images) { judge_.hold_to_symmetry(images); }
  bool left_images_out() const { return judge_.left_images_out(); }
  // Whether the action answers choose(n). REQUIRES: enumerated by the last enumerate().
  bool chooses(const Choice& choice) const;

  // Why the last apply() failed, where a failure could not be known before; "" if it did not.
  const std::string& apply_failure() const { return apply_failure_; }

 protected:
  // What the handler of `event` does in `part`. Valid until the next call.
  using Ways = std::span<const HandlerOutcome>;
  virtual Ways outcomes(uint32_t part, uint32_t event);
  // What the handlers of a node do is not known before they run.
  virtual bool is_unknown(uint32_t position) const {
    (void)position;
    return false;
  }
  // The way that the handler of an action went, and what it did besides sending.
  struct Taken {
    const HandlerOutcome* way;
    const HandlerEvents* did;
  };
  virtual Taken taken(StateRef before, const Choice& choice);
  ActorSpace& space() { return *space_; }
  // Without what the action handles: one like it that is pending afterwards was sent in this step.
  void take_handled(const Choice& choice, std::vector<uint32_t>& pending) const;
  void refresh();  // after ActorSpace::forget
  // Every action is applied the general way, and asks for its outcome once.
  void go_slow() { may_be_fast_ = false; }
  Judge& judge() { return judge_; }

 private:
  static constexpr uint32_t kFails = ~0U;  // no history
  static uint64_t memo_key(uint32_t part, uint32_t event) {
    return static_cast<uint64_t>(part) << 32 | event;
  }
  uint32_t history_after(uint32_t history, uint32_t ops);  // kFails where it makes no sense
  std::string failure_of(StateRef state, const HandlerOutcome& outcome);
  bool can_crash(const Environment& environment, uint32_t position) const {
    return environment.crashes > 0 && space_->may_crash(position);
  }
  // The groups of actions, in canonical order.
  void enumerate_pending(StateRef state, std::vector<Choice>& out);
  void enumerate_timers(StateRef state, std::vector<Choice>& out);
  void enumerate_repeats(StateRef state, std::vector<Choice>& out);
  void enumerate_faults(StateRef state, std::vector<Choice>& out);
  void enumerate_suspicions(StateRef state, std::vector<Choice>& out);
  // What a handler is called with. The sort comes along because whoever calls has looked at the
  // event: this is as hot as anything here.
  struct Handled {
    ActionKind kind;
    uint32_t event;
    uint32_t to;
    uint16_t sort;
    bool progress;
  };
  void add_handler_choices(StateRef state, const Handled& what, std::vector<Choice>& out);

  bool touches_one_node(ActionKind kind) const;
  bool is_simple(StateRef state, const HandlerOutcome& outcome) const;
  uint64_t apply_fast(StateRef state, uint64_t fingerprint, const Choice& choice,
                      const HandlerOutcome& outcome, std::vector<uint32_t>& out);
  uint64_t apply_queued(StateRef state, uint64_t fingerprint, const Choice& choice,
                        const HandlerOutcome& outcome, std::vector<uint32_t>& out);
  uint64_t step_node(StateRef state, uint64_t fingerprint, uint32_t position,
                     const HandlerOutcome& outcome, uint32_t* to);
  void apply_slow(Working& working, const Choice& choice);
  void fire_timer(Working& working, const Choice& choice, const HandlerOutcome& outcome);
  void crash(Working& working, uint32_t position, bool part_is_crashed);
  void recover(Working& working, const Choice& choice);
  void suspect(Working& working, const Choice& choice);
  void remove_pending(Working& working, uint32_t event) const;
  void notice(Working& working, ActionKind kind, uint32_t about, uint32_t to) const;
  Environment environment(const Working& working) const {
    return space_->environment(working.environment);
  }

  const HandlerOutcome& chosen(StateRef state, const Choice& choice);

  // What the parts of an action touch (footprint.cc).
  void touch(StateRef state, const Choice& choice, Footprint& out);
  void touch_up(uint32_t position, Footprint& out) const;
  void touch_handler(StateRef state, const Choice& choice, Footprint& out);
  void touch_unknown(uint32_t position, Footprint& out) const;
  void touch_sender(const Event& event, Footprint& out) const;
  void touch_effects(StateRef state, const HandlerOutcome& outcome, Footprint& out) const;
  void touch_send(StateRef state, uint32_t event, Footprint& out) const;
  void touch_calls(StateRef state, const HandlerOutcome& outcome, Footprint& out);
  void touch_taken(StateRef state, uint32_t event, Footprint& out) const;
  void touch_crash(StateRef state, uint32_t position, Footprint& out) const;
  void touch_partition(uint32_t partition, Footprint& out) const;
  void touch_watched(StateRef state, const Choice& choice, Footprint& out);

  // The parts of events() (events.cc).
  const HandlerEvents& done_by(uint32_t part, uint32_t event, const HandlerOutcome& way);
  void tell_handled(const Choice& choice, StateRef after, std::vector<ordeal::Event>& out);
  void tell_done(const HandlerEvents& did, uint32_t position, StateRef after,
                 std::vector<ordeal::Event>& out) const;
  void tell_calls(StateRef before, const Choice& choice, const HandlerOutcome& way, StateRef after,
                  std::vector<ordeal::Event>& out);
  void tell_pending(StateRef before, const Choice& choice, StateRef after,
                    std::vector<ordeal::Event>& out);
  void tell_timers(const Taken& taken, uint32_t position, StateRef after,
                   std::vector<ordeal::Event>& out);
  void tell_crash(uint32_t position, StateRef after, std::vector<ordeal::Event>& out) const;
  ordeal::Event announcement(uint32_t event, StateRef state) const;
  ordeal::Event timer_announcement(uint32_t position, std::string_view name, StateRef state) const;
  // The state of the node at `position`; null where there is none that could be looked into.
  const value::Any* state_of(int position, StateRef state) const;
  void amend(Working& working, const Amendment& change) const;

  std::shared_ptr<ActorSpace> space_;
  Judge judge_;
  Steer steer_;
  // What handlers do, by part and event; never of opaque objects. The value is the index of the
  // ways in known_, doubled, and 1 more where none of them does anything.
  FlatMemo<uint32_t> memo_;
  std::vector<Ways> known_;
  FlatMemo<uint32_t> history_memo_;
  // What handlers did besides sending, by the way they went; the value is the place in the list.
  FlatMemo<uint32_t> done_memo_;
  std::deque<HandlerEvents> done_;
  uint64_t done_bytes_ = 0;
  std::vector<std::string> splits_;  // "1 | 2,3", by number; made when asked for
  std::vector<std::pair<uint32_t, std::string_view>> set_;  // timers of components, in a step
  std::vector<uint32_t> was_pending_;
  uint64_t generation_ = 0;
  std::string apply_failure_;
  // For each choice of the last enumerate() that runs a handler: the way it goes. Null: that was
  // left open.
  std::vector<const HandlerOutcome*> ways_;
  Working working_;
  std::vector<uint32_t> called_parts_;  // of components, while it is found out what calls do
  // Which properties see a change; see watch_properties().
  std::vector<std::vector<uint32_t>> watched_nodes_;  // by position: … of the node
  std::vector<uint32_t> watched_decisions_;
  std::vector<uint32_t> watched_crashes_;
  std::vector<uint32_t> watched_history_;
  bool watching_ = false;
  bool may_be_fast_;        // successors may be made from the parent, part by part
  bool sends_may_be_lost_;  // to nodes that are down for good
  bool all_up_;             // nobody ever crashes
  bool skip_noops_;         // deliveries that change nothing are no actions
  bool is_ordered_;
  bool takes_runs_ = false;
  bool leaves_open_ = false;  // what handlers do is found out when they are taken
};

}  // namespace ordeal::actor
