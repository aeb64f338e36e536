// Frontier: packed states that wait to be expanded, in chunks that are taken whole from the front
// (breadth first) or from the back (depth first). Ancestry: how each state was reached.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "ordeal/world.h"

namespace ordeal::explore {

// One waiting state, as it lies in a chunk: a header of kHeaderWords words, then its words.
struct Record {
  uint64_t fingerprint = 0;
  uint32_t entry = 0;  // in the Ancestry
  uint32_t depth = 0;
  bool first = true;  // never expanded before: judge it
  bool count = true;  // count its transitions
  StateRef state;
};

class Frontier {
 public:
  using Chunk = std::vector<uint32_t>;

  void push(uint64_t fingerprint, uint32_t entry, uint32_t depth, bool first, bool count,
            StateRef state) {
    if (chunks_.empty() || records_in_last_ == kRecordsPerChunk) {
      chunks_.emplace_back();
      records_in_last_ = 0;
    }
    Chunk& chunk = chunks_.back();
    const size_t at = chunk.size();
    chunk.resize(at + kHeaderWords + state.size());
    uint32_t* to = chunk.data() + at;
    to[0] = static_cast<uint32_t>(fingerprint);
    to[1] = static_cast<uint32_t>(fingerprint >> 32);
    to[2] = entry;
    to[3] = depth << 2 | (first ? 2U : 0U) | (count ? 1U : 0U);
    to[4] = static_cast<uint32_t>(state.size());
    std::copy(state.begin(), state.end(), to + kHeaderWords);
    words_ += kHeaderWords + state.size();
    ++records_in_last_;
    ++size_;
  }

  // REQUIRES: !empty().
  Chunk take_front() { return taken(true); }
  Chunk take_back() { return taken(false); }

  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }
  uint64_t bytes() const { return words_ * sizeof(uint32_t); }

  // Appends the records of a chunk; they point into it.
  static void read(const Chunk& chunk, std::vector<Record>& out) {
    for (size_t at = 0; at < chunk.size();) {
      const uint32_t* from = chunk.data() + at;
      Record record;
      record.fingerprint = static_cast<uint64_t>(from[1]) << 32 | from[0];
      record.entry = from[2];
      record.depth = from[3] >> 2;
      record.first = (from[3] & 2) != 0;
      record.count = (from[3] & 1) != 0;
      record.state = StateRef(from + kHeaderWords, from[4]);
      out.push_back(record);
      at += kHeaderWords + from[4];
    }
  }

 private:
  static constexpr size_t kHeaderWords = 5;
  static constexpr uint32_t kRecordsPerChunk = 256;

  Chunk taken(bool front) {
    Chunk chunk = std::move(front ? chunks_.front() : chunks_.back());
    if (front) {
      chunks_.pop_front();
    } else {
      chunks_.pop_back();
    }
    uint32_t records = 0;
    for (size_t at = 0; at < chunk.size(); at += kHeaderWords + chunk[at + 4]) ++records;
    size_ -= records;
    words_ -= chunk.size();
    // The new last chunk is full, whatever it holds: pushing starts another one.
    if (!front || chunks_.empty()) records_in_last_ = kRecordsPerChunk;
    return chunk;
  }

  std::deque<Chunk> chunks_;
  uint32_t records_in_last_ = 0;
  uint64_t size_ = 0;
  uint64_t words_ = 0;
};

// For every reached state: the state it was reached from, and by which action. 6 bytes each, in
// blocks, so that growing copies nothing.
class Ancestry {
 public:
  static constexpr uint32_t kRoot = ~0U;

  uint32_t add(uint32_t parent, uint16_t choice) {
    if (size_ % kBlock == 0) blocks_.push_back(std::make_unique<Block>());
    Block& block = *blocks_.back();
    block.parent[size_ % kBlock] = parent;
    block.choice[size_ % kBlock] = choice;
    return size_++;
  }
  uint32_t parent(uint32_t entry) const { return blocks_[entry / kBlock]->parent[entry % kBlock]; }
  uint16_t choice(uint32_t entry) const { return blocks_[entry / kBlock]->choice[entry % kBlock]; }
  uint64_t bytes() const { return blocks_.size() * sizeof(Block); }
  uint32_t size() const { return size_; }

 private:
  static constexpr uint32_t kBlock = 1 << 14;
  struct Block {
    uint32_t parent[kBlock];
    uint16_t choice[kBlock];
  };
  std::vector<std::unique_ptr<Block>> blocks_;
  uint32_t size_ = 0;
};

}  // namespace ordeal::explore
