// The mistakes that can be planted into Raft, one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::raft {

enum class Planted : uint8_t {
  kNone,
  // Elections.
  kSmallQuorum,
  kUnanimous,
  kLateVoteSave,
  kVoteKeepsTerm,
  kOldVotesCount,
  kElectedAgain,
  kNoSecondTimeout,
  kVoteDespiteLeader,
  kStandsUnasked,
  kNeverStepsDown,
  // Logs.
  kAppendKeepsTerm,
  kAnswerKeepsTerm,
  kCommitOldTerm,
  kLostTruncation,
  kStaleSuffix,
  kLeaderCutsLog,
  kNoResend,
  kForgetTail,
  // Snapshots.
  kSnapshotOffByOne,
  kAppendBelowSnapshot,
  kOldSnapshot,
  kLostSessions,
  // Membership.
  kEarlyChange,
  kSplitBrain,
  kHalfJoint,
  kLearnersCount,
  // Reads.
  kStaleRead,
  kLateLease,
};

const std::vector<Bug>& bugs();
// The one that the user asked for.
Planted planted(const Arguments& args);

}  // namespace ordeal::protocols::raft
