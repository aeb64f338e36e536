#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;

const char kName[] = "multi-paxos";

TEST(MultiPaxos, HoldsAtSmallSizes) {
  for (const char* nodes : {"1", "2", "3"}) {
    expect_holds(kName, {{"nodes", nodes}, {"proposals", "1"}});
  }
  expect_holds(kName, {{"nodes", "2"}, {"proposals", "2"}});
  expect_holds(kName, {{"proposals", "0"}});
}

TEST(MultiPaxos, HoldsWhoeverCrashes) {
  for (const char* crash : {"1", "2", "3"}) expect_holds(kName, {{"crash", crash}});
  expect_holds(kName, {{"proposals", "1"}, {"crash", "1,2,3"}, {"max-crashes", "1"}});
}

TEST(MultiPaxos, StaysSafeWhenMessagesGetLostOrArriveTwice) {
  expect_holds(kName, {{"proposals", "1"}, {"crash", "3"}, {"drops", "1"}});
  expect_holds(kName, {{"proposals", "1"}, {"crash", "3"}, {"duplicates", "1"}});
}

TEST(MultiPaxos, StaysSafeUnderWrongSuspicions) {
  expect_holds(kName, {{"nodes", "2"}, {"detector", "eventually-perfect"}, {"crash", "2"}});
}

TEST(MultiPaxos, EveryPlantedBugIsFound) {
  const testing::Given one = {{"proposals", "1"}, {"crash", "3"}};
  const testing::Given two = {{"proposals", "2"}, {"crash", "3"}};
  expect_every_bug_is_found(
      kName, {{"lose-promised-values", one},
              {"misaligned-slots", one},
              {"lose-submitted", one},
              {"skip-phase-one", two},
              {"forget-promise", two},
              {"mixed-rounds", two},
              {"lead-anyway", {{"detector", "eventually-perfect"}}, testing::breadth_first(11)}});
}

TEST(MultiPaxos, RandomRunsWithTwoCrashesOfFiveFindNothing) {
  const Report report = testing::run(kName, {{"nodes", "5"}, {"proposals", "3"}, {"crash", "4,5"}},
                                     "", testing::runs_of("random", 500));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::brief(report);
}

}  // namespace
}  // namespace ordeal::protocols
