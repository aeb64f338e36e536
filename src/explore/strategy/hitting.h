// How likely a run comes to a target, or violates a property, as far as runs tell that were drawn
// independently of each other.
#pragma once

#include <vector>

#include "explore/strategy/findings.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"

namespace ordeal::explore {

// Of strategies whose runs are draws from one distribution.
const StrategyOption& confidence_option();

// One for the target, if there is one; where a confidence was asked for, one for any violation and
// one for each property that was violated. None where a violation ended the runs: when they end
// says what the last one came to; a note says so, if a confidence was asked for.
std::vector<Hitting> hitting_of(const Options& options, const Strategy& strategy,
                                const std::vector<Property>& properties, Exploration& explored);

}  // namespace ordeal::explore
