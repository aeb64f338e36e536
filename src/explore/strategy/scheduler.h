// Scheduler: decides, state by state, which enabled action a run takes next. Driver (driver.h) asks
// it, and tells it as an observer what happens.
//
// The driver may take other actions than those picked (a guide, a filter that has its own mind): it
// says so with take(), and the scheduler goes on from there. It may leave actions out of enabled().
//
// What a run is had again by: of a scheduler that samples, the seed and the run's number, because
// it draws from nothing else; of one that enumerates or learns, only the run's short form, because
// what it picks depends on the runs before. Its Strategy says which (runs_by_number, strategy.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/strategy/run_observer.h"
#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class Scheduler : public RunObserver {
 public:
  static constexpr uint32_t kEnd = ~0U;
  static constexpr uint32_t kHorizon = ~0U - 2;

  // Gets ready for run number `run`, from 0 on, and says in which of `initials` initial states it
  // starts. None: there are no more runs. A scheduler that samples draws from the seed and the
  // number of the run alone, so that any run can be repeated without those before it; one that is
  // systematic has to be asked for its runs in order.
  virtual std::optional<uint32_t> begin(uint64_t run, uint32_t initials) = 0;

  // The run goes on from where an earlier one was, in place of its initial state: puts the world
  // there, and says by which way that one came. False: it begins at its start.
  virtual bool resume(World& world, ShortForm& path) {
    (void)world, (void)path;
    return false;
  }

  // An index of world.enabled(); kEnd, which may come only where no progress action is enabled; or
  // kHorizon where the run is as long as the scheduler wants runs to be: it is cut, then.
  // REQUIRES: arrive() was called in this state; something is enabled.
  virtual uint32_t pick(World& world) = 0;

  // Whether the state that the run is in, or that the step just picked leads to, is one that an
  // earlier run of this scheduler went through at the same place: nobody is told of it again.
  virtual bool retraces() const { return false; }

  // What its runs are when begin() says that there are no more. Empty: it never says so.
  virtual std::string covers() const { return ""; }
  // What a report should tell of it.
  virtual std::vector<std::string> notes() const { return {}; }
  virtual uint64_t bytes() const { return 0; }
  virtual std::optional<Learning> learning() const { return std::nullopt; }
  // Where it lets others pick: who picks the steps of this run, and what each of them brought.
  virtual std::string member() const { return ""; }
  virtual std::vector<PortfolioMember> members() const { return {}; }
  // After the last run. An Error: what should be left behind could not be.
  virtual Result<void> finish() { return {}; }
  // Whether the runs until begin() says that there are no more are all that there are.
  virtual bool covers_everything() const { return false; }
  // How many runs it knows of that are still to come, where it knows.
  virtual uint64_t waiting() const { return 0; }
  // Why it cannot go on, where it cannot.
  virtual std::optional<Bound> gave_up() const { return std::nullopt; }
};

// Whether no progress action is enabled: a run may end here.
bool may_end(World& world);

// The scheduler that options.strategy names, for runs of `world`. An Error: it is none. REQUIRES:
// check_strategy_options() is content (strategy.h).
Result<std::unique_ptr<Scheduler>> make_scheduler(const Options& options, World& world);

}  // namespace ordeal::explore
