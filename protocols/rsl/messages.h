// What RSL replicas keep and send.
//
// Decrees count from 1. Each is voted for under ballots, which are ordered by number, then replica.
// Ballot 0 of nobody stands for "no vote yet".
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "ordeal/node_id.h"

namespace ordeal::protocols::rsl {

using Decree = uint32_t;

// What an empty decree decides: a primary's heartbeat, or its first one without requests.
inline constexpr int kNoOperation = 0;

// A client wants `value` decided.
struct Submit {
  int value = kNoOperation;
};

struct Ballot {
  uint32_t number = 0;
  NodeId replica = 0;
  bool operator==(const Ballot&) const = default;
  auto operator<=>(const Ballot& other) const {
    return std::tuple(number, replica.value) <=> std::tuple(other.number, other.replica.value);
  }
};

// "2.1": number 2, of replica 1.
inline std::string name_of(const Ballot& ballot) {
  return std::to_string(ballot.number) + "." + std::to_string(ballot.replica.value);
}

// How far a replica has got: the decree and ballot of the last vote that it accepted.
struct Place {
  Decree decree = 1;
  Ballot ballot;
  bool operator==(const Place&) const = default;
  // Something can be learned from who is there by somebody at `other`.
  bool is_ahead_of(const Place& other) const {
    return decree == other.decree ? ballot > other.ballot
                                  : decree > other.decree && ballot >= other.ballot;
  }
};

// A primary's proposal of a value for a decree, and the memory of having accepted it. It says also
// that the decree before it has been decided, with what the same ballot proposed for it.
struct Vote {
  Decree decree = 1;
  Ballot ballot;
  int value = kNoOperation;
  bool operator==(const Vote&) const = default;

  bool is_of_nobody() const { return ballot == Ballot{}; }
  Place place() const { return {decree, ballot}; }
};
struct VoteAccepted {
  Decree decree = 1;
  Ballot ballot;
};

// From a replica that wants to be primary: where it is, and under which ballot.
struct Prepare {
  Decree decree = 1;
  Ballot ballot;
};
struct PrepareAccepted {
  Decree decree = 1;  // those of the Prepare
  Ballot ballot;
  Vote vote;  // the last one that the sender accepted
};

// To who sent an outdated Vote or Prepare: where the sender is, and what it has promised.
struct NotAccepted {
  Decree decree = 1;
  Ballot ballot;
};

struct StatusQuery {
  Place asked_at;  // where who asks is
};
struct StatusResponse {
  Place asked_at;
  Place place;
};
struct FetchVotes {
  Place asked_at;
};
// Everything from the decree of who asks on; the last one is not known to be decided.
struct FetchedVotes {
  Place asked_at;
  std::vector<Vote> votes;
};

// What survives a crash.
struct Stable {
  std::vector<Vote> log;  // the votes by which decrees 1, 2, … were decided
  Vote vote;              // the last one accepted, for the decree after those
  Ballot max_ballot;      // no lower one is accepted any more
  bool operator==(const Stable&) const = default;
};

// What a replica decides.
struct Decided {
  Decree decree = 1;
  int value = kNoOperation;
};

}  // namespace ordeal::protocols::rsl
