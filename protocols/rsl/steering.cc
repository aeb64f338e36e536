#include "protocols/rsl/steering.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "protocols/rsl/replica.h"
#include "protocols/up_nodes.h"

namespace ordeal::protocols::rsl {
namespace {

// As published (thesis, 4.5.1): state, decree, decided, ballot bounded at 5, log, promised ballot;
// numbers of ballots without who they are of.
constexpr uint32_t kMostBallot = 5;

struct Colour {
  State state = State::kSecondary;
  uint32_t decree = 0;
  uint32_t decided = 0;
  uint32_t ballot = 0;
  uint32_t promised = 0;
  std::vector<uint32_t> log;  // of every entry, the number of its ballot
};

Colour colour_of(const Replica& replica) {
  const auto bounded = [](const Ballot& ballot) { return std::min(ballot.number, kMostBallot); };
  Colour out;
  out.state = replica.state;
  out.decree = replica.stable.vote.decree;
  out.decided = static_cast<uint32_t>(replica.decrees_decided());
  out.ballot = bounded(replica.stable.vote.ballot);
  out.promised = bounded(replica.stable.max_ballot);
  for (const Vote& vote : replica.stable.log) out.log.push_back(bounded(vote.ballot));
  return out;
}

uint32_t ballot_of(const Replica& replica) {
  return std::max(replica.stable.max_ballot.number, replica.stable.vote.ballot.number);
}

bool has_entry_of(const Replica& replica, uint32_t ballot) {
  const auto fits = [&](const Vote& vote) { return vote.ballot.number == ballot; };
  return std::any_of(replica.stable.log.begin(), replica.stable.log.end(), fits) ||
         fits(replica.stable.vote);
}

}  // namespace

void add_steering(System& system) {
  system.colour<Replica>(colour_of);

  // Table 4.3 of the thesis. Each says whether it means = or >=.
  system
      .predicate("AllBallot", "all replicas are up and know of this ballot or a later one (>=)",
                 [](int ballot) {
                   return [=](const View& view) {
                     return all_up<Replica>(view, [&](const Replica& r) {
                       return ballot_of(r) >= static_cast<uint32_t>(ballot);
                     });
                   };
                 })
      .graded("AnyBallot", "a replica knows of this ballot or a later one (>=)",
              [](int ballot) {
                return [=](const View& view) { return ballot - up_most<Replica>(view, ballot_of); };
              })
      .graded("AnyDecided", "a replica knows so many decrees to be decided (>=)",
              [](int decrees) {
                return [=](const View& view) {
                  return decrees - up_most<Replica>(
                                       view, [](const Replica& r) { return r.decrees_decided(); });
                };
              })
      .predicate("AnyDecree", "a replica has voted at this decree or a later one (>=)",
                 [](int decree) {
                   return [=](const View& view) {
                     return count_up<Replica>(view, [&](const Replica& r) {
                              return r.stable.vote.ballot.number > 0 &&
                                     r.stable.vote.decree >= static_cast<uint32_t>(decree);
                            }) > 0;
                   };
                 })
      .graded("BallotDiff", "the ballots of two replicas differ by this much (>=)",
              [](int by) {
                return [=](const View& view) { return by - up_spread<Replica>(view, ballot_of); };
              })
      .predicate("EntryBallot", "a replica has a vote or an entry of this ballot (=)",
                 [](int ballot) {
                   return [=](const View& view) {
                     return count_up<Replica>(view, [&](const Replica& r) {
                              return has_entry_of(r, static_cast<uint32_t>(ballot));
                            }) > 0;
                   };
                 })
      .predicate("PrimaryInBallot", "a replica is primary under this ballot (=)",
                 [](int ballot) {
                   return [=](const View& view) {
                     return count_up<Replica>(view, [&](const Replica& r) {
                              return r.state == State::kPrimary &&
                                     ballot_of(r) == static_cast<uint32_t>(ballot);
                            }) > 0;
                   };
                 })
      .graded("DecidedDiff", "what two replicas know to be decided differs by this much (>=)",
              [](int by) {
                return [=](const View& view) {
                  return by - up_spread<Replica>(
                                  view, [](const Replica& r) { return r.decrees_decided(); });
                };
              });

  // Tables 4.4 and 4.6.
  system.waypoints("any-ballot-3", "AnyBallot(3)")
      .waypoints("all-ballot-3", "AllBallot(3)")
      .waypoints("entry-ballot-2", "EntryBallot(2)")
      .waypoints("any-decree-2", "AnyDecree(2)")
      .waypoints("ballot-diff-2", "BallotDiff(2)")
      .waypoints("any-decided-3", "AnyDecided(3)")
      .waypoints("primary-in-ballot-2", "AnyBallot(2), PrimaryInBallot(2)")
      .waypoints("decided-diff-3", "DecidedDiff(1), DecidedDiff(2), DecidedDiff(3)")
      // What a list of waypoints cannot say: the same once more.
      .reward_machine("apart-twice",
                      "start: DecidedDiff(1) -> apart; apart: !DecidedDiff(1) -> together; "
                      "together: DecidedDiff(1) -> success",
                      "replicas that know of different decisions, of the same, and of different "
                      "ones again");
}

}  // namespace ordeal::protocols::rsl
