// All comparisons of this folder in short, for the test that breaks the engine on purpose.
#pragma once

#include <cstdint>
#include <string>

#include "tests/oracle/reductions/colliding.h"
#include "tests/oracle/reductions/commute.h"
#include "tests/oracle/reductions/dpor.h"
#include "tests/oracle/reductions/large.h"
#include "tests/oracle/reductions/modes.h"
#include "tests/oracle/reductions/sleep.h"

namespace ordeal::oracle {

// The first thing that is wrong; empty: nothing is. `folder` is empty.
inline std::string problem_with_reductions(uint64_t systems, const std::string& folder) {
  const Extent extent = {.systems = systems, .cap = 120, .stop_early = true};
  const auto first = [](const Tally& tally) {
    return tally.disagreements.empty() ? std::string() : tally.disagreements.front();
  };
  std::string problem = first(run_sleep(extent));
  if (problem.empty()) problem = first(run_modes({0, systems / 5, 120, true}, folder));
  if (problem.empty()) {
    problem = first(run_modes({0, systems / 5, 120, true}, folder, {.rounds = true}));
  }
  if (problem.empty()) {
    Tally large;
    compare_large(folder, large);
    problem = first(large);
  }
  if (problem.empty()) problem = problem_with_colliding_fingerprints(folder + "/spill");
  if (problem.empty()) problem = problem_with_a_changed_program(folder);
  if (problem.empty()) problem = problem_with_interrupted_depth(folder);
  if (problem.empty()) problem = problem_with_sleep_depth_first();
  if (problem.empty()) problem = first(run_dpor(extent, {.local = true}));
  return problem;
}

}  // namespace ordeal::oracle
