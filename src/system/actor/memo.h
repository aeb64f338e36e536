// Memo tables: what user code answered, remembered by small integer keys.
//
// FlatMemo belongs to one thread. SharedMemo is behind it, for all threads: a thread asks its own
// first, then the shared one, and runs user code only when neither knows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace ordeal::actor {

template <class V>
class FlatMemo {
 public:
  const V* find(uint64_t key) const {
    if (slots_.empty()) return nullptr;
    for (size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      const uint64_t there = slots_[at].key();
      if (there == key) return &slots_[at].value;
      if (there == kEmpty) return nullptr;
    }
  }
  // REQUIRES: key != ~0, and key is not there yet.
  void insert(uint64_t key, V value) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    put(key, std::move(value));
    ++count_;
  }
  void clear() {
    std::vector<Slot>().swap(slots_);
    count_ = 0;
  }
  // The same, and room is kept for as much.
  void empty() {
    std::fill(slots_.begin(), slots_.end(), Slot());
    count_ = 0;
  }
  uint64_t bytes() const { return slots_.size() * sizeof(Slot); }
  size_t size() const { return count_; }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  // The key in halves, so that a slot with a small value has no padding: tables outgrow caches.
  struct Slot {
    uint32_t low = ~uint32_t{0};
    uint32_t high = ~uint32_t{0};
    V value{};
    uint64_t key() const { return static_cast<uint64_t>(high) << 32 | low; }
  };
  size_t place(uint64_t key) const {
    // Both halves of a key must reach the place: it comes from the top of the product.
    return (key * 0x9e3779b97f4a7c15ULL) >> shift_;
  }
  void put(uint64_t key, V value) {
    size_t at = place(key);
    while (slots_[at].key() != kEmpty) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), std::move(value)};
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (Slot& slot : old) {
      if (slot.key() != kEmpty) put(slot.key(), std::move(slot.value));
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
  int shift_ = 0;
};

template <class V>
class SharedMemo {
 public:
  std::optional<V> find(uint64_t key) {
    Shard& shard = shards_[mix64(key) % kShards];
    std::lock_guard lock(shard.mutex);
    const V* value = shard.memo.find(key);
    return value == nullptr ? std::nullopt : std::optional<V>(*value);
  }
  // Keeps what is there already if another thread was faster, else what make() gives; returns what
  // is kept.
  template <class Make>
  V insert(uint64_t key, const Make& make) {
    Shard& shard = shards_[mix64(key) % kShards];
    std::lock_guard lock(shard.mutex);
    if (const V* existing = shard.memo.find(key)) return *existing;
    const V value = make();
    shard.memo.insert(key, value);
    return value;
  }
  void clear() {
    for (Shard& shard : shards_) shard.memo.clear();
  }
  // REQUIRES: no other thread adds to it.
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.memo.bytes();
    return sum;
  }

 private:
  static constexpr size_t kShards = 16;
  struct Shard {
    FlatMemo<V> memo;
    std::mutex mutex;
  };
  std::array<Shard, kShards> shards_;
};

}  // namespace ordeal::actor
