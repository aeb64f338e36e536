#include "protocols/tendermint/properties.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/predicate.h"
#include "protocols/tendermint/node.h"

namespace ordeal::protocols::tendermint {
namespace {

std::string show_node(NodeId node) { return "node " + std::to_string(node.value); }
std::string show_turn(Turn turn) {
  return "height " + std::to_string(turn.height) + ", round " + std::to_string(turn.round);
}

// The disks of the correct nodes, also of those that are down. A node writes as soon as it starts.
using Journals = std::vector<std::pair<NodeId, const Journal*>>;
Journals journals(const View& view, const std::set<NodeId>& byzantine) {
  Journals found;
  for (NodeId node : view.nodes()) {
    if (!byzantine.contains(node)) found.emplace_back(node, view.disk<Journal>(node));
  }
  return found;
}

Outcome decisions_agree(const View& view, const Claims& claims) {
  std::map<int, std::pair<int, NodeId>> first;  // by height: the value, and who decided it
  for (NodeId node : view.nodes()) {
    if (claims.byzantine.contains(node)) continue;
    for (const value::Any& decision : view.decisions(node)) {
      const Decided& decided = *decision.try_get<Decided>();
      const auto [known, is_new] = first.try_emplace(decided.height, decided.value, node);
      if (is_new || known->second.first == decided.value) continue;
      return violated("height " + std::to_string(decided.height) + ": " +
                      show_node(known->second.second) + " decided " +
                      std::to_string(known->second.first) + ", " + show_node(node) + " decided " +
                      std::to_string(decided.value))
          .node(known->second.second)
          .node(node);
    }
  }
  return true;
}

// Whether a quorum may have prevoted so: Byzantine nodes may have told anybody anything.
bool quorum_prevoted(const Journals& all, const Claims& claims, Turn turn, int value) {
  size_t voters = claims.byzantine.size();
  for (const auto& [node, journal] : all) {
    const auto vote = journal->prevotes.find(turn);
    if (vote != journal->prevotes.end() && vote->second == value) ++voters;
  }
  return voters >= static_cast<size_t>(claims.setup.quorum());
}

Outcome precommits_have_quorums(const View& view, const Claims& claims) {
  const Journals all = journals(view, claims.byzantine);
  for (const auto& [node, journal] : all) {
    for (const auto& [turn, value] : journal->precommits) {
      if (value == kNil || quorum_prevoted(all, claims, turn, value)) continue;
      return violated(show_node(node) + " precommitted " + std::to_string(value) + " in " +
                      show_turn(turn) + ", for which no quorum has prevoted")
          .node(node);
    }
  }
  return true;
}

// The last precommit before this turn that was for a value: that is what the node is locked on.
const std::pair<const Turn, int>* lock_before(const Journal& journal, Turn turn) {
  const std::pair<const Turn, int>* lock = nullptr;
  for (const auto& precommit : journal.precommits) {
    if (precommit.first.height == turn.height && precommit.first < turn &&
        precommit.second != kNil) {
      lock = &precommit;
    }
  }
  return lock;
}

// In a round from `first` on, before `end`.
bool quorum_prevoted_between(const Journals& all, const Claims& claims, Turn first, Turn end,
                             int value) {
  for (Turn turn = first; turn < end; ++turn.round) {
    if (quorum_prevoted(all, claims, turn, value)) return true;
  }
  return false;
}

Outcome locks_are_kept(const View& view, const Claims& claims) {
  const Journals all = journals(view, claims.byzantine);
  for (const auto& [node, journal] : all) {
    for (const auto& [turn, value] : journal->prevotes) {
      const auto* lock = lock_before(*journal, turn);
      if (value == kNil || lock == nullptr || lock->second == value) continue;
      if (quorum_prevoted_between(all, claims, lock->first, turn, value)) continue;
      return violated(show_node(node) + ", locked on " + std::to_string(lock->second) + " since " +
                      show_turn(lock->first) + ", prevoted " + std::to_string(value) +
                      " in round " + std::to_string(turn.round) +
                      ", for which no quorum has prevoted since")
          .node(node);
    }
  }
  return true;
}

// The correct nodes that are up and have not decided every height.
std::vector<NodeId> undecided(const View& view, const Claims& claims) {
  std::vector<NodeId> found;
  for (NodeId node : view.nodes()) {
    const bool done = static_cast<int>(view.decisions(node).size()) == claims.setup.heights;
    if (view.up(node) && !claims.byzantine.contains(node) && !done) found.push_back(node);
  }
  return found;
}

Outcome all_decide(const View& view, const Claims& claims) {
  const std::vector<NodeId> waiting = undecided(view, claims);
  if (waiting.empty()) return true;
  return violated(show_node(waiting[0]) + " has not decided every height").node(waiting[0]);
}

Outcome decisions_spread(const View& view, const Claims& claims) {
  size_t most = 0;
  for (NodeId node : view.nodes()) most = std::max(most, view.decisions(node).size());
  for (NodeId node : undecided(view, claims)) {
    if (view.decisions(node).size() == most) continue;
    return violated(show_node(node) + " has not decided what others have").node(node);
  }
  return true;
}

Outcome rounds_go_on(const View& view, const Claims& claims) {
  for (NodeId node : undecided(view, claims)) {
    const Turn turn = view.node<Node>(node).journal.turn;
    if (turn.round + 1 == claims.setup.rounds) continue;
    return violated(show_node(node) + " waits for ever in " + show_turn(turn)).node(node);
  }
  return true;
}

// Nobody gives up a round that could have decided, and every height has such a round.
bool must_decide(const Claims& claims) {
  const Setup& setup = claims.setup;
  bool every = claims.good_weather && !claims.crashes && (setup.rounds == 1 || claims.prompt);
  for (int height = 1; height <= setup.heights; ++height) {
    bool some = false;
    for (int round = 0; round < setup.rounds; ++round) {
      some = some || !claims.byzantine.contains(setup.proposer({height, round}));
    }
    every = every && some;
  }
  return every;
}

// Some correct node's journal is like that.
template <class F>
Predicate some_journal(const std::set<NodeId>& byzantine, F test) {
  return [byzantine, test](const View& view) -> Outcome {
    for (const auto& [node, journal] : journals(view, byzantine)) {
      if (test(*journal)) return true;
    }
    return false;
  };
}

bool has_skipped(const Journal& journal) {
  const Turn turn = journal.turn;
  return turn.round > 0 && !journal.prevotes.contains({turn.height, turn.round - 1});
}

bool has_relocked(const Journal& journal) {
  for (const auto& [turn, value] : journal.precommits) {
    const auto* lock = lock_before(journal, turn);
    if (value != kNil && lock != nullptr && lock->second != value) return true;
  }
  return false;
}

}  // namespace

void declare(const Claims& claims, System& system) {
  const Setup& setup = claims.setup;
  const auto with_claims = [&claims](auto holds) {
    return [claims, holds](const View& view) { return holds(view, claims); };
  };
  system.always("agreement", Predicate::Global{with_claims(decisions_agree), Reads::kDecisions});
  system.always("validity", every_decision<Decided>([setup](const Decided& decided) {
                  return setup.valid(decided.value);
                }));
  system.always("precommits have quorums", with_claims(precommits_have_quorums));
  system.always("locks are kept", with_claims(locks_are_kept));
  if (claims.good_weather) {
    system.eventually("decisions spread", with_claims(decisions_spread));
    system.eventually("rounds go on", with_claims(rounds_go_on));
  }
  if (must_decide(claims)) system.eventually("all decide", with_claims(all_decide));
  if (!claims.can_decide) return;
  system.sometimes("decides", some_journal(claims.byzantine, [](const Journal& journal) {
                     return journal.turn.height > 1;
                   }));
  system.sometimes("locks", some_journal(claims.byzantine, [](const Journal& journal) {
                     return journal.locked_round != kNever;
                   }));
  // Where nobody can be late, or every correct node is needed, nobody gets ahead of anybody.
  if (setup.rounds == 1 || claims.prompt || !claims.byzantine.empty()) return;
  system.sometimes("skips a round", some_journal(claims.byzantine, has_skipped));
  system.sometimes("locks another value", some_journal(claims.byzantine, has_relocked));
}

}  // namespace ordeal::protocols::tendermint
