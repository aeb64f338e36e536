// The specifications of specs/: right and wrong in pairs. The counts are those of TLC, version
// 2026, for the same files; docs/experiments/tla-models.md has them with the commands.
#include <tuple>

#include "language/tla/model/follower.h"
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
  expect_counts("MicroBenchmark", "MicroBenchmark", {1'623, 9'738, 25});
  expect_counts("MicroBenchmark", "MicroBenchmark", {13'983, 117'326, 59},
                {{"constant", "M=7\nN=40"}});
}

TEST(Specifications, TheLockHasTheCountsOfTlcAndServesWhoAsks) {
  expect_counts("Mutex", "Mutex", {77, 202, 9});
}

// Neither shows in a state or a step: in the one a run stays where it is, in the other it goes
// round.
TEST(Specifications, TheBugsOfTheLockShowInTheEndAlone) {
  for (const auto& [bug, loop_start, steps] :
       {std::tuple("lost-wakeup", 6U, 6U), std::tuple("newest-first", 5U, 13U)}) {
    SCOPED_TRACE(bug);
    const std::string constant = std::string("Bug=\"") + bug + "\"";
    const Report report = run("Mutex", "Mutex", {{"constant", constant}});
    ASSERT_EQ(report.verdict, Verdict::kViolated);
    ASSERT_EQ(report.violations.size(), 1U);
    EXPECT_EQ(report.violations[0].property, "Served");
    ASSERT_TRUE(report.violations[0].trace);
    EXPECT_EQ(report.violations[0].trace->loop_start, loop_start);
    EXPECT_EQ(report.violations[0].trace->steps.size(), steps);
    for (const PropertyResult& result : report.properties) {
      if (result.property.on_runs) continue;
      EXPECT_EQ(result.verdict, Verdict::kHolds) << result.property.name;
    }
  }
}

uint64_t power_of_3(uint64_t n) { return n == 0 ? 1 : 3 * power_of_3(n - 1); }

// Each has not asked to be registered, has asked, or is, while the request is under way or refused;
// and of each worker that has it, how far it is, in three states of the terminator.
TEST(Specifications, TheMicroBenchmarkIsAsLargeAsItsFormulaSays) {
  for (const uint64_t m : {1, 5, 6, 7}) {
    for (const uint64_t n : {1, 10, 20}) {
      const std::string sizes = "M=" + std::to_string(m) + "\nN=" + std::to_string(n);
      const Report report = run("MicroBenchmark", "MicroBenchmark", {{"constant", sizes}});
      EXPECT_EQ(report.distinct_states, 2 * power_of_3(m + 1) + 3 * m * (n + 1)) << sizes;
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
  // All register (6, in two steps each), the request, all tasks but one (9), terminate and flush,
  // the last task.
  expect_bug("MicroBenchmark", "MicroBenchmarkBuggy", "unchecked-last", "NobodyCrashes", 25);
  expect_bug("MicroBenchmark", "MicroBenchmarkBuggy", "unchecked-last", "NobodyCrashes", 59,
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

// As ModelFuzz does: an election, an entry that is committed, a snapshot, a crash. Nobody could go
// through all steps that this configuration allows.
TEST(Specifications, RaftFollowsAProgramByTheNamesOfItsActions) {
  const std::string folder = std::string(ORDEAL_SOURCE_DIR) + "/specs/";
  tla::LoadOptions options;
  options.path = folder + "Raft.tla";
  options.config = folder + "RaftFollow.cfg";
  const auto loaded = tla::Specification::load(options);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const auto follower = tla::Follower::make(*loaded, "");
  ASSERT_TRUE(follower.ok()) << follower.error().message;
  ASSERT_TRUE((*follower)->reset().ok());
  using Arguments = std::vector<std::pair<std::string, std::string>>;
  const auto takes = [&](const std::string& action, const Arguments& arguments) {
    std::vector<std::pair<std::string, std::vector<tla::Value>>> values;
    for (const auto& [name, text] : arguments) {
      const Result<tla::Value> value = (*follower)->constant(text);
      EXPECT_TRUE(value.ok()) << text;
      values.push_back({name, {*value}});
    }
    const Result<tla::FollowedAction> found = (*follower)->find(action, values);
    EXPECT_TRUE(found.ok()) << action;
    const Result<tla::Followed> followed = (*follower)->take(*found);
    EXPECT_TRUE(followed.ok()) << action;
    return followed.ok() && followed->taken;
  };
  EXPECT_TRUE(takes("Timeout", {{"i", "1"}}));
  EXPECT_FALSE(takes("BecomeLeader", {{"i", "1"}}));  // nobody has voted for it
  EXPECT_TRUE(takes("HandleRequestVoteRequest",
                    {{"i", "2"}, {"j", "1"}, {"lTerm", "0"}, {"lIndex", "0"}, {"term", "1"}}));
  EXPECT_TRUE(takes("HandleRequestVoteResponse",
                    {{"i", "1"}, {"j", "2"}, {"term", "1"}, {"grant", "TRUE"}}));
  EXPECT_TRUE(takes("BecomeLeader", {{"i", "1"}}));
  EXPECT_TRUE(takes("ClientRequest", {{"i", "1"}, {"v", "5"}}));
  EXPECT_TRUE(takes("HandleAppendEntriesRequest", {{"i", "2"},
                                                   {"j", "1"},
                                                   {"pLogIndex", "0"},
                                                   {"pLogTerm", "0"},
                                                   {"term", "1"},
                                                   {"entryTerm", "1"},
                                                   {"entryValue", "5"},
                                                   {"cIndex", "0"}}));
  EXPECT_TRUE(takes("HandleAppendEntriesResponse",
                    {{"i", "1"}, {"j", "2"}, {"term", "1"}, {"success", "TRUE"}, {"mIndex", "1"}}));
  EXPECT_FALSE(takes("UpdateSnapshotIndex", {{"i", "2"}, {"si", "1"}}));  // it does not know yet
  EXPECT_TRUE(takes("UpdateSnapshotIndex", {{"i", "1"}, {"si", "1"}}));
  EXPECT_TRUE(takes("RemoveFromActive", {{"i", "1"}}));
  EXPECT_TRUE(takes("AddToActive", {{"i", "1"}}));
  // What is in the snapshot is known to be committed, and nothing else is known any more.
  const std::string state = (*follower)->text();
  EXPECT_NE(state.find("commitIndex = <<1, 0, 0>>"), state.npos) << state;
  EXPECT_NE(state.find("state = <<\"follower\", \"follower\", \"follower\">>"), state.npos)
      << state;
}

}  // namespace
}  // namespace ordeal::specs
