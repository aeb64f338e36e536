// Raft: what was searched exhaustively, what was sampled, and what is refused. That every planted
// bug is found is a claim of the suite's tests and of its scenarios.
#include "protocols/raft/raft.h"

#include <algorithm>

#include "protocols/raft/types.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::error_of;
using testing::expect_holds;
using testing::Given;
using testing::runs_of;

// Complete searches, and how many states they have; docs/experiments/raft.md lists them.
TEST(Raft, HasTheStatesThatAreDocumented) {
  const std::vector<std::pair<Given, uint64_t>> instances = {
      {{}, 8'779},
      {{{"servers", "1"}}, 8},
      {{{"servers", "1"}, {"pre-vote", "yes"}}, 8},
      {{{"clients", "0"}, {"spares", "1"}, {"transfer", "4"}, {"patience", "1"}}, 10'160},
      {{{"crash", "3"}, {"recoveries", "1"}}, 38'522},
      {{{"crash", "3"}, {"recoveries", "1"}, {"crash-at-persist", "yes"}}, 45'036},
      {{{"terms", "2"}, {"clients", "0"}}, 30'898},
      {{{"terms", "2"}, {"clients", "0"}, {"snapshot-every", "1"}}, 32'706},
      {{{"terms", "2"}, {"clients", "0"}, {"crash", "3"}, {"recoveries", "1"}}, 121'072},
      {{{"servers", "5"}, {"clients", "0"}}, 197'437},
      {{{"reads", "1"}, {"reads-by", "index"}}, 19'819},
      {{{"spares", "1"}, {"add", "4"}, {"clients", "0"}, {"patience", "1"}}, 117'973},
  };
  for (const auto& [given, states] : instances) {
    const Report report = expect_holds("raft", given);
    EXPECT_EQ(report.distinct_states, states) << testing::describe("raft", given, "");
  }
}

// Servers 1 and 2 may stand, heartbeats and pre-votes have no bound, and time is prompt.
Given endless(Given more = {}) {
  more.insert({{"candidates", "2"},
               {"clients", "0"},
               {"endless", "yes"},
               {"pre-vote", "yes"},
               {"terms", "2"},
               {"time", "prompt"}});
  return more;
}

TEST(RaftForEver, HasALeaderAgainAndAgainAndCommitsAllInTheEnd) {
  expect_holds("raft", endless());
  EXPECT_EQ(expect_holds("raft", endless({{"crash", "1"}})).distinct_states, 26'157U);
}

// Who is to lead after the crash of a leader is elected in the next term: there must be one.
TEST(RaftForEver, NeedsATermForEveryElection) {
  testing::expect_violated("raft", endless({{"crash", "1"}, {"terms", "1"}}), "",
                           "led again and again");
}

TEST(RaftForEver, OnlyRunsThatGoOnForEverShowQuestionsThatCountAsSignsOfALeader) {
  const Given given = endless({{"crash", "1"}});
  testing::expect_violated("raft", given, "question-counts", "led again and again");
  const Report report = testing::run("raft", given, "question-counts");
  ASSERT_EQ(report.verdict, Verdict::kViolated) << testing::brief(report);
  EXPECT_TRUE(report.violations.front().trace->loop_start.has_value());
  const Report runs = testing::run("raft", given, "question-counts", runs_of("random", 100));
  EXPECT_EQ(runs.verdict, Verdict::kUndecided) << testing::brief(runs);
}

// The goals of a system, which a complete search that holds has reached.
std::vector<std::string> goals(const Given& given) {
  const auto built = testing::build("raft", given);
  std::vector<std::string> names;
  for (const Property& property : (*built)->properties()) {
    if (property.kind == PropertyKind::kSometimes) names.push_back(property.name);
  }
  return names;
}

TEST(Raft, SetsItselfTheGoalsThatItsParametersAllow) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(goals({}), (Names{"a leader", "a commit"}));
  EXPECT_EQ(goals({{"terms", "2"}}), (Names{"a leader", "a commit", "a leader deposed"}));
  EXPECT_EQ(goals({{"snapshot-every", "1"}}),
            (Names{"a leader", "a commit", "a snapshot installed"}));
  EXPECT_EQ(goals({{"spares", "1"}, {"add", "4"}}),
            (Names{"a leader", "a commit", "a membership change done"}));
}

TEST(Raft, HoldsInRunsWithEverythingSwitchedOn) {
  const Given base = {{"candidates", "0"}, {"terms", "6"},      {"clients", "2"},  {"reads", "2"},
                      {"patience", "5"},   {"heartbeats", "3"}, {"network", "bag"}};
  const std::vector<Given> more = {
      {{"servers", "5"},
       {"crash", "1,2,3,4,5"},
       {"max-crashes", "3"},
       {"recoveries", "3"},
       {"crash-at-persist", "yes"}},
      {{"snapshot-every", "1"}, {"drops", "3"}, {"duplicates", "3"}, {"batch", "1"}},
      {{"spares", "2"}, {"add", "4,5"}, {"remove", "1"}, {"snapshot-every", "2"}},
      {{"spares", "2"},
       {"add", "4,5"},
       {"remove", "1,2"},
       {"joint", "yes"},
       {"snapshot-every", "1"},
       {"crash", "1,2"},
       {"recoveries", "2"}},
      {{"spares", "1"},
       {"add", "4"},
       {"remove", "1"},
       {"learners", "yes"},
       {"operators", "2"},
       {"transfer", "1"}},
      {{"pre-vote", "yes"}, {"check-quorum", "yes"}, {"partitions", "2"}, {"transfer", "2"}},
      {{"reads-by", "index"}, {"writers", "1"}, {"transfer", "2"}},
      {{"reads-by", "lease"},
       {"check-quorum", "yes"},
       {"time", "ordered"},
       {"heartbeats", "40"},
       {"transfer", "2"},
       {"crash", "1"},
       {"recoveries", "1"}},
      {{"reads-by", "lease"},
       {"check-quorum", "yes"},
       {"pre-vote", "yes"},
       {"time", "prompt"},
       {"heartbeats", "40"},
       {"drops", "8"}},
  };
  for (const Given& extra : more) {
    Given given = extra;
    given.insert(base.begin(), base.end());
    const Report report = testing::run("raft", given, "", runs_of("random", 300));
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe("raft", given, "") << "\n"
                                                   << testing::brief(report);
  }
}

TEST(Raft, RefusesParametersThatDoNotFitTogether) {
  EXPECT_EQ(error_of("raft", {{"add", "4"}}),
            "--add 4: no server is left to join; say how many are with --spares");
  EXPECT_EQ(error_of("raft", {{"spares", "2"}, {"add", "3"}}), "--add 3: servers 4 to 5 may join");
  EXPECT_EQ(error_of("raft", {{"remove", "0"}}), "--remove 0: servers 1 to 3 are members");
  EXPECT_EQ(error_of("raft", {{"remove", "4"}}), "--remove 4: servers 1 to 3 are members");
  EXPECT_EQ(error_of("raft", {{"remove", "1,2,3"}}),
            "--remove: at least one server must stay a member");
  EXPECT_EQ(error_of("raft", {{"transfer", "4"}}), "--transfer 4: there are servers 1 to 3");
  EXPECT_EQ(error_of("raft", {{"learners", "yes"}, {"joint", "yes"}}),
            "--learners and --joint: a change is either joint or by learners; choose one");
  EXPECT_EQ(error_of("raft", {{"reads-by", "lease"}}),
            "--reads-by lease needs clocks: say --time ordered or --time prompt");
  EXPECT_EQ(error_of("raft", {{"reads-by", "lease"}, {"time", "prompt"}}),
            "--reads-by lease needs --check-quorum: without it, servers vote although they hear a "
            "leader");
  EXPECT_NE(error_of("raft", {{"crash", "4"}}), "");
}

// --- The log ------------------------------------------------------------------------------------

raft::Log log_of(const std::vector<raft::Term>& terms) {
  raft::Log log;
  for (raft::Term term : terms) log.append({term, {}});
  return log;
}

TEST(RaftLog, KnowsTheTermsOfItsEntriesAndOfItsSnapshotAndNoOthers) {
  raft::Log log = log_of({1, 1, 2, 3});
  log.compact({.index = 2, .term = 1, .state = {}, .config = {}});
  EXPECT_EQ(log.last(), 4U);
  EXPECT_EQ(log.last_term(), 3U);
  EXPECT_EQ(log.term_at(1), 0U);
  EXPECT_EQ(log.term_at(2), 1U);
  EXPECT_EQ(log.term_at(3), 2U);
  EXPECT_EQ(log.term_at(5), 0U);
  EXPECT_FALSE(log.has(2));
  EXPECT_TRUE(log.has(3));
}

TEST(RaftLog, GivesEntriesInBatches) {
  const raft::Log log = log_of({1, 2, 3});
  EXPECT_EQ(log.from(2, 10).size(), 2U);
  ASSERT_EQ(log.from(2, 1).size(), 1U);
  EXPECT_EQ(log.from(2, 1)[0].term, 2U);
  EXPECT_TRUE(log.from(4, 10).empty());
}

TEST(RaftLog, ASnapshotBeyondItsEndEmptiesIt) {
  raft::Log log = log_of({1, 1});
  log.compact({.index = 5, .term = 3, .state = {}, .config = {}});
  EXPECT_EQ(log.last(), 5U);
  EXPECT_EQ(log.last_term(), 3U);
}

TEST(RaftLog, TheLastConfigurationCounts) {
  raft::Log log = log_of({1, 1, 1});
  EXPECT_EQ(log.config_index(), 0U);
  log.append({1, {.client = 0, .number = 0, .what = raft::Config{{1, 2}, {}, {}}}});
  log.append({2, {}});
  EXPECT_EQ(log.config_index(), 4U);
  log.cut_after(3);
  EXPECT_EQ(log.config_index(), 0U);
}

}  // namespace
}  // namespace ordeal::protocols
