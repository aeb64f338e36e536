// The two tables of the linearizability search: configurations that were tried, and states.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ordeal::detail {

// A bijection on 64-bit words whose output bits depend on all input bits.
constexpr uint64_t linear_mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

// Tried configurations. A key is some words that must be equal, then some that are a set: a key is
// covered by an earlier one with the same first words and a subset of its set.
class LinearMemo {
 public:
  void reset(size_t exact_words, size_t set_words) {
    exact_ = exact_words;
    set_ = set_words;
    const size_t stride = 2 + exact_ + set_;
    if (stride != stride_) chunks_.clear();
    if (chunks_.size() > kKeptChunks) chunks_.resize(kKeptChunks);
    stride_ = stride;
    shift_ = 0;
    while ((stride_ << (shift_ + 1)) <= kChunkWords) ++shift_;
    count_ = 0;
    slots_.assign(kFirstSlots, 0);
    groups_.assign(kFirstSlots, 0);
  }

  // False, and nothing is stored, when the key is stored or, as far as it looks, is covered by an
  // earlier one. Equal keys are always found; of the keys that might cover this one only some are
  // looked at, because there can be very many.
  bool insert(std::span<const uint64_t> key) {
    const uint64_t group = hash(0, key.first(exact_));
    const uint64_t whole = hash(group, key.subspan(exact_));
    const uint32_t group_tag = static_cast<uint32_t>(group >> 32);
    const uint32_t whole_tag = static_cast<uint32_t>(whole >> 32);
    uint32_t& same = slots_[whole_tag & (slots_.size() - 1)];
    for (uint32_t at = same; at != 0; at = static_cast<uint32_t>(entry(at)[0])) {
      const uint64_t* stored = entry(at);
      if (static_cast<uint32_t>(stored[0] >> 32) == whole_tag &&
          std::equal(key.begin(), key.end(), stored + 2)) {
        return false;
      }
    }
    uint32_t& alike = groups_[group_tag & (groups_.size() - 1)];
    int looks = set_ == 0 ? 0 : kLooks;
    for (uint32_t at = alike; at != 0 && looks-- > 0; at = static_cast<uint32_t>(entry(at)[1])) {
      const uint64_t* stored = entry(at);
      if (static_cast<uint32_t>(stored[1] >> 32) == group_tag && covers(stored + 2, key)) {
        return false;
      }
    }
    if ((count_ >> shift_) == chunks_.size()) {
      chunks_.push_back(std::make_unique<uint64_t[]>(stride_ << shift_));
    }
    uint64_t* fresh = entry(static_cast<uint32_t>(++count_));
    fresh[0] = (uint64_t{whole_tag} << 32) | same;
    fresh[1] = (uint64_t{group_tag} << 32) | alike;
    std::copy(key.begin(), key.end(), fresh + 2);
    same = alike = static_cast<uint32_t>(count_);
    if (count_ > slots_.size()) grow();
    return true;
  }

  size_t size() const { return count_; }
  size_t bytes() const {
    return (chunks_.size() * (stride_ << shift_)) * sizeof(uint64_t) +
           (slots_.capacity() + groups_.capacity()) * sizeof(uint32_t);
  }

 private:
  static constexpr size_t kFirstSlots = 32;
  static constexpr size_t kChunkWords = 1 << 13;
  static constexpr size_t kKeptChunks = 64;

  static constexpr int kLooks = 48;

  static uint64_t hash(uint64_t seed, std::span<const uint64_t> words) {
    for (const uint64_t word : words) {
      seed = linear_mix(seed * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
    }
    return seed;
  }

  // An entry is two words with a hash and the next entry of its chain (0: none), one for the whole
  // key and one for its exact part; then the key. They lie in chunks: a table that grows in place
  // would for a moment need three times its memory.
  uint64_t* entry(uint32_t number) {
    const size_t index = number - 1;
    return chunks_[index >> shift_].get() + (index & ((size_t{1} << shift_) - 1)) * stride_;
  }

  bool covers(const uint64_t* stored, std::span<const uint64_t> key) const {
    for (size_t w = 0; w < exact_; ++w) {
      if (stored[w] != key[w]) return false;
    }
    for (size_t w = exact_; w < exact_ + set_; ++w) {
      if ((stored[w] & ~key[w]) != 0) return false;
    }
    return true;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    groups_.assign(groups_.size() * 4, 0);
    for (uint32_t number = 1; number <= count_; ++number) {
      chain(entry(number)[0], slots_, number);
      chain(entry(number)[1], groups_, number);
    }
  }
  static void chain(uint64_t& link, std::vector<uint32_t>& heads, uint32_t number) {
    const uint32_t tag = static_cast<uint32_t>(link >> 32);
    uint32_t& head = heads[tag & (heads.size() - 1)];
    link = (uint64_t{tag} << 32) | head;
    head = number;
  }

  size_t exact_ = 0, set_ = 0, stride_ = 1, shift_ = 0, count_ = 0;
  std::vector<std::unique_ptr<uint64_t[]>> chunks_;
  std::vector<uint32_t> slots_, groups_;
};

// Gives each distinct state a number, so that configurations can be compared exactly and cheaply.
template <class State>
class StateTable {
 public:
  void reset() {
    states_.clear();
    hashes_.clear();
    slots_.assign(kFirstSlots, 0);
  }

  template <class Equal>
  uint32_t intern(State&& state, uint64_t hash, const Equal& equal) {
    hash = linear_mix(hash);
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const uint32_t id = slots_[at] - 1;
      if (hashes_[id] == hash && equal(states_[id].state, state)) return id;
    }
    states_.push_back({std::move(state)});
    hashes_.push_back(hash);
    slots_[at] = static_cast<uint32_t>(states_.size());
    if (2 * states_.size() > slots_.size()) grow();
    return static_cast<uint32_t>(states_.size() - 1);
  }

  const State& operator[](uint32_t id) const { return states_[id].state; }
  size_t size() const { return states_.size(); }

 private:
  static constexpr size_t kFirstSlots = 16;

  struct Holder {  // so that a state may be a bool
    State state;
  };

  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (uint32_t id = 0; id < states_.size(); ++id) {
      size_t at = hashes_[id] & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id + 1;
    }
  }

  std::vector<Holder> states_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;
};

}  // namespace ordeal::detail
