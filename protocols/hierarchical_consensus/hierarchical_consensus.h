// Hierarchical consensus: algorithm 5.2 of Cachin, Guerraoui and Rodrigues, "Introduction to
// Reliable and Secure Distributed Programming".
//
// Nodes are ranked by their ids and decide in rounds: in round r, node r decides what it proposes
// and imposes that on all nodes after it. Every node goes on to the next round when the node of
// this round has decided or crashed. Made for reliable links, any number of crashes and a perfect
// failure detector.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "ordeal/node.h"
#include "ordeal/suite.h"

namespace ordeal::protocols::hierarchical_consensus {

enum class Messaging : uint8_t {
  kDirect,           // Decided is a message
  kRequestResponse,  // Decided is a call: it is answered, and a crash of the callee ends it too
};

enum class Planted : uint8_t { kNone, kAdvanceOnce, kDecideOwn, kAnyProposer, kForgetDelivered };

struct Propose {
  int value = 0;
};

struct Decided {
  int value = 0;
};

struct DecidedResponse {};

struct Node {
  using Requests = Types<Propose>;
  using Messages = Types<Decided, DecidedResponse>;

  // The same for all nodes, and no part of the state.
  Messaging messaging = Messaging::kDirect;
  Planted bug = Planted::kNone;

  int round = 1;
  std::optional<int> proposal;
  NodeId proposer = 0;  // whose value the proposal is, if it was imposed
  bool broadcast = false;
  std::set<NodeId> delivered;
  std::set<NodeId> detected;
  std::set<NodeId> unanswered;  // calls under way
  ORDEAL_FIELDS(round, proposal, proposer, broadcast, delivered, detected, unanswered);
  ORDEAL_CONSTANTS(messaging, bug);

  void request(Context& ctx, const Propose& propose) {
    if (!proposal) proposal = propose.value;
    decide_in_own_round(ctx);
  }

  void on(Context& ctx, NodeId from, const Decided& decided) {
    if (messaging == Messaging::kRequestResponse) ctx.reply(DecidedResponse{});
    const bool later = from > proposer || bug == Planted::kAnyProposer;
    if (from < ctx.self() && later && bug != Planted::kDecideOwn) {
      proposal = decided.value;
      proposer = from;
      decide_in_own_round(ctx);
    }
    // Planted: a decision of a later round is not remembered for when that round comes.
    if (bug != Planted::kForgetDelivered || from == round) delivered.insert(from);
    while (round_is_over()) advance(ctx);
  }

  void on(Context&, NodeId from, const DecidedResponse&) { unanswered.erase(from); }

  void crashed(Context& ctx, NodeId who) {
    detected.insert(who);
    unanswered.erase(who);
    if (bug == Planted::kAdvanceOnce) {
      // Planted: the node of the next round may have decided or crashed too, and nothing will come
      // from it any more.
      if (round_is_over()) advance(ctx);
      return;
    }
    while (round_is_over()) advance(ctx);
  }

 private:
  bool round_is_over() const {
    return delivered.count(NodeId(round)) > 0 || detected.count(NodeId(round)) > 0;
  }

  void advance(Context& ctx) {
    ++round;
    decide_in_own_round(ctx);
  }

  void decide_in_own_round(Context& ctx) {
    if (round != ctx.self() || broadcast || !proposal) return;
    broadcast = true;
    for (NodeId peer : ctx.peers()) {
      if (peer < ctx.self()) continue;
      ctx.send(peer, Decided{*proposal});
      const bool is_call = messaging == Messaging::kRequestResponse;
      if (is_call && detected.count(peer) == 0) unanswered.insert(peer);
    }
    ctx.decide(*proposal);
  }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::hierarchical_consensus
