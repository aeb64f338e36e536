// A Byzantine node: it may send anything that it can sign, to whom it likes. How far it goes is
// bounded, so that searches end: it speaks once about each proposal, in its own rounds at the very
// start. Messages may take any time, so that nothing is gained by sending them later.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ordeal/node.h"
#include "protocols/tendermint/messages.h"

namespace ordeal::protocols::tendermint {

enum class Behaviour : uint8_t {
  kSilent,       // says nothing, like a node that crashed before the start
  kEquivocate,   // proposes two values, each to half of the nodes, and votes for everything
  kWithhold,     // sends each thing to all, to half of the nodes, or to nobody
  kLie,          // proposes and votes for anything, and invents rounds where it was valid
  kImpersonate,  // equivocates, and votes in the names of all others too
};

struct Byzantine {
  using Messages = Types<Proposal>;

  Setup setup;
  Key key;
  Behaviour behaviour = Behaviour::kSilent;

  std::set<std::pair<Turn, int>> answered;  // proposals, by turn and value
  ORDEAL_FIELDS(answered);
  ORDEAL_CONSTANTS(setup, key, behaviour);

  void start(Context& ctx) {
    for (int height = 1; height <= setup.heights; ++height) {
      for (int round = 0; round < setup.rounds; ++round) {
        const Turn turn{height, round};
        if (setup.proposer(turn) == ctx.self()) propose(ctx, turn);
      }
    }
  }

  void on(Context& ctx, NodeId, const Proposal& proposal) {
    const Turn turn = turn_of(proposal);
    if (!answered.emplace(turn, proposal.value).second) return;
    if (behaviour == Behaviour::kWithhold) {
      send(ctx, some_others(ctx), Prevote{turn.height, turn.round, proposal.value});
      send(ctx, some_others(ctx), Precommit{turn.height, turn.round, proposal.value});
    } else if (behaviour == Behaviour::kLie) {
      vote_for_anything(ctx, turn, proposal.value);
    } else {
      vote(ctx, turn, proposal.value);
      vote(ctx, turn, kNil);
    }
  }

 private:
  using Nodes = std::vector<NodeId>;

  void propose(Context& ctx, Turn turn) {
    const int value = ctx.self();
    const int other = value % setup.nodes + 1;
    switch (behaviour) {
      case Behaviour::kSilent:
        break;
      case Behaviour::kEquivocate:
      case Behaviour::kImpersonate:
        send(ctx, half(ctx, false), Proposal{turn.height, turn.round, value, kNever});
        send(ctx, half(ctx, true), Proposal{turn.height, turn.round, other, kNever});
        vote(ctx, turn, value);
        vote(ctx, turn, other);
        break;
      case Behaviour::kWithhold:
        send(ctx, some_others(ctx), Proposal{turn.height, turn.round, value, kNever});
        send(ctx, some_others(ctx), Prevote{turn.height, turn.round, value});
        send(ctx, some_others(ctx), Precommit{turn.height, turn.round, value});
        break;
      case Behaviour::kLie: {
        const int claimed = pick(ctx, {value, other, kInvalid});
        // From none to the round itself, which is no proof yet.
        const int valid_round = static_cast<int>(ctx.choose(turn.round + 2)) - 1;
        send(ctx, others(ctx), Proposal{turn.height, turn.round, claimed, valid_round});
        vote_for_anything(ctx, turn, claimed);
        break;
      }
    }
  }

  void vote_for_anything(Context& ctx, Turn turn, int value) {
    const int other = value % setup.nodes + 1;
    send(ctx, others(ctx), Prevote{turn.height, turn.round, pick(ctx, {value, other, kNil})});
    send(ctx, others(ctx), Precommit{turn.height, turn.round, pick(ctx, {value, other, kNil})});
  }

  // To everybody; an impersonator also in everybody's name, as well as it can.
  void vote(Context& ctx, Turn turn, int value) {
    const Prevote prevote{turn.height, turn.round, value};
    const Precommit precommit{turn.height, turn.round, value};
    send(ctx, others(ctx), prevote);
    send(ctx, others(ctx), precommit);
    if (behaviour != Behaviour::kImpersonate) return;
    for (NodeId victim : others(ctx)) {
      send_as(ctx, victim, prevote);
      send_as(ctx, victim, precommit);
    }
  }

  template <class M>
  void send(Context& ctx, const Nodes& to, const M& message) const {
    const M signed_message = sign(key, message);
    for (NodeId node : to) {
      if (setup.hears<M>(node)) ctx.send(node, signed_message);
    }
  }
  template <class M>
  void send_as(Context& ctx, NodeId victim, const M& message) const {
    M forged = sign(key, message);
    forged.signature.by = victim;
    for (NodeId node : others(ctx)) {
      if (node != victim && setup.hears<M>(node)) ctx.send(node, forged);
    }
  }

  Nodes others(Context& ctx) const {
    Nodes nodes;
    for (int node = 1; node <= setup.nodes; ++node) {
      if (node != ctx.self()) nodes.emplace_back(node);
    }
    return nodes;
  }
  // The correct nodes with low ids, or those with high ones; other Byzantine nodes get everything.
  Nodes half(Context& ctx, bool upper) const {
    Nodes correct;
    Nodes chosen;
    for (NodeId node : others(ctx)) (setup.is_byzantine(node) ? chosen : correct).push_back(node);
    const auto middle = correct.begin() + static_cast<int>(correct.size() + 1) / 2;
    chosen.insert(chosen.end(), upper ? middle : correct.begin(), upper ? correct.end() : middle);
    return chosen;
  }
  Nodes some_others(Context& ctx) const {
    switch (ctx.choose(4)) {
      case 0:
        return others(ctx);
      case 1:
        return half(ctx, false);
      case 2:
        return half(ctx, true);
      default:
        return {};
    }
  }
  int pick(Context& ctx, const std::vector<int>& values) const {
    return values[ctx.choose(static_cast<uint32_t>(values.size()))];
  }
};

}  // namespace ordeal::protocols::tendermint
