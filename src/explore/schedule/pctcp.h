// PCTCP: random priorities for chains of events, with a guarantee (Kulahcioglu Ozkan, Majumdar,
// Niksic, Tabaei Befrouei, Weissenbacher: Randomized testing of distributed systems with
// probabilistic guarantees, 2018). This is the algorithm by itself, over events that anybody may
// add; schedulers.h has the scheduler that takes them from a World.
//
// A schedule α *strongly hits* events e0 … e(d-1) if for every i, everything that α has at e(i) or
// later comes, by its causes, after some e(j) with j >= i, or is it: everything else has been done
// by then. Of the schedules this makes, each such list is strongly hit with a probability of at
// least 1/(w² h^(d-1)), where h bounds the number of events and w is the width of their order: it
// is enough that e0's chain is the last of at most w² chains, and that the d-1 change points fall
// on e1 … e(d-1).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/schedule/chains.h"
#include "explore/schedule/priorities.h"

namespace ordeal::explore {

class Pctcp {
 public:
  // Draws d-1 change points among the numbers of at most `events` events.
  Pctcp(uint32_t depth, uint64_t events, Draw draw);

  // Adds events that have become possible at the same time, with the numbers from size() on; each
  // has its past. They join in random order: a fixed one could favour some for ever.
  // REQUIRES: as Chains::add().
  void add(uint32_t count, const std::function<const Clock&(uint32_t)>& past);

  // Whether `a` goes before `b`. REQUIRES: both are possible, so neither is in the other's past.
  bool before(uint32_t a, uint32_t b) const {
    return priorities_.before(places_[a].chain, places_[b].chain);
  }

  const Chains::Place& place(uint32_t event) const { return places_[event]; }
  uint32_t size() const { return static_cast<uint32_t>(places_.size()); }
  uint32_t chains() const { return chains_.count(); }

 private:
  Draw draw_;
  std::vector<uint64_t> points_;  // point i lowers for the i-th time: further than those before it
  uint64_t joined_ = 0;
  Chains chains_;
  Priorities priorities_;              // by chain
  std::vector<Chains::Place> places_;  // by event
};

}  // namespace ordeal::explore
