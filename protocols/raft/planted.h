// The mistakes that can be planted into Raft, one at a time.
#pragma once

#include <cstdint>

#include "protocols/planted.h"

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
  kQuestionCounts,
  // Logs.
  kAppendKeepsTerm,
  kAnswerKeepsTerm,
  kCommitOldTerm,
  kLostTruncation,
  kStaleSuffix,
  kLeaderCutsLog,
  kNoResend,
  kForgetTail,
  kAppendCutsLog,
  kOldLeaderObeyed,
  kOwnEntriesStay,
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

const PlantedBugs<Planted>& planted_bugs();

}  // namespace ordeal::protocols::raft
