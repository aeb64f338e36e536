// The first thing that is wrong with footprints and the strategy dpor; empty: nothing. Quick, for
// the test that breaks the engine on purpose (tests/mutants).
#pragma once

#include <string>

#include "tests/dpor/commute.h"

namespace ordeal::oracle {

inline std::string problem_with_dpor() {
  CommuteCount count;
  return problem_with_footprints(0, 400, 60, count);
}

}  // namespace ordeal::oracle
