// Run-based strategies: a World is driven from its start, one run after the other (driver.h), and a
// Scheduler picks every step of every run (scheduler.h).
//
// A run ends in a state where no action is enabled, or at the depth bound. Where no progress action
// is enabled but faults are, ending is one alternative and each fault is another.
#pragma once

#include "explore/run/driver.h"
#include "explore/run/run_counts.h"
#include "explore/strategy/findings.h"
#include "explore/strategy/scheduler.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

inline constexpr uint64_t kDefaultRandomRuns = 10'000;

// Runs until the scheduler has no more, or something cuts it, judging every state. `counts`: where
// to put what a report does not tell; may be null.
Exploration explore_by(Scheduler& scheduler, World& world, const Options& options,
                       RunCounts* counts = nullptr);

}  // namespace ordeal::explore
