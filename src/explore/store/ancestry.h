// Ancestry: for every reached state, the state it was reached from and by which action. 5 bytes
// each, in blocks, so that growing copies next to nothing; full blocks can move to disk. A block
// with an action of number 256 and more takes 1 byte more for each of its states, one with an
// action of number 65,536 and more 3.
//
// States are numbered with 64 bits. What is kept of a parent is its place among the last 2^32
// states before the end of the child's block: in a search by levels none lies further back, unless
// a level has billions of states, and those few that do are kept whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/mutant.h"
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
  void set(Entry entry, Entry parent, uint32_t choice) {
    Block& block = blocks_[number_of(entry)];
    const Entry back = parent - window_of(entry);  // huge where it lies before
    const bool near = back < kNone || parent == kRoot;
    block.parents[entry % kBlock] = parent == kRoot ? kNone
                                    : near          ? static_cast<uint32_t>(back)
                                                    : kElsewhere;
    block.choices[entry % kBlock] = static_cast<uint8_t>(choice);
    if (near && choice < kMiddle) return;
    const std::lock_guard lock(large_mutex_);
    if (!near) far_[entry] = parent;
    if (choice < kMiddle || mutant(Mutant::kLargeChoicesCut)) return;
    if (block.middle.empty()) block.middle.resize(kBlock);
    block.middle[entry % kBlock] = static_cast<uint8_t>(choice / kMiddle);
    if (choice < kHigh) return;
    if (block.high.empty()) block.high.resize(kBlock);
    block.high[entry % kBlock] = static_cast<uint16_t>(choice / kHigh);
    has_wide_choices_ = true;
  }

  Entry add(Entry parent, uint32_t choice) {
    const Entry entry = extend(1);
    set(entry, parent, choice);
    return entry;
  }

  Entry parent(Entry entry) const {
    const uint32_t back = block_of(entry).parents[entry % kBlock];
    if (back == kNone) return kRoot;
    return back == kElsewhere ? far_.at(entry) : window_of(entry) + back;
  }
  uint32_t choice(Entry entry) const {
    const Block& block = block_of(entry);
    const size_t at = entry % kBlock;
    return block.choices[at] + (block.middle.empty() ? 0 : block.middle[at] * kMiddle) +
           (block.high.empty() ? 0 : block.high[at] * kHigh);
  }
  bool has_wide_choices() const { return has_wide_choices_; }  // that take more than 16 bits

  Entry size() const { return first_ + count_; }  // the number of the next one
  uint64_t bytes() const {
    uint64_t sum = far_.size() * 56 + in_file_.capacity() * sizeof(InFile);
    for (size_t i = in_file_.size(); i < blocks_.size(); ++i) {
      sum += blocks_[i].parents.capacity() * sizeof(uint32_t) + blocks_[i].choices.capacity() +
             blocks_[i].middle.capacity() + blocks_[i].high.capacity() * sizeof(uint16_t);
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
    while (in_file_.size() + 1 < blocks_.size()) {
      Block& block = blocks_[in_file_.size()];
      InFile there{.middle = !block.middle.empty(), .high = !block.high.empty()};
      bool is_first = true;
      for (const auto& [data, bytes] : planes(block)) {
        if (bytes == 0) continue;
        const Result<uint64_t> at = file_->append(data, bytes);
        if (!at) return at.error();
        if (std::exchange(is_first, false)) there.at = *at;
      }
      in_file_.push_back(there);
      block = Block();
    }
    return {};
  }

 private:
  static constexpr uint32_t kElsewhere = ~0U;        // look in far_
  static constexpr uint32_t kNone = kElsewhere - 1;  // kRoot
  static constexpr uint32_t kMiddle = 1 << 8;        // what `middle` counts
  static constexpr uint32_t kHigh = 1 << 16;         // … and `high`

  struct Block {
    std::vector<uint32_t> parents;
    std::vector<uint8_t> choices;  // their lowest bits
    std::vector<uint8_t> middle;   // empty: they are all 0
    std::vector<uint16_t> high;    // empty: likewise
  };
  struct InFile {
    uint64_t at = 0;  // its planes, one behind the other
    bool middle = false;
    bool high = false;
  };

  static std::array<std::pair<void*, size_t>, 4> planes(Block& block) {
    return {{{block.parents.data(), block.parents.size() * sizeof(uint32_t)},
             {block.choices.data(), block.choices.size()},
             {block.middle.data(), block.middle.size()},
             {block.high.data(), block.high.size() * sizeof(uint16_t)}}};
  }

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
    if (number >= in_file_.size()) return blocks_[number];
    if (loaded_number_ != number) {
      const InFile& there = in_file_[number];
      loaded_number_ = ~size_t{0};
      loaded_.parents.resize(kBlock);
      loaded_.choices.resize(kBlock);
      loaded_.middle.resize(there.middle ? kBlock : 0);
      loaded_.high.resize(there.high ? kBlock : 0);
      uint64_t at = there.at;
      for (const auto& [data, bytes] : planes(loaded_)) {
        if (bytes > 0 && !file_->read(at, data, bytes)) {
          throw std::runtime_error("what was spilled cannot be read back");
        }
        at += bytes;
      }
      loaded_number_ = number;
    }
    return loaded_;
  }

  std::vector<Block> blocks_;
  Entry first_ = 0;
  uint64_t count_ = 0;
  bool has_wide_choices_ = false;
  std::map<Entry, Entry> far_;  // parents that lie before the window
  std::mutex large_mutex_;
  std::optional<ScratchFile> file_;
  std::vector<InFile> in_file_;  // the first blocks
  mutable Block loaded_;         // the one last asked for, of those in the file
  mutable size_t loaded_number_ = ~size_t{0};
};

}  // namespace ordeal::explore
