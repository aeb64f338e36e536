// What a node has heard in one round: proposals, and who votes for what.
#pragma once

#include <algorithm>
#include <compare>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ordeal/value.h"
#include "protocols/tendermint/messages.h"

namespace ordeal::protocols::tendermint {

// A Byzantine node may vote for several values: it counts once for each of them.
class Tally {
 public:
  // With `enough` votes for one value that is the outcome, and the votes no longer matter: less
  // state. (A second value with a quorum takes more Byzantine nodes than the protocol is made for.)
  void add(NodeId voter, int value, int enough, bool count_duplicates) {
    if (outcome_) return;
    const Vote vote{voter, value};
    const auto at = std::lower_bound(votes_.begin(), votes_.end(), vote);
    if (at != votes_.end() && *at == vote && !count_duplicates) return;
    votes_.insert(at, vote);
    const auto same = std::count_if(votes_.begin(), votes_.end(),
                                    [value](const Vote& v) { return v.second == value; });
    if (same >= enough) close(value);
  }

  // As if a quorum had voted so.
  void close(int value) {
    outcome_ = value;
    votes_.clear();
  }

  // What a quorum has voted for; nil counts.
  const std::optional<int>& outcome() const { return outcome_; }

  // Whether so many nodes have voted, for anything.
  bool from(int nodes) const {
    std::set<NodeId> voters;
    add_voters(voters);
    return outcome_ || static_cast<int>(voters.size()) >= nodes;
  }
  void add_voters(std::set<NodeId>& voters) const {
    for (const Vote& vote : votes_) voters.insert(vote.first);
  }

  // The first vote that is not nil; nil if there is none.
  int some_value() const {
    for (const Vote& vote : votes_) {
      if (vote.second != kNil) return vote.second;
    }
    return kNil;
  }

 private:
  using Vote = std::pair<NodeId, int>;

  std::vector<Vote> votes_;  // in order
  std::optional<int> outcome_;
  ORDEAL_FIELDS(votes_, outcome_);
};

// What the round's proposer has proposed: several things, if it is Byzantine.
struct Offer {
  int value = kNil;
  int valid_round = kNever;

  auto operator<=>(const Offer&) const = default;
};

struct Ballots {
  std::set<Offer> proposals;
  Tally prevotes;
  Tally precommits;

  bool has_proposal(int value) const {
    return std::any_of(proposals.begin(), proposals.end(),
                       [value](const Offer& offer) { return offer.value == value; });
  }
};

}  // namespace ordeal::protocols::tendermint
