// All that can be wrong with what learns, leads and estimates.
#pragma once

#include <string>

#include "tests/oracle/learning/causes.h"
#include "tests/oracle/learning/leaders.h"
#include "tests/oracle/learning/machines.h"
#include "tests/oracle/learning/problems.h"
#include "tests/oracle/learning/runs.h"

namespace ordeal::oracle::learning {

inline std::string problem_with_learning(uint64_t rounds) {
  std::string problem = problem_with_bonus_max(rounds);
  if (problem.empty()) problem = problem_with_waypoints(rounds);
  if (problem.empty()) problem = problem_with_blocks();
  if (problem.empty()) problem = problem_with_machine(rounds);
  if (problem.empty()) problem = problem_with_grades(rounds);
  if (problem.empty()) problem = problem_with_causal_order(rounds);
  if (problem.empty()) problem = problem_with_portfolio();
  if (problem.empty()) problem = problem_with_branching();
  if (problem.empty()) problem = problem_with_hitting();
  if (problem.empty()) problem = problem_with_resuming();
  if (problem.empty()) problem = problem_with_runs(4 * rounds);
  return problem.empty() ? problem_with_mining() : problem;
}

}  // namespace ordeal::oracle::learning
