// The first thing that is wrong with footprints and the strategy dpor; empty: nothing. Quick, for
// the test that breaks the engine on purpose (tests/oracle/mutants).
#pragma once

#include <string>

#include "tests/oracle/dpor/clerks.h"
#include "tests/oracle/dpor/commute.h"
#include "tests/oracle/dpor/declared.h"
#include "tests/oracle/dpor/orders.h"
#include "tests/oracle/dpor/spoilt.h"
#include "tests/oracle/dpor/verdicts.h"

namespace ordeal::oracle {

// Of systems made for it, which are small: it ends soon, even where dpor would find no end.
inline std::string problem_with_few_orders() {
  CommuteCount pairs;
  OrderCount orders;
  std::string problem = Commutation(*desk::clerks().space()).walk(100, pairs);
  if (problem.empty()) problem = problem_with_orders(*desk::clerks().space(), 1000, orders);
  if (problem.empty()) problem = problem_with_orders(*kitchen::spoilt().space(), 1000, orders);
  return problem;
}

// Of random systems.
inline std::string problem_with_dpor() {
  CommuteCount pairs;
  std::string problem = problem_with_footprints(0, 400, 60, pairs);
  if (!problem.empty()) return problem;
  uint64_t refused = 0;
  problem = problem_with_declared_footprints(40, refused);
  if (!problem.empty()) return problem;
  OrderCount orders;
  VerdictCount verdicts;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const Case item = generate(seed);
    if (item.system.constrained()) continue;
    problem = problem_with_orders(*item.system.space(), 600, orders);
    if (problem.empty()) problem = problem_with_verdicts(item, 100, verdicts);
    if (!problem.empty()) return "seed " + std::to_string(seed) + ": " + problem;
  }
  return "";
}

}  // namespace ordeal::oracle
