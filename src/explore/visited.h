// VisitedSet: which states have been reached, by 64-bit fingerprint, and, where asked for, at which
// depth.
//
// 32 shards by the top bits of the fingerprint, each an open-addressing array in the order of the
// fingerprints, so that growing it is one sequential copy. Shards grow by themselves and by a
// quarter: no growth pauses the search for long, and a state takes at most 13 bytes (16 with its
// depth) at any size. Large shards lie in huge pages: nearly every look-up is a cache miss, and
// would be a TLB miss too. Threads share the set without locks: while states are inserted, each
// shard belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/mutant.h"
#include "base/pages.h"

namespace ordeal::explore {

class VisitedSet {
 public:
  static constexpr int kShardBits = 5;
  static constexpr uint32_t kShards = 1U << kShardBits;
  static constexpr uint32_t kDeepest = 0xfffe;  // depths beyond are kept as this one

  enum class Found : uint8_t { kNew, kKnown, kShorter };
  struct Answer {
    Found found;
    uint32_t depth;  // of the state as it was known before; 0 where depths are not kept
  };

  explicit VisitedSet(bool with_depths = false) : with_depths_(with_depths) {}

  static uint32_t shard_of(uint64_t fingerprint) {
    return static_cast<uint32_t>(fingerprint >> (64 - kShardBits));
  }

  void prefetch(uint64_t fingerprint) const {
    const Shard& shard = shards_[shard_of(fingerprint)];
    if (shard.capacity != 0) __builtin_prefetch(shard.slots() + place(shard, fingerprint), 1);
  }

  // Adds the state, or lowers its depth.
  Answer insert(uint64_t fingerprint, uint32_t depth) {
    Shard& shard = shards_[shard_of(fingerprint)];
    if ((shard.count + 1) * 5 > shard.capacity * 4) grow(shard);
    const uint64_t wanted = fingerprint << kShardBits | kOccupied;
    uint64_t* const slots = shard.slots();
    for (uint64_t at = place(shard, fingerprint);;) {
      if (slots[at] == wanted) return with_depths_ ? lower(shard, at, depth) : kAlready;
      if (slots[at] == 0) {
        slots[at] = wanted;
        if (with_depths_) shard.depths()[at] = clipped(depth);
        ++shard.count;
        return {Found::kNew, 0};
      }
      if (++at == shard.capacity) at = 0;
    }
  }

  // {kNew, 0} for a state that is not there; else kKnown, with its depth.
  Answer find(uint64_t fingerprint) const {
    const Shard& shard = shards_[shard_of(fingerprint)];
    if (shard.capacity == 0) return {Found::kNew, 0};
    const uint64_t wanted = fingerprint << kShardBits | kOccupied;
    const uint64_t* const slots = shard.slots();
    for (uint64_t at = place(shard, fingerprint);;) {
      if (slots[at] == wanted) return {Found::kKnown, with_depths_ ? shard.depths()[at] : 0U};
      if (slots[at] == 0) return {Found::kNew, 0};
      if (++at == shard.capacity) at = 0;
    }
  }
  bool contains(uint64_t fingerprint) const { return find(fingerprint).found == Found::kKnown; }

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.memory.size();
    return sum;
  }

 private:
  static constexpr uint64_t kOccupied = 1;
  static constexpr Answer kAlready = {Found::kKnown, 0};

  // The slots, and behind them the depths.
  struct Shard {
    ZeroPages memory;
    uint64_t capacity = 0;
    uint64_t count = 0;
    uint64_t* slots() const { return static_cast<uint64_t*>(memory.data()); }
    uint16_t* depths() const { return reinterpret_cast<uint16_t*>(slots() + capacity); }
  };

  static uint16_t clipped(uint32_t depth) {
    return static_cast<uint16_t>(std::min(depth, kDeepest));
  }

  static uint64_t place(const Shard& shard, uint64_t fingerprint) {
    return static_cast<uint64_t>(
        static_cast<unsigned __int128>(fingerprint << kShardBits) * shard.capacity >> 64);
  }

  static Answer lower(Shard& shard, uint64_t at, uint32_t depth) {
    uint16_t& kept = shard.depths()[at];
    const uint16_t known = kept;
    if (clipped(depth) >= known) return {Found::kKnown, known};
    kept = clipped(depth);
    return {Found::kShorter, known};
  }

  void grow(Shard& shard) {
    Shard larger;
    larger.capacity = shard.capacity + shard.capacity / 4 + 16;
    larger.memory = ZeroPages(larger.capacity * (sizeof(uint64_t) + (with_depths_ ? 2 : 0)));
    larger.count = shard.count;
    for (uint64_t i = 0; i < shard.capacity; ++i) {
      const uint64_t slot = shard.slots()[i];
      if (slot == 0 || (i == 0 && mutant(Mutant::kVisitedForgets))) continue;
      // The shard's own bits do not take part in the place.
      uint64_t at = place(larger, slot >> kShardBits);
      while (larger.slots()[at] != 0) {
        if (++at == larger.capacity) at = 0;
      }
      larger.slots()[at] = slot;
      if (with_depths_) larger.depths()[at] = shard.depths()[i];
    }
    shard = std::move(larger);
  }

  const bool with_depths_;
  std::array<Shard, kShards> shards_;
};

}  // namespace ordeal::explore
