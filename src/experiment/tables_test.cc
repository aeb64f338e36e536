// The tables of an experiment against a second, plain way to work them out.
#include "experiment/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ordeal::experiment::tables {
namespace {

// Two strategies and a third on one subject, with numbers instead of trials.
Plan plan_of(std::vector<Measure> measures, size_t trials) {
  Plan plan;
  plan.file.name = "numbers";
  plan.file.trials = trials;
  plan.file.budget.count = 100;
  plan.file.subjects.push_back({"s", "s", {}, {}, {}, {}});
  for (const char* name : {"uniform", "bonusmax", "egreedy"}) {
    plan.file.strategies.push_back({name, name, {}, {}});
    plan.cells.push_back({0, plan.cells.size(), {}, {}, trials});
  }
  plan.subjects.resize(1);
  plan.measures = std::move(measures);
  return plan;
}

std::vector<TrialRecord> trials_with(const char* measure, const std::vector<double>& values) {
  std::vector<TrialRecord> out;
  for (const double value : values) {
    TrialRecord& trial = out.emplace_back();
    trial.seed = out.size() - 1;
    trial.measures[kEpisodes] = 100;
    if (value >= 0) trial.measures[measure] = value;  // below 0: not found
  }
  return out;
}

double naive_mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double naive_deviation(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value - naive_mean(values), 2);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double wins(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (const double x : a) {
    for (const double y : b) out += x > y ? 1 : x == y ? 0.5 : 0;
  }
  return out;
}

// Over all ways to take as many of all numbers as a has.
double naive_p_better(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::vector<bool> taken(all.size());
  std::fill(taken.begin(), taken.begin() + static_cast<long>(a.size()), true);
  double ways = 0;
  double as_good = 0;
  do {
    std::vector<double> left;
    std::vector<double> right;
    for (size_t i = 0; i < all.size(); ++i) (taken[i] ? left : right).push_back(all[i]);
    ++ways;
    if (wins(left, right) >= wins(a, b)) ++as_good;
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return as_good / ways;
}

const std::vector<double> kLow = {3, 5, 5, 8};
const std::vector<double> kHigh = {7, 9, 5, 12};
const std::vector<double> kOther = {4, 4, 6, 1};

ExperimentResults coverage_results(std::optional<std::string> baseline = {}) {
  Plan plan = plan_of({Measure::kCoverage}, 4);
  plan.file.baseline = std::move(baseline);
  auto results = results_of(plan, {trials_with("coverage", kLow), trials_with("coverage", kHigh),
                                   trials_with("coverage", kOther)});
  EXPECT_TRUE(results) << results.error().message;
  return *results;
}

TEST(Tables, HaveMeanAndDeviationOfEveryStrategy) {
  const ExperimentResults results = coverage_results();
  ASSERT_EQ(results.tables.size(), 1U);
  const std::vector<std::vector<double>> all = {kLow, kHigh, kOther};
  for (size_t i = 0; i < all.size(); ++i) {
    const Summary& row = results.tables[0].rows[i];
    EXPECT_NEAR(*row.mean, naive_mean(all[i]), 1e-12);
    EXPECT_NEAR(*row.deviation, naive_deviation(all[i]), 1e-12);
    EXPECT_EQ(row.least, *std::min_element(all[i].begin(), all[i].end()));
    EXPECT_EQ(row.most, *std::max_element(all[i].begin(), all[i].end()));
    EXPECT_EQ(row.trials, 4U);
  }
}

TEST(Tables, TestAllPairsExactlyAndCorrectTheirP) {
  const ExperimentResults results = coverage_results();
  const std::vector<std::vector<double>> all = {kLow, kHigh, kOther};
  const std::vector<PairTest>& pairs = results.tables[0].pairs;
  ASSERT_EQ(pairs.size(), 3U);
  std::vector<double> sorted;
  for (const PairTest& pair : pairs) {
    EXPECT_NEAR(pair.u, wins(all[pair.a], all[pair.b]), 1e-12);
    EXPECT_NEAR(pair.a12, pair.u / 16, 1e-12);
    EXPECT_NEAR(pair.p_better, naive_p_better(all[pair.a], all[pair.b]), 1e-12);
    EXPECT_TRUE(pair.exact);
    sorted.push_back(pair.p);
  }
  std::sort(sorted.begin(), sorted.end());
  for (const PairTest& pair : pairs) {  // Holm: the least times 3, then 2, then 1, never falling
    double corrected = 0;
    for (size_t i = 0; i < 3 && (i == 0 || sorted[i - 1] < pair.p); ++i) {
      corrected = std::max(corrected, std::min(1.0, sorted[i] * static_cast<double>(3 - i)));
    }
    EXPECT_NEAR(pair.p_holm, corrected, 1e-12);
  }
}

TEST(Tables, TestOnlyPairsWithTheBaselineWhereThereIsOne) {
  const ExperimentResults results = coverage_results("uniform");
  ASSERT_EQ(results.tables[0].pairs.size(), 2U);
  for (const PairTest& pair : results.tables[0].pairs) EXPECT_EQ(pair.b, 0U);
}

TEST(Tables, RankAllStrategiesTogether) {
  const ExperimentResults results = coverage_results();
  // By hand: ranks of 1 3 4 4 5 5 5 6 7 8 9 12, corrected for ties.
  const double sums[] = {2 + 6 + 6 + 10, 9 + 11 + 6 + 12, 3.5 + 3.5 + 8 + 1};
  double h = 0;
  for (const double sum : sums) h += sum * sum / 4;
  h = 12.0 / (12 * 13) * h - 3 * 13;
  h /= 1 - (6.0 + 24.0) / (12 * 12 * 12 - 12);
  ASSERT_TRUE(results.tables[0].different);
  EXPECT_NEAR(results.tables[0].different->h, h, 1e-9);
}

TEST(Tables, CountTrialsThatFoundNothingAsMoreThanTheyTook) {
  const Plan plan = plan_of({Measure::kFirstBug}, 4);
  const auto results = results_of(
      plan, {trials_with("first_bug", {10, -1, -1, -1}), trials_with("first_bug", {5, 6, 7, -1}),
             trials_with("first_bug", {-1, -1, -1, -1})});
  ASSERT_TRUE(results) << results.error().message;
  const MeasureTable& table = results->tables[0];
  EXPECT_EQ(table.rows[0].found, 1U);
  EXPECT_EQ(*table.rows[0].mean, 10);
  EXPECT_FALSE(table.rows[0].deviation);
  EXPECT_TRUE(table.rows[0].median_censored);
  EXPECT_FALSE(table.rows[1].median_censored);
  EXPECT_EQ(table.rows[1].median, 6.5);
  EXPECT_FALSE(table.rows[2].mean);
  // The second needs less than the first: of 16 pairs it loses none that can be told.
  EXPECT_LT(table.pairs[0].a12, 0.5);
}

TEST(Tables, HaveOneForEveryPropertyWhereMoreThanOneIsViolated) {
  Plan plan = plan_of({Measure::kBugFrequency, Measure::kFirstBug}, 3);
  plan.keeps_going = true;
  std::vector<std::vector<TrialRecord>> all;
  for (const double more : {0.0, 10.0, 20.0}) {
    std::vector<TrialRecord> trials = trials_with("bug_frequency", {more + 5, more + 6, more + 2});
    for (size_t i = 0; i < 2; ++i) {  // the third has none of it
      trials[i].measures["bug_frequency: a"] = more + 4 + static_cast<double>(i);
      trials[i].measures["first_bug: a"] = more + 3;
      trials[i].measures["first_bug"] = more + 3;
    }
    trials[1].measures["bug_frequency: b"] = more + 1;
    trials[1].measures["first_bug: b"] = more + 50;
    all.push_back(std::move(trials));
  }
  const auto results = results_of(plan, all);
  ASSERT_TRUE(results) << results.error().message;
  ASSERT_EQ(results->tables.size(), 6U);
  const MeasureTable& a = results->tables[1];
  EXPECT_EQ(a.property, "a");
  EXPECT_EQ(a.measure, Measure::kBugFrequency);
  EXPECT_EQ(*a.rows[0].mean, 3);  // of 4, 5 and none
  EXPECT_EQ(a.rows[0].trials, 3U);
  EXPECT_EQ(a.pairs.size(), 3U);
  EXPECT_EQ(results->tables[2].property, "b");
  const MeasureTable& first = results->tables[5];
  EXPECT_EQ(first.property, "b");
  EXPECT_EQ(first.measure, Measure::kFirstBug);
  EXPECT_EQ(first.rows[1].found, 1U);
  EXPECT_EQ(*first.rows[1].mean, 60);
  EXPECT_TRUE(first.rows[1].median_censored);
  EXPECT_EQ(first.pairs.size(), 3U);
  EXPECT_TRUE(results->overall.empty());

  // A trial that ended with the first violation says little of the others.
  plan.keeps_going = false;
  const auto ended = results_of(plan, all);
  ASSERT_TRUE(ended);
  EXPECT_EQ(*ended->tables[5].rows[1].mean, 60);
  EXPECT_TRUE(ended->tables[5].pairs.empty());
  EXPECT_FALSE(ended->tables[3].pairs.empty());

  // One property is all there is: a table of its own would say the same again.
  for (auto& trials : all) {
    for (TrialRecord& trial : trials) {
      trial.measures.erase("bug_frequency: b");
      trial.measures.erase("first_bug: b");
    }
  }
  EXPECT_EQ(results_of(plan, all)->tables.size(), 2U);
}

TEST(Tables, TestOnlyWhatWasNotCut) {
  Plan plan = plan_of({Measure::kCoverage}, 4);
  auto all = {trials_with("coverage", kLow), trials_with("coverage", kHigh),
              trials_with("coverage", kOther)};
  std::vector<std::vector<TrialRecord>> trials(all);
  trials[1][2].outcome = "cut: 2G of memory";
  const auto results = results_of(plan, trials);
  ASSERT_TRUE(results);
  ASSERT_EQ(results->tables[0].pairs.size(), 1U);
  EXPECT_EQ(results->tables[0].pairs[0].a, 0U);
  EXPECT_EQ(results->tables[0].pairs[0].b, 2U);
  EXPECT_FALSE(results->tables[0].different);
}

TEST(Tables, HaveNoTestWhereWhatEndsATrialDependsOnItsMaker) {
  Plan plan = plan_of({Measure::kFirstBug}, 2);
  plan.file.budget = {Budget::Kind::kSeconds, 0, 1};
  const auto numbers = trials_with("first_bug", {1, 2});
  const auto results = results_of(plan, {numbers, numbers, numbers});
  ASSERT_TRUE(results);
  EXPECT_TRUE(results->tables[0].pairs.empty());
  EXPECT_FALSE(results->tables[0].different);
}

TEST(Tables, HaveTheMeanOfCurvesAsFarAsAllWent) {
  const Plan plan = plan_of({Measure::kCoverage}, 2);
  std::vector<TrialRecord> trials = trials_with("coverage", {8, 4});
  trials[0].curves["coverage"] = {{1, 1}, {2, 6}, {4, 8}};
  trials[1].curves["coverage"] = {{2, 2}, {3, 4}};
  const auto results = results_of(plan, {trials, trials, trials});
  ASSERT_TRUE(results) << results.error().message;
  ASSERT_EQ(results->growth.size(), 1U);
  const std::vector<GrowthPoint>& curve = results->growth[0].curves[0];
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[0].mean, 0.5);
  EXPECT_EQ(curve[1].mean, 4);
  EXPECT_EQ(curve[2].mean, 5);
  for (const GrowthPoint& point : curve) {
    EXPECT_LE(point.low, point.mean);
    EXPECT_GE(point.high, point.mean);
  }
}

}  // namespace
}  // namespace ordeal::experiment::tables
