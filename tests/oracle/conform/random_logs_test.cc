// Logs against models: the engine and what goes through all behaviours say the same.
#include <gtest/gtest.h>

#include "tests/oracle/conform/problems.h"

namespace ordeal::oracle {
namespace {

TEST(RandomLogs, DepartFromSpecificationsWhereNoBehaviourGoesOn) {
  LogTotals totals;
  EXPECT_EQ(problem_with_tla_logs(400, totals), "");
  EXPECT_GT(totals.departed, 500);
  EXPECT_GT(totals.conformed, 200);
  EXPECT_GT(totals.undecided, 50);
  EXPECT_GE(totals.most, 5U);
}

TEST(RandomLogs, DepartFromSystemsWhereNoRunGoesOn) {
  LogTotals totals;
  EXPECT_EQ(problem_with_system_logs(150, totals), "");
  EXPECT_GT(totals.departed, 100);
  EXPECT_GT(totals.conformed, 200);
  EXPECT_GE(totals.most, 3U);
}

}  // namespace
}  // namespace ordeal::oracle
