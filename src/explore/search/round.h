// Round: the waiting states that are expanded together, in units.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/search/expansion.h"
#include "explore/search/search_state.h"
#include "explore/store/frontier.h"

namespace ordeal::explore {

class Round {
 public:
  static constexpr size_t kUnit = 64;  // records that one thread expands at a time

  explicit Round(int threads) : threads_(threads) {}

  // Breadth first: the first `most` records that wait, or all if there are fewer. Depth first:
  // whole chunks from the end, until there are so many.
  Result<void> take(SearchState& s, Order order, size_t most) {
    chunks_.clear();
    records_.clear();
    while (records_.size() < most && !s.current.empty()) {
      Result<Frontier::Words> chunk =
          order == Order::kBreadthFirst ? s.current.take_front() : s.current.take_back();
      if (!chunk) return chunk.error();
      chunks_.push_back(std::move(*chunk));
      const auto before = static_cast<ptrdiff_t>(records_.size());
      Frontier::read(chunks_.back(), records_);
      if (s.dropped.empty()) continue;
      const auto dropped = [&](const Record& r) { return s.is_dropped(r.entry); };
      records_.erase(std::remove_if(records_.begin() + before, records_.end(), dropped),
                     records_.end());
    }
    if (order == Order::kBreadthFirst) keep(most, s.current);
    unit_count_ = (records_.size() + kUnit - 1) / kUnit;
    while (units_.size() < unit_count_) units_.emplace_back().lanes.resize(threads_);
    for (size_t i = 0; i < unit_count_; ++i) {
      const size_t begin = i * kUnit;
      units_[i].start({records_.data() + begin, std::min(kUnit, records_.size() - begin)});
      // As much as the largest so far: what grows step by step leaves holes in the heap.
      units_[i].words.reserve(most_words_);
      units_[i].candidates.reserve(most_candidates_);
    }
    return {};
  }

  // Only the first units; what the others would have expanded waits again. Breadth first only.
  void cut(size_t units, Frontier& waiting) {
    if (units >= unit_count_) return;
    keep(units * kUnit, waiting);
    unit_count_ = units;
  }

  // Gives back the memory that it keeps from round to round.
  void release() {
    std::vector<Frontier::Words>().swap(chunks_);
    std::vector<Record>().swap(records_);
    std::vector<Unit>().swap(units_);
    unit_count_ = 0;
  }

  size_t records() const { return records_.size(); }
  size_t unit_count() const { return unit_count_; }
  Unit& unit(size_t i) { return units_[i]; }

  // What the round holds, once its states are expanded. By what there is and not by what there is
  // room for, so that it does not depend on rounds that were cut.
  uint64_t add_up() {
    uint64_t sum = records_.size() * sizeof(Record);
    for (const Frontier::Words& chunk : chunks_) sum += chunk.size() * sizeof(uint32_t);
    for (size_t i = 0; i < unit_count_; ++i) {
      sum += units_[i].bytes();
      most_words_ = std::max(most_words_, units_[i].words.size());
      most_candidates_ = std::max(most_candidates_, units_[i].candidates.size());
    }
    return sum;
  }

 private:
  void keep(size_t most, Frontier& waiting) {
    if (records_.size() <= most) return;
    waiting.put_back(std::span<const Record>(records_).subspan(most));
    records_.resize(most);
  }

  const int threads_;
  std::vector<Frontier::Words> chunks_;
  std::vector<Record> records_;  // their states and sets lie in the chunks
  std::vector<Unit> units_;
  size_t unit_count_ = 0;
  size_t most_words_ = 0;  // of a unit
  size_t most_candidates_ = 0;
};

}  // namespace ordeal::explore
