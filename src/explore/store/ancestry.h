// Ancestry: for every reached state, the state it was reached from and by which action. 5 bytes
// each, in blocks, so that growing copies next to nothing; full blocks can move to disk.
//
// States are numbered with 64 bits. What is kept of a parent is its place among the last 2^32
// states before the end of the child's block: in a search by levels none lies further back, unless
// a level has billions of states, and those few that do are kept whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/scratch_file.h"

namespace ordeal::explore {

class Ancestry {
 public:
  static constexpr uint32_t kBlock = 1 << 14;
  using Entry = uint64_t;
  static constexpr Entry kRoot = ~Entry{0};  // the parent of an initial state

  // `first`: the number of the first entry, where it is not 0. REQUIRES: a multiple of kBlock.
  explicit Ancestry(Entry first = 0) : first_(first) {}

  // Makes room for `count` more entries and returns the number of the first.
  Entry extend(uint32_t count) {
    const Entry first = size();
    count_ += count;
    while (blocks_.size() * uint64_t{kBlock} < count_) {
      if (!blocks_.empty()) fill(blocks_.back(), kBlock);
      blocks_.emplace_back();
    }
    if (count_ > 0) {
      fill(blocks_.back(), static_cast<uint32_t>(count_ - (blocks_.size() - 1) * uint64_t{kBlock}));
    }
    return first;
  }

  // May be called for different entries at the same time.
  void set(Entry entry, Entry parent, uint16_t choice) {
    Block& block = blocks_[number_of(entry)];
    const Entry back = parent - window_of(entry);  // huge where it lies before
    const bool near = back < kNone || parent == kRoot;
    block.parents[entry % kBlock] = parent == kRoot ? kNone
                                    : near          ? static_cast<uint32_t>(back)
                                                    : kElsewhere;
    block.choices[entry % kBlock] = static_cast<uint8_t>(std::min<uint16_t>(choice, kLarge));
    if (near && choice < kLarge) return;
    const std::lock_guard lock(large_mutex_);
    if (!near) far_[entry] = parent;
    if (choice >= kLarge) large_[entry] = choice;
  }

  Entry add(Entry parent, uint16_t choice) {
    const Entry entry = extend(1);
    set(entry, parent, choice);
    return entry;
  }

  Entry parent(Entry entry) const {
    const uint32_t back = block_of(entry).parents[entry % kBlock];
    if (back == kNone) return kRoot;
    return back == kElsewhere ? far_.at(entry) : window_of(entry) + back;
  }
  uint16_t choice(Entry entry) const {
    const uint8_t small = block_of(entry).choices[entry % kBlock];
    return small < kLarge ? small : large_.at(entry);
  }

  Entry size() const { return first_ + count_; }  // the number of the next one
  uint64_t bytes() const {
    uint64_t sum = large_.size() * 48 + far_.size() * 56;
    for (size_t i = blocks_in_file_; i < blocks_.size(); ++i) {
      sum += blocks_[i].parents.capacity() * sizeof(uint32_t) + blocks_[i].choices.capacity();
    }
    return sum;
  }

  // Moves the full blocks to a file in `folder`.
  Result<void> store(const std::string& folder) {
    if (!file_) {
      Result<ScratchFile> file = ScratchFile::in(folder);
      if (!file) return file.error();
      file_.emplace(std::move(*file));
    }
    for (; blocks_in_file_ + 1 < blocks_.size(); ++blocks_in_file_) {
      Block& block = blocks_[blocks_in_file_];
      for (const auto& [data, bytes] :
           {std::pair<const void*, size_t>(block.parents.data(), kBlock * sizeof(uint32_t)),
            std::pair<const void*, size_t>(block.choices.data(), kBlock)}) {
        const Result<uint64_t> at = file_->append(data, bytes);
        if (!at) return at.error();
      }
      block = Block();
    }
    return {};
  }

 private:
  static constexpr uint8_t kLarge = 255;             // look in large_
  static constexpr uint32_t kElsewhere = ~0U;        // look in far_
  static constexpr uint32_t kNone = kElsewhere - 1;  // kRoot
  static constexpr uint64_t kBytesInFile = uint64_t{kBlock} * (sizeof(uint32_t) + 1);

  struct Block {
    std::vector<uint32_t> parents;
    std::vector<uint8_t> choices;
  };

  // Small sets must not pay for a whole block.
  static void fill(Block& block, uint32_t size) {
    if (size > block.parents.capacity()) {
      const size_t room = std::min<size_t>(kBlock, size + size / 8 + 16);
      block.parents.reserve(room);
      block.choices.reserve(room);
    }
    block.parents.resize(size);
    block.choices.resize(size);
  }

  size_t number_of(Entry entry) const { return static_cast<size_t>((entry - first_) / kBlock); }
  // What the parents of the entry's block are counted from.
  static Entry window_of(Entry entry) {
    const Entry end = (entry / kBlock + 1) * kBlock;
    return end > kNone ? end - kNone : 0;
  }

  const Block& block_of(Entry entry) const {
    const size_t number = number_of(entry);
    if (number >= blocks_in_file_) return blocks_[number];
    if (loaded_number_ != number) {
      loaded_.parents.assign(kBlock, kElsewhere);
      loaded_.choices.assign(kBlock, 0);
      const uint64_t at = number * kBytesInFile;
      const Result<void> parents =
          file_->read(at, loaded_.parents.data(), kBlock * sizeof(uint32_t));
      const Result<void> choices =
          file_->read(at + kBlock * sizeof(uint32_t), loaded_.choices.data(), kBlock);
      if (!parents || !choices) throw std::runtime_error("what was spilled cannot be read back");
      loaded_number_ = number;
    }
    return loaded_;
  }

  std::vector<Block> blocks_;
  Entry first_ = 0;
  uint64_t count_ = 0;
  std::map<Entry, uint16_t> large_;  // choices of kLarge and more
  std::map<Entry, Entry> far_;       // parents that lie before the window
  std::mutex large_mutex_;
  std::optional<ScratchFile> file_;
  size_t blocks_in_file_ = 0;
  mutable Block loaded_;  // the one last asked for, of those in the file
  mutable size_t loaded_number_ = ~size_t{0};
};

}  // namespace ordeal::explore
