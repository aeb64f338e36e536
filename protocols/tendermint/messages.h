// What Tendermint's nodes tell each other, and what all of them know beforehand.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "protocols/byzantine/signed.h"

namespace ordeal::protocols::tendermint {

// A vote for nil is one for no value. Values are those of the nodes that first proposed them.
inline constexpr int kNil = 0;
// What nobody may propose; see Setup::valid.
inline constexpr int kInvalid = 99;
// In place of a round: none yet.
inline constexpr int kNever = -1;

struct Turn {
  int height = 1;
  int round = 0;

  auto operator<=>(const Turn&) const = default;
};

struct Proposal {
  int height = 1;
  int round = 0;
  int value = kNil;
  int valid_round = kNever;  // the last one in which its proposer saw a quorum of prevotes for it
  Signature signature = {};
};
struct Prevote {
  int height = 1;
  int round = 0;
  int value = kNil;
  Signature signature = {};
};
struct Precommit {
  int height = 1;
  int round = 0;
  int value = kNil;
  Signature signature = {};
};

// What a node decides.
struct Decided {
  int height = 1;
  int value = kNil;
};

template <class M>
Turn turn_of(const M& message) {
  return {message.height, message.round};
}

enum class Planted : uint8_t {
  kNone,
  kNoUnlock,
  kRelockOlder,
  kKeepOldLock,
  kIgnoreLock,
  kForgetValid,
  kDecideOnThird,
  kPrecommitOnThird,
  kDecideNil,
  kIgnoreNilQuorum,
  kIgnoreLatePrecommits,
  kForgetEarlyVotes,
  kNoRoundSkip,
  kSkipNextOnly,
  kSkipOnOne,
  kFollowOthers,
  kUnsigned,
  kCountDuplicates,
  kAnyProposer,
  kAcceptInvalid,
  kRestartForgetsLock,
};

// The same for all nodes, and no part of their state.
struct Setup {
  int nodes = 4;
  int heights = 1;
  int rounds = 1;  // of a height; the last one has no timeouts
  // Byzantine nodes with a mind of their own. They hear proposals at most: it saves messages.
  std::vector<NodeId> byzantine = {};
  bool byzantine_hear_proposals = false;
  Planted bug = Planted::kNone;

  // Any two quorums have a correct node in common, with up to (nodes - 1) / 3 Byzantine ones. With
  // 3f + 1 nodes that is 2f + 1 of them.
  int quorum() const { return 2 * nodes / 3 + 1; }
  // f + 1 nodes: one of them is correct.
  int one_correct() const { return (nodes - 1) / 3 + 1; }
  NodeId proposer(Turn turn) const { return (turn.height - 1 + turn.round) % nodes + 1; }
  bool valid(int value) const { return value >= 1 && value <= nodes; }
  bool is_byzantine(NodeId node) const {
    return std::find(byzantine.begin(), byzantine.end(), node) != byzantine.end();
  }
  template <class M>
  bool hears(NodeId node) const {
    return !is_byzantine(node) || (std::is_same_v<M, Proposal> && byzantine_hear_proposals);
  }
};

}  // namespace ordeal::protocols::tendermint
