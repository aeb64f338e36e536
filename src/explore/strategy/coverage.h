// What occurred how often in an exploration, and what never did: from counts by number to names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// Of everything up to now; with 0 for what was handled without effect. For checkpoints.
std::map<std::string, uint64_t> named_steps(const std::vector<StepSort>& sorts,
                                            const Exploration& explored);

// Everything that could have occurred, in the order of its declaration; timers by name.
std::vector<StepCount> step_counts(const std::vector<StepSort>& sorts, const Exploration& explored);

// What never occurred, as a failure. None: all of it did, or its steps are of no sorts.
std::optional<Violation> missing_coverage(const Report& report);

}  // namespace ordeal::explore
