#include "protocols/two_phase_commit/two_phase_commit.h"

#include <type_traits>

#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;
using testing::expect_violated;

const char kName[] = "two-phase-commit";

// What makes the raw form fast: a state is its bytes.
using State = two_phase_commit::TwoPhaseCommit::State;
static_assert(std::is_trivially_copyable_v<State>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) == 12);

TEST(TwoPhaseCommit, BothFormsHoldAtSmallSizes) {
  for (const char* rms : {"1", "2", "3"}) {
    expect_holds(kName, {{"rms", rms}});
    expect_holds(kName, {{"rms", rms}, {"form", "actors"}});
  }
}

TEST(TwoPhaseCommit, HoldsWhoeverCrashes) {
  for (const char* crash : {"1", "4", "1,4"}) {
    expect_holds(kName, {{"form", "actors"}, {"crash", crash}});
  }
}

TEST(TwoPhaseCommit, EveryPlantedBugIsFound) {
  expect_every_bug_is_found(kName, {{"commit-early", {}},
                                    {"commit-early", {{"form", "actors"}}},
                                    {"rm-changes-mind", {}},
                                    {"rm-changes-mind", {{"form", "actors"}}},
                                    {"waits-for-ever", {}},
                                    {"waits-for-ever", {{"form", "actors"}}}});
}

TEST(TwoPhaseCommit, FaultsNeedNodes) {
  const std::vector<testing::Given> faults = {{{"crash", "1"}},      {{"max-crashes", "1"}},
                                              {{"drops", "1"}},      {{"duplicates", "1"}},
                                              {{"partitions", "1"}}, {{"network", "bag"}}};
  for (const testing::Given& fault : faults) {
    EXPECT_EQ(testing::error_of(kName, fault),
              "--form raw has neither nodes nor links; faults need --form actors");
  }
  EXPECT_EQ(testing::error_of(kName, {{"form", "actors"}, {"crash", "5"}}),
            "--crash 5: nodes are 1 to 4");
}

}  // namespace
}  // namespace ordeal::protocols
