// Scheduler: decides, state by state, which enabled action a run takes next. Whoever drives a World
// asks one; explore_by() (runs.h) is the usual driver.
//
//   for (uint64_t run = 0;; ++run) {
//     const std::optional<uint32_t> initial = scheduler.begin(run, world.initial_count());
//     if (!initial) break;  // there are no more runs
//     world.reset(*initial);
//     scheduler.arrive(world);
//     while (!world.enabled().empty()) {
//       const uint32_t index = scheduler.pick(world);
//       if (index == Scheduler::kEnd) break;
//       scheduler.take(world, index);
//       world.apply(index);
//       scheduler.arrive(world);
//     }
//   }
//
// The driver may take other actions than those picked (a guide, a filter that has its own mind): it
// says so with take(), and the scheduler goes on from there. It may leave actions out of enabled().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class Scheduler {
 public:
  static constexpr uint32_t kEnd = ~0U;

  virtual ~Scheduler() = default;

  // Gets ready for run number `run`, from 0 on, and says in which of `initials` initial states it
  // starts. None: there are no more runs. A scheduler that samples draws from the seed and the
  // number of the run alone, so that any run can be repeated without those before it; one that is
  // systematic has to be asked for its runs in order.
  virtual std::optional<uint32_t> begin(uint64_t run, uint32_t initials) = 0;

  // The world is in a new state: after reset(), and after each apply() that did not fail.
  virtual void arrive(World& world) { (void)world; }

  // An index of world.enabled(), or kEnd, which may come only where no progress action is enabled.
  // REQUIRES: arrive() was called in this state; something is enabled.
  virtual uint32_t pick(World& world) = 0;

  // Action `index` is about to be applied, whoever picked it.
  virtual void take(World& world, uint32_t index) { (void)world, (void)index; }

  // What its runs are when begin() says that there are no more. Empty: it never says so.
  virtual std::string covers() const { return ""; }
  // What a report should tell of it.
  virtual std::vector<std::string> notes() const { return {}; }
  virtual uint64_t bytes() const { return 0; }
};

// Whether no progress action is enabled: a run may end here.
bool may_end(World& world);

// The strategies that are schedulers: strategies() of ordeal/check.h names them too.
const std::vector<std::string>& scheduler_names();

// An Error: an option of schedulers is given that options.strategy has no use for.
Result<void> check_scheduler_options(const Options& options);

// The scheduler that options.strategy names, for runs of `world`. An Error: it is none, or its
// options make no sense.
Result<std::unique_ptr<Scheduler>> make_scheduler(const Options& options, World& world);

}  // namespace ordeal::explore
