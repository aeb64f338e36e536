// Priorities of threads of a run (nodes, chains of events), as probabilistic concurrency testing
// wants them: each new one goes to a random place among the others, so that every order of them is
// as likely as every other; and at a few points in the run, drawn before it starts, one is lowered
// below all that were not lowered (Burckhardt et al.: A randomized scheduler with probabilistic
// guarantees of finding bugs, 2010).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace ordeal::explore {

// A random number below the one given, every one with the same probability.
using Draw = std::function<uint64_t(uint64_t)>;

// `count` different numbers below `bound`, in random order; all of them where there are fewer.
std::vector<uint64_t> draw_points(uint64_t count, uint64_t bound, const Draw& draw);

class Priorities {
 public:
  // Adds number size().
  void add(const Draw& draw);

  // Puts one below all that were not lowered. Of those that were, the one lowered for the change
  // point with the larger number goes last.
  void lower(uint32_t who, uint32_t point);

  // Whether `a` goes before `b`.
  bool before(uint32_t a, uint32_t b) const {
    if (lowered_[a] != lowered_[b]) return lowered_[a] < lowered_[b];
    return ranks_[a] < ranks_[b];
  }

  uint32_t size() const { return static_cast<uint32_t>(ranks_.size()); }
  void clear() {
    ranks_.clear();
    lowered_.clear();
  }

 private:
  std::vector<uint32_t> ranks_;    // 0: the first
  std::vector<uint32_t> lowered_;  // 0: not
};

}  // namespace ordeal::explore
