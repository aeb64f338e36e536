// VisitedSet: which states have been reached, by 64-bit fingerprint, and at which depth.
//
// 4096 shards by the top 12 bits of the fingerprint, each an open-addressing array that grows by
// itself and by little, so that no growth pauses the search for long and at most 24 bytes per state
// are in use at any size. A slot holds the other 52 bits, and in the 12 bits that the shard
// implies, the depth. Threads share the set without locks: while states are inserted, each shard
// belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/mutant.h"

namespace ordeal::explore {

class VisitedSet {
 public:
  static constexpr uint32_t kShards = 4096;
  static constexpr uint32_t kDeepest = 4093;  // depths beyond are kept as this one

  enum class Found : uint8_t { kNew, kKnown, kShorter };
  struct Answer {
    Found found;
    uint32_t depth;  // of the state as it was known before; meaningless if new
  };

  static uint32_t shard_of(uint64_t fingerprint) {
    return static_cast<uint32_t>(fingerprint >> 52);
  }

  void prefetch(uint64_t fingerprint) const {
    const Shard& shard = shards_[shard_of(fingerprint)];
    if (shard.capacity != 0) __builtin_prefetch(&shard.slots[place(shard, fingerprint)], 1, 1);
  }

  // Adds the state, or lowers its depth.
  Answer insert(uint64_t fingerprint, uint32_t depth) {
    Shard& shard = shards_[shard_of(fingerprint)];
    if ((shard.count + 1) * 20ULL > shard.capacity * 17ULL) grow(shard);
    const uint64_t wanted = fingerprint << 12;
    const uint64_t tag = std::min(depth, kDeepest) + 1;
    for (uint32_t at = place(shard, fingerprint);;) {
      uint64_t& slot = shard.slots[at];
      if (slot == 0) {
        slot = wanted | tag;
        ++shard.count;
        return {Found::kNew, 0};
      }
      if ((slot & ~kTagMask) == wanted) {
        const uint64_t known = slot & kTagMask;
        if (tag >= known) return {Found::kKnown, static_cast<uint32_t>(known - 1)};
        slot = wanted | tag;
        return {Found::kShorter, static_cast<uint32_t>(known - 1)};
      }
      if (++at == shard.capacity) at = 0;
    }
  }

  bool contains(uint64_t fingerprint) const {
    const Shard& shard = shards_[shard_of(fingerprint)];
    if (shard.capacity == 0) return false;
    const uint64_t wanted = fingerprint << 12;
    for (uint32_t at = place(shard, fingerprint);;) {
      const uint64_t slot = shard.slots[at];
      if (slot == 0) return false;
      if ((slot & ~kTagMask) == wanted) return true;
      if (++at == shard.capacity) at = 0;
    }
  }

  uint64_t size() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.count;
    return sum;
  }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.capacity * sizeof(uint64_t);
    return sum;
  }

 private:
  static constexpr uint64_t kTagMask = 0xfff;
  struct Shard {
    std::unique_ptr<uint64_t[]> slots;  // 0: empty (a tag is never 0)
    uint32_t capacity = 0;
    uint32_t count = 0;
  };

  static uint32_t place(const Shard& shard, uint64_t fingerprint) {
    return static_cast<uint32_t>(
        static_cast<unsigned __int128>(fingerprint << 12) * shard.capacity >> 64);
  }

  static void grow(Shard& shard) {
    Shard larger;
    larger.capacity = shard.capacity + shard.capacity * 3 / 10 + 8;
    larger.slots = std::make_unique<uint64_t[]>(larger.capacity);
    for (uint32_t i = 0; i < shard.capacity; ++i) {
      const uint64_t slot = shard.slots[i];
      if (slot == 0 || (i == 0 && mutant(Mutant::kVisitedForgets))) continue;
      // The shard's own bits do not take part in the place.
      uint32_t at = place(larger, (slot & ~kTagMask) >> 12);
      while (larger.slots[at] != 0) {
        if (++at == larger.capacity) at = 0;
      }
      larger.slots[at] = slot;
    }
    larger.count = shard.count;
    shard = std::move(larger);
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace ordeal::explore
