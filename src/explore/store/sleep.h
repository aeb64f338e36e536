// Sleep sets: actions that need not be taken in a state, because taking them first somewhere before
// leads to the same states. An action is known by its key (Explorer::key), a set is its keys in
// ascending order, each as two words, so that it can lie among the words of a state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class Keys {
 public:
  Keys() = default;
  explicit Keys(StateRef words) : words_(words) {}

  size_t size() const { return words_.size() / 2; }
  uint64_t operator[](size_t i) const {
    return static_cast<uint64_t>(words_[2 * i + 1]) << 32 | words_[2 * i];
  }
  StateRef words() const { return words_; }
  bool contains(uint64_t key) const {
    size_t low = 0;
    for (size_t high = size(); low < high;) {
      const size_t middle = (low + high) / 2;
      if ((*this)[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < size() && (*this)[low] == key;
  }

  static void push(uint64_t key, std::vector<uint32_t>& words) {
    words.push_back(static_cast<uint32_t>(key));
    words.push_back(static_cast<uint32_t>(key >> 32));
  }

 private:
  StateRef words_;
};

// The sets that the states of one shard have, each once.
class SleepSets {
 public:
  uint32_t intern(Keys keys) {
    if (keys.size() == 0) return 0;
    uint64_t hash = keys.size();
    for (size_t i = 0; i < keys.size(); ++i) hash = combine(hash, keys[i]);
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
      const StateRef known = get(at->second).words();
      if (std::equal(known.begin(), known.end(), keys.words().begin(), keys.words().end())) {
        return at->second;
      }
    }
    const uint32_t id = static_cast<uint32_t>(starts_.size());
    words_.insert(words_.end(), keys.words().begin(), keys.words().end());
    starts_.push_back(words_.size());
    by_hash_.emplace(hash, id);
    return id;
  }
  // Valid until the next intern().
  Keys get(uint32_t id) const {
    if (id == 0) return Keys();
    return Keys(StateRef(words_.data() + starts_[id - 1], starts_[id] - starts_[id - 1]));
  }
  uint32_t size() const {
    return static_cast<uint32_t>(starts_.size()) - 1;
  }  // but for the empty one
  uint64_t bytes() const {
    using Node = std::pair<const uint64_t, uint32_t>;
    return words_.capacity() * sizeof(uint32_t) + starts_.capacity() * sizeof(size_t) +
           by_hash_.size() * detail::allocated(sizeof(void*) + sizeof(Node)) +
           by_hash_.bucket_count() * sizeof(void*);
  }

 private:
  std::vector<uint32_t> words_;
  std::vector<size_t> starts_ = {0};  // where set id begins is starts_[id - 1]
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
};

}  // namespace ordeal::explore
