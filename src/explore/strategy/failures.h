// Which failures of handlers are the same: a search that keeps going shows one run of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "explore/strategy/findings.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// The same for failures of one kind of action (a message of this type, a timer of this name) whose
// words differ in numbers alone; never 0. Lines of files are no such numbers: "node.cc:12".
uint64_t failure_kind(const Action& action, std::string_view why);

// Of the last action of a run, which fails. Runs it again.
uint64_t failure_kind(World& world, const ShortForm& run);

// An exploration broke off in the middle of `run`, because code that is not the engine's failed
// (`failure`, as guarded() tells it) or was interrupted. What was found before is kept.
void break_off(const std::string& failure, const ShortForm& run, Exploration& out);
// … in words.
std::string broken_off(const std::string& failure, const ShortForm& run);
// "; the run that leads there: 0.2.1"
std::string in_run(const ShortForm& run);
// … because there was no memory left.
std::string out_of_memory();

}  // namespace ordeal::explore
