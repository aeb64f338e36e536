// What is counted of runs beside what a report tells, for whoever measures strategies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// A property that runs violate: how many of them, the first, from 1 on, and how many steps all runs
// had taken by then. Failing handlers are one property, however they fail.
struct ShownProperty {
  std::string name;
  uint64_t runs = 0;
  uint64_t first_run = 0;
  uint64_t first_step = 0;
};

struct RunCounts {
  // In the order of the properties. Empty: none was violated, or the strategy is none that picks
  // runs step by step.
  std::vector<ShownProperty> shown;
};

// check(), and what it counted.
Result<Report> check_counting(const Checkable& subject, const Options& options, RunCounts& counts);

}  // namespace ordeal::explore
