// Run-based strategies: they drive a World from its start, one run after the other.
//
//   prefix   Go-MC's prefix scheduler: keeps the prefixes that were seen but not followed, and
//            follows each once, until none is left: every run, exactly once
//   others   a Scheduler picks every step of every run (scheduler.h)
//
// A run ends in a state where no action is enabled, or at the depth bound. Where no progress action
// is enabled but faults are, ending is one alternative and each fault is another.
#pragma once

#include "explore/findings.h"
#include "explore/scheduler.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

inline constexpr uint32_t kDefaultRunDepth = 1000;
inline constexpr uint64_t kDefaultRandomRuns = 10'000;

Exploration explore_prefixes(World& world, const Options& options);
Exploration explore_by(Scheduler& scheduler, World& world, const Options& options);

}  // namespace ordeal::explore
