#include "protocols/raft/planted.h"

namespace ordeal::protocols::raft {
namespace {

struct Named {
  Planted planted;
  Bug bug;
};

const std::vector<Named>& all() {
  static const std::vector<Named> list = {
      {Planted::kSmallQuorum,
       {"small-quorum",
        "a third of the servers and one more are a quorum",
        "election safety",
        {.parameters = {{"servers", "5"}, {"candidates", "2"}}}}},
      {Planted::kUnanimous,
       {"unanimous",
        "every server must vote and answer",
        "machine",
        {.scenario = "raft-drop-votes"}}},
      {Planted::kLateVoteSave,
       {"late-vote-save",
        "a vote is saved with whatever is saved next",
        "election safety",
        {.parameters = {{"crash", "3"}, {"recoveries", "1"}}}}},
      {Planted::kVoteKeepsTerm,
       {"vote-keeps-term", "a request for votes of a higher term does not raise the term",
        "terms are taken over"}},
      {Planted::kAppendKeepsTerm,
       {"append-keeps-term",
        "a leader's message of a higher term does not raise the term",
        "terms are taken over",
        {.parameters = {{"terms", "2"}, {"network", "bag"}}}}},
      {Planted::kAnswerKeepsTerm,
       {"answer-keeps-term",
        "an answer of a higher term does not depose a leader",
        "terms are taken over",
        {.parameters = {{"terms", "2"}}}}},
      {Planted::kOldVotesCount,
       {"old-votes-count",
        "votes of earlier terms count",
        "election safety",
        {.scenario = "raft-multi-re-vote"}}},
      {Planted::kElectedAgain,
       {"elected-again",
        "one vote more, and a leader's term begins once more",
        "machine",
        {.scenario = "raft-re-vote"}}},
      {Planted::kNoSecondTimeout,
       {"no-second-timeout",
        "who has heard a leader once waits for it for ever",
        "machine",
        {.scenario = "raft-drop-heartbeat"}}},
      {Planted::kVoteDespiteLeader,
       {"vote-despite-leader",
        "who hears a leader votes for others all the same",
        "machine",
        {.scenario = "raft-liveness"}}},
      {Planted::kStandsUnasked,
       {"stands-unasked",
        "servers stand for election without asking for pre-votes",
        "machine",
        {.scenario = "raft-liveness-no-cq"}}},
      {Planted::kNeverStepsDown,
       {"never-steps-down",
        "a leader that hears of nobody leads on",
        "machine",
        {.scenario = "raft-no-liveness"}}},
      {Planted::kCommitOldTerm,
       {"commit-old-term",
        "entries of earlier terms are committed by counting",
        "leader completeness",
        {.scenario = "raft-figure-8"}}},
      {Planted::kLostTruncation,
       {"lost-truncation",
        "of conflicting entries only the first is replaced",
        "terms in order",
        {.parameters = {{"terms", "2"}}}}},
      {Planted::kStaleSuffix,
       {"stale-suffix",
        "what stands in the log already is taken for the leader's",
        "state machine safety",
        {.parameters = {{"terms", "2"}, {"clients", "0"}}}}},
      {Planted::kLeaderCutsLog,
       {"leader-cuts-log",
        "a leader cuts its log back to what a follower has",
        "leader append-only",
        {.parameters = {{"terms", "2"}}}}},
      {Planted::kNoResend,
       {"no-resend",
        "what got lost is not sent again",
        "machine",
        {.scenario = "raft-drop-append"}}},
      {Planted::kForgetTail,
       {"forget-tail",
        "after a crash the last entry of the log is lost",
        "leader completeness",
        {.parameters = {{"terms", "2"}, {"crash", "3"}, {"recoveries", "1"}}}}},
      {Planted::kSnapshotOffByOne,
       {"snapshot-off-by-one",
        "a snapshot claims one entry more than it holds",
        "snapshots are committed",
        {.parameters = {{"snapshot-every", "1"}}}}},
      {Planted::kAppendBelowSnapshot,
       {"append-below-snapshot",
        "entries that the snapshot holds are appended again",
        "log matching",
        {.parameters = {{"snapshot-every", "1"}, {"network", "bag"}}}}},
      {Planted::kOldSnapshot,
       {"old-snapshot",
        "a snapshot older than the own state is installed",
        "commit is monotonic",
        {.parameters = {{"snapshot-every", "1"}, {"duplicates", "1"}, {"network", "bag"}}}}},
      {Planted::kLostSessions,
       {"lost-sessions",
        "a snapshot leaves out what clients have had done",
        "exactly once",
        {.scenario = "raft-asked-twice"}}},
      {Planted::kEarlyChange,
       {"early-change",
        "a leader changes the members before its first entry is committed",
        "machine",
        {.scenario = "raft-conf-change-bug"}}},
      {Planted::kSplitBrain,
       {"split-brain",
        "two leaders change the members by one server each",
        "leader completeness",
        {.scenario = "raft-two-leaders-change"}}},
      {Planted::kHalfJoint,
       {"half-joint",
        "in a joint configuration the new majority decides",
        "leader completeness",
        {.scenario = "raft-old-majority"}}},
      {Planted::kLearnersCount,
       {"learners-count",
        "who only learns counts for a majority",
        "leader completeness",
        {.parameters = {{"spares", "1"},
                        {"add", "4"},
                        {"learners", "yes"},
                        {"terms", "2"},
                        {"clients", "0"}}}}},
      {Planted::kStaleRead,
       {"stale-read",
        "a leader answers reads without asking anybody",
        "linearizable",
        {.scenario = "raft-deposed-and-asked"}}},
      {Planted::kLateLease,
       {"late-lease",
        "a lease is counted from the answers that it rests on",
        "linearizable",
        {.scenario = "raft-late-answers"}}},
  };
  return list;
}

}  // namespace

const std::vector<Bug>& bugs() {
  static const std::vector<Bug> list = [] {
    std::vector<Bug> out;
    for (const Named& named : all()) out.push_back(named.bug);
    return out;
  }();
  return list;
}

Planted planted(const Arguments& args) {
  for (const Named& named : all()) {
    if (args.bug(named.bug.name)) return named.planted;
  }
  return Planted::kNone;
}

}  // namespace ordeal::protocols::raft
