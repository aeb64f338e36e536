// The larger configurations of specs/, and protocols in C++ with crashes and several terms next to
// their specifications. The counts are those of TLC, version 2026, for the same files.
#include <algorithm>

#include "tests/oracle/specs/against_protocols.h"

namespace ordeal::specs {
namespace {

using protocols::testing::build;

TEST(LargeSpecifications, HaveTheCountsOfTlc) {
  expect_counts("Paxos", "Paxos3", {185'369, 823'786, 25});
  expect_counts("Raft", "RaftElections", {59'111, 492'271, 18});
}

TEST(LargeSpecifications, ShowThePlantedBugsOfRaft) {
  expect_bug("Raft", "RaftBuggy", "forgets-vote", "ElectionSafety", 9);

  // Figure 8 of the paper takes four terms.
  const auto system = load("Raft", "Raft", {{"constant", "MaxTerm=4\nBug=\"commit-old-term\""}});
  ASSERT_TRUE(system.ok()) << system.error().message;
  Options options;
  options.strategy = "random";
  options.seed = 4;
  options.max_depth = 30;
  options.max_runs = 10'000;
  const Result<Report> report = check(**system, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_FALSE(report->violations.empty());
  EXPECT_EQ(report->violations[0].property, "LeaderCompleteness");
  EXPECT_EQ(report->first_violating_run, 477U);
  EXPECT_EQ(report->violations[0].trace->steps.size(), 13U);
}

#if !defined(__clang__)  // the fields of nodes have no names there
// An acceptor that is down says nothing: some state of the specification is the same for the
// others.
TEST(LargeSpecifications, AcceptorsOfPaxosReachNothingElseWhereTheLeaderCrashes) {
  std::set<std::string> model;
  const auto system = load("Paxos", "Paxos", {{"constant", "Ballot={3, 5}\nValue={2, 3}"}});
  ASSERT_TRUE(system.ok()) << system.error().message;
  walk(**system, [&](const Snapshot& state) {
    for (int down = 0; down < 8; ++down) {
      std::string text;
      for (int id = 1; id <= 3; ++id) {
        text += ((down >> (id - 1)) & 1) != 0 ? "down; " : acceptor_of_model(state, id);
      }
      model.insert(text);
    }
  });
  const std::set<std::string> nodes =
      projected(build("paxos", {{"nodes", "3"}, {"crash", "3"}}), acceptors_of_nodes);
  for (const std::string& state : nodes) EXPECT_TRUE(model.contains(state)) << state;
  EXPECT_GT(nodes.size(), 40U);
}

// The logs decide who may be voted for: who leads begins its term with an entry of its own, as the
// specification may.
TEST(LargeSpecifications, ElectionsOfRaftReachNothingElseInTwoTerms) {
  const std::set<std::string> model = projected(
      load("Raft", "RaftElections", {{"constant", "MaxDown=0\nMaxLog=1"}}), elections_of_model);
  const std::set<std::string> nodes = projected(
      build("raft", {{"clients", "0"}, {"candidates", "0"}, {"terms", "2"}}), elections_of_nodes);
  for (const std::string& state : nodes) EXPECT_TRUE(model.contains(state)) << state;
  EXPECT_GT(nodes.size(), 100U);
}

// One request of one client, everybody correct: who has accepted the proposal, is prepared, has
// committed.
TEST(LargeSpecifications, ThreePhasesOfPbftGoThroughTheSameStates) {
  const auto of_nodes = [](const Snapshot& state) {
    std::string text;
    for (int id = 1; id <= 4; ++id) {
      const value::Tree& slots = *node(state, id).tree.find("slots");
      std::string phase = "nothing";
      if (!slots.items.empty()) {
        const value::Tree& slot = slots.items[1];  // after its number
        const bool proposed = slot.find("proposal")->find("sequence")->integer != 0;
        phase = slot.find("committed")->integer != 0  ? "decided"
                : slot.find("prepared")->integer != 0 ? "prepared"
                : proposed                            ? "accepted"
                                                      : "nothing";
      }
      text += phase + "; ";
    }
    return text;
  };
  const auto of_model = [](const Snapshot& state) {
    std::string text;
    for (int id = 1; id <= 4; ++id) {
      const bool decided = !variable(state, "decided", id).items.empty();
      const bool prepared = variable(state, "prepared", id).find("request")->integer != 0;
      const bool accepted = !variable(state, "accepted", id).items.empty();
      text += decided    ? "decided; "
              : prepared ? "prepared; "
              : accepted ? "accepted; "
                         : "nothing; ";
    }
    return text;
  };
  const std::string constants = "Byzantine={}\nRequest={1}\nViews=1";
  EXPECT_EQ(projected(build("pbft", {}), of_nodes),
            projected(load("Pbft", "Pbft", {{"constant", constants}}), of_model));
}
#endif

}  // namespace
}  // namespace ordeal::specs
