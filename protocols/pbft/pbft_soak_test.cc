// PBFT with every kind of Byzantine replica in every place, in many more runs than the other tests.
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::Given;

void expect_nothing_found(const Given& given, uint64_t runs) {
  const Report report = testing::run("pbft", given, "", testing::runs_of("random", runs));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe("pbft", given, "") << "\n"
                                                 << testing::brief(report);
}

TEST(PbftSoak, ToleratesEveryReplicaBeingByzantineInEveryWay) {
  for (const char* behaviour : {"equivocate", "withhold", "lie"}) {
    for (const char* byzantine : {"1", "2", "3", "4"}) {
      expect_nothing_found({{"byzantine", byzantine},
                            {"behaviour", behaviour},
                            {"clients", "2"},
                            {"views", "4"},
                            {"retries", "1"}},
                           10'000);
    }
  }
}

TEST(PbftSoak, ToleratesThemWithCheckpointsToo) {
  for (const char* behaviour : {"withhold", "lie"}) {
    for (const char* byzantine : {"1", "4"}) {
      expect_nothing_found({{"byzantine", byzantine},
                            {"behaviour", behaviour},
                            {"clients", "2"},
                            {"requests", "2"},
                            {"checkpoint-interval", "1"},
                            {"views", "3"},
                            {"retries", "1"}},
                           1'000);
    }
  }
}

TEST(PbftSoak, EquivocationInOneViewIsHarmlessInEveryState) {
  const Report report = testing::expect_holds(
      "pbft", {{"byzantine", "1"}, {"behaviour", "equivocate"}, {"clients", "2"}});
  EXPECT_EQ(report.distinct_states, 1'242'982U);
}

}  // namespace
}  // namespace ordeal::protocols
