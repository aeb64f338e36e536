#include "protocols/paxos/duel.h"

#include <algorithm>
#include <string>

namespace ordeal::protocols::paxos {
namespace {

// All ballots of the state, wherever they stand; 0 is none.
template <class F>
void each_ballot(Duel::State& state, F f) {
  for (Duel::Acceptor& acceptor : state.acceptors) {
    f(acceptor.promised);
    f(acceptor.ballot);
  }
  for (Duel::Proposer& proposer : state.proposers) {
    f(proposer.ballot);
    f(proposer.found);
  }
}

// Numbers the ballots 1, 2, … in their order.
void rank_ballots(Duel::State& state) {
  std::vector<uint8_t> all;
  each_ballot(state, [&](uint8_t ballot) {
    if (ballot != 0) all.push_back(ballot);
  });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  each_ballot(state, [&](uint8_t& ballot) {
    if (ballot == 0) return;
    const auto at = std::lower_bound(all.begin(), all.end(), ballot);
    ballot = static_cast<uint8_t>(at - all.begin() + 1);
  });
}

bool is_done(const Duel::Proposer& proposer) { return proposer.phase == Duel::Phase::kDone; }

Outcome proposers_agree(const Duel::State& state) {
  const Duel::Proposer* first = nullptr;
  for (const Duel::Proposer& proposer : state.proposers) {
    if (!is_done(proposer)) continue;
    if (first == nullptr) first = &proposer;
    if (first->value == proposer.value) continue;
    return violated("one proposer knows " + std::to_string(first->value) +
                    " to be chosen, another " + std::to_string(proposer.value));
  }
  return true;
}

}  // namespace

std::vector<Duel::State> Duel::initial() const {
  State state;
  state.acceptors.resize(static_cast<size_t>(acceptors));
  state.proposers.resize(static_cast<size_t>(proposers));
  return {state};
}

void Duel::actions(const State& state, std::vector<Action>& out) const {
  if (settles && !state.settled) out.push_back({Kind::kSettle, 0, 0});
  for (int id = 1; id <= proposers; ++id) {
    const Proposer& proposer = state.proposers[static_cast<size_t>(id - 1)];
    const auto who = static_cast<uint8_t>(id);
    const bool waits = proposer.phase == Phase::kIdle || proposer.phase == Phase::kRefused;
    if (waits && (id == 1 || !state.settled)) out.push_back({Kind::kBegin, who, 0});
    if (waits || is_done(proposer)) continue;
    for (int at = 1; at <= acceptors; ++at) {
      const bool has_said_yes = (proposer.said_yes >> (at - 1) & 1) != 0;
      if (!has_said_yes) out.push_back({Kind::kAsk, who, static_cast<uint8_t>(at)});
    }
  }
}

std::optional<Duel::State> Duel::next(const State& state, const Action& action) const {
  State out = state;
  if (action.kind == Kind::kSettle) {
    out.settled = true;
    return out;
  }
  if (action.kind == Kind::kBegin) {
    begin(out, action.proposer);
  } else {
    const size_t at = action.acceptor - size_t{1};
    ask(out.proposers[action.proposer - size_t{1}], out.acceptors[at], 1 << at);
  }
  rank_ballots(out);
  return out;
}

int Duel::quorum() const {
  // Planted: one less than a majority.
  return acceptors / 2 + 1 - (bug == Planted::kSmallQuorum ? 1 : 0);
}

void Duel::begin(State& state, int id) const {
  Proposer& proposer = state.proposers[static_cast<size_t>(id - 1)];
  uint8_t ballot = proposer.ballot;
  // Planted: who was refused tries once more with the ballot that was too low.
  if (ballot == 0 || bug != Planted::kSameBallot) {
    each_ballot(state, [&](uint8_t other) { ballot = std::max(ballot, other); });
    ++ballot;
  }
  proposer = {Phase::kPreparing, ballot, 0, static_cast<uint8_t>(id), 0};
}

void Duel::ask(Proposer& proposer, Acceptor& acceptor, int bit) const {
  const bool accepting = proposer.phase == Phase::kAccepting;
  // Planted: the promise not to accept lower ballots is forgotten.
  const bool forgets = accepting && bug == Planted::kForgetPromise;
  if (proposer.ballot < acceptor.promised && !forgets) {
    const uint8_t kept = bug == Planted::kSameBallot ? proposer.ballot : uint8_t{0};
    proposer = {Phase::kRefused, kept, 0, 0, 0};
    return;
  }
  acceptor.promised = proposer.ballot;
  if (accepting) {
    acceptor.ballot = proposer.ballot;
    acceptor.value = proposer.value;
  } else if (acceptor.ballot > proposer.found && bug != Planted::kIgnoreAccepted) {
    // (Planted: what others have accepted, and maybe chosen, does not matter.)
    proposer.found = acceptor.ballot;
    proposer.value = acceptor.value;
  }
  proposer.said_yes = static_cast<uint16_t>(proposer.said_yes | bit);
  if (__builtin_popcount(proposer.said_yes) < quorum()) return;
  const uint8_t value = proposer.value;
  proposer = accepting ? Proposer{Phase::kDone, 0, 0, value, 0}
                       : Proposer{Phase::kAccepting, proposer.ballot, 0, value, 0};
}

std::unique_ptr<Model<Duel>> duel(const Duel& protocol) {
  auto model = std::make_unique<Model<Duel>>(protocol);
  model->always("agreement", proposers_agree);
  model->eventually("a value is learned", [](const Duel::State& state) -> Outcome {
    if (std::any_of(state.proposers.begin(), state.proposers.end(), is_done)) return true;
    return violated("no proposer knows of a majority");
  });
  model->eventually("the leader learns", [](const Duel::State& state) -> Outcome {
    if (is_done(state.proposers.front())) return true;
    return violated("proposer 1 never learns what is chosen");
  });
  model->sometimes("the last proposer learns",
                   [](const Duel::State& state) { return is_done(state.proposers.back()); });
  model->fair_each(Owed::kWeakly);
  return model;
}

}  // namespace ordeal::protocols::paxos
