// The first thing that is wrong with footprints and the strategy dpor; empty: nothing. Quick, for
// the test that breaks the engine on purpose (tests/mutants).
#pragma once

#include <string>

#include "tests/dpor/clerks.h"
#include "tests/dpor/commute.h"
#include "tests/dpor/declared.h"
#include "tests/dpor/spoilt.h"
#include "tests/dpor/traces.h"
#include "tests/dpor/verdicts.h"

namespace ordeal::oracle {

// Of systems made for it, which are small: it ends soon, even where dpor would find no end.
inline std::string problem_with_few_traces() {
  CommuteCount pairs;
  TraceCount traces;
  std::string problem = Commutation(*desk::clerks().space()).walk(100, pairs);
  if (problem.empty()) problem = problem_with_traces(*desk::clerks().space(), 1000, traces);
  if (problem.empty()) problem = problem_with_traces(*kitchen::spoilt().space(), 1000, traces);
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
  TraceCount traces;
  VerdictCount verdicts;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const Case item = generate(seed);
    if (item.system.constrained()) continue;
    problem = problem_with_traces(*item.system.space(), 600, traces);
    if (problem.empty()) problem = problem_with_verdicts(item, 100, verdicts);
    if (!problem.empty()) return "seed " + std::to_string(seed) + ": " + problem;
  }
  return "";
}

}  // namespace ordeal::oracle
