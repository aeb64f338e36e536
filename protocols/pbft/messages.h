// What the replicas and clients of PBFT say to each other, and what they keep.
//
// A proposal travels with its request. In the paper it may carry the digest alone, and a replica
// that misses the request asks for it; nothing that is checked here depends on that.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "ordeal/node_id.h"
#include "ordeal/value.h"
#include "protocols/byzantine/signed.h"

namespace ordeal::protocols::pbft {

// Stands for a request in votes. Not a hash but what it would be the hash of: there are no
// collisions, and traces can be read. The digest of the null request is all zeros.
struct Digest {
  NodeId client = 0;
  int number = 0;
  int amount = 0;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

// The number-th request of a client: add the amount to the counter, and tell the total.
struct Request {
  NodeId client = 0;  // 0: the null request, which fills a gap and does nothing
  int number = 0;
  int amount = 0;
  Signature signature = {};  // of the client

  Digest digest() const { return {client, number, amount}; }
  bool is_null() const { return client == NodeId(0); }
};

struct Reply {
  int view = 0;  // tells the client who leads
  NodeId client = 0;
  int number = 0;
  int result = 0;
  Signature signature = {};
};

// --- The three phases ---------------------------------------------------------------------------

struct PrePrepare {
  int view = 0;
  int sequence = 0;
  Request request;
  Signature signature = {};
};
struct Prepare {
  int view = 0;
  int sequence = 0;
  Digest digest;
  Signature signature = {};
};
struct Commit {
  int view = 0;
  int sequence = 0;
  Digest digest;
  Signature signature = {};
};

// --- The state that is replicated, and checkpoints of it ----------------------------------------

struct LastReply {
  int number = 0;
  int result = 0;
};
struct Service {
  int total = 0;
  std::map<NodeId, LastReply> replies;  // the last one for each client
};
inline uint32_t digest_of(const Service& service) {
  return static_cast<uint32_t>(value::hash(service));
}

struct Checkpoint {
  int sequence = 0;
  uint32_t state = 0;  // its digest
  Signature signature = {};
};
// These two prove themselves: the digest of the state is known from a stable checkpoint.
struct FetchState {
  int sequence = 0;
};
struct StateCopy {
  int sequence = 0;
  Service service;
};

// --- View changes -------------------------------------------------------------------------------

// That a request was prepared: the proposal and a quorum's votes for it (the proposal is one).
struct Certificate {
  PrePrepare proposal;
  std::vector<Prepare> prepares;
};
struct ViewChange {
  int view = 0;
  int stable = 0;                     // the sequence number of the last stable checkpoint
  std::vector<Checkpoint> proof;      // … and that it is one; empty for 0
  std::vector<Certificate> prepared;  // above it
  Signature signature = {};
};
struct NewView {
  int view = 0;
  std::vector<ViewChange> view_changes;
  std::vector<PrePrepare> proposals;
  Signature signature = {};
};

// --- What nodes decide --------------------------------------------------------------------------

// By a replica. A request that comes up a second time is executed as if it were null.
struct Executed {
  int sequence = 0;
  int view = 0;  // in which it was committed
  Digest digest;
  int result = 0;
  bool applied = false;
};
// By a replica that lagged behind: it has the state after this sequence number from others.
struct Restored {
  int sequence = 0;
};
// By a client.
struct Accepted {
  int number = 0;
  int result = 0;
};

}  // namespace ordeal::protocols::pbft
