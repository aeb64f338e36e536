#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;
using testing::expect_violated;

const char kName[] = "hierarchical-consensus";

TEST(HierarchicalConsensus, HoldsWithoutCrashes) {
  for (const char* nodes : {"1", "2", "3", "4"}) expect_holds(kName, {{"nodes", nodes}});
}

TEST(HierarchicalConsensus, HoldsWhicheverNodesCrash) {
  for (const char* crash : {"1", "2", "3", "1,2", "2,3", "1,2,3"}) {
    expect_holds(kName, {{"crash", crash}});
  }
  expect_holds(kName, {{"nodes", "4"}, {"crash", "1,2"}});
}

TEST(HierarchicalConsensus, HoldsWithCallsThatAreAnswered) {
  for (const char* crash : {"", "2", "1,3"}) {
    expect_holds(kName, {{"messaging", "request-response"}, {"crash", crash}});
  }
}

TEST(HierarchicalConsensus, HoldsWhenMessagesArriveTwice) {
  expect_holds(kName, {{"crash", "1"}, {"duplicates", "2"}});
}

TEST(HierarchicalConsensus, NeedsAPerfectDetector) {
  expect_violated(kName, {{"detector", "eventually-perfect"}}, "", "agreement");
}

TEST(HierarchicalConsensus, EveryPlantedBugIsFound) {
  expect_every_bug_is_found(kName,
                            {{"advance-once", {{"crash", "1"}}},
                             {"advance-once", {{"crash", "1"}, {"messaging", "request-response"}}},
                             {"forget-delivered", {}},
                             {"decide-own", {}},
                             {"any-proposer", {{"crash", "1"}}}});
}

TEST(HierarchicalConsensus, TheBugNeedsACrash) {
  const Report report = testing::run(kName, {}, "advance-once");
  EXPECT_EQ(report.verdict, Verdict::kHolds);
}

TEST(HierarchicalConsensus, ParametersThatDoNotFitAreExplained) {
  EXPECT_EQ(testing::error_of(kName, {{"crash", "7"}}), "--crash 7: nodes are 1 to 3");
  EXPECT_EQ(testing::error_of(kName, {{"crash", "0"}}), "--crash 0: nodes are 1 to 3");
  EXPECT_EQ(testing::error_of(kName, {{"max-crashes", "1"}}),
            "--max-crashes: --crash names no node that may crash");
  EXPECT_NE(testing::error_of(kName, {{"network", "set"}, {"duplicates", "1"}}), "");
}

}  // namespace
}  // namespace ordeal::protocols
