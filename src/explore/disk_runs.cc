#include "explore/disk_runs.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace ordeal::explore {
namespace {

using State = std::pair<uint64_t, uint64_t>;  // fingerprint, second half

}  // namespace

class DiskRuns::Writer {
 public:
  Writer(Run& run, size_t words) : run_(run), words_(words) {}

  Result<void> add(uint64_t fingerprint, uint64_t second) {
    if (run_.count++ % kBlock == 0) run_.firsts.push_back(fingerprint);
    buffer_.push_back(fingerprint);
    if (words_ == 2) buffer_.push_back(second);
    return buffer_.size() >= kBlock * words_ ? finish() : Result<void>();
  }
  Result<void> finish() {
    const Result<uint64_t> at = run_.file.append(buffer_.data(), buffer_.size() * sizeof(uint64_t));
    if (!at) return at.error();
    buffer_.clear();
    return {};
  }

 private:
  Run& run_;
  size_t words_;
  std::vector<uint64_t> buffer_;
};

// Goes through a run in ascending order; blocks that nobody asks for are not read.
class DiskRuns::Reader {
 public:
  Reader(const Run& run, size_t words) : run_(run), words_(words) {}

  // REQUIRES: asked for in ascending order.
  Result<bool> contains(const State& wanted) {
    const auto& firsts = run_.firsts;
    // States that share the first half may begin in the block before.
    const auto after = std::lower_bound(firsts.begin(), firsts.end(), wanted.first);
    const size_t block =
        after == firsts.begin() ? 0 : static_cast<size_t>(after - firsts.begin()) - 1;
    if (block > block_ || !loaded_) {
      if (const auto done = load(block); !done) return done.error();
    }
    for (;;) {
      while (!at_end() && here() < wanted) ++at_;
      if (!at_end()) return here() == wanted;
      if (block_ + 1 >= firsts.size()) return false;
      if (const auto done = load(block_ + 1); !done) return done.error();
    }
  }

  // The next state in `out`; false: there is none.
  Result<bool> next(State& out) {
    if (!loaded_ || at_end()) {
      const size_t block = loaded_ ? block_ + 1 : 0;
      if (block >= run_.firsts.size()) return false;
      if (const auto done = load(block); !done) return done.error();
    }
    out = here();
    ++at_;
    return true;
  }

 private:
  bool at_end() const { return at_ * words_ >= buffer_.size(); }
  State here() const { return {buffer_[at_ * words_], words_ == 2 ? buffer_[at_ * 2 + 1] : 0}; }
  Result<void> load(size_t block) {
    const uint64_t first = block * kBlock;
    buffer_.resize(std::min<uint64_t>(kBlock, run_.count - first) * words_);
    block_ = block;
    at_ = 0;
    loaded_ = true;
    return run_.file.read(first * words_ * sizeof(uint64_t), buffer_.data(),
                          buffer_.size() * sizeof(uint64_t));
  }

  const Run& run_;
  size_t words_;
  std::vector<uint64_t> buffer_;
  size_t block_ = 0;
  size_t at_ = 0;
  bool loaded_ = false;
};

uint64_t DiskRuns::states() const {
  uint64_t sum = 0;
  for (const Run& run : runs_) sum += run.count;
  return sum;
}

uint64_t DiskRuns::file_bytes() const { return states() * words_ * sizeof(uint64_t); }

uint64_t DiskRuns::bytes() const {
  uint64_t sum = 0;
  for (const Run& run : runs_) {
    // While they are compared, a block of each is at hand.
    sum += run.firsts.capacity() * sizeof(uint64_t) + kBlock * words_ * sizeof(uint64_t);
  }
  return sum;
}

Result<void> DiskRuns::load(const std::function<Result<void>(const Add&)>& fill) {
  Result<ScratchFile> file = ScratchFile::in(folder_);
  if (!file) return file.error();
  Run run(std::move(*file));
  Writer writer(run, words_);
  const Result<void> filled =
      fill([&](uint64_t fingerprint, uint64_t second) { return writer.add(fingerprint, second); });
  if (!filled) return filled.error();
  if (const auto done = writer.finish(); !done) return done.error();
  if (run.count > 0) runs_.push_back(std::move(run));
  return {};
}

Result<bool> DiskRuns::any_contains(std::vector<Reader>& readers, uint64_t fingerprint,
                                    uint64_t second) {
  for (Reader& reader : readers) {
    Result<bool> found = reader.contains({fingerprint, second});
    if (!found || *found) return found;
  }
  return false;
}

Result<bool> DiskRuns::contain_all(const VisitedSet& set) const {
  std::vector<Reader> readers;
  for (const Run& run : runs_) readers.emplace_back(run, words_);
  Result<bool> all = true;
  for (uint32_t shard = 0; shard < VisitedSet::kShards; ++shard) {
    set.each(shard, [&](const VisitedSet::Place&, uint64_t fingerprint, uint64_t second) {
      if (all && *all) all = any_contains(readers, fingerprint, second);
    });
  }
  return all;
}

Result<void> DiskRuns::absorb(const VisitedSet& set,
                              const std::function<void(const VisitedSet::Place&)>& known) {
  std::vector<Reader> readers;
  const size_t compared =
      mutant(Mutant::kLastRunNotCompared) && runs_.size() > 1 ? runs_.size() - 1 : runs_.size();
  for (size_t i = 0; i < compared; ++i) readers.emplace_back(runs_[i], words_);
  const Result<void> loaded = load([&](const Add& add) {
    Result<void> so_far;
    for (uint32_t shard = 0; shard < VisitedSet::kShards; ++shard) {
      set.each(shard, [&](const VisitedSet::Place& place, uint64_t fingerprint, uint64_t second) {
        if (!so_far) return;
        const Result<bool> found = any_contains(readers, fingerprint, second);
        if (!found) {
          so_far = found.error();
        } else if (*found) {
          known(place);
        } else {
          so_far = add(fingerprint, second);
        }
      });
    }
    return so_far;
  });
  if (!loaded) return loaded.error();
  return runs_.size() > kMostRuns ? merge() : Result<void>();
}

Result<void> DiskRuns::each(const std::function<Result<void>(uint64_t, uint64_t)>& f) const {
  struct Head {
    State state;
    Reader reader;
  };
  std::vector<Head> heads;
  for (const Run& run : runs_) {
    Head head{{}, Reader(run, words_)};
    const Result<bool> any = head.reader.next(head.state);
    if (!any) return any.error();
    if (*any) heads.push_back(std::move(head));
  }
  while (!heads.empty()) {
    const auto least = std::min_element(
        heads.begin(), heads.end(), [](const Head& a, const Head& b) { return a.state < b.state; });
    if (const auto done = f(least->state.first, least->state.second); !done) return done.error();
    const Result<bool> more = least->reader.next(least->state);
    if (!more) return more.error();
    if (!*more) {
      std::vector<Head> rest;
      for (Head& head : heads) {
        if (&head != &*least) rest.push_back(std::move(head));
      }
      heads.swap(rest);
    }
  }
  return {};
}

Result<void> DiskRuns::merge() {
  DiskRuns merged(folder_, words_ == 2);
  const Result<void> done = merged.load([&](const Add& add) { return each(add); });
  if (!done) return done.error();
  runs_.swap(merged.runs_);
  return {};
}

}  // namespace ordeal::explore
