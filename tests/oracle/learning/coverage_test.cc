// What runs cover, of strategies that do not learn, and how it grew, against other counts.
#include <gtest/gtest.h>

#include "ordeal/check.h"
#include "protocols/suite.h"
#include "suite/choose.h"

namespace ordeal::coverage_of_runs {
namespace {

Report explored(const std::string& system, std::map<std::string, std::string> parameters,
                Options options) {
  static const Suite& suite = *new Suite(protocols::suite());
  const auto chosen = choose(suite, {.system = system, .parameters = std::move(parameters)});
  EXPECT_TRUE(chosen) << chosen.error().message;
  options.minimise = false;
  const auto report = check(chosen->explored(), options);
  EXPECT_TRUE(report) << report.error().message;
  return *report;
}

const std::map<std::string, std::string> kCubes = {{"cubes", "2"}, {"width", "4"}, {"depth", "3"}};

TEST(CoverageOfRuns, IsOfDistinctStatesWhereAllLookDifferent) {
  const Report report =
      explored("cube-world", kCubes,
               {.strategy = "random",
                .strategy_options = {{"measure", "default"}, {"target", "Cube(1)"}},
                .max_depth = 60,
                .max_runs = 200});
  ASSERT_TRUE(report.learning);
  EXPECT_EQ(report.learning->coverage, report.distinct_states);
  EXPECT_LE(*report.learning->target_coverage, report.learning->coverage);
  EXPECT_EQ(report.learning->steps, report.transitions);
  EXPECT_EQ(report.learning->episodes, 200U);
}

TEST(CoverageOfRuns, IsNotCountedUnlessAskedFor) {
  EXPECT_FALSE(explored("cube-world", kCubes, {.strategy = "random", .max_runs = 5}).learning);
}

TEST(CoverageOfRuns, GrowsToWhatItIsInAFewHundredPoints) {
  for (const char* strategy : {"random", "bonusmax"}) {
    const Report report = explored("cube-world", kCubes,
                                   {.strategy = strategy,
                                    .strategy_options = {{"measure", "default"}},
                                    .max_depth = 60,
                                    .max_runs = 300});
    const std::vector<Learning::Point>& curve = report.learning->curve;
    ASSERT_GT(curve.size(), 100U) << strategy;
    EXPECT_LE(curve.size(), 401U) << strategy;
    for (size_t i = 1; i < curve.size(); ++i) {
      EXPECT_LT(curve[i - 1].steps, curve[i].steps);
      EXPECT_LE(curve[i - 1].episodes, curve[i].episodes);
      EXPECT_LE(curve[i - 1].coverage, curve[i].coverage);
    }
    EXPECT_EQ(curve.back().steps, report.learning->steps);
    EXPECT_EQ(curve.back().coverage, report.learning->coverage);
  }
}

// A run at a time, each with a check of its own.
TEST(CoverageOfRuns, CountsTheRunsThatShowAViolation) {
  const std::map<std::string, std::string> buggy = {{"bug", "small-quorum"}};
  constexpr uint64_t kRuns = 60;
  uint64_t before = 0;
  uint64_t first = 0;
  const Report all = explored(
      "paxos", buggy, {.strategy = "random", .seed = 3, .max_runs = kRuns, .keep_going = true});
  for (uint64_t runs = 1; runs <= kRuns; ++runs) {
    const Report some = explored(
        "paxos", buggy, {.strategy = "random", .seed = 3, .max_runs = runs, .keep_going = true});
    EXPECT_GE(some.violating_runs, before);
    EXPECT_LE(some.violating_runs, before + 1);
    if (before == 0 && some.violating_runs == 1) first = runs;
    before = some.violating_runs;
  }
  EXPECT_GT(first, 0U);
  EXPECT_EQ(all.violating_runs, before);
  EXPECT_EQ(all.first_violating_run, first);
  const Report stopped = explored("paxos", buggy, {.strategy = "random", .seed = 3});
  EXPECT_EQ(stopped.runs, first);
  EXPECT_EQ(stopped.transitions, all.first_violating_step);
}

TEST(CoverageOfRuns, EndsWithTheRunThatReachesTheBoundOnSteps) {
  const Report report =
      explored("cube-world", kCubes, {.strategy = "random", .max_depth = 60, .max_steps = 1000});
  EXPECT_TRUE(report.ended_by(Bound::Kind::kSteps));
  EXPECT_GE(report.transitions, 1000U);
  EXPECT_LT(report.transitions, 1060U);
}

}  // namespace
}  // namespace ordeal::coverage_of_runs
