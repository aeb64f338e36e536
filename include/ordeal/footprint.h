// Footprint: what an action touches, and which actions therefore commute.
//
// Two actions that are enabled in the same state are *independent* there if their footprints do not
// conflict: taken in either order they lead to the same state, neither disables the other, and each
// does the same as it would have done alone. Partial-order reduction rests on this and on nothing
// else; an engine that knows less must say more (reads, writes, or `everything`).
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal {

struct Footprint {
  // A unit taken from a limited supply (crashes that may still happen, say). Two takers only get in
  // each other's way when one unit is left.
  struct Spent {
    uint64_t supply = 0;
    uint32_t left = 0;  // before the action
  };

  bool everything = false;       // nothing is known about it: it depends on all others
  std::vector<uint64_t> reads;   // resources: names made by the world, from content alone
  std::vector<uint64_t> writes;  // what is written counts as read too
  std::vector<Spent> spends;

  void clear() {
    everything = false;
    reads.clear();
    writes.clear();
    spends.clear();
  }
};

// REQUIRES: both belong to actions that are enabled in the same state.
bool independent(const Footprint& a, const Footprint& b);

}  // namespace ordeal
