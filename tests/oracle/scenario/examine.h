// All comparisons of scenarios in short, for the test that breaks the engine on purpose.
#pragma once

#include <cstdint>
#include <string>

#include "tests/oracle/scenario/against_reference.h"
#include "tests/oracle/scenario/world_and_space.h"
#include "tests/oracle/verdicts/alarms.h"
#include "tests/oracle/verdicts/letters.h"

namespace ordeal::oracle {

// The first thing that is wrong; empty: nothing is.
inline std::string problem_with_scenarios(uint64_t pairs) {
  const auto first = [](const Tally& tally) {
    return tally.disagreements.empty() ? std::string() : tally.disagreements.front();
  };
  // Random queues hardly ever have two equal messages of which one is held or changed, and a timer
  // is hardly ever set while it is held.
  std::string problem = verdicts::problem_with_the_first_held();
  if (problem.empty()) problem = verdicts::problem_with_the_second_held();
  if (problem.empty()) problem = verdicts::problem_with_the_first_changed();
  if (problem.empty()) problem = verdicts::problem_with_alarms();
  // Most of what is wrong shows soon, and runs are quicker than all states.
  if (problem.empty()) problem = first(run_world_and_space(0, 50, true));
  if (problem.empty()) {
    problem = first(run_against_reference({.pairs = pairs, .cap = 60, .stop_early = true}));
  }
  return problem;
}

}  // namespace ordeal::oracle
