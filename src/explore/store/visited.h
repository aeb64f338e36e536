// VisitedSet: which states have been reached, by fingerprint of 64 or 128 bits, and, where asked
// for, a small number for each (its depth, say).
//
// 32 shards by the top bits of the fingerprint. Each is an array of fingerprints in ascending order
// with gaps, where a fingerprint's home is its share of the array: a look-up goes to the home and
// on to the first slot that is not smaller, which is near even when five of six slots are taken;
// to grow is one sequential copy; and to write the set out in order is to read it from the start.
// Shards grow by themselves and a little at a time, so that no growth pauses the search for long
// and a state takes at most 10.7 bytes (19 with 128 bits) in a set of any size worth measuring.
// Large shards lie in huge pages: nearly every look-up is a cache miss, and would be a TLB miss
// too. Threads share the set without locks: while states are inserted, each shard belongs to one
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/mutant.h"
#include "base/pages.h"

namespace ordeal::explore {

class VisitedSet {
 public:
  static constexpr int kShardBits = 5;
  static constexpr uint32_t kShards = 1U << kShardBits;

  static constexpr uint32_t kDeepest = 0xffff;  // depths beyond are kept as this one
  static constexpr uint32_t kTags = 31;

  // What is kept for each state, in bytes. A tag from 1 to kTags is always kept, for nothing.
  enum class Note : uint8_t { kNone = 0, kDepth = 2, kNumber = 4 };

  // A state in the set. Valid until the next insertion into its shard.
  struct Place {
    bool is_new = false;
    uint8_t tag = 0;
    uint32_t shard = 0;
    uint64_t at = 0;
  };

  explicit VisitedSet(bool wide = false, Note note = Note::kNone)
      : wide_(wide), note_(note), slot_bytes_(bytes_per_slot(wide, note)) {}

  static uint32_t shard_of(uint64_t fingerprint) {
    return static_cast<uint32_t>(fingerprint >> (64 - kShardBits));
  }

  void prefetch(uint64_t fingerprint) const {
    const Shard& shard = shards_[shard_of(fingerprint)];
    if (shard.homes == 0) return;
    const uint64_t at = home(shard, key_of(fingerprint));
    __builtin_prefetch(shard.keys() + at, 1);
    if (wide_) __builtin_prefetch(shard.seconds() + at, 1);
  }

  // Adds the state if it is not there. `second` is the other half of a 128-bit fingerprint.
  Place put(uint64_t fingerprint, uint64_t second = 0, uint32_t tag = 1) {
    const uint32_t number = shard_of(fingerprint);
    Shard& shard = shards_[number];
    if ((shard.count + 1) * 64 > shard.homes * (wide_ ? kMostOf64Wide : kMostOf64)) grow(shard);
    const uint64_t key = key_of(fingerprint);
    for (;;) {
      const uint64_t at = first_not_below(shard, key, second);
      if (is_at(shard, at, key, second)) return {false, tag_of(shard, at), number, at};
      uint64_t gap = at;
      while (shard.keys()[gap] != 0) ++gap;
      if (gap + 1 == shard.slots) {  // the last slot stays empty
        grow(shard);
        continue;
      }
      make_room(shard, at, gap);
      shard.keys()[at] = key - 1 + tag;
      if (wide_) shard.seconds()[at] = second;
      ++shard.count;
      return {true, static_cast<uint8_t>(tag), number, at};
    }
  }

  // Where the state is, if it is there; is_new: it is not.
  Place find_place(uint64_t fingerprint, uint64_t second = 0) const {
    const uint32_t number = shard_of(fingerprint);
    const Shard& shard = shards_[number];
    if (shard.homes == 0) return {true, 0, number, 0};
    const uint64_t key = key_of(fingerprint);
    const uint64_t at = first_not_below(shard, key, second);
    return {!is_at(shard, at, key, second), tag_of(shard, at), number, at};
  }

  void set_tag(const Place& place, uint32_t tag) {
    uint64_t& slot = shards_[place.shard].keys()[place.at];
    slot = (slot & ~uint64_t{kTags}) + tag;
  }
  // Gives every state tag 1.
  void forget_tags() {
    for (Shard& shard : shards_) {
      for (uint64_t at = 0; at < shard.slots; ++at) {
        uint64_t& slot = shard.keys()[at];
        if (slot != 0) slot = (slot & ~uint64_t{kTags}) + 1;
      }
    }
  }

  // REQUIRES: something is kept.
  uint32_t note(const Place& place) const {
    const Shard& shard = shards_[place.shard];
    uint32_t note = 0;
    std::memcpy(&note, note_at(shard, place.at), note_bytes());
    return note;
  }
  void set_note(const Place& place, uint32_t note) {
    if (note_ == Note::kDepth) note = std::min(note, kDeepest);
    std::memcpy(note_at(shards_[place.shard], place.at), &note, note_bytes());
  }

  bool contains(uint64_t fingerprint, uint64_t second = 0) const {
    return !find_place(fingerprint, second).is_new;
  }

