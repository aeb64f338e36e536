// Broken engines, one at a time: the comparison with the reference must notice every one of them,
// and nothing when the engine is whole. Linked with a build of the engine that can be broken, see
// src/base/mutant.h.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "base/mutant.h"
#include "language/tla/value/mutant.h"
#include "tests/engine/schedulers/problems.h"
#include "tests/oracle/dpor/problems.h"
#include "tests/oracle/events/examine.h"
#include "tests/oracle/histories/problems.h"
#include "tests/oracle/learning/all_problems.h"
#include "tests/oracle/liveness/problems.h"
#include "tests/oracle/random/extras.h"
#include "tests/oracle/random/forms.h"
#include "tests/oracle/random/suite.h"
#include "tests/oracle/random/twins.h"
#include "tests/oracle/reductions/examine.h"
#include "tests/oracle/scenario/examine.h"
#include "tests/oracle/seams/problems.h"
#include "tests/oracle/symmetry/classes.h"
#include "tests/oracle/tla/problems.h"
#include "tests/oracle/verdicts/answers.h"
#include "tests/oracle/verdicts/keepers.h"
#include "tests/oracle/verdicts/servers.h"
#include "tests/tools/cli/folder.h"

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

const std::vector<Named>& learning_mutants() {
  static const std::vector<Named> all = {ORDEAL_LEARNING_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
  return all;
}

const std::vector<Named>& liveness_mutants() {
  static const std::vector<Named> all = {ORDEAL_LIVENESS_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
  return all;
}
#undef ORDEAL_MUTANT_ENTRY

struct NamedTla {
  tla::TlaMutant mutant;
  std::string name;
  std::string what;
};

const std::vector<NamedTla>& tla_mutants() {
#define ORDEAL_MUTANT_ENTRY(name, what) {tla::TlaMutant::name, #name, what},
  static const std::vector<NamedTla> all = {ORDEAL_TLA_MUTANT_LIST(ORDEAL_MUTANT_ENTRY)};
#undef ORDEAL_MUTANT_ENTRY
  return all;
}

// Each tells the first thing that is wrong with the engine as it is now; empty: nothing is.
struct Check {
  std::string name;
  std::function<std::string()> problem;
};

constexpr uint64_t kBatch = 50;  // of random systems: what has to be run again for one mutant

std::string problem_with_systems(uint64_t first_seed) {
  const SuiteResult result =
      run_suite({.first_seed = first_seed, .systems = kBatch, .cap = 400, .stop_early = true});
  return result.disagreements.empty() ? std::string() : result.disagreements.front();
}

std::string problem_with_a_hundred_events() {
  EventExaminer::Totals totals;
  return problem_with_events(100, totals);
}

std::string problem_with_twins() {
  const TwinResult twins = run_twins({.systems = 30, .cap = 20, .stop_early = true});
  return twins.disagreements.empty() ? std::string() : twins.disagreements.front();
}

std::string problem_with_both_forms() {
  Covered covered;
  const std::string problem = problem_with_forms(40, {}, covered);
  return problem.empty() ? problem_with_forms(40, {.alike = true}, covered) : problem;
}

std::string problem_with_reductions_of_systems() {
  const e2e::Folder folder;
  return problem_with_reductions(150, folder.path());
}

std::string problem_with_all_tables() {
  const e2e::Folder folder;
  TableTally tally;
  return problem_with_tables(0, 100, folder.path(), tally);
}

std::string problem_with_large_numbers() {
  const e2e::Folder folder;
  return problem_with_many(70'000, 70'000, folder.path());
}

// Most mutants do not live long: what is quick and catches many comes first.
std::vector<Check> checks(uint64_t systems) {
  std::vector<Check> all;
  const auto add_systems = [&](uint64_t from, uint64_t to) {
    for (uint64_t seed = from; seed < to; seed += kBatch) {
      all.push_back(
          {fmt::format("systems from {}", seed), [seed] { return problem_with_systems(seed); }});
    }
  };
  all.push_back({"few orders", problem_with_few_orders});
  add_systems(0, 50);
  all.push_back({"events", problem_with_a_hundred_events});
  all.push_back({"twins", problem_with_twins});
  // An engine that finds no end is bounded here, and nowhere below.
  add_systems(50, 150);
  all.push_back({"both forms", problem_with_both_forms});
  all.push_back({"answers", verdicts::problem_with_answers});
  all.push_back({"tampered traces", problem_with_tampered_traces});
  all.push_back({"bounded depth", problem_with_bounded_depth});
  all.push_back({"a large space", problem_with_a_large_space});
  all.push_back({"schedulers", schedulers::problem_with_schedulers});
  all.push_back({"dpor", problem_with_dpor});
  all.push_back({"classes", problem_with_classes});
  all.push_back({"constants", verdicts::problem_with_constants});
  all.push_back({"keepers", verdicts::problem_with_keepers});
  all.push_back({"reductions", problem_with_reductions_of_systems});
  all.push_back({"tables", problem_with_all_tables});
  all.push_back({"large numbers", problem_with_large_numbers});
  add_systems(150, 150 + systems);
  return all;
}

// By which check a mutant was noticed when that was last written down: it is asked first, and all
// others only if it is silent now.
std::string noticed_before(const std::string& mutant) {
  std::ifstream file(ORDEAL_NOTICED_BY);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(mutant + ": ")) return line.substr(mutant.size() + 2);
  }
  return "";
}

