// The specifications of specs/: right and wrong in pairs. The counts are those of TLC, version
// 2026, for the same files; docs/experiments/tla-models.md has them with the commands.
#include "tests/oracle/specs/specs.h"

namespace ordeal::specs {
namespace {

TEST(Specifications, TwoPhaseCommitHasTheCountsOfTlc) {
  expect_counts("TCommit", "TCommit", {34, 94, 7});
  expect_counts("TwoPhase", "TwoPhase", {288, 1'146, 11});
  expect_counts("TwoPhase", "TwoPhase5", {8'832, 58'146, 17});
}

TEST(Specifications, OfTwoPhaseCommitWithSymmetryOneStateOfEachClassIsLeft) {
  expect_counts("TwoPhase", "TwoPhaseSymmetric", {314, 2'048, 17});
}

TEST(Specifications, PaxosAndWhatItRefinesHaveTheCountsOfTlc) {
  expect_counts("Consensus", "Consensus", {4, 4, 2});
  expect_counts("Voting", "Voting", {599, 5'158, 11});
  expect_counts("Paxos", "Paxos", {3'921, 16'007, 17});
}

TEST(Specifications, RaftHasTheCountsOfTlc) {
  expect_counts("Raft", "Raft", {20'641, 147'571, 16});
  expect_counts("Raft", "RaftCrashes", {9'556, 101'560, 13});
}

TEST(Specifications, PbftHasTheCountsOfTlc) {
  expect_counts("Pbft", "Pbft", {9'894, 42'801, 19});
  expect_counts("Pbft", "Pbft", {4'762, 20'965, 19}, {{"constant", "Byzantine={4}"}});
}

TEST(Specifications, TheMicroBenchmarkHasTheCountsOfTlc) {
  expect_counts("MicroBenchmark", "MicroBenchmark", {293, 713, 19});
  expect_counts("MicroBenchmark", "MicroBenchmark", {1'373, 3'725, 51},
                {{"constant", "M=7\nN=40"}});
}

// Who has registered, while the request is under way or refused; and for each worker that has it,
// how many tasks are left, or none and which is on its way, in three states of the terminator.
TEST(Specifications, TheMicroBenchmarkIsAsLargeAsItsFormulaSays) {
  for (const uint64_t m : {1, 5, 6, 7}) {
    for (const uint64_t n : {1, 10, 20}) {
      const std::string sizes = "M=" + std::to_string(m) + "\nN=" + std::to_string(n);
      const Report report = run("MicroBenchmark", "MicroBenchmark", {{"constant", sizes}});
      EXPECT_EQ(report.distinct_states, (uint64_t{4} << m) + 3 * m * (n + 1)) << sizes;
    }
  }
}

TEST(Specifications, EveryPlantedBugOfTwoPhaseCommitIsFound) {
  expect_bug("TwoPhase", "TwoPhaseBuggy", "commit-early", "Consistent", 7);
  expect_bug("TwoPhase", "TwoPhaseBuggy", "rm-changes-mind", "Consistent", 9);
}

TEST(Specifications, TwoPhaseCommitWithABugRefinesNothing) {
  const Report report = run("TwoPhase", "TwoPhase", {{"constant", "Bug=\"commit-early\""}});
  ASSERT_FALSE(report.violations.empty());
  EXPECT_EQ(report.verdict, Verdict::kViolated);
  EXPECT_EQ(report.violations[0].property, "Refinement (2)");
}

TEST(Specifications, EveryPlantedBugOfPaxosIsFound) {
  expect_bug("Paxos", "PaxosBuggy", "ignore-accepted", "Agreement", 12);
  expect_bug("Paxos", "PaxosBuggy", "forget-promise", "Agreement", 12);
  expect_bug("Paxos", "PaxosBuggy", "small-quorum", "Agreement", 8);
}

TEST(Specifications, PlantedBugsOfRaftAreFound) {
  expect_bug("Raft", "Raft", "small-quorum", "ElectionSafety", 2);
  expect_bug("Raft", "Raft", "any-log", "LeaderCompleteness", 5);
}

TEST(Specifications, EveryPlantedBugOfPbftIsFound) {
  expect_bug("Pbft", "PbftBuggy", "forgets-prepared", "Agreement", 12);
  expect_bug("Pbft", "PbftBuggy", "two-proposals", "OneCertificateInAView", 4);
  expect_bug("Pbft", "PbftBuggy", "small-prepare-quorum", "OneCertificateInAView", 2);
  expect_bug("Pbft", "PbftBuggy", "small-commit-quorum", "Agreement", 10);
  expect_bug("Pbft", "PbftBuggy", "trusts-new-view", "Agreement", 12, {"Byzantine={2}"});
}

TEST(Specifications, ThePlantedBugOfTheMicroBenchmarkIsAtTheEndOfTheChain) {
  // All register (6), the request, all tasks but one (9), terminate and flush, the last task.
  expect_bug("MicroBenchmark", "MicroBenchmarkBuggy", "unchecked-last", "NobodyCrashes", 19);
  expect_bug("MicroBenchmark", "MicroBenchmarkBuggy", "unchecked-last", "NobodyCrashes", 51,
             {"M=7", "N=40"});
}

// What an action calls to help it (Send, Become, HandleAppend) does not name its steps, and neither
// does Next where it says when an action is taken.
TEST(Specifications, StepsHaveTheNamesOfTheirActions) {
  const auto names = [](const std::string& name, const std::string& config) {
    std::set<std::string> out;
    for (const StepCount& step : run(name, config).steps) out.insert(step.what);
    return out;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(names("TCommit", "TCommit"), (Names{"Prepare", "Commit", "Abort"}));
  EXPECT_EQ(names("TwoPhase", "TwoPhase"), (Names{"DecideCommit", "DecideAbort", "Learn", "Prepare",
                                                  "AbortAlone", "FollowCommit", "FollowAbort"}));
  EXPECT_EQ(names("Paxos", "Paxos"), (Names{"Prepare", "Promise", "Propose", "Accept"}));
  EXPECT_EQ(names("Raft", "RaftCrashes"),
            (Names{"Restart", "Timeout", "BecomeLeader", "ElectLeader", "ClientRequest",
                   "HandleRequestVoteRequest", "HandleRequestVoteResponse",
                   "HandleNilAppendEntriesRequest", "HandleAppendEntriesRequest",
                   "HandleAppendEntriesResponse", "UpdateSnapshotIndex", "AddToActive",
                   "RemoveFromActive"}));
}

}  // namespace
}  // namespace ordeal::specs
