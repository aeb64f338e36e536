// DiskStates: visited states beyond what memory holds. Each time memory is full (and at the end of
// each level), the states found since are compared with all that lie on disk, in one pass over
// both in ascending order, and those that are new become a sorted run of their own. Several runs
// are merged into one now and then.
//
// As in memory, the bits that the number of the shard makes free hold a tag: the level, so that a
// state that is met again is known to lie on the level at hand or before it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/scratch_file.h"
#include "explore/store/visited.h"
#include "ordeal/result.h"

namespace ordeal::explore {

class DiskStates {
 public:
  // A state, as it lies on disk.
  struct State {
    uint64_t fingerprint = 0;
    uint64_t second = 0;  // the other half of a 128-bit fingerprint
    uint32_t tag = 1;

    bool before(const State& other) const {
      return fingerprint != other.fingerprint ? fingerprint < other.fingerprint
                                              : second < other.second;
    }
  };

  DiskStates(std::string folder, bool wide) : folder_(std::move(folder)), words_(wide ? 2 : 1) {}

  bool empty() const { return runs_.empty(); }
  uint64_t states() const;
  uint64_t file_bytes() const;
  uint64_t bytes() const;  // in memory

  // Adds the states of `set` that lie in no run, with their tags there, or all with `tag` if that
  // is not 0; `known` hears of the others, with the tags they have on disk.
  Result<void> absorb(const VisitedSet& set, uint32_t tag,
                      const std::function<void(const VisitedSet::Place&, uint32_t)>& known);

  Result<bool> contain_all(const VisitedSet& set) const;

  // Gives every state tag 1.
  void forget_tags() {
    for (Run& run : runs_) run.tags_forgotten = true;
  }

  // Calls f for every state, in ascending order. f may fail.
  Result<void> each(const std::function<Result<void>(const State&)>& f) const;

  // Adds states one by one, in ascending order: fill(add), where add(state) may fail.
  using Add = std::function<Result<void>(const State&)>;
  Result<void> load(const std::function<Result<void>(const Add&)>& fill);

  void clear() { runs_.clear(); }

 private:
  static constexpr size_t kBlock = 4096;  // states that are read at once
  static constexpr size_t kMostRuns = 6;

  struct Run {
    explicit Run(ScratchFile f) : file(std::move(f)) {}
    ScratchFile file;
    uint64_t count = 0;
    bool tags_forgotten = false;
    std::vector<uint64_t> firsts;                          // the first fingerprint of each block
    std::array<uint64_t, VisitedSet::kShards + 1> shards;  // where each begins
  };
  class Writer;
  class Reader;

  // The tag of the state if one of them has it, else 0. REQUIRES: asked for in ascending order.
  static Result<uint32_t> find(std::vector<Reader>& readers, const State& state);
  Result<void> merge();

  std::string folder_;
  size_t words_;  // per state
  std::vector<Run> runs_;
};

}  // namespace ordeal::explore
