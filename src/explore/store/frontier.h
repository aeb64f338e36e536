// Frontier: packed states that wait to be expanded, in chunks that are taken whole from the front
// (breadth first) or from the back (depth first), and that can wait on disk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/mutant.h"
#include "base/pages.h"
#include "base/scratch_file.h"
#include "explore/store/sleep.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// One waiting state, as it lies in a chunk: a header of kHeaderWords words, its words, and where
// sleep sets are used, the two sets of keys.
struct Record {
  static constexpr uint32_t kDeepest = (1U << 29) - 1;  // that its header can tell

  uint64_t fingerprint = 0;
  uint64_t entry = 0;  // in the Ancestry
  uint32_t depth = 0;
  bool first = true;    // never expanded before: judge it
  bool count = true;    // count its transitions
  bool sleeps = false;  // the two sets below mean something
  StateRef state;
  Keys asleep;  // actions that need not be taken here
  Keys woken;   // not first: only these are to be taken
};

class Frontier {
 public:
  // Chunks come and go, and are of all sizes: large ones would leave holes in the heap.
  using Words = std::vector<uint32_t, PageAllocator<uint32_t>>;

  static constexpr size_t kHeaderWords = 6;

  static size_t words_of(const Record& record) {
    return kHeaderWords + record.state.size() +
           (record.sleeps ? 2 + record.asleep.words().size() + record.woken.words().size() : 0);
  }

  static void write(const Record& record, Words& out) {
    const size_t at = out.size();
    out.resize(at + words_of(record));
    uint32_t* to = out.data() + at;
    *to++ = static_cast<uint32_t>(record.fingerprint);
    *to++ = static_cast<uint32_t>(record.fingerprint >> 32);
    *to++ = static_cast<uint32_t>(record.entry);
    *to++ = static_cast<uint32_t>(record.entry >> 32);
    *to++ = record.depth << 3 | (record.sleeps ? 4U : 0U) | (record.first ? 2U : 0U) |
            (record.count ? 1U : 0U);
    *to++ = static_cast<uint32_t>(record.state.size());
    to = std::copy(record.state.begin(), record.state.end(), to);
    if (!record.sleeps) return;
    const StateRef asleep = record.asleep.words(), woken = record.woken.words();
    *to++ = static_cast<uint32_t>(asleep.size());
    *to++ = static_cast<uint32_t>(woken.size());
    to = std::copy(asleep.begin(), asleep.end(), to);
    std::copy(woken.begin(), woken.end(), to);
  }

  // Appends the records of a chunk; their states and sets point into it.
  static void read(const Words& chunk, std::vector<Record>& out) {
    const uint32_t* from = chunk.data();
    const uint32_t* const end = from + chunk.size();
    while (from != end) {
      Record& record = out.emplace_back();
      record.fingerprint = static_cast<uint64_t>(from[1]) << 32 | from[0];
      record.entry = static_cast<uint64_t>(from[3]) << 32 | from[2];
      record.depth = from[4] >> 3;
      record.sleeps = (from[4] & 4) != 0;
      record.first = (from[4] & 2) != 0;
      record.count = (from[4] & 1) != 0;
      record.state = StateRef(from + kHeaderWords, from[5]);
      from += kHeaderWords + from[5];
      if (!record.sleeps) continue;
      record.asleep = Keys(StateRef(from + 2, from[0]));
      record.woken = Keys(StateRef(from + 2 + from[0], from[1]));
      from += 2 + from[0] + from[1];
    }
  }

  void add(Words words, uint32_t records) {
    if (records == 0) return;
    bytes_ += bytes_of(words);
    size_ += records;
    chunks_.push_back({std::move(words), records, 0, 0});
    if (mutant(Mutant::kSpilledOutOfOrder) && file_ && chunks_.size() > 1) {
      std::swap(chunks_.back(), chunks_[chunks_.size() - 2]);
    }
  }

  // Records that were taken from the front, and shall be the first again.
  void put_back(std::span<const Record> records) {
    if (records.empty()) return;
    Words words;
    for (const Record& record : records) write(record, words);
    bytes_ += bytes_of(words);
    size_ += records.size();
    chunks_.push_front({std::move(words), static_cast<uint32_t>(records.size()), 0, 0});
  }

  // REQUIRES: !empty().
  Result<Words> take_front() { return taken(true); }
  Result<Words> take_back() { return taken(false); }

  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }
  uint64_t bytes() const { return bytes_; }  // in memory

  // Calls f(words) for each chunk, front to back, without taking it. Stops at the first Error.
  template <class F>
  Result<void> each(const F& f) const {
    for (const Chunk& chunk : chunks_) {
      if (chunk.words_in_file == 0) {
        f(chunk.words);
        continue;
      }
      const Result<Words> words = load(chunk);
      if (!words) return words.error();
      f(*words);
    }
    return {};
  }

  // Moves what is in memory to a file in `folder`.
  Result<void> store(const std::string& folder) {
    if (!file_) {
      Result<ScratchFile> file = ScratchFile::in(folder);
      if (!file) return file.error();
      file_.emplace(std::move(*file));
    }
    for (Chunk& chunk : chunks_) {
      if (chunk.words_in_file > 0) continue;
      const Result<uint64_t> at =
          file_->append(chunk.words.data(), chunk.words.size() * sizeof(uint32_t));
      if (!at) return at.error();
      chunk.at = *at;
      chunk.words_in_file = chunk.words.size();
      bytes_ -= bytes_of(chunk.words);
      chunk.words = Words();
    }
    return {};
  }

 private:
  struct Chunk {
    Words words;
    uint32_t records = 0;
    uint64_t at = 0;             // in the file
    uint64_t words_in_file = 0;  // 0: it is in memory
  };

  static uint64_t bytes_of(const Words& words) {
    return sizeof(Chunk) + detail::allocated(words.capacity() * sizeof(uint32_t));
  }

  Result<Words> load(const Chunk& chunk) const {
    Words words(chunk.words_in_file);
    const Result<void> read = file_->read(chunk.at, words.data(), words.size() * sizeof(uint32_t));
    if (!read) return read.error();
    return words;
  }

  Result<Words> taken(bool front) {
    Chunk chunk = std::move(front ? chunks_.front() : chunks_.back());
    if (front) {
      chunks_.pop_front();
    } else {
      chunks_.pop_back();
    }
    size_ -= chunk.records;
    if (chunk.words_in_file > 0) {
      Result<Words> words = load(chunk);
      if (chunks_.empty()) file_->clear();
      return words;
    }
    bytes_ -= bytes_of(chunk.words);
    return std::move(chunk.words);
  }

  std::deque<Chunk> chunks_;
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;
  std::optional<ScratchFile> file_;
};

}  // namespace ordeal::explore