struct Notice {
  std::string check;
  std::string problem;  // empty: nothing is wrong
};

Notice examine(uint64_t systems, const std::string& first) {
  std::vector<Check> all = checks(systems);
  std::stable_partition(all.begin(), all.end(),
                        [&](const Check& check) { return check.name == first; });
  for (const Check& check : all) {
    if (std::string problem = check.problem(); !problem.empty()) return {check.name, problem};
  }
  return {};
}

void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
void PrintTo(const NamedTla& named, std::ostream* out) { *out << named.name; }

class Mutants : public testing::TestWithParam<Named> {
 protected:
  void SetUp() override { active_mutant() = GetParam().mutant; }
  void TearDown() override { active_mutant() = Mutant::kNone; }
};

void expect_caught(const std::string& what, const std::string& caught) {
  EXPECT_NE(caught, "") << "nothing notices that " << what;
  std::cout << what << "\n  noticed: " << caught.substr(0, caught.find('\n')) << "\n";
}

TEST_P(Mutants, IsCaught) {
  const Notice notice = examine(2000, noticed_before(GetParam().name));
  expect_caught(GetParam().what, notice.problem);
  std::cout << "noticed_by " << GetParam().name << ": " << notice.check << "\n";
}

// What is broken about scenarios must show in them, whatever else would show.
class ScenarioMutants : public Mutants {};
TEST_P(ScenarioMutants, IsCaught) { expect_caught(GetParam().what, problem_with_scenarios(2000)); }

// Recorded histories have nothing to do with systems.
class HistoryMutants : public Mutants {};
TEST_P(HistoryMutants, IsCaught) {
  expect_caught(GetParam().what, histories::problem_with_histories(1000));
}

class LearningMutants : public Mutants {};
TEST_P(LearningMutants, IsCaught) {
  expect_caught(GetParam().what, learning::problem_with_learning(100));
}

class LivenessMutants : public Mutants {};
TEST_P(LivenessMutants, IsCaught) {
  expect_caught(GetParam().what, liveness::problem_with_runs(2000));
}

// What evaluates specifications has nothing to do with systems, either.
class TlaMutants : public testing::TestWithParam<NamedTla> {
 protected:
  void SetUp() override { tla::active_tla_mutant() = GetParam().mutant; }
  void TearDown() override { tla::active_tla_mutant() = tla::TlaMutant::kNone; }
};
TEST_P(TlaMutants, IsCaught) { expect_caught(GetParam().what, naive::problem_with_tla()); }

INSTANTIATE_TEST_SUITE_P(EveryOne, TlaMutants, testing::ValuesIn(tla_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, LivenessMutants, testing::ValuesIn(liveness_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, LearningMutants, testing::ValuesIn(learning_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, ScenarioMutants, testing::ValuesIn(scenario_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

INSTANTIATE_TEST_SUITE_P(EveryOne, HistoryMutants, testing::ValuesIn(history_mutants()),
                         [](const auto& info) { return info.param.name.substr(1); });

TEST(NoMutant, NothingIsNoticed) { EXPECT_EQ(examine(300, "").problem, ""); }

TEST(NoMutant, NothingIsNoticedOfScenarios) { EXPECT_EQ(problem_with_scenarios(300), ""); }

TEST(NoMutant, NothingIsNoticedOfHistories) {
  EXPECT_EQ(histories::problem_with_histories(1000), "");
}

TEST(NoMutant, NothingIsNoticedOfLearners) { EXPECT_EQ(learning::problem_with_learning(300), ""); }

TEST(NoMutant, NothingIsNoticedOfRuns) { EXPECT_EQ(liveness::problem_with_runs(1000), ""); }

TEST(NoMutant, NothingIsNoticedOfSpecifications) { EXPECT_EQ(naive::problem_with_tla(), ""); }

TEST(NoMutant, ThereAreEnough) {
  EXPECT_GE(tla_mutants().size(), 20U);
  EXPECT_GE(mutants().size(), 20U);
  EXPECT_GE(liveness_mutants().size(), 12U);
  EXPECT_GE(scenario_mutants().size(), 20U);
}

}  // namespace
}  // namespace ordeal::oracle
