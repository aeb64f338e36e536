#include "system/actor/handler_run.h"

#include <algorithm>
#include <new>

#include "base/guard.h"
#include "base/hash.h"
#include "base/left_alone.h"
#include "base/mutant.h"
#include "base/watch.h"

namespace ordeal::actor {
namespace {

const detail::NodeType::Handler* find_handler(const std::vector<detail::NodeType::Handler>& list,
                                              const value::Any& payload) {
  for (const auto& handler : list) {
    if (handler.type->same_as(*payload.type())) return &handler;
  }
  return nullptr;
}

// That handlers have, as a rule, at most.
constexpr size_t kSomeEffects = 6;

}  // namespace

void set_timer(std::vector<Timer>& timers, Timer timer) {
  const auto at = std::lower_bound(timers.begin(), timers.end(), timer.name,
                                   [](const Timer& t, const std::string& n) { return t.name < n; });
  if (at != timers.end() && at->name == timer.name) {
    *at = std::move(timer);
  } else {
    timers.insert(at, std::move(timer));
  }
}

std::string call_handler(const detail::NodeType& type, const Event& event, int event_from_id,
                         const value::Any& disk, void* node, Context& context) {
  const auto missing = [&](const std::string& what) {
    return "node " + std::to_string(context.self().value) + " (" + std::string(type.name) +
           ") has no handler for " + what;
  };
  const NodeId from(event_from_id);
  switch (event.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kEvent: {
      const auto* handler = find_handler(type.messages, event.payload);
      if (handler == nullptr) return missing("message " + std::string(event.payload.type_name()));
      return guarded_call([&] { handler->call(node, context, from, event.payload.data()); });
    }
    case ActionKind::kRequest: {
      const auto* handler = find_handler(type.requests, event.payload);
      if (handler == nullptr) return missing("request " + std::string(event.payload.type_name()));
      return guarded_call([&] { handler->call(node, context, from, event.payload.data()); });
    }
    case ActionKind::kTimer: {
      const std::string& name = *event.payload.try_get<std::string>();
      if (type.timer == nullptr) return missing("timer " + name);
      return guarded_call([&] { type.timer(node, context, name); });
    }
    case ActionKind::kDetect:
    case ActionKind::kSuspect:
      return guarded_call([&] { type.crashed(node, context, from); });
    case ActionKind::kRestore:
      return guarded_call([&] { type.restored(node, context, from); });
    case ActionKind::kRecover:
      if (type.recover != nullptr) {
        const value::Any kept = mutant(Mutant::kDiskLost) ? value::Any() : disk;
        return guarded_call([&] { type.recover(node, context, kept); });
      }
      [[fallthrough]];
    case ActionKind::kStep:  // the start of a node
      if (type.start != nullptr) return guarded_call([&] { type.start(node, context); });
      return "";
    default:
      return "";
  }
}

HandlerRun::HandlerRun(ActorSpace& space, const Part& part, const Event& event)
    : space_(space), part_(part), event_(event) {}

HandlerRun::HandlerRun(ActorSpace& space, uint32_t part, const Event& event)
    : space_(space), part_id_(part), part_(space.part(part)), event_(event) {}

Part HandlerRun::after_event() const {
  Part part;  // what is worked out of it follows when it is interned
  part.node = part_.node;
  part.up = part_.up;
  part.timers = part_.timers;
  part.disk = part_.disk;
  part.decisions = part_.decisions;
  if (event_.kind == ActionKind::kTimer) {
    const std::string& name = *event_.payload.try_get<std::string>();
    const auto fired = std::find_if(part.timers.begin(), part.timers.end(),
                                    [&](const Timer& t) { return t.name == name; });
    if (fired != part.timers.end()) {
      const uint32_t elapsed = fired->remaining;
      part.timers.erase(fired);
      for (Timer& timer : part.timers) timer.remaining -= std::min(timer.remaining, elapsed);
    }
  }
  if (event_.kind == ActionKind::kRecover) part.up = true;
  return part;
}

void HandlerRun::run(std::vector<uint32_t> choices) {
  const uint32_t position = part_.node;
  const detail::NodeType& type = space_.type_of(position);
  captured_ = {};
  captured_.choices = std::move(choices);
  captured_.effects.reserve(kSomeEffects);
  const NodeId self = space_.id_of(static_cast<int>(position));
  const int from = space_.id_of(event_.from);
  Context context(self, from, space_.peers(position), space_.group(position), captured_);
  ++space_.handler_calls_;
  // A value of its own, to be changed in place before anybody else has it.
  const value::Type& described = *type.type;
  value::Any changed = described.copy_any(part_.state.data());
  void* const node = const_cast<void*>(changed.data());
  // What did not return once does not return now: nobody waits for it as long again.
  const auto known_as = [&] {
    uint64_t call = combine(part_.digest, event_.digest);
    // Answers that were not given are 0.
    for (uint64_t i = 0; i < captured_.choices.size(); ++i) {
      if (captured_.choices[i] != 0) call = combine(call, i << 32 | captured_.choices[i]);
    }
    return call;
  };
  {
    const Hurry hurry(is_known_overdue(known_as));
    failure_ = call_handler(type, event_, from, part_.disk, node, context);
  }
  if (failure_.empty() && space_.declaration().never_chooses && !captured_.arities.empty()) {
    failure_ = "the handler asks choose(" + std::to_string(captured_.arities[0]) +
               "), and the system says that none does (System::never_chooses)";
  }
  if (is_overdue(failure_) && !watch::seat.hurry) remember_overdue(known_as());
  // After a failure the object may be broken: destroying it could fail again, so it is left alone.
  if (!failure_.empty()) return leave_alone(new value::Any(std::move(changed)));
  const bool is_same = part_id_ && described.equal(node, part_.state.data());
  state_ = is_same ? part_.state : std::move(changed);
}

HandlerOutcome HandlerRun::once(std::vector<uint32_t> choices) {
  run(std::move(choices));
  if (failure_.empty()) return outcome(captured_.effects.size(), 0);
  HandlerOutcome failed;
  failed.failure = failure_;
  failed.choices = captured_.choices;
  return failed;
}

HandlerOutcomes HandlerRun::all() {
  HandlerOutcomes out;
  std::vector<uint32_t> path;
  for (;;) {
    out.push_back(once(path));
    if (space_.declaration().crash_at_persist && space_.may_crash(part_.node) &&
        event_.kind != ActionKind::kStep) {
      // Also where the handler fails: the crash may come first.
      const bool noop = out.back().noop;
      uint32_t persists = 0;
      for (size_t i = 0; i < captured_.effects.size(); ++i) {
        if (captured_.effects[i].kind != Effect::Kind::kPersist) continue;
        out.push_back(outcome(i + 1, ++persists));
        out.back().noop = noop;  // a no-op as a whole, or none
      }
    }
    // The next path: count up the last answer that can be counted up, drop what follows.
    path = captured_.choices;
    // A handler that is not deterministic may ask less often than before (--audit finds those).
    path.resize(std::min(path.size(), captured_.arities.size()));
    while (!path.empty() && path.back() + 1 >= captured_.arities[path.size() - 1]) path.pop_back();
    if (path.empty() || mutant(Mutant::kFirstPathOnly)) return out;
    ++path.back();
  }
}

HandlerOutcome HandlerRun::of_live(Context::Captured captured, const OpaqueState& state) {
  captured_ = std::move(captured);
  state_ = value::Any::of(state);
  return outcome(captured_.effects.size(), 0);
}

uint32_t HandlerRun::event_of(const Effect& effect) const {
  const int self = static_cast<int>(part_.node);
  const int to = space_.position_of(effect.to);
  const bool message =
      effect.kind == Effect::Kind::kSend && !space_.is_component(self) && !space_.is_component(to);
  return space_.intern_event(message ? ActionKind::kDeliver : ActionKind::kEvent, self, to,
                             effect.value);
}

std::string HandlerRun::apply_effect(const Effect& effect, HandlerOutcome& out, HistoryOps& ops) {
  const int self = static_cast<int>(part_.node);
  const NodeId self_id = space_.id_of(self);
  switch (effect.kind) {
    case Effect::Kind::kSend:
    case Effect::Kind::kPost: {
      const int to = space_.position_of(effect.to);
      if (to < 0) {
        return "sent " + std::string(effect.value.type_name()) + " to node " +
               std::to_string(effect.to.value) + ", which does not exist";
      }
      const bool is_call = space_.is_component(to) && !space_.is_component(self);
      (is_call ? out.calls : out.sends).push_back(event_of(effect));
      return "";
    }
    case Effect::Kind::kSetTimer:
      set_timer(result_.timers,
                {effect.text, space_.declaration().timed ? effect.after : 0, effect.idle});
      return "";
    case Effect::Kind::kCancelTimer:
      std::erase_if(result_.timers, [&](const Timer& t) { return t.name == effect.text; });
      return "";
    case Effect::Kind::kPersist: {
      const value::Type* disk = space_.type_of(part_.node).disk;
      if (disk == nullptr || !disk->same_as(*effect.value.type())) {
        return "persisted " + std::string(effect.value.type_name()) + ", but the node's Disk is " +
               (disk == nullptr ? "not declared" : std::string(disk->name()));
      }
      result_.disk = effect.value;
      return "";
    }
    case Effect::Kind::kDecide:
      result_.decisions.push_back(effect.value);
      return "";
    case Effect::Kind::kInvoke:
    case Effect::Kind::kReturn:
      ops.ops.push_back({self_id, effect.kind == Effect::Kind::kReturn, effect.value});
      return "";
    case Effect::Kind::kLog:
      return "";
  }
  return "";
}

uint32_t HandlerRun::part_before() {
  if (part_id_ && !mutant(Mutant::kPersistIsNoop)) return *part_id_;
  Part was = part_;
  if (mutant(Mutant::kPersistIsNoop)) was.disk = result_.disk;
  return space_.intern_part(std::move(was));
}

HandlerOutcome HandlerRun::outcome(size_t count, uint32_t crash) {
  HandlerOutcome out;
  out.choices = captured_.choices;
  out.crash_at_persist = crash;
  result_ = after_event();
  result_.state = state_;
  HistoryOps ops;
  if (crash > 0 && mutant(Mutant::kCutKeepsSends)) count = captured_.effects.size();
  for (size_t i = 0; i < count; ++i) {
    out.failure = apply_effect(captured_.effects[i], out, ops);
    if (!out.failure.empty()) return out;
  }
  if (space_.declaration().network == Network::kOrdered) {
    // Messages of one handler to one receiver keep their order. There are few.
    const auto earlier = [&](uint32_t a, uint32_t b) {
      return !space_.same_queue(space_.event(a), space_.event(b)) && space_.before(a, b);
    };
    for (auto next = out.sends.begin(); next != out.sends.end(); ++next) {
      std::rotate(std::upper_bound(out.sends.begin(), next, *next, earlier), next, next + 1);
    }
  } else {
    std::sort(out.sends.begin(), out.sends.end(),
              [&](uint32_t a, uint32_t b) { return space_.before(a, b); });
  }
  if (crash > 0 && mutant(Mutant::kCutLosesSends)) out.sends.clear();
  for (uint32_t sent : out.sends) out.sends_mixed += space_.event(sent).mixed;
  if (!ops.ops.empty()) out.history_ops = space_.intern_ops(std::move(ops));
  const uint32_t before = part_before();
  out.part = space_.intern_part(std::move(result_));
  out.noop = out.part == before && out.sends.empty() && out.calls.empty() && out.history_ops == 0;
  if (crash > 0) out.part = space_.crashed_part(out.part);
  out.plain = out.calls.empty() && out.history_ops == 0;
  return out;
}

}  // namespace ordeal::actor
