// DiskRuns: visited states beyond what memory holds. Each time memory is full (and at the end of
// each level), the states found since are compared with all that lie on disk, in one pass over
// both in ascending order, and those that are new become a sorted run of their own. Several runs
// are merged into one now and then.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/scratch_file.h"
#include "explore/visited.h"
#include "ordeal/result.h"

namespace ordeal::explore {

class DiskRuns {
 public:
  DiskRuns(std::string folder, bool wide) : folder_(std::move(folder)), words_(wide ? 2 : 1) {}

  bool empty() const { return runs_.empty(); }
  uint64_t states() const;
  uint64_t file_bytes() const;
  uint64_t bytes() const;  // in memory

  // Adds the states of `set` that lie in no run; `known` hears of the others.
  Result<void> absorb(const VisitedSet& set,
                      const std::function<void(const VisitedSet::Place&)>& known);

  Result<bool> contain_all(const VisitedSet& set) const;

  // Calls f(fingerprint, second) for every state, in ascending order. f may fail.
  Result<void> each(const std::function<Result<void>(uint64_t, uint64_t)>& f) const;

  // Adds states one by one, in ascending order: fill(add), where add(fingerprint, second) may fail.
  using Add = std::function<Result<void>(uint64_t, uint64_t)>;
  Result<void> load(const std::function<Result<void>(const Add&)>& fill);

 private:
  static constexpr size_t kBlock = 4096;  // states that are read at once
  static constexpr size_t kMostRuns = 6;

  struct Run {
    explicit Run(ScratchFile f) : file(std::move(f)) {}
    ScratchFile file;
    uint64_t count = 0;
    std::vector<uint64_t> firsts;  // the first fingerprint of each block
  };
  class Writer;
  class Reader;

  // Whether one of them has the state. REQUIRES: asked for in ascending order.
  static Result<bool> any_contains(std::vector<Reader>& readers, uint64_t fingerprint,
                                   uint64_t second);
  Result<void> merge();

  std::string folder_;
  size_t words_;  // per state
  std::vector<Run> runs_;
};

}  // namespace ordeal::explore
