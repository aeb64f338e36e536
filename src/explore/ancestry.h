// Ancestry: for every reached state, the state it was reached from and by which action. 5 bytes
// each, in blocks, so that growing copies next to nothing; full blocks can move to disk.
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
  static constexpr uint32_t kRoot = ~0U;
  static constexpr uint32_t kMost = kRoot - 1;  // states that can be numbered

  // Makes room for `count` more entries and returns the number of the first.
  uint32_t extend(uint32_t count) {
    const uint32_t first = size_;
    size_ += count;
    while (blocks_.size() * uint64_t{kBlock} < size_) {
      if (!blocks_.empty()) fill(blocks_.back(), kBlock);
      blocks_.emplace_back();
    }
    if (size_ > 0) {
      fill(blocks_.back(), size_ - static_cast<uint32_t>(blocks_.size() - 1) * kBlock);
    }
    return first;
  }

  // May be called for different entries at the same time.
  void set(uint32_t entry, uint32_t parent, uint16_t choice) {
    Block& block = blocks_[entry / kBlock];
    block.parents[entry % kBlock] = parent;
    block.choices[entry % kBlock] = static_cast<uint8_t>(std::min<uint16_t>(choice, kLarge));
    if (choice < kLarge) return;
    const std::lock_guard lock(large_mutex_);
    large_[entry] = choice;
  }

  uint32_t add(uint32_t parent, uint16_t choice) {
    const uint32_t entry = extend(1);
    set(entry, parent, choice);
    return entry;
  }

  uint32_t parent(uint32_t entry) const { return block_of(entry).parents[entry % kBlock]; }
  uint16_t choice(uint32_t entry) const {
    const uint8_t small = block_of(entry).choices[entry % kBlock];
    return small < kLarge ? small : large_.at(entry);
  }

  uint32_t size() const { return size_; }
  uint64_t bytes() const {
    uint64_t sum = large_.size() * 48;
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
  static constexpr uint32_t kBlock = 1 << 14;
  static constexpr uint8_t kLarge = 255;  // look in large_
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

  const Block& block_of(uint32_t entry) const {
    const size_t number = entry / kBlock;
    if (number >= blocks_in_file_) return blocks_[number];
    if (loaded_number_ != number) {
      loaded_.parents.assign(kBlock, kRoot);
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
  uint32_t size_ = 0;
  std::map<uint32_t, uint16_t> large_;  // choices of kLarge and more
  std::mutex large_mutex_;
  std::optional<ScratchFile> file_;
  size_t blocks_in_file_ = 0;
  mutable Block loaded_;  // the one last asked for, of those in the file
  mutable size_t loaded_number_ = ~size_t{0};
};

}  // namespace ordeal::explore
