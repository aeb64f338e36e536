#include <gtest/gtest.h>

#include "tests/oracle/tla/problems.h"
#include "tests/oracle/tla/random_specs.h"

namespace ordeal::oracle::naive {
namespace {

TEST(TlaOracle, RandomSpecificationsAreSearchedAsANaiveSearchDoes) {
  Tally tally;
  EXPECT_EQ(problem_with_specs(0, 600, tally), "");
  EXPECT_EQ(tally.cases, 600U);
  EXPECT_LT(tally.skipped, 20U);
  EXPECT_GT(tally.values, 4000U);  // states
  // Nothing was left untried.
  for (const std::string& feature : all_spec_features())
    EXPECT_GT(tally.seen[feature], 4U) << feature;
  for (const char* const what :
       {"holds",           "a violation",          "an error",       "no start",
        "Inv0 violated",   "Inv1 violated",        "Steps violated", "Begin violated",
        "Always violated", "no deadlock violated", "states outside", "many states",
        "states by force", "[A]_v action",         "<<A>>_v action", "action of an instance",
        "\\A action",      "\\E action",           "CASE action",    "IF action",
        "LET action"}) {
    EXPECT_GT(tally.seen[what], 4U) << what;
  }
}

}  // namespace
}  // namespace ordeal::oracle::naive
