// Which failures of handlers are the same: a search that keeps going shows one run of each.
#pragma once

#include <cstdint>
#include <string_view>

#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// The same for failures of one kind of action (a message of this type, a timer of this name) whose
// words differ in numbers alone; never 0. Lines of files are no such numbers: "node.cc:12".
uint64_t failure_kind(const Action& action, std::string_view why);

// Of the last action of a run, which fails. Runs it again.
uint64_t failure_kind(World& world, const ShortForm& run);

}  // namespace ordeal::explore
