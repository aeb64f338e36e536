// Waypoints: the option that says where to, and what is kept of how far runs came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/store/visited.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

const StrategyOption& waypoints_option();
// An Error where they are not given.
Result<void> need_waypoints(const std::string& strategy, const Options& options);
// The predicates of the waypoints in place of their name. An Error: there is no such thing.
Result<void> settle_waypoints(const Steering& steering, Options& options);
// REQUIRES: settle_waypoints() was content. None are given: none.
std::vector<Goal> waypoints_in(const Options& options);

class WaypointTally {
 public:
  void track(const std::vector<Goal>& waypoints);

  // A run begins; the first `from` waypoints lie behind it already, and are not counted in it.
  void begin_run(uint32_t from = 0);
  // In the first state of the first run: which are true there already.
  void note_start(World& world, const std::vector<Goal>& waypoints);
  // The highest that holds, from 1 on, where the thesis has a first predicate that is always true;
  // 0: none. The last one stays reached until the end of the run. REQUIRES: bound to this world.
  uint32_t highest(World& world, const std::vector<Goal>& waypoints);
  // The least distance to one behind `active` that is graded; none: there is none. Notes how near
  // runs come to each.
  std::optional<uint32_t> distance(World& world, const std::vector<Goal>& waypoints,
                                   uint32_t active);
  // That one is active, in this abstract state, after so many steps of the run, which are `length`
  // steps of the system.
  void reach(uint32_t waypoint, uint64_t state, uint64_t steps, size_t length);
  // `run`: its number, from 1 on.
  void end_run(const ShortForm& path, uint64_t run);

  void tell(Learning& out) const;
  // `run`: what to call one.
  std::vector<std::string> notes(const std::string& run) const;
  uint64_t bytes() const { return ways_.bytes(); }

 private:
  // Of a target that is graded and was never reached.
  std::string how_far() const;

  // Where this run reached a waypoint first.
  struct Reached {
    uint64_t steps = 0;
    size_t length = 0;
  };

  std::vector<Learning::Waypoint> all_;
  VisitedSet ways_;  // pairs of a waypoint and an abstract state
  std::vector<std::string> true_at_start_;
  std::optional<ShortForm> closest_;
  uint32_t most_ = 0;  // waypoints that the closest run reached

  bool arrived_ = false;  // this run, at the last one
  uint32_t from_ = 0;
  std::vector<Reached> reached_;  // those behind `from_`
};

}  // namespace ordeal::explore
