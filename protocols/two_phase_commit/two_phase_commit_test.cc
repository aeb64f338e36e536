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

// Of a blocked manager, and how its run ends: a state that stays, or steps that go round.
void expect_blocked(const char* votes, bool goes_round) {
  const Report report = testing::run(
      kName, {{"form", "actors"}, {"crash", "4"}, {"votes", votes}, {"claim-progress", "yes"}});
  ASSERT_EQ(report.verdict, Verdict::kViolated) << testing::brief(report);
  const Violation& violation = report.violations.front();
  EXPECT_EQ(violation.property, "all decide");
  const char* why = goes_round ? "may go on like that for ever" : "a manager is Prepared for ever";
  EXPECT_NE(violation.why.find(why), std::string::npos) << violation.why;
  EXPECT_EQ(violation.trace->loop_start.has_value(), goes_round);
}

TEST(TwoPhaseCommit, PreparedManagersBlockWhereTheTransactionManagerCrashes) {
  expect_blocked("once", false);
  expect_blocked("again", true);
  testing::expect_violated(
      kName, {{"form", "actors"}, {"crash", "4"}, {"votes", "again"}, {"claim-progress", "yes"}},
      "", "all decide");
}

TEST(TwoPhaseCommit, AllDecideWhereOnlyOtherManagersCrash) {
  for (const char* votes : {"once", "again"}) {
    expect_holds(
        kName, {{"form", "actors"}, {"crash", "1,2"}, {"votes", votes}, {"claim-progress", "yes"}});
  }
}

// Nothing but fairness makes the transaction manager give up while votes go round.
TEST(TwoPhaseCommit, VotesThatGoRoundNeedFairness) {
  Options options = testing::breadth_first();
  options.fairness = Fairness::kNone;
  expect_violated(kName, {{"form", "actors"}, {"votes", "again"}}, "", "all decide", options);
  expect_holds(kName, {{"form", "actors"}, {"votes", "again"}});
}

TEST(TwoPhaseCommit, VotesAgainNeedNodesAndASet) {
  EXPECT_EQ(testing::error_of(kName, {{"votes", "again"}}),
            "--votes again: managers of --form raw vote once; it needs --form actors");
  EXPECT_EQ(testing::error_of(kName, {{"form", "actors"}, {"votes", "again"}, {"network", "bag"}}),
            "--votes again needs --network set: elsewhere the votes on their way would be more and "
            "more, without end");
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
