// Multi-Paxos: a sequence of slots, each decided by Paxos, with phase 1 once per leader for all
// slots (Lamport, "Paxos Made Simple", section 3). Every node is proposer, acceptor and learner.
// The node with the highest id that is not known to have crashed leads; the others hand it their
// values. Made for reliable links, a crashing minority and a perfect failure detector; lost
// messages and wrong suspicions may stop it, but not make nodes disagree.
//
// A node talks to itself without messages: a leader's Accept is at the same time its own vote.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ordeal/node.h"
#include "ordeal/suite.h"

namespace ordeal::protocols::multi_paxos {

enum class Planted : uint8_t {
  kNone,
  kLosePromisedValues,
  kMisalignedSlots,
  kSkipPhaseOne,
  kForgetPromise,
  kMixedRounds,
  kLoseSubmitted,
  kLeadAnyway,
};

// What a new leader proposes for a slot that nobody has voted in, below one that somebody has.
inline constexpr int kNoOperation = 0;

// A client wants `value` in some slot.
struct Submit {
  int value = 0;
};

struct Vote {
  int round = 0;
  int value = kNoOperation;
};

struct Forward {
  int value = 0;
};
struct Prepare {
  int round = 0;
  int after = 0;  // about slots above this one
};
struct Promise {
  int round = 0;
  std::map<int, Vote> votes;  // by slot
};
struct Accept {
  int slot = 0;
  int round = 0;
  int value = kNoOperation;
};
struct Learn {
  int slot = 0;
  int round = 0;
  int value = kNoOperation;
};

// What a node decides: the value of a slot.
struct Learned {
  int slot = 0;
  int value = kNoOperation;
};

struct Node {
  using Requests = Types<Submit>;
  using Messages = Types<Forward, Prepare, Promise, Accept, Learn>;

  enum class Phase : uint8_t { kFollowing, kPreparing, kLeading };

  // The same for all nodes, and no part of the state.
  Planted bug = Planted::kNone;
  int nodes = 1;

  std::set<NodeId> crashed_nodes;
  std::set<int> submitted;  // here, and not learned yet
  // The proposer.
  Phase phase = Phase::kFollowing;
  int round = 0;
  int next_slot = 1;
  std::map<NodeId, std::map<int, Vote>> promises;
  std::vector<int> waiting;  // values for when phase 1 is done
  // The acceptor.
  int promised = 0;
  std::map<int, Vote> votes;
  // The learner. Votes are counted by slot and round: one that comes late from a lower round may
  // complete a majority that others have seen already.
  std::map<int, std::map<int, std::set<NodeId>>> heard;
  std::map<int, int> learned;
  ORDEAL_FIELDS(crashed_nodes, submitted, phase, round, next_slot, promises, waiting, promised,
                votes, heard, learned);
  ORDEAL_CONSTANTS(bug, nodes);

  void start(Context& ctx) {
    round = ctx.self();
    if (leader() == ctx.self()) lead(ctx);
  }

  void request(Context& ctx, const Submit& submit) {
    submitted.insert(submit.value);
    hand_to_leader(ctx, submit.value);
  }

  // A node that is handed a value before it knows that it leads will know soon.
  void on(Context& ctx, const Forward& forward) { propose(ctx, forward.value); }

  void crashed(Context& ctx, NodeId who) {
    const bool led = who == leader();
    crashed_nodes.insert(who);
    // Every crash above moves the round on: a leader's round is above those of all before it.
    if (who > ctx.self()) round += nodes;
    if (!led) return;
    if (leader() == ctx.self()) lead(ctx);
    // Planted: what the old leader was handed is taken for decided.
    if (bug == Planted::kLoseSubmitted) return;
    for (int value : std::set<int>(submitted)) hand_to_leader(ctx, value);
  }

  void on(Context& ctx, const Prepare& prepare) {
    if (prepare.round <= promised) return;
    make_promise(prepare.round);
    ctx.reply(Promise{prepare.round, votes_above(prepare.after)});
  }

  void on(Context& ctx, NodeId from, const Promise& promise) {
    if (phase != Phase::kPreparing || promise.round != round) return;
    promises[from] = promise.votes;
    if (static_cast<int>(promises.size()) >= ctx.majority()) finish_phase_one(ctx);
  }

  void on(Context& ctx, NodeId from, const Accept& accept) {
    const Vote vote{accept.round, accept.value};
    hear(ctx, from, accept.slot, vote);
    // Planted: the promise not to accept lower rounds is forgotten.
    if (accept.round < promised && bug != Planted::kForgetPromise) return;
    vote_for(ctx, accept.slot, vote);
    ctx.broadcast(Learn{accept.slot, accept.round, accept.value});
  }

