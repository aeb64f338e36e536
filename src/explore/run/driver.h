// Driver: takes runs through a world, one after the other. The only loop that does: a Scheduler
// picks every step, and observers hear what happens. That is how runs are judged, counted, learned
// from and kept.
//
//   Driver driver(world, scheduler, {&judge, &corpus}, {.max_depth = 100, .seen = &visited});
//   for (uint64_t run = 0;; ++run) {
//     const std::optional<uint32_t> initial = scheduler.begin(run, world.initial_count());
//     if (!initial) break;  // there are no more runs
//     const Result<RunEnd> end = driver.run(*initial);
//     if (!end) return end.error();
//   }
#pragma once

#include <cstdint>
#include <vector>

#include "explore/store/visited.h"
#include "explore/strategy/scheduler.h"
#include "ordeal/result.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal::explore {

inline constexpr uint32_t kDefaultRunDepth = 1000;

class Driver {
 public:
  struct Bounds {
    uint32_t max_depth = kDefaultRunDepth;
    const ShortForm* guide = nullptr;  // every run begins with it
    VisitedSet* seen = nullptr;        // states of all runs; null: every state counts as new
  };

  // The scheduler hears first, then the observers in their order. REQUIRES: all outlive it.
  Driver(World& world, Scheduler& scheduler, const std::vector<RunObserver*>& observers,
         const Bounds& bounds);

  // One run, from this initial state, or from the guide's where there is one. An Error: it could
  // not be started, or what was to be followed was not there.
  Result<RunEnd> run(uint32_t initial);

  // The run so far.
  const ShortForm& path() const { return path_; }

 private:
  // False: the run is over; see end_.
  Result<bool> follow_guide();
  Result<bool> take(uint32_t index);
  bool arrive();

  World& world_;
  Scheduler& scheduler_;
  std::vector<RunObserver*> observers_;
  const Bounds bounds_;
  ShortForm path_;
  RunEnd end_ = RunEnd::kOver;
};

}  // namespace ordeal::explore
