// InternTable: gives every distinct entry a small integer id, once, for all threads.
//
// Invariants: an entry never moves and never changes after it got its id. Reading an entry by id
// takes no lock: an id reaches another thread only through a lock or a barrier. Ids are accidents
// of thread order: nothing that leaves the process may depend on them.
//
// owned_bytes(entry) says what an entry owns besides its own bytes; asked once, when it is new.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace ordeal {

template <class Entry>
class InternTable {
 public:
  InternTable() = default;
  InternTable(const InternTable&) = delete;
  InternTable& operator=(const InternTable&) = delete;
  ~InternTable() { clear(); }

  const Entry& operator[](uint32_t id) const {
    const uint32_t shifted = id + kFirst;
    const int chunk = std::bit_width(shifted) - 1 - kFirstBits;
    const Entry* entries = chunks_[chunk].load(std::memory_order_acquire);
    return entries[shifted - (kFirst << chunk)];
  }

  // The id of the entry equal to `entry` (same hash, and equal(entry, existing)).
  template <class Equal>
  uint32_t intern(uint64_t hash, Entry entry, const Equal& equal) {
    std::lock_guard lock(mutex_);
    if ((uint64_t{count_} + 1) * 2 > slots_.size()) grow();
    uint32_t same_hash = kNone;
    for (size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].id == kNone) {
        const uint32_t id = append(std::move(entry));
        slots_[at] = {hash, id};
        if (same_hash != kNone && !collision_) collision_ = {same_hash, id};
        return id;
      }
      if (slots_[at].hash != hash) continue;
      if (equal(entry, (*this)[slots_[at].id])) return slots_[at].id;
      same_hash = slots_[at].id;
    }
  }

  uint32_t size() const { return count_; }

  // Two different entries that were given the same hash, if there are such: whatever tells them
  // apart by their hashes alone is wrong about them.
  std::optional<std::pair<uint32_t, uint32_t>> collision() const {
    std::lock_guard lock(mutex_);
    return collision_;
  }

  // REQUIRES: no other thread uses the table.
  void clear() {
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      Entry* entries = chunks_[chunk].exchange(nullptr, std::memory_order_relaxed);
      if (entries == nullptr) continue;
      const uint32_t before = (kFirst << chunk) - kFirst;  // in the chunks before
      std::destroy_n(entries, std::min(count_ - before, kFirst << chunk));
      ::operator delete(entries, std::align_val_t(alignof(Entry)));
    }
    std::vector<Slot>().swap(slots_);
    count_ = 0;
    collision_.reset();
    owned_bytes_ = 0;
  }

  // REQUIRES: no other thread adds to the table. Room that is kept for more entries is no memory
  // until they are there.
  uint64_t bytes() const {
    return slots_.size() * sizeof(Slot) + static_cast<uint64_t>(count_) * sizeof(Entry) +
           owned_bytes_;
  }

 private:
  static constexpr uint32_t kFirstBits = 6;
  static constexpr uint32_t kFirst = 1U << kFirstBits;
  static constexpr int kChunks = 26;
  static constexpr uint32_t kNone = ~0U;
  struct Slot {
    uint64_t hash = 0;
    uint32_t id = kNone;
  };

  uint32_t append(Entry entry) {
    const uint32_t id = count_++;
    const uint32_t shifted = id + kFirst;
    const int chunk = std::bit_width(shifted) - 1 - static_cast<int>(kFirstBits);
    Entry* entries = chunks_[chunk].load(std::memory_order_relaxed);
    if (entries == nullptr) {
      const size_t bytes = (static_cast<size_t>(kFirst) << chunk) * sizeof(Entry);
      entries = static_cast<Entry*>(::operator new(bytes, std::align_val_t(alignof(Entry))));
      chunks_[chunk].store(entries, std::memory_order_release);
    }
    Entry* const added = ::new (entries + (shifted - (kFirst << chunk))) Entry(std::move(entry));
    owned_bytes_ += owned_bytes(*added);
    return id;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 128 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id == kNone) continue;
      size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].id != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::array<std::atomic<Entry*>, kChunks> chunks_{};
  std::vector<Slot> slots_;
  uint32_t count_ = 0;
  std::optional<std::pair<uint32_t, uint32_t>> collision_;
  uint64_t owned_bytes_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace ordeal
