// CountingSort: keys with counts, put in order on disk. Equal keys become one, with the sum of
// their counts. Memory stays within a buffer and a block of each run that is merged.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch_file.h"
#include "ordeal/result.h"

namespace ordeal::explore {

class CountingSort {
 public:
  struct Item {
    uint64_t key = 0;
    uint64_t second = 0;  // the rest of the key
    uint64_t count = 0;

    bool before(const Item& other) const {
      return key != other.key ? key < other.key : second < other.second;
    }
    bool same(const Item& other) const { return key == other.key && second == other.second; }
  };

 private:
  static constexpr size_t kBlock = 512;   // items that are read at once
  static constexpr size_t kMostRuns = 8;  // of one size

  struct Run {
    explicit Run(ScratchFile f) : file(std::move(f)) {}
    ScratchFile file;
    uint64_t count = 0;
  };

 public:
  // The items of a sort in ascending order. Valid as long as the sort is.
  class Cursor {
   public:
    // The next item in `out`; false: there is none.
    Result<bool> next(Item& out);

   private:
    friend class CountingSort;
    struct Head {
      const Run* run = nullptr;
      std::vector<Item> block;
      size_t at = 0;
      uint64_t read = 0;  // of the run
    };
    // False: the run is at its end.
    static Result<bool> refill(Head& head);
    Result<void> add(const Run& run);

    std::vector<Head> heads_;
    const std::vector<Item>* buffer_ = nullptr;  // instead: all of it is in memory
    size_t at_ = 0;
  };

  CountingSort(std::string folder, uint64_t buffer_bytes)
      : folder_(std::move(folder)), most_(buffer_bytes / sizeof(Item) + 16) {}

  Result<void> add(const Item& item) {
    buffer_.push_back(item);
    return buffer_.size() < most_ ? Result<void>() : store();
  }

  // REQUIRES: nothing is added afterwards.
  Result<Cursor> sorted();

  uint64_t bytes() const { return buffer_.capacity() * sizeof(Item); }

 private:
  // Sorts what is in memory, and adds up what is equal.
  void settle();
  // Makes a run of it.
  Result<void> store();
  Result<void> merge(size_t tier);
  static Result<void> write(const std::vector<Item>& items, Run& run);

  std::string folder_;
  size_t most_;
  std::vector<Item> buffer_;
  std::vector<std::vector<Run>> tiers_;  // runs of each are some kMostRuns of the one before
};

}  // namespace ordeal::explore
