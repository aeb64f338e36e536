#include "explore/dpor/dpor.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {

Strategy dpor_strategy() {
  Strategy strategy;
  strategy.name = "dpor";
  strategy.what =
      "one run of every partial order: other orders of independent actions are left out";
  strategy.preserves = "everything but `always` and `sometimes` of arbitrary functions";
  strategy.kept = {Kept::kYes,     Kept::kYes,          Kept::kYes,           Kept::kMoreDependent,
                   Kept::kRefused, Kept::kRefused,      Kept::kMoreDependent, Kept::kRefused,
                   Kept::kRefused, Kept::kAllDependent, Kept::kMoreDependent, Kept::kRefused};
  strategy.needs_footprints = true;
  strategy.counts_ended_runs = true;
  strategy.explore = [](Ground& ground, const Options& options) {
    StateSpace* space = ground.space();
    return explore_orders(space, space != nullptr ? nullptr : &ground.world(), options);
  };
  return strategy;
}

}  // namespace ordeal::explore
