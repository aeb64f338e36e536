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
        "a third of the servers and one more are a quorum; shows with --servers 5 --candidates 2",
        "election safety"}},
      {Planted::kUnanimous,
       {"unanimous", "every server must vote and answer; shows in scenario raft-drop-votes",
        "machine"}},
      {Planted::kLateVoteSave,
       {"late-vote-save",
        "a vote is saved with whatever is saved next; shows with --crash 3 --recoveries 1",
        "election safety"}},
      {Planted::kVoteKeepsTerm,
       {"vote-keeps-term", "a request for votes of a higher term does not raise the term",
        "terms are taken over"}},
      {Planted::kAppendKeepsTerm,
       {"append-keeps-term",
        "a leader's message of a higher term does not raise the term; shows with --terms 2 "
        "--network bag",
        "terms are taken over"}},
      {Planted::kAnswerKeepsTerm,
       {"answer-keeps-term",
        "an answer of a higher term does not depose a leader; shows with --terms 2",
        "terms are taken over"}},
      {Planted::kOldVotesCount,
       {"old-votes-count", "votes of earlier terms count; shows in scenario raft-multi-re-vote",
        "election safety"}},
      {Planted::kElectedAgain,
       {"elected-again",
        "one vote more, and a leader's term begins once more; shows in scenario raft-re-vote",
        "machine"}},
      {Planted::kNoSecondTimeout,
       {"no-second-timeout",
        "who has heard a leader once waits for it for ever; shows in scenario raft-drop-heartbeat",
        "machine"}},
      {Planted::kVoteDespiteLeader,
       {"vote-despite-leader",
        "who hears a leader votes for others all the same; shows in scenario raft-liveness",
        "machine"}},
      {Planted::kStandsUnasked,
       {"stands-unasked",
        "servers stand for election without asking for pre-votes; shows in scenario "
        "raft-liveness-no-cq",
        "machine"}},
      {Planted::kNeverStepsDown,
       {"never-steps-down",
        "a leader that hears of nobody leads on; shows in scenario raft-no-liveness", "machine"}},
      {Planted::kCommitOldTerm,
       {"commit-old-term",
        "entries of earlier terms are committed by counting; shows in scenario raft-figure-8",
        "leader completeness"}},
      {Planted::kLostTruncation,
       {"lost-truncation",
        "of conflicting entries only the first is replaced; shows with --terms 2",
        "terms in order"}},
      {Planted::kStaleSuffix,
       {"stale-suffix",
        "what stands in the log already is taken for the leader's; shows with --terms 2 --clients "
        "0",
        "state machine safety"}},
      {Planted::kLeaderCutsLog,
       {"leader-cuts-log",
        "a leader cuts its log back to what a follower has; shows with --terms 2",
        "leader append-only"}},
      {Planted::kNoResend,
       {"no-resend", "what got lost is not sent again; shows in scenario raft-drop-append",
        "machine"}},
      {Planted::kForgetTail,
       {"forget-tail",
        "after a crash the last entry of the log is lost; shows with --terms 2 --crash 3 "
        "--recoveries 1",
        "leader completeness"}},
      {Planted::kSnapshotOffByOne,
       {"snapshot-off-by-one",
        "a snapshot claims one entry more than it holds; shows with --snapshot-every 1",
        "snapshots are committed"}},
      {Planted::kAppendBelowSnapshot,
       {"append-below-snapshot",
        "entries that the snapshot holds are appended again; shows with --snapshot-every 1 "
        "--network bag",
        "log matching"}},
      {Planted::kOldSnapshot,
       {"old-snapshot",
        "a snapshot older than the own state is installed; shows with --snapshot-every 1 "
        "--duplicates 1 --network bag",
        "commit is monotonic"}},
      {Planted::kLostSessions,
       {"lost-sessions",
        "a snapshot leaves out what clients have had done; shows in scenario raft-asked-twice",
        "exactly once"}},
      {Planted::kEarlyChange,
       {"early-change",
        "a leader changes the members before its first entry is committed; shows in scenario "
        "raft-conf-change-bug",
        "machine"}},
      {Planted::kSplitBrain,
       {"split-brain",
        "two leaders change the members by one server each; shows in scenario "
        "raft-two-leaders-change",
        "leader completeness"}},
      {Planted::kHalfJoint,
       {"half-joint",
        "in a joint configuration the new majority decides; shows in scenario raft-old-majority",
        "leader completeness"}},
      {Planted::kLearnersCount,
       {"learners-count",
        "who only learns counts for a majority; shows with --spares 1 --add 4 --learners --terms 2 "
        "--clients 0",
        "leader completeness"}},
      {Planted::kStaleRead,
       {"stale-read",
        "a leader answers reads without asking anybody; shows in scenario raft-deposed-and-asked",
        "linearizable"}},
      {Planted::kLateLease,
       {"late-lease",
        "a lease is counted from the answers that it rests on; shows in scenario raft-late-answers",
        "linearizable"}},
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
