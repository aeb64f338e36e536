// Broken engines, one at a time: the comparison with the reference must notice every one of them,
// and nothing when the engine is whole. Linked with a build of the engine that can be broken, see
// src/base/mutant.h.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/mutant.h"
#include "tests/cli/folder.h"
#include "tests/dpor/problems.h"
#include "tests/events/examine.h"
#include "tests/histories/problems.h"
#include "tests/monitor/examine.h"
#include "tests/random/extras.h"
#include "tests/random/suite.h"
#include "tests/random/twins.h"
#include "tests/reductions/examine.h"
#include "tests/schedulers/problems.h"
#include "tests/symmetry/classes.h"
#include "tests/verdicts/answers.h"
#include "tests/verdicts/keepers.h"
#include "tests/verdicts/servers.h"

namespace ordeal::oracle {
namespace {

struct Named {
  Mutant mutant;
  std::string name;
  std::string what;
};

#define ORDEAL_MUTANT_ENTRY(name, what) {Mutant::name, #name, what},
const std::vector<Named>& mutants() {
  static const std::vector<Named> all = {ORDEAL_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
  return all;
}

const std::vector<Named>& scenario_mutants() {
  static const std::vector<Named> all = {ORDEAL_SCENARIO_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
  return all;
}

const std::vector<Named>& history_mutants() {
  static const std::vector<Named> all = {ORDEAL_HISTORY_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
  return all;
}
#undef ORDEAL_MUTANT_ENTRY

// The first thing that is wrong with the engine as it is now; empty: nothing is.
std::string examine(uint64_t systems) {
  const auto compare = [](uint64_t first_seed, uint64_t count) {
    const SuiteResult result =
        run_suite({.first_seed = first_seed, .systems = count, .cap = 400, .stop_early = true});
    return result.disagreements.empty() ? std::string() : result.disagreements.front();
  };
  // Most mutants do not live long: what is quick and catches many comes first.
  std::string problem = problem_with_few_traces();
  if (problem.empty()) problem = compare(0, 50);
  if (problem.empty()) {
    EventExaminer::Totals totals;
    problem = problem_with_events(100, totals);
  }
  if (problem.empty()) {
    const TwinResult twins = run_twins({.systems = 30, .cap = 20, .stop_early = true});
    if (!twins.disagreements.empty()) problem = twins.disagreements.front();
  }
  // An engine that finds no end is bounded here, and nowhere below.
  if (problem.empty()) problem = compare(50, 100);
  if (problem.empty()) problem = verdicts::problem_with_answers();
  if (problem.empty()) problem = problem_with_tampered_traces();
  if (problem.empty()) problem = problem_with_bounded_depth();
  if (problem.empty()) problem = problem_with_a_large_space();
  if (problem.empty()) problem = schedulers::problem_with_schedulers();
  if (problem.empty()) problem = problem_with_dpor();
  if (problem.empty()) problem = problem_with_classes();
  if (problem.empty()) problem = verdicts::problem_with_constants();
  if (problem.empty()) problem = verdicts::problem_with_keepers();
  if (problem.empty()) {
    const e2e::Folder folder;
    problem = problem_with_reductions(150, folder.path());
  }
  if (problem.empty()) problem = compare(150, systems);
  return problem;
}

void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

class Mutants : public testing::TestWithParam<Named> {
 protected:
  void SetUp() override { active_mutant() = GetParam().mutant; }
  void TearDown() override { active_mutant() = Mutant::kNone; }
};

void expect_caught(const Named& named, const std::string& caught) {
  EXPECT_NE(caught, "") << "nothing notices that " << named.what;
  std::cout << named.what << "\n  noticed: " << caught.substr(0, caught.find('\n')) << "\n";
}

TEST_P(Mutants, IsCaught) { expect_caught(GetParam(), examine(2000)); }

// What is broken about scenarios must show in them, whatever else would show.
class ScenarioMutants : public Mutants {};
TEST_P(ScenarioMutants, IsCaught) { expect_caught(GetParam(), problem_with_scenarios(2000)); }

// Recorded histories have nothing to do with systems.
class HistoryMutants : public Mutants {};
TEST_P(HistoryMutants, IsCaught) {
  expect_caught(GetParam(), histories::problem_with_histories(1000));
}

INSTANTIATE_TEST_SUITE_P(EveryOne, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, ScenarioMutants, testing::ValuesIn(scenario_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, HistoryMutants, testing::ValuesIn(history_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

TEST(NoMutant, NothingIsNoticed) { EXPECT_EQ(examine(300), ""); }

TEST(NoMutant, NothingIsNoticedOfScenarios) { EXPECT_EQ(problem_with_scenarios(300), ""); }

TEST(NoMutant, NothingIsNoticedOfHistories) {
  EXPECT_EQ(histories::problem_with_histories(1000), "");
}

TEST(NoMutant, ThereAreEnough) {
  EXPECT_GE(mutants().size(), 20U);
  EXPECT_GE(scenario_mutants().size(), 20U);
}

}  // namespace
}  // namespace ordeal::oracle
