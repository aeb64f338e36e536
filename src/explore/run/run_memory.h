// RunMemory: what a strategy by runs holds, looked at between runs. What the world has interned can
// be found out again: where memory is short, it is forgotten first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "explore/store/visited.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class RunMemory {
 public:
  // REQUIRES: both outlive it.
  RunMemory(World& world, const VisitedSet& visited, uint64_t limit)
      : world_(world), visited_(visited), limit_(limit) {}

  // Before a run: the bytes that are held, as of not long ago. `own`: what the strategy holds
  // itself; `steps`: all that were taken so far.
  uint64_t look(uint64_t own, uint64_t steps) {
    // Adding up takes a while, compared with a short run.
    if (++looks_ % kEvery != 1 && steps - steps_ < kManySteps) return bytes_;
    steps_ = steps;
    add_up(own);
    if (bytes_ <= limit_ || world_bytes_ < limit_ / kWorthForgetting) return bytes_;
    world_.forget();
    add_up(own);
    return bytes_;
  }

  uint64_t bytes() const { return bytes_; }

  // The most that there was.
  uint64_t most(uint64_t own) {
    add_up(own);
    return most_;
  }

 private:
  static constexpr uint64_t kEvery = 16;
  static constexpr uint64_t kManySteps = 1024;
  static constexpr uint64_t kWorthForgetting = 4;

  void add_up(uint64_t own) {
    world_bytes_ = world_.statistics().bytes;
    bytes_ = world_bytes_ + visited_.bytes() + own;
    most_ = std::max(most_, bytes_);
  }

  World& world_;
  const VisitedSet& visited_;
  const uint64_t limit_;
  uint64_t looks_ = 0;
  uint64_t steps_ = 0;
  uint64_t world_bytes_ = 0;
  uint64_t bytes_ = 0;
  uint64_t most_ = 0;
};

}  // namespace ordeal::explore
