// A correct node of Tendermint: Algorithm 1 of Buchman, Kwon and Milosevic, "The latest gossip on
// BFT consensus" (2018). Line numbers in comments are those of the algorithm.
//
// A node hears itself without messages. Its timers are those of the current round: they are
// cancelled when the round or the step that they are for is over.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ordeal/node.h"
#include "protocols/tendermint/ballots.h"
#include "protocols/tendermint/messages.h"

namespace ordeal::protocols::tendermint {

// What a node keeps on disk, so that it does not contradict itself when it comes back. Properties
// read it too: it outlives the node.
struct Journal {
  Turn turn;
  int locked_value = kNil;
  int locked_round = kNever;
  int valid_value = kNil;
  int valid_round = kNever;
  std::map<Turn, int> prevotes;
  std::map<Turn, int> precommits;
};

struct Node {
  using Messages = Types<Proposal, Prevote, Precommit>;
  using Disk = Journal;

  enum class Step : uint8_t { kPropose, kPrevote, kPrecommit };

  Setup setup;
  Key key;

  Journal journal;
  Step step = Step::kPropose;
  std::map<Turn, Ballots> heard;  // at this height and above
  ORDEAL_FIELDS(journal, step, heard);
  ORDEAL_CONSTANTS(setup, key);

  void start(Context& ctx) {
    start_round(ctx, 0);
    follow_rules(ctx);
  }

  void on(Context& ctx, NodeId, const Proposal& proposal) {
    if (!concerns(proposal)) return;
    const bool by_proposer = proposal.signature.by == setup.proposer(turn_of(proposal));
    // Planted: anybody may propose.
    if (!by_proposer && setup.bug != Planted::kAnyProposer) return;
    // A value that is not valid is refused like nil. Planted: every value is fine.
    const bool fine = setup.valid(proposal.value) || setup.bug == Planted::kAcceptInvalid;
    heard[turn_of(proposal)].proposals.insert({fine ? proposal.value : kNil, proposal.valid_round});
    follow_rules(ctx);
  }
  void on(Context& ctx, NodeId, const Prevote& prevote) {
    if (!concerns(prevote)) return;
    hear(prevote.signature.by, prevote);
    follow_rules(ctx);
  }
  void on(Context& ctx, NodeId, const Precommit& precommit) {
    if (!concerns(precommit)) return;
    hear(precommit.signature.by, precommit);
    follow_rules(ctx);
  }

  void timer(Context& ctx, const std::string& name) {
    if (name == "propose") {  // line 57
      // Planted: who missed the proposal votes as others do.
      const bool follow = setup.bug == Planted::kFollowOthers;
      vote_in_prevote(ctx, follow ? heard[journal.turn].prevotes.some_value() : kNil);
    } else if (name == "prevote") {  // line 61
      vote_in_precommit(ctx, kNil);
    } else {  // line 65
      start_round(ctx, journal.turn.round + 1);
    }
    follow_rules(ctx);
  }

  // Votes that it had heard are lost, but those that made a value valid.
  void recover(Context& ctx, const Journal& disk) {
    journal = disk;
    if (is_done()) return;
    // Planted: the lock was in memory only.
    if (setup.bug == Planted::kRestartForgetsLock) {
      journal.locked_value = journal.valid_value = kNil;
      journal.locked_round = journal.valid_round = kNever;
    }
    if (journal.valid_round != kNever) {
      heard[{journal.turn.height, journal.valid_round}].prevotes.close(journal.valid_value);
    }
    for (const auto& [turn, value] : journal.prevotes) {
      if (turn.height == journal.turn.height)
        hear(ctx.self(), Prevote{turn.height, turn.round, value});
      if (turn == journal.turn) step = Step::kPrevote;
    }
    for (const auto& [turn, value] : journal.precommits) {
      if (turn.height == journal.turn.height)
        hear(ctx.self(), Precommit{turn.height, turn.round, value});
      if (turn == journal.turn) step = Step::kPrecommit;
    }
    if (step == Step::kPropose) set_timer(ctx, "propose");
    follow_rules(ctx);
  }

  bool is_done() const { return journal.turn.height > setup.heights; }

 private:
  template <class M>
  bool concerns(const M& message) const {
    // Planted: signatures are not looked at.
    if (!verify(message) && setup.bug != Planted::kUnsigned) return false;
    return message.height >= journal.turn.height && message.round < setup.rounds;
  }

