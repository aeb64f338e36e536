// Random protocols in two forms, compiled and put together at run time, hand in hand: whatever the
// engine does with the one, it does with the other, and people see no difference.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "tests/oracle/random/case.h"

namespace ordeal::oracle {

// What was covered: a suite must not be vacuous.
struct Covered {
  uint64_t systems = 0;
  uint64_t states = 0;
  uint64_t traces = 0;
  std::set<std::string> features;
};

// The first system of these that is not the same in both forms, and why; "": there is none.
std::string problem_with_forms(uint64_t systems, const Purpose& purpose, Covered& covered);

}  // namespace ordeal::oracle
