// Footprint: what an action touches, and which actions therefore commute.
//
// Two actions that are enabled in the same state are *independent* there if their footprints do not
// conflict: taken in either order they lead to the same state, neither disables the other, and each
// does the same as it would have done alone. Partial-order reduction rests on this and on nothing
// else; an engine that knows less must say more (reads, writes, or `everything`).
//
// Partial-order reduction by runs (strategy dpor) also takes footprints of one run for the order of
// its causes, which asks for two things more. An action that makes another one possible writes
// what that one reads or takes, or adds what it takes; and it reads what can make that one
// impossible (who sends to a node reads whether it is up), supplies apart.
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

  // The oldest of several units of a thing (copies of a message, places in a queue) is taken away
  // or needed. The event that put it there comes before in every order of the run.
  struct Taken {
    uint64_t thing = 0;
    uint32_t present = 0;  // units before the action
  };

  bool everything = false;       // nothing is known about it: it depends on all others
  std::vector<uint64_t> reads;   // resources: names made by the world, from content alone
  std::vector<uint64_t> writes;  // what is written counts as read too
  std::vector<Spent> spends;
  // Who made what: these do not conflict by themselves (with something there already, adding and
  // taking commute), but in an executed run what is taken comes after what was added.
  std::vector<uint64_t> adds;
  std::vector<Taken> takes;

  void clear() {
    everything = false;
    reads.clear();
    writes.clear();
    spends.clear();
    adds.clear();
    takes.clear();
  }
};

// REQUIRES: both belong to actions that are enabled in the same state.
bool independent(const Footprint& a, const Footprint& b);

// Whether they conflict for another reason than a supply: then they keep their order in every run
// that is the same but for the order of independent actions.
bool ordered(const Footprint& a, const Footprint& b);

}  // namespace ordeal
