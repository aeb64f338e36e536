// What all nodes of a system know, and what is planted. No part of any node's state.
#pragma once

#include <cstdint>
#include <set>

#include "ordeal/node_id.h"

namespace ordeal::protocols::pbft {

enum class Planted : uint8_t {
  kNone,
  kForgetsPrepared,
  kSmallPrepareQuorum,
  kSmallCommitQuorum,
  kSmallViewChangeQuorum,
  kUnsigned,
  kTwoProposals,
  kTrustsNewView,
  kStaysInView,
  kOldProposals,
  kWaitsForProposal,
  kContentWhenPrepared,
  kOldestCertificate,
  kForgetsViewChanges,
  kCheckpointByOne,
  kForgetsAboveCheckpoint,
  kNoWatermarks,
  kOutOfOrder,
  kExecutesTwice,
  kLosesReplies,
  kAcceptsOneReply,
};

struct Setup {
  Planted bug = Planted::kNone;
  int nodes = 4;  // replicas, 1 … nodes; clients have the ids after them
  int clients = 1;
  int requests = 1;             // of each client, one after the other
  int retries = 0;              // of each request
  int views = 1;                // 0 … views - 1
  int checkpoint_interval = 0;  // sequence numbers; 0: no checkpoints
  int window = 0;               // how far sequence numbers may be above the last stable checkpoint
  std::set<NodeId> suspects;    // replicas that change views by themselves

  bool has(Planted planted) const { return bug == planted; }
  int faults() const { return (nodes - 1) / 3; }
  // Any two have a correct replica in common. 2f + 1 where there are 3f + 1 replicas.
  int quorum() const { return (nodes + faults()) / 2 + 1; }
  NodeId primary(int view) const { return view % nodes + 1; }
  bool is_replica(NodeId id) const { return id >= 1 && id <= nodes; }
};

}  // namespace ordeal::protocols::pbft
