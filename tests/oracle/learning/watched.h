// Runs of a strategy, watched: for tests that count again what a strategy tells of its runs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "explore/run/driver.h"
#include "explore/strategy/scheduler.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"

namespace ordeal::oracle::learning {

// Makes so many runs, one after the other; returns how many there were.
inline uint64_t watch_runs(World& world, explore::Scheduler& scheduler,
                           explore::RunObserver& observer, uint64_t runs, uint32_t max_depth) {
  explore::VisitedSet seen;
  explore::Driver driver(world, scheduler, {&observer}, {.max_depth = max_depth, .seen = &seen});
  for (uint64_t run = 0; run < runs; ++run) {
    const auto initial = scheduler.begin(run, world.initial_count());
    if (!initial) return run;
    const auto end = driver.run(*initial);
    EXPECT_TRUE(end) << (end ? "" : end.error().message);
  }
  return runs;
}

// REQUIRES: the options make sense for the subject.
inline std::unique_ptr<explore::Scheduler> scheduler_of(const Checkable& subject, Options options,
                                                        World& world) {
  const auto ready = prepare(subject, options);
  EXPECT_TRUE(ready) << (ready ? "" : ready.error().message);
  auto made = explore::make_scheduler(ready ? *ready : options, world);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? std::move(*made) : nullptr;
}

}  // namespace ordeal::oracle::learning