  // Calls f(place, fingerprint, second) for every state of a shard, in ascending order.
  template <class F>
  void each(uint32_t number, const F& f) const {
    const Shard& shard = shards_[number];
    for (uint64_t at = 0; at < shard.slots; ++at) {
      const uint64_t key = shard.keys()[at];
      if (key == 0) continue;
      f(Place{false, tag_of(shard, at), number, at},
        key >> kShardBits | static_cast<uint64_t>(number) << (64 - kShardBits),
        wide_ ? shard.seconds()[at] : 0);
    }
  }

  bool is_wide() const { return wide_; }
  uint64_t size() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.count;
    return sum;
  }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.memory.size();
    return sum;
  }
  // Empties the set, and keeps this for each state from now on.
  void restart(Note note) {
    for (Shard& shard : shards_) shard = Shard();
    note_ = note;
    slot_bytes_ = bytes_per_slot(wide_, note);
  }

 private:
  // So full a shard may be, and by such a share of itself it grows: with the link to its parent, a
  // state takes 16 bytes at most, 24 with 128 bits.
  static constexpr uint64_t kMostOf64 = 54;
  static constexpr uint64_t kGrowth = 8;
  static constexpr uint64_t kMostOf64Wide = 58;
  static constexpr uint64_t kGrowthWide = 14;

  // The keys, then the second halves, then the notes.
  struct Shard {
    ZeroPages memory;
    uint64_t homes = 0;  // what keys are spread over
    uint64_t slots = 0;  // … and some more for what is pushed over the end
    uint64_t count = 0;
    uint64_t* keys() const { return static_cast<uint64_t*>(memory.data()); }
    uint64_t* seconds() const { return keys() + slots; }
  };

  static size_t bytes_per_slot(bool wide, Note note) {
    return sizeof(uint64_t) * (wide ? 2 : 1) + static_cast<size_t>(note);
  }
  size_t note_bytes() const { return static_cast<size_t>(note_); }
  char* note_at(const Shard& shard, uint64_t at) const {
    return reinterpret_cast<char*>(shard.keys() + (wide_ ? 2 : 1) * shard.slots) +
           at * note_bytes();
  }

  // The shard's own bits are not needed and make room for the tag; the key is that with tag 1, the
  // least. 0 means empty.
  static uint64_t key_of(uint64_t fingerprint) { return fingerprint << kShardBits | 1; }

  static uint64_t home(const Shard& shard, uint64_t key) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>(static_cast<Wide>(key) * shard.homes >> 64);
  }

  // The first slot, from the key's home on, that is empty or holds no less.
  uint64_t first_not_below(const Shard& shard, uint64_t key, uint64_t second) const {
    const uint64_t* const keys = shard.keys();
    uint64_t at = home(shard, key);
    while (keys[at] - 1 < key - 1) ++at;  // 0 counts as the largest
    if (wide_) {
      while ((keys[at] ^ key) <= kTags && keys[at] != 0 && shard.seconds()[at] < second) ++at;
    }
    return at;
  }

  static uint8_t tag_of(const Shard& shard, uint64_t at) {
    return static_cast<uint8_t>(shard.keys()[at] & kTags);
  }

  bool is_at(const Shard& shard, uint64_t at, uint64_t key, uint64_t second) const {
    if ((shard.keys()[at] ^ key) > kTags || shard.keys()[at] == 0) return false;
    return !wide_ || shard.seconds()[at] == second || mutant(Mutant::kSecondLaneIgnored);
  }

  void make_room(Shard& shard, uint64_t at, uint64_t gap) const {
    if (at == gap) return;
    const size_t moved = gap - at;
    std::memmove(shard.keys() + at + 1, shard.keys() + at, moved * sizeof(uint64_t));
    if (wide_) {
      std::memmove(shard.seconds() + at + 1, shard.seconds() + at, moved * sizeof(uint64_t));
    }
    if (note_ == Note::kNone) return;
    std::memmove(note_at(shard, at + 1), note_at(shard, at), moved * note_bytes());
  }

  void grow(Shard& shard) const {
    uint64_t homes = shard.homes;
    do {
      homes += homes / (wide_ ? kGrowthWide : kGrowth) + 8;
    } while (!spread_over(homes, shard));
  }

  // False: too many are pushed over the end.
  bool spread_over(uint64_t homes, Shard& shard) const {
    Shard larger;
    larger.homes = homes;
    larger.slots = homes + homes / 1024 + 8;
    larger.memory = ZeroPages(larger.slots * slot_bytes_);
    larger.count = shard.count;
    uint64_t next = 0;
    for (uint64_t i = 0; i < shard.slots; ++i) {
      const uint64_t key = shard.keys()[i];
      if (key == 0 || (i == 0 && mutant(Mutant::kVisitedForgets))) continue;
      const uint64_t to = std::max(next, home(larger, key));
      next = to + 1;
      if (next == larger.slots) return false;
      larger.keys()[to] = key;
      if (wide_) larger.seconds()[to] = shard.seconds()[i];
      if (note_ != Note::kNone) std::memcpy(note_at(larger, to), note_at(shard, i), note_bytes());
    }
    shard = std::move(larger);
    return true;
  }

  const bool wide_;
  Note note_;
  size_t slot_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace ordeal::explore
