// Single-decree Paxos among equals (Lamport, "Paxos Made Simple"): every node is proposer, acceptor
// and learner, and has a value to propose. The node with the highest id that is not known to have
// crashed leads. Made for reliable links, a crashing minority and a perfect failure detector.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "ordeal/node.h"
#include "protocols/paxos/planted.h"

namespace ordeal::protocols::paxos {

struct Propose {
  int value = 0;
};

struct Vote {
  int round = 0;
  int value = 0;
};

struct PrepareRound {
  int round = 0;
};
struct Promise {
  int round = 0;
  std::optional<Vote> vote;
};
struct AcceptVote {
  int round = 0;
  int value = 0;
};
struct Learn {
  int round = 0;
  int value = 0;
};

struct Node {
  using Requests = Types<Propose>;
  using Messages = Types<PrepareRound, Promise, AcceptVote, Learn>;

  // The same for all nodes, and no part of the state.
  Planted bug = Planted::kNone;
  int nodes = 1;

  std::set<NodeId> crashed_nodes;
  // The proposer.
  std::optional<int> proposal;
  int round = 0;  // its own, the next one it prepares or has prepared
  bool preparing = false;
  std::map<NodeId, std::optional<Vote>> promises;
  // The acceptor.
  int promised = 0;
  std::optional<Vote> vote;
  // The learner.
  std::map<NodeId, Vote> votes;
  bool decided = false;
  ORDEAL_FIELDS(crashed_nodes, proposal, round, preparing, promises, promised, vote, votes,
                decided);
  ORDEAL_CONSTANTS(bug, nodes);

  void start(Context& ctx) { round = ctx.self(); }

  void request(Context& ctx, const Propose& propose) {
    proposal = propose.value;
    prepare_if_leader(ctx);
  }

  // Rounds of node i are i, i + n, i + 2n, …. A node moves on by one round for every node above it
  // that crashes: when it leads, all of them have, and its round is above all of theirs.
  void crashed(Context& ctx, NodeId who) {
    const bool led = who == leader();
    crashed_nodes.insert(who);
    // Planted: only the crash of the leader moves the round on. Where notices of two crashes come
    // in the wrong order, the next leader's round is below that of the one before.
    const bool moves = bug == Planted::kStaleRound ? led : who > ctx.self();
    if (moves) round += nodes;
    if (led) prepare_if_leader(ctx);
  }

  void on(Context& ctx, const PrepareRound& prepare) {
    if (prepare.round <= promised) return;
    promised = prepare.round;
    ctx.reply(Promise{prepare.round, vote});
  }

  void on(Context& ctx, NodeId from, const Promise& promise) {
    if (!preparing || promise.round != round) return;
    promises[from] = promise.vote;
    if (static_cast<int>(promises.size()) < quorum(ctx)) return;
    Vote next{0, *proposal};
    for (const auto& [node, last] : promises) {
      // Planted: what others have accepted, and maybe chosen, does not matter.
      if (!last || bug == Planted::kIgnoreAccepted) continue;
      if (last->round > next.round) next = *last;
    }
    next.round = round;
    preparing = false;
    promises.clear();
    ctx.broadcast_all(AcceptVote{next.round, next.value});
  }

  void on(Context& ctx, const AcceptVote& accept) {
    // Planted: the promise not to accept lower rounds is forgotten.
    if (accept.round < promised && bug != Planted::kForgetPromise) return;
    promised = accept.round;
    vote = Vote{accept.round, accept.value};
    ctx.broadcast_all(Learn{accept.round, accept.value});
  }

  void on(Context& ctx, NodeId from, const Learn& learn) {
    if (decided) return;
    const Vote heard{learn.round, learn.value};
    const auto [known, is_new] = votes.try_emplace(from, heard);
    if (!is_new && heard.round > known->second.round) known->second = heard;
    int same = 0;
    for (const auto& [node, other] : votes) same += other.round == heard.round ? 1 : 0;
    if (same < quorum(ctx)) return;
    decided = true;
    votes.clear();
    ctx.decide(learn.value);
  }

 private:
  NodeId leader() const {
    for (int id = nodes; id > 0; --id) {
      if (crashed_nodes.count(NodeId(id)) == 0) return id;
    }
    return 0;
  }

  void prepare_if_leader(Context& ctx) {
    if (leader() != ctx.self() || !proposal) return;
    preparing = true;
    promises.clear();
    ctx.broadcast_all(PrepareRound{round});
  }

  int quorum(const Context& ctx) const {
    // Planted: one less than a majority.
    return ctx.majority() - (bug == Planted::kSmallQuorum ? 1 : 0);
  }
};

}  // namespace ordeal::protocols::paxos
