// run(): a scenario on a system, and what came of it.
//
//   Result<ScenarioReport> report = run(scenario, system, {.seed = 7});
//   if (report && report->verdict == Verdict::kViolated) std::cout << to_text(*report);
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/machine.h"
#include "ordeal/result.h"
#include "ordeal/scenario.h"
#include "ordeal/world.h"

namespace ordeal {

struct FilterResult {
  std::string text;  // when(…).then(…)
  std::string file;  // of the user's code
  uint32_t line = 0;
  uint64_t fired = 0;    // events it had
  uint64_t in_vain = 0;  // crashes, restarts, … that were not possible then
};

struct MachineResult {
  struct State {
    std::string name;
    Machine::Kind kind = Machine::Kind::kPlain;
    uint64_t ended_in = 0;  // runs
  };
  struct Transition {
    uint32_t from = 0;
    uint32_t to = 0;
    std::string label;
    uint64_t taken = 0;
  };
  std::vector<State> states;  // the first is the start; empty: there is no machine
  std::vector<Transition> transitions;
};

struct ScenarioReport {
  Verdict verdict = Verdict::kUndecided;
  std::string scenario;
  std::string what;
  std::string expectation;
  std::string system;
  std::map<std::string, std::string> parameters;
  std::string strategy;
  uint64_t seed = 0;
  uint64_t iterations = 0;  // asked for
  uint64_t runs = 0;        // done
  uint64_t successes = 0;
  uint64_t failures = 0;
  uint64_t cut = 0;    // runs that a bound on steps or the constraint ended: they did neither
  uint64_t steps = 0;  // of all runs
  std::vector<StepCount> steps_by_sort;  // as Report::steps
  double seconds = 0;
  bool exhaustive = false;       // by a strategy that explores everything
  bool complete = false;         // … and did
  uint64_t distinct_states = 0;  // … of such a strategy
  std::vector<FilterResult> filters;
  MachineResult machine;
  std::vector<Violation> violations;  // the first of each kind, with traces
  std::vector<std::string> notes;
};

// Of `options`: strategy, seed, max_runs (iterations), max_depth and the bounds replace what the
// scenario says where they are given; stop and progress as in check().
Result<ScenarioReport> run(const Scenario& scenario, const Checkable& subject,
                           const Options& options = {});

// The lines of the script, from 0, that are not possible in this system when their turn comes,
// where they are left out. For a trace with a bug and the system without it: what a test made of
// the trace may miss.
Result<std::vector<size_t>> lines_not_possible(const Scenario& scenario, const Checkable& subject);

}  // namespace ordeal
