// MemoryPlan: after how many states a search looks at its memory again. That follows from what
// memory was before, not from a clock: so a search that runs out of it stops at the same state,
// however fast the machine is. The less is left, the sooner it is looked at again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ordeal::explore {

class MemoryPlan {
 public:
  static constexpr size_t kLeast = 64;

  // `most`: states between two looks.
  explicit MemoryPlan(size_t most) : most_(most) {}

  bool is_due() const { return left_ == 0; }
  size_t left() const { return left_; }           // states until then
  uint64_t bytes() const { return bytes_; }       // at the last look
  uint64_t of_rounds() const { return rounds_; }  // the most that rounds have held

  // A round has expanded so many states, and held so much. Rounds of one level between two looks
  // count as one: they are, unless they were cut.
  void add_round(size_t states, uint64_t bytes) {
    left_ -= std::min(left_, states);
    since_ += bytes;
    together_ += bytes;
    rounds_ = std::max(rounds_, together_);
  }
  void separate_rounds() { together_ = 0; }

  // Memory was `grown` and is `now`, after something was done about it; it must not be more than
  // `limit`.
  void look(uint64_t grown, uint64_t now, uint64_t limit) {
    uint64_t next = std::min(planned_ * 2, most_);
    if (grown > bytes_ && planned_ > 0) {
      const uint64_t by_each = (grown - bytes_) / planned_ + 1;
      next = std::min(next, (limit - std::min(now, limit)) / kShare / by_each);
    }
    if (since_ > 0) next = std::min(next, kMostOfRound / (since_ / planned_ + 1));
    planned_ = left_ = std::max(next, kLeast);
    since_ = together_ = 0;
    bytes_ = now;
  }

 private:
  // What is added until the next look is to be such a share of what is left, …
  static constexpr uint64_t kShare = 16;
  // … and a round is to hold no more than this.
  static constexpr uint64_t kMostOfRound = uint64_t{24} << 20;

  const size_t most_;
  size_t planned_ = 0;
  size_t left_ = 0;
  uint64_t bytes_ = 0;
  uint64_t since_ = 0;     // held by rounds since the last look
  uint64_t together_ = 0;  // … by those that count as one
  uint64_t rounds_ = 0;
};

}  // namespace ordeal::explore
