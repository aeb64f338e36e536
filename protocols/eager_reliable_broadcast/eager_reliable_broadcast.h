// Eager reliable broadcast: algorithm 3.3 of Cachin, Guerraoui and Rodrigues, "Introduction to
// Reliable and Secure Distributed Programming".
//
// A node relays every message to all nodes when it delivers it, so that what one correct node
// delivers reaches all, even if the sender crashed in the middle of its broadcast. Asks no failure
// detector. In this world a handler's sends happen together: a crash in the middle of a broadcast
// is a crash and a drop.
#pragma once

#include <compare>
#include <set>
#include <vector>

#include "ordeal/node.h"
#include "ordeal/suite.h"

namespace ordeal::protocols::eager_reliable_broadcast {

enum class Planted : uint8_t { kNone, kDeliverTwice, kNoRelay, kRelayAsOwn };

struct Broadcast {};

// Message number `index` of `source`.
struct Data {
  NodeId source;
  int index = 0;
  friend auto operator<=>(const Data& a, const Data& b) = default;
};

struct Node {
  using Requests = Types<Broadcast>;
  using Messages = Types<Data>;

  Planted bug = Planted::kNone;  // the same for all nodes, and no part of the state

  int sent = 0;
  std::set<Data> delivered;
  ORDEAL_FIELDS(sent, delivered);
  ORDEAL_CONSTANTS(bug);

  void request(Context& ctx, const Broadcast&) { ctx.broadcast_all(Data{ctx.self(), sent++}); }

  // What is delivered to the user is a decision.
  void on(Context& ctx, const Data& data) {
    // Planted: the message is delivered before the look at whether it was already.
    if (bug == Planted::kDeliverTwice) ctx.decide(data);
    if (!delivered.insert(data).second) return;
    if (bug != Planted::kDeliverTwice) ctx.decide(data);
    // Planted: only the sender sends.
    if (bug == Planted::kNoRelay) return;
    // Planted: whoever relays poses as the source.
    ctx.broadcast_all(bug == Planted::kRelayAsOwn ? Data{ctx.self(), data.index} : data);
  }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::eager_reliable_broadcast
