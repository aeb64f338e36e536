// How much of a world runs have covered: distinct abstract states, in all and from a target on, and
// how these grew. An abstract state is the multiset of the colours of nodes (ordeal/steering.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/store/visited.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/steering.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// Predicates that must all be so: "LeaderInTerm(2) & LogDiff(1)".
struct Goal {
  std::string text;
  std::vector<std::string> parts;
  std::vector<uint32_t> predicates;  // the parts, as the world knows them
};
Goal goal_of(const std::string& text);
// An Error: there is no such predicate.
Result<void> check_goal(const Goal& goal, const Steering& steering);
Result<void> bind(World& world, Goal& goal);
// REQUIRES: bound to this world.
bool is_reached(World& world, const Goal& goal);
// How far its parts are from being so, all together; one that is not graded is 0 or 1 away. None:
// no part is graded. REQUIRES: as is_reached().
std::optional<uint32_t> distance_of(World& world, const Goal& goal);

// What every strategy by runs has: by which colouring coverage is counted, and a predicate from
// which on it is counted once more.
const StrategyOption& measure_option();
const StrategyOption& target_option();
// An Error: the subject has no such colouring, and names the nearest; or no such predicate.
Result<void> check_colouring(const std::string& name, const Steering& steering);
Result<void> settle_measuring(const Steering& steering, const Options& options);
// Adds them, and that they are looked up, where they are not there yet.
void add_measuring(Strategy& strategy);

// So many points tell how coverage grew, or half as many.
inline constexpr size_t kCurvePoints = 400;

class AbstractCoverage {
 public:
  // From now on states are coloured like this. REQUIRES: the target, which may be null, is bound,
  // and outlives it.
  void count(uint32_t colouring, const Goal* target) { colouring_ = colouring, target_ = target; }
  void begin_run() { in_target_ = false; }
  // The world is in a state, after so many steps of all runs, in this run, from 1 on. Returns what
  // tells abstract states apart. `is_at_target`: it is, by what is no predicate.
  uint64_t see(World& world, uint64_t steps, uint64_t run, bool is_at_target = false);

  uint64_t covered() const { return covered_; }
  uint64_t covered_in_target() const { return covered_in_target_; }
  uint64_t runs_in_target() const { return runs_in_target_; }  // that came to it
  uint64_t bytes() const { return states_.bytes() + states_in_target_.bytes(); }
  // After so many steps, in so many runs.
  std::vector<Learning::Point> curve(uint64_t steps, uint64_t runs) const;

 private:
  void note(uint64_t steps, uint64_t run);

  uint32_t colouring_ = 0;
  const Goal* target_ = nullptr;
  bool in_target_ = false;
  VisitedSet states_;
  VisitedSet states_in_target_;
  uint64_t covered_ = 0;
  uint64_t covered_in_target_ = 0;
  uint64_t runs_in_target_ = 0;
  std::vector<uint64_t> colours_;
  std::vector<Learning::Point> points_;
  uint64_t apart_ = 1;  // steps between two points
  uint64_t next_ = 1;   // steps at which there is to be a point
};

}  // namespace ordeal::explore
