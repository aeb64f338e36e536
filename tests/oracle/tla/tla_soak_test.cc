#include <gtest/gtest.h>

#include "tests/oracle/tla/problems.h"

namespace ordeal::oracle::naive {
namespace {

TEST(TlaOracleSoak, ManyMoreExpressionsHaveTheirValue) {
  Tally tally;
  EXPECT_EQ(problem_with_expressions(1'000'000, 5000, tally), "");
}

TEST(TlaOracleSoak, ManyMoreSpecificationsAreSearchedAlike) {
  Tally tally;
  EXPECT_EQ(problem_with_specs(1'000'000, 10'000, tally), "");
}

TEST(TlaOracleSoak, ManyMoreFormulasAboutBehavioursAreJudgedAlike) {
  Tally tally;
  EXPECT_EQ(problem_with_behaviours(1'000'000, 20'000, tally), "");
}

}  // namespace
}  // namespace ordeal::oracle::naive
