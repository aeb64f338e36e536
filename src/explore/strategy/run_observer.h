// RunObserver: hears what happens in runs, whoever picks their steps (driver.h). Strategies that
// learn, corpora that grow and coverage that is counted are observers.
#pragma once

#include <cstdint>

#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// How a run ended.
enum class RunEnd : uint8_t {
  kOver,     // nothing is enabled, or the scheduler ended it where that may be
  kDepth,    // at the bound on steps
  kOutside,  // it left the constraint
  kFailed,   // a handler failed: there is no state after the last step
  kEnough,   // an observer had seen enough of it
  kHorizon,  // at a bound of the scheduler's own
  kTrouble,  // the subject could not say what comes next, or what a check says: World::trouble()
};

// The world is in a state within the constraint: after the start, or after a step.
struct Arrival {
  World& world;
  const ShortForm& path;
  bool is_new = true;        // no run was in it before
  uint64_t fingerprint = 0;  // of the state, where it is asked whether it is new
};

// A step was taken, the last of the path; world.events() tells what happened in it, unless its
// handler failed.
struct StepTaken {
  World& world;
  const ShortForm& path;
  uint16_t sort = 0;  // of the action (Choice::sort)
  bool failed = false;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // False: enough of this run.
  virtual bool arrive(const Arrival& at) {
    (void)at;
    return true;
  }
  // The world is in a state outside of the constraint, which is to be judged nevertheless; the run
  // ends there.
  virtual void leave(const Arrival& at) { (void)at; }
  // Action `index` is about to be taken, whoever picked it.
  virtual void take(World& world, uint32_t index) { (void)world, (void)index; }
  virtual void step(const StepTaken& taken) { (void)taken; }
  virtual void end(World& world, const ShortForm& path, RunEnd how) {
    (void)world, (void)path, (void)how;
  }
};

}  // namespace ordeal::explore
