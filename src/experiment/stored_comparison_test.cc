#include "experiment/stored_comparison.h"

#include <gtest/gtest.h>

#include "tests/tools/cli/folder.h"

namespace ordeal::experiment {
namespace {

class StoredComparisons : public ::testing::Test {
 protected:
  StoredComparisons()
      : store_(*ResultsStore::open(folder_.path() + "/results.sqlite",
                                   ResultsStore::Access::kCreate)) {}

  // With trials that found a first violation after so much; 0: none.
  int64_t add(const std::vector<uint64_t>& first_bugs, const std::string& budget = "100 episodes",
              const std::string& outcome = "done") {
    const int64_t id = *store_.begin({"e", "", "1.0", "today"});
    const int64_t cell = *store_.cell(id, {"raft", "raft; budget=" + budget, "random", ""});
    uint64_t seed = 0;
    for (const uint64_t bug : first_bugs) {
      TrialRecord trial{seed++, outcome, 100, {}, {}};
      if (bug > 0) trial.measures["first_bug"] = static_cast<double>(bug);
      trial.measures["bug_frequency"] = bug > 0 ? 1 : 0;
      EXPECT_TRUE(store_.append(cell, trial));
    }
    return id;
  }
  const StoredPair& pair(const StoredComparison& all, const std::string& measure) {
    for (const StoredPair& one : all.pairs) {
      if (one.measure == measure) return one;
    }
    ADD_FAILURE() << measure;
    return all.pairs.front();
  }

  const e2e::Folder folder_;
  ResultsStore store_;
};

TEST_F(StoredComparisons, WhatWasNotFoundComesLast) {
  const int64_t quick = add({3, 4, 5});
  const int64_t slow = add({90, 0, 0});
  const auto compared = compare_stored(store_, quick, slow);
  ASSERT_TRUE(compared) << compared.error().message;
  const StoredPair& found = pair(*compared, "first_bug");
  ASSERT_TRUE(found.test);
  // All nine pairs are won; the most extreme of the 20 ways to split six numbers, either way.
  EXPECT_DOUBLE_EQ(found.test->a12, 1);
  EXPECT_DOUBLE_EQ(found.test->p, 2.0 / 20);
  EXPECT_EQ(found.second.size(), 1u);
  EXPECT_EQ(found.second_trials, 3u);
  // Two tests: the smaller p counts twice.
  EXPECT_DOUBLE_EQ(found.p_holm, 2 * found.test->p);
}

TEST_F(StoredComparisons, WhatWasFoundByNobodyIsATie) {
  const auto compared = compare_stored(store_, add({0, 0}), add({0, 0, 7}));
  ASSERT_TRUE(compared) << compared.error().message;
  const StoredPair& found = pair(*compared, "first_bug");
  ASSERT_TRUE(found.test);
  EXPECT_DOUBLE_EQ(found.test->u, 2);  // four ties, and two pairs lost
}

TEST_F(StoredComparisons, WhatTheClockEndedIsNotTested) {
  const auto by_clock = compare_stored(store_, add({3, 4}, "1 seconds"), add({90, 0}, "1 seconds"));
  ASSERT_TRUE(by_clock) << by_clock.error().message;
  EXPECT_FALSE(pair(*by_clock, "first_bug").test);
  EXPECT_TRUE(pair(*by_clock, "bug_frequency").test);
  const auto cut = compare_stored(store_, add({3, 4}), add({90, 0}, "100 episodes", "cut: memory"));
  ASSERT_TRUE(cut) << cut.error().message;
  for (const StoredPair& one : cut->pairs) EXPECT_FALSE(one.test) << one.measure;
}

TEST_F(StoredComparisons, OneTrialIsNoSample) {
  const auto compared = compare_stored(store_, add({3}), add({4, 5}));
  ASSERT_TRUE(compared) << compared.error().message;
  for (const StoredPair& one : compared->pairs) EXPECT_FALSE(one.test) << one.measure;
}

TEST_F(StoredComparisons, DifferentBudgetsAreRefused) {
  const auto compared = compare_stored(store_, add({3, 4}), add({3, 4}, "50 episodes"));
  ASSERT_FALSE(compared);
  EXPECT_NE(compared.error().message.find("different budgets"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::experiment
