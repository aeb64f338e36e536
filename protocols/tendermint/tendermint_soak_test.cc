#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

TEST(TendermintSoak, TenThousandRunsWithEachBehaviourOfEachNodeFindNothing) {
  for (const char* behaviour : {"equivocate", "withhold", "lie", "impersonate"}) {
    for (const char* byzantine : {"1", "2", "3", "4"}) {
      const testing::Given given = {
          {"rounds", "3"}, {"byzantine", byzantine}, {"behaviour", behaviour}};
      const Report report =
          testing::run("tendermint", given, "", testing::runs_of("random", 10'000));
      EXPECT_EQ(report.verdict, Verdict::kUndecided)
          << testing::describe("tendermint", given, "") << "\n"
          << testing::brief(report);
    }
  }
}

TEST(TendermintSoak, FourCorrectNodesHoldInOneRound) {
  const Report report = testing::expect_holds("tendermint", {{"byzantine", "0"}});
  EXPECT_EQ(report.distinct_states, 900'594U);
}

TEST(TendermintSoak, HoldsInEveryOrderWithAProposerThatEquivocatesOrLies) {
  const std::vector<std::pair<const char*, uint64_t>> sizes = {
      {"equivocate", 1'187'840}, {"lie", 1'057'137}, {"impersonate", 1'187'840}};
  for (const auto& [behaviour, states] : sizes) {
    const Report report =
        testing::expect_holds("tendermint", {{"byzantine", "1"}, {"behaviour", behaviour}});
    EXPECT_EQ(report.distinct_states, states) << behaviour;
  }
}

}  // namespace
}  // namespace ordeal::protocols