  void hear(NodeId voter, const Prevote& prevote) {
    // Planted: in later rounds f + 1 prevotes are taken for a quorum.
    const bool third = setup.bug == Planted::kPrecommitOnThird && prevote.round > 0;
    heard[turn_of(prevote)].prevotes.add(voter, prevote.value,
                                         third ? setup.one_correct() : setup.quorum(),
                                         setup.bug == Planted::kCountDuplicates);
  }
  void hear(NodeId voter, const Precommit& precommit) {
    // Planted: f + 1 precommits are taken for a quorum.
    const bool third = setup.bug == Planted::kDecideOnThird;
    heard[turn_of(precommit)].precommits.add(voter, precommit.value,
                                             third ? setup.one_correct() : setup.quorum(),
                                             setup.bug == Planted::kCountDuplicates);
  }

  // The algorithm's "upon" rules, as long as one of them applies.
  void follow_rules(Context& ctx) {
    while (!is_done() && (decide(ctx) || skip_rounds(ctx) || answer_proposal(ctx) ||
                          follow_quorum(ctx) || give_up_round(ctx))) {
    }
    if (!is_done()) wait(ctx);
  }

  // Line 49, for any round of this height.
  bool decide(Context& ctx) {
    for (const auto& [turn, ballots] : heard) {
      if (turn.height != journal.turn.height || !ballots.precommits.outcome()) continue;
      // Planted: precommits of rounds that are over do not count.
      const bool late = turn.round < journal.turn.round;
      if (late && setup.bug == Planted::kIgnoreLatePrecommits) continue;
      const int value = *ballots.precommits.outcome();
      // Planted: a quorum is a quorum, also one for nil.
      const bool nil_too = setup.bug == Planted::kDecideNil;
      if (value == kNil ? !nil_too : !ballots.has_proposal(value)) continue;
      finish_height(ctx, value);
      return true;
    }
    return false;
  }

  // Line 55: f + 1 nodes are in a higher round, and so is a correct one.
  bool skip_rounds(Context& ctx) {
    // Planted: it does not move before its own timeouts say so.
    if (setup.bug == Planted::kNoRoundSkip) return false;
    // Planted: one node is enough, and it may be Byzantine.
    const int enough = setup.bug == Planted::kSkipOnOne ? 1 : setup.one_correct();
    for (const auto& [turn, ballots] : heard) {
      if (turn.height != journal.turn.height || turn.round <= journal.turn.round) continue;
      // Planted: it looks for company in the next round only.
      const bool next = turn.round == journal.turn.round + 1;
      if (!next && setup.bug == Planted::kSkipNextOnly) continue;
      std::set<NodeId> there;
      if (!ballots.proposals.empty()) there.insert(setup.proposer(turn));
      ballots.prevotes.add_voters(there);
      ballots.precommits.add_voters(there);
      if (static_cast<int>(there.size()) < enough) continue;
      start_round(ctx, turn.round);
      return true;
    }
    return false;
  }

  // Lines 22 and 28. Of two proposals, which only a Byzantine node makes, the first is answered.
  bool answer_proposal(Context& ctx) {
    if (step != Step::kPropose) return false;
    for (const Offer& offer : heard[journal.turn].proposals) {
      if (offer.valid_round != kNever && !is_proven(offer)) continue;
      vote_in_prevote(ctx, accepts(offer) ? offer.value : kNil);
      return true;
    }
    return false;
  }
  // The quorum of prevotes that the proposer speaks of has been heard.
  bool is_proven(const Offer& offer) const {
    const auto earlier = heard.find({journal.turn.height, offer.valid_round});
    return offer.valid_round < journal.turn.round && earlier != heard.end() &&
           earlier->second.prevotes.outcome() == offer.value;
  }
  bool accepts(const Offer& offer) const {
    if (journal.locked_round == kNever || journal.locked_value == offer.value) return true;
    switch (setup.bug) {
      case Planted::kNoUnlock:  // Planted: locked once, locked for ever.
        return false;
      case Planted::kRelockOlder:  // Planted: any quorum will do, also one from before the lock.
        return offer.valid_round != kNever;
      case Planted::kIgnoreLock:  // Planted: the lock is not looked at.
        return true;
      default:
        return journal.locked_round <= offer.valid_round;
    }
  }