  void on(Context& ctx, NodeId from, const Learn& learn) {
    hear(ctx, from, learn.slot, {learn.round, learn.value});
  }

 private:
  NodeId leader() const {
    for (int id = nodes; id > 0; --id) {
      if (crashed_nodes.count(NodeId(id)) == 0) return id;
    }
    return 0;
  }

  void hand_to_leader(Context& ctx, int value) {
    if (leader() == ctx.self()) {
      propose(ctx, value);
    } else {
      ctx.send(leader(), Forward{value});
    }
  }

  void propose(Context& ctx, int value) {
    if (phase != Phase::kLeading) {
      waiting.push_back(value);
      return;
    }
    // Handed over again after a change of leaders, it may be in a slot already.
    for (const auto& [slot, vote] : votes) {
      if (vote.value == value) return;
    }
    for (const auto& [slot, known] : learned) {
      if (known == value) return;
    }
    propose_in_next_slot(ctx, value);
  }

  void propose_in_next_slot(Context& ctx, int value) {
    const int slot = next_slot++;
    const Vote vote{round, value};
    ctx.broadcast(Accept{slot, vote.round, vote.value});
    vote_for(ctx, slot, vote);
  }

  void lead(Context& ctx) {
    // Only after wrong suspicions can somebody else have got further.
    while (round < promised) round += nodes;
    phase = Phase::kPreparing;
    promised = round;
    promises = {{ctx.self(), votes_above(learned_up_to())}};
    // Planted: a leader that takes over leaves phase 1 out, and only knows its own votes.
    const bool skip = bug == Planted::kSkipPhaseOne && !crashed_nodes.empty();
    if (ctx.majority() == 1 || skip) {
      finish_phase_one(ctx);
    } else {
      ctx.broadcast(Prepare{round, learned_up_to()});
    }
  }

  // Proposes again what may have been chosen, in the same slots, then what waited.
  void finish_phase_one(Context& ctx) {
    std::map<int, Vote> highest;
    for (const auto& [node, promised_votes] : promises) {
      for (const auto& [slot, vote] : promised_votes) {
        Vote& best = highest[slot];
        if (vote.round > best.round) best = vote;
      }
    }
    const int last = highest.empty() ? 0 : highest.rbegin()->first;
    // Planted: the votes are looked up where they have just been found missing, and stay so.
    if (bug == Planted::kLosePromisedValues) highest.clear();
    promises.clear();
    phase = Phase::kLeading;
    next_slot = learned_up_to() + 1;
    while (next_slot <= last) {
      // Planted: values are numbered from the last learned slot, slots from the one after it.
      const int source = next_slot - (bug == Planted::kMisalignedSlots ? 1 : 0);
      const auto known = learned.find(source);
      const auto found = highest.find(source);
      const int promised_value = found == highest.end() ? kNoOperation : found->second.value;
      propose_in_next_slot(ctx, known == learned.end() ? promised_value : known->second);
    }
    for (int value : std::exchange(waiting, {})) propose(ctx, value);
  }

  // A leader that promises a higher round to somebody else has been replaced.
  void make_promise(int other_round) {
    promised = std::max(promised, other_round);
    // Planted: it goes on, and its own votes break the promise.
    if (other_round > round && bug != Planted::kLeadAnyway) phase = Phase::kFollowing;
  }

  void vote_for(Context& ctx, int slot, const Vote& vote) {
    make_promise(vote.round);
    votes[slot] = vote;
    hear(ctx, ctx.self(), slot, vote);
  }

  void hear(Context& ctx, NodeId voter, int slot, const Vote& vote) {
    if (learned.count(slot) > 0) return;
    // Planted: votes of different rounds, for different values, make a majority together.
    std::set<NodeId>& voters = heard[slot][bug == Planted::kMixedRounds ? 0 : vote.round];
    voters.insert(voter);
    if (static_cast<int>(voters.size()) < ctx.majority()) return;
    heard.erase(slot);
    learned[slot] = vote.value;
    submitted.erase(vote.value);
    ctx.decide(Learned{slot, vote.value});
  }

  int learned_up_to() const {
    int slot = 0;
    while (learned.count(slot + 1) > 0) ++slot;
    return slot;
  }

  std::map<int, Vote> votes_above(int slot) const { return {votes.upper_bound(slot), votes.end()}; }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::multi_paxos
