// HandlerRun: runs one handler of one node on a copy of its state, and turns the captured effects
// into an outcome. Called only when the memo does not know the answer, and for explaining steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ordeal/context.h"
#include "system/actor/parts.h"
#include "system/actor/space.h"

namespace ordeal::actor {

class HandlerRun {
 public:
  HandlerRun(ActorSpace& space, const Part& part, const Event& event);
  // Of an interned part, which is then not looked up. Where nothing that is described of its state
  // has changed the state stays the one that it has.
  HandlerRun(ActorSpace& space, uint32_t part, const Event& event);

  // All outcomes: every path of choose(n) in lexicographic order, each followed by its crashes at
  // persists (where the system asks for them).
  HandlerOutcomes all();

  // The outcome of a handler that ran on an opaque object, which is in `state` afterwards.
  HandlerOutcome of_live(Context::Captured captured, const OpaqueState& state);

  // Runs one path, from its beginning to its end.
  HandlerOutcome once(std::vector<uint32_t> choices);

  // Runs one path and leaves what was captured in captured() and failure().
  void run(std::vector<uint32_t> choices);
  const Context::Captured& captured() const { return captured_; }
  const std::string& failure() const { return failure_; }
  const value::Any& state() const { return state_; }  // after the handler
  // What sending this adds to what is pending, or calls. REQUIRES: the receiver exists.
  uint32_t event_of(const Effect& effect) const;

 private:
  // The outcome of the effects [0, count) of the captured ones; `crash` > 0: cut there by a crash.
  HandlerOutcome outcome(size_t count, uint32_t crash);
  std::string apply_effect(const Effect& effect, HandlerOutcome& out, HistoryOps& ops);
  Part after_event() const;
  uint32_t part_before();

  ActorSpace& space_;
  const std::optional<uint32_t> part_id_;
  const Part& part_;
  const Event& event_;
  Part result_;
  value::Any state_;  // after the handler
  Context::Captured captured_;
  std::string failure_;
};

// Timers are sorted by name; one of the same name is replaced.
void set_timer(std::vector<Timer>& timers, Timer timer);

// Runs `call(node, context)` on the opaque object or copy `node`, guarded; used for opaque nodes
// too.
std::string call_handler(const detail::NodeType& type, const Event& event, int event_from_id,
                         const value::Any& disk, void* node, Context& context);

}  // namespace ordeal::actor
