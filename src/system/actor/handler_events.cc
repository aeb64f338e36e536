#include "system/actor/handler_events.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::actor {
namespace {

// False for what is told otherwise: messages and timers by what is pending, persists not at all.
bool told_as(Effect::Kind kind, EventKind& out) {
  switch (kind) {
    case Effect::Kind::kCancelTimer:
      out = EventKind::kCancelTimer;
      return true;
    case Effect::Kind::kDecide:
      out = EventKind::kDecide;
      return true;
    case Effect::Kind::kInvoke:
      out = EventKind::kInvoke;
      return true;
    case Effect::Kind::kReturn:
      out = EventKind::kReturn;
      return true;
    case Effect::Kind::kLog:
      out = EventKind::kLog;
      return true;
    default:
      return false;
  }
}

}  // namespace

size_t effects_before_crash(const std::vector<Effect>& effects, uint32_t crash_at_persist) {
  uint32_t persists = 0;
  for (size_t i = 0; crash_at_persist > 0 && i < effects.size(); ++i) {
    if (effects[i].kind == Effect::Kind::kPersist && ++persists == crash_at_persist) return i + 1;
  }
  return effects.size();
}

HandlerEvents handler_events(const ActorSpace& space, NodeId node,
                             const std::vector<Effect>& effects, size_t count, uint32_t after) {
  HandlerEvents out;
  out.texts.reserve(count);  // so that none of them moves
  for (size_t i = 0; i < count; ++i) {
    const Effect& effect = effects[i];
    ordeal::Event event;
    if (!told_as(effect.kind, event.kind)) continue;
    event.node = node;
    event.payload = effect.value;
    event.text = out.texts.emplace_back(effect.text);
    out.events.push_back(std::move(event));
  }
  // Names as the part has them: it stays where it is, and has them in order.
  const auto was_set = [&](const std::string& name) {
    return std::any_of(
        effects.begin(), effects.begin() + static_cast<ptrdiff_t>(count),
        [&](const Effect& e) { return e.kind == Effect::Kind::kSetTimer && e.text == name; });
  };
  for (const Timer& timer : space.part(after).timers) {
    if (was_set(timer.name)) out.timers.push_back(timer.name);
  }
  if (mutant(Mutant::kCancelledAnnounced)) {
    for (const ordeal::Event& event : out.events) {
      if (event.kind == EventKind::kCancelTimer) out.timers.push_back(event.text);
    }
  }
  return out;
}

uint64_t owned_bytes(const HandlerEvents& did) {
  uint64_t sum = detail::allocated(did.events.capacity() * sizeof(ordeal::Event)) +
                 detail::allocated(did.timers.capacity() * sizeof(std::string_view)) +
                 value::owned_bytes(did.texts);
  for (const ordeal::Event& event : did.events) sum += event.payload.bytes_once();
  return sum;
}

}  // namespace ordeal::actor
