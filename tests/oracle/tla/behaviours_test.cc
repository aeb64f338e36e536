#include <gtest/gtest.h>

#include "tests/oracle/tla/problems.h"
#include "tests/oracle/tla/random_behaviours.h"

namespace ordeal::oracle::naive {
namespace {

TEST(TlaOracle, RandomFormulasAboutFairBehavioursAreJudgedAsByTheirDefinitions) {
  Tally tally;
  EXPECT_EQ(problem_with_behaviours(0, 700, tally), "");
  EXPECT_EQ(tally.cases, 700U);
  EXPECT_LT(tally.skipped, 180U);
  for (const std::string& feature : all_behaviour_features())
    EXPECT_GT(tally.seen[feature], 5U) << feature;
  for (const char* const what : {"holds", "violated", "stuttering", "a cycle"}) {
    EXPECT_GT(tally.seen[what], 50U) << what;
  }
}

}  // namespace
}  // namespace ordeal::oracle::naive
