// Which strategy and which reduction may claim what. One table, whose columns are the strategies'
// own (strategy.h): check() refuses by it, and docs/reference/strategies.md is printed from it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/property.h"
#include "ordeal/result.h"

namespace ordeal::explore {

// What a claim can be about.
enum class About : uint8_t {
  kFailures,           // no handler fails
  kTerminal,           // `eventually`, no deadlock: terminal states
  kAlwaysEach,         // `always` of every node by itself
  kAlwaysSeveral,      // `always` of several nodes, decisions or the history
  kAlwaysAnything,     // `always` of any function of the state
  kAlwaysSteps,        // `always` of steps
  kSometimesSeveral,   // `sometimes` of nodes, decisions or the history
  kSometimesAnything,  // `sometimes` of any function of the state
  kConstraint,         // holds within a constraint
  kTimed,              // systems with virtual time
  kOpaque,             // nodes that are opaque objects
  kRuns,               // of runs that go on for ever (Property::on_runs)
};
inline constexpr size_t kAbouts = 12;

enum class Kept : uint8_t {
  kYes,
  kMoreDependent,  // kept, because more actions are taken to depend on each other
  kAllDependent,   // kept, because all actions are
  kSymmetric,      // kept where it does not tell like nodes apart; refused else
  kFinds,          // finds violations, proves nothing
  kOpen,           // says nothing of it
  kRefused,
};

// The same about everything, but for opaque nodes and for runs that go on for ever.
constexpr std::array<Kept, kAbouts> claims_of_all(Kept kept, Kept opaque, Kept runs) {
  std::array<Kept, kAbouts> out{};
  for (Kept& one : out) one = kept;
  out[static_cast<size_t>(About::kOpaque)] = opaque;
  out[static_cast<size_t>(About::kRuns)] = runs;
  return out;
}
// … of a strategy by runs, which end.
constexpr std::array<Kept, kAbouts> claims_of_all(Kept kept) {
  return claims_of_all(kept, kept, Kept::kOpen);
}

inline bool keeps(Kept kept) {
  return kept != Kept::kFinds && kept != Kept::kRefused && kept != Kept::kOpen;
}

struct Claims {
  std::string name;  // "bfs", "--reduce sleep"
  std::array<Kept, kAbouts> kept;
};
const std::vector<Claims>& claims();

About about(const Property& property, uint32_t number);

// An Error where a strategy or reduction cannot keep one of the properties, or the constraint; it
// names strategies that can.
Result<void> may_claim(const std::string& way, const Checkable& subject, bool forkable);

// An Error where states were taken for one that are not.
Result<void> may_trust(const SpaceStatistics& effort);
// An Error where a handler depends on what is no part of the state. Found out by rehearsing
// (Checkable::rehearse), for a small part of the effort that so many transitions were.
Result<void> may_trust(const Checkable& subject, uint64_t seed, uint64_t transitions);

}  // namespace ordeal::explore
