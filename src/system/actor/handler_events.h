// HandlerEvents: what one handler did besides sending, ready to be told as events.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/context.h"
#include "ordeal/event.h"
#include "system/actor/space.h"

namespace ordeal::actor {

struct HandlerEvents {
  std::vector<ordeal::Event> events;     // in its order; their `state` is left open
  std::vector<std::string_view> timers;  // that it set and did not cancel, by name
  std::vector<std::string> texts;        // what the events refer to

  HandlerEvents() = default;
  HandlerEvents(HandlerEvents&&) = default;
  HandlerEvents& operator=(HandlerEvents&&) = default;
};

// Of the first `count` effects of a handler of `node` that left the part with id `after`.
HandlerEvents handler_events(const ActorSpace& space, NodeId node,
                             const std::vector<Effect>& effects, size_t count, uint32_t after);

// The memory that it owns besides its own bytes.
uint64_t owned_bytes(const HandlerEvents& did);

// The effects that happened where the handler was cut by a crash after that many persists; all of
// them where that is 0.
size_t effects_before_crash(const std::vector<Effect>& effects, uint32_t crash_at_persist);

}  // namespace ordeal::actor
