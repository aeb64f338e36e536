// Following a run by what its actions are, not by their numbers: these change with the program and
// its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// The enabled action with this identity; its old index is tried first.
std::optional<uint32_t> find_action(World& world, const Action& action, uint32_t hint = 0);

// "enabled are: crash 1; deliver …": what could be done instead.
std::string list_enabled(World& world);

// replay(), but stops for a debugger before step `break_at` (from 1; 0: none): raises SIGTRAP.
Result<ReplayResult> replay_with_break(const Checkable& subject, const Trace& trace,
                                       uint32_t break_at);

}  // namespace ordeal::explore
