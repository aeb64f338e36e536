// QTable: what a learner knows of pairs of a state and an action, by a 64-bit key each: a value,
// and how often the pair was taken. 16 bytes an entry, and no more entries than it may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "ordeal/result.h"

namespace ordeal::explore {

class QTable {
 public:
  struct Entry {
    uint64_t key = 0;  // 0: none
    float value = 0;
    uint32_t visits = 0;
  };

  // `initial`: the value of pairs that are not in it. `most`: entries; pairs beyond are not kept.
  QTable(float initial, uint64_t most) : initial_(initial), most_(most) {}

  float initial() const { return initial_; }
  float value(uint64_t key) const {
    const Entry* entry = find(key);
    return entry == nullptr ? initial_ : entry->value;
  }
  uint32_t visits(uint64_t key) const {
    const Entry* entry = find(key);
    return entry == nullptr ? 0 : entry->visits;
  }
  // The entry of the pair, a new one where there is none. Null: there is no room for one more.
  // Valid until the next call.
  Entry* put(uint64_t key);

  uint64_t size() const { return count_; }
  uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }
  bool is_full() const { return refused_ > 0; }

  // In the order of their keys.
  std::vector<Entry> sorted() const;

 private:
  static constexpr uint64_t kFirstSize = 1024;  // a power of two

  const Entry* find(uint64_t key) const {
    if (entries_.empty()) return nullptr;
    key = key == 0 ? 1 : key;
    for (uint64_t at = place(key);; at = (at + 1) & (entries_.size() - 1)) {
      if (entries_[at].key == key) return &entries_[at];
      if (entries_[at].key == 0) return nullptr;
    }
  }
  uint64_t place(uint64_t key) const { return mix64(key) & (entries_.size() - 1); }
  void grow();

  float initial_;
  uint64_t most_;
  std::vector<Entry> entries_;
  uint64_t count_ = 0;
  uint64_t refused_ = 0;
};

// A table in a file, with a text that says what it was learned about: only who gives the same text
// may read it. Written as a whole or not at all.
Result<void> write_table(const std::string& file, const std::string& about, const QTable& table);
// Fills the table, which is empty. An Error: there is no such file, it is no table, it is not
// whole, or about something else.
Result<void> read_table(const std::string& file, const std::string& about, QTable& table);

}  // namespace ordeal::explore
