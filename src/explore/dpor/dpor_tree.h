// The tree of what is still to be explored from a place of a run: sequences of actions, of which no
// two are runs of one partial order.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "explore/dpor/dpor_steps.h"

namespace ordeal::explore {

// Sequences that begin alike share a branch; first to last.
struct Branch {
  uint64_t key = 0;
  std::vector<Branch> below;
};

// Actions by their keys, and the place before each.
struct Sequence {
  std::vector<uint64_t> keys;
  std::vector<const Place*> places;

  // The position at which `key` can be moved to the front; the length if it is independent of all;
  // -1: neither.
  long weak_initial(uint64_t key) const;
};

class WakeTree {
 public:
  explicit WakeTree(Steps& steps) : steps_(steps) {}

  // Adds the sequence, unless runs of its partial order are there anyway.
  void insert(Sequence sequence, std::vector<Branch>& branches);

 private:
  const Place& step(const Place& from, uint64_t key, size_t& used);

  Steps& steps_;
  std::deque<Place> pool_;
};

}  // namespace ordeal::explore