  // Line 36: a quorum has prevoted for a proposal of this round.
  bool follow_quorum(Context& ctx) {
    if (step == Step::kPropose || journal.valid_round == journal.turn.round) return false;
    const Ballots& ballots = heard[journal.turn];
    const std::optional<int> value = ballots.prevotes.outcome();
    if (!value || *value == kNil || !ballots.has_proposal(*value)) return false;
    journal.valid_value = *value;
    journal.valid_round = journal.turn.round;
    if (step == Step::kPrevote) {
      // Planted: who has a lock keeps it, and only precommits.
      if (journal.locked_round == kNever || setup.bug != Planted::kKeepOldLock) {
        journal.locked_value = *value;
        journal.locked_round = journal.turn.round;
      }
      vote_in_precommit(ctx, *value);
    } else {
      ctx.persist(journal);
    }
    return true;
  }

  // Line 44: a quorum has prevoted nil.
  bool give_up_round(Context& ctx) {
    // Planted: only a timeout ends the round.
    if (step != Step::kPrevote || setup.bug == Planted::kIgnoreNilQuorum) return false;
    if (heard[journal.turn].prevotes.outcome() != kNil) return false;
    vote_in_precommit(ctx, kNil);
    return true;
  }

  // Lines 34 and 47: there is a quorum of votes, but not for one value.
  void wait(Context& ctx) {
    const Ballots& ballots = heard[journal.turn];
    if (step == Step::kPrevote && ballots.prevotes.from(setup.quorum())) set_timer(ctx, "prevote");
    if (ballots.precommits.from(setup.quorum())) set_timer(ctx, "precommit");
  }

  void start_round(Context& ctx, int round) {
    journal.turn.round = round;
    ctx.persist(journal);
    step = Step::kPropose;
    for (const char* name : {"propose", "prevote", "precommit"}) ctx.cancel_timer(name);
    if (is_done()) return;
    Ballots& ballots = heard[journal.turn];
    // Planted: what was heard of this round before it began is lost.
    if (setup.bug == Planted::kForgetEarlyVotes) ballots.prevotes = ballots.precommits = {};
    if (setup.proposer(journal.turn) != ctx.self()) {
      set_timer(ctx, "propose");
      return;
    }
    Offer offer{ctx.self(), kNever};
    // Planted: a proposer always proposes its own value.
    if (journal.valid_value != kNil && setup.bug != Planted::kForgetValid) {
      offer = {journal.valid_value, journal.valid_round};
    }
    tell(ctx, Proposal{journal.turn.height, round, offer.value, offer.valid_round});
    ballots.proposals.insert(offer);
  }

  void vote_in_prevote(Context& ctx, int value) {
    step = Step::kPrevote;
    journal.prevotes[journal.turn] = value;
    ctx.persist(journal);
    ctx.cancel_timer("propose");
    const Prevote prevote{journal.turn.height, journal.turn.round, value};
    hear(ctx.self(), prevote);
    tell(ctx, prevote);
  }
  void vote_in_precommit(Context& ctx, int value) {
    step = Step::kPrecommit;
    journal.precommits[journal.turn] = value;
    ctx.persist(journal);
    ctx.cancel_timer("prevote");
    const Precommit precommit{journal.turn.height, journal.turn.round, value};
    hear(ctx.self(), precommit);
    tell(ctx, precommit);
  }

  void finish_height(Context& ctx, int value) {
    ctx.decide(Decided{journal.turn.height, value});
    ++journal.turn.height;
    journal.locked_value = journal.valid_value = kNil;
    journal.locked_round = journal.valid_round = kNever;
    heard.erase(heard.begin(), heard.lower_bound({journal.turn.height, 0}));
    start_round(ctx, 0);  // of the next height, if there is one
  }

  // The last round waits for ever.
  void set_timer(Context& ctx, const char* name) const {
    if (journal.turn.round + 1 < setup.rounds) ctx.set_timer(name);
  }

  // To everybody else whom it concerns, signed.
  template <class M>
  void tell(Context& ctx, const M& message) const {
    const M signed_message = sign(key, message);
    for (int node = 1; node <= setup.nodes; ++node) {
      if (node != ctx.self() && setup.hears<M>(node)) ctx.send(node, signed_message);
    }
  }
};

}  // namespace ordeal::protocols::tendermint
