#include "explore/store/disk_states.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace ordeal::explore {

class DiskStates::Writer {
 public:
  Writer(Run& run, size_t words) : run_(run), words_(words) {}

  Result<void> add(const State& state) {
    const uint32_t shard = VisitedSet::shard_of(state.fingerprint);
    while (shards_ <= shard) run_.shards[shards_++] = run_.count;
    if (run_.count++ % kBlock == 0) run_.firsts.push_back(state.fingerprint);
    buffer_.push_back(state.fingerprint << VisitedSet::kShardBits | state.tag);
    if (words_ == 2) buffer_.push_back(state.second);
    return buffer_.size() >= kBlock * words_ ? write() : Result<void>();
  }
  Result<void> finish() {
    while (shards_ < run_.shards.size()) run_.shards[shards_++] = run_.count;
    return write();
  }

 private:
  Result<void> write() {
    const Result<uint64_t> at = run_.file.append(buffer_.data(), buffer_.size() * sizeof(uint64_t));
    if (!at) return at.error();
    buffer_.clear();
    return {};
  }

  Run& run_;
  size_t words_;
  size_t shards_ = 0;  // that have begun
  std::vector<uint64_t> buffer_;
};

// Goes through a run in ascending order; blocks that nobody asks for are not read.
class DiskStates::Reader {
 public:
  Reader(const Run& run, size_t words) : run_(run), words_(words) {}

  // The tag of the state, or 0 where it is not there. REQUIRES: asked for in ascending order.
  Result<uint32_t> find(const State& wanted) {
    const auto& firsts = run_.firsts;
    // States that share the first half may begin in the block before.
    const auto after = std::lower_bound(firsts.begin(), firsts.end(), wanted.fingerprint);
    const size_t block =
        after == firsts.begin() ? 0 : static_cast<size_t>(after - firsts.begin()) - 1;
    if (block > block_ || !loaded_) {
      if (const auto done = load(block); !done) return done.error();
    }
    for (;;) {
      for (; !at_end(); ++at_) {
        const State state = here();
        if (state.before(wanted)) continue;
        return wanted.before(state) ? 0 : state.tag;
      }
      if (block_ + 1 >= firsts.size()) return 0;
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
  State here() {
    while (block_ * kBlock + at_ >= run_.shards[shard_ + 1]) ++shard_;
    const uint64_t word = buffer_[at_ * words_];
    State state;
    state.fingerprint = word >> VisitedSet::kShardBits | static_cast<uint64_t>(shard_)
                                                             << (64 - VisitedSet::kShardBits);
    if (words_ == 2) state.second = buffer_[at_ * 2 + 1];
    state.tag = run_.tags_forgotten ? 1 : static_cast<uint32_t>(word & VisitedSet::kTags);
    return state;
  }
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
  size_t shard_ = 0;  // of what was last looked at
  bool loaded_ = false;
};

uint64_t DiskStates::states() const {
  uint64_t sum = 0;
  for (const Run& run : runs_) sum += run.count;
  return sum;
}

uint64_t DiskStates::file_bytes() const { return states() * words_ * sizeof(uint64_t); }

uint64_t DiskStates::bytes() const {
  uint64_t sum = 0;
  for (const Run& run : runs_) {
    // While they are compared, a block of each is at hand.
    sum += run.firsts.capacity() * sizeof(uint64_t) + kBlock * words_ * sizeof(uint64_t);
  }
  return sum;
}

Result<void> DiskStates::load(const std::function<Result<void>(const Add&)>& fill) {
  Result<ScratchFile> file = ScratchFile::in(folder_);
  if (!file) return file.error();
  Run run(std::move(*file));
  Writer writer(run, words_);
  const Result<void> filled = fill([&](const State& state) { return writer.add(state); });
  if (!filled) return filled.error();
  if (const auto done = writer.finish(); !done) return done.error();
  if (run.count > 0) runs_.push_back(std::move(run));
  return {};
}

Result<uint32_t> DiskStates::find(std::vector<Reader>& readers, const State& state) {
  for (Reader& reader : readers) {
    Result<uint32_t> tag = reader.find(state);
    if (!tag || *tag != 0) return tag;
  }
  return 0;
}

Result<bool> DiskStates::contain_all(const VisitedSet& set) const {
  std::vector<Reader> readers;
  for (const Run& run : runs_) readers.emplace_back(run, words_);
  Result<bool> all = true;
  for (uint32_t shard = 0; shard < VisitedSet::kShards; ++shard) {
    set.each(shard, [&](const VisitedSet::Place&, uint64_t fingerprint, uint64_t second) {
      if (!all || !*all) return;
      const Result<uint32_t> tag = find(readers, {fingerprint, second});
      all = tag ? Result<bool>(*tag != 0) : tag.error();
    });
  }
  return all;
}

Result<void> DiskStates::absorb(
    const VisitedSet& set, uint32_t tag,
    const std::function<void(const VisitedSet::Place&, uint32_t)>& known) {
  std::vector<Reader> readers;
  const size_t compared =
      mutant(Mutant::kLastRunNotCompared) && runs_.size() > 1 ? runs_.size() - 1 : runs_.size();
  for (size_t i = 0; i < compared; ++i) readers.emplace_back(runs_[i], words_);
  const Result<void> loaded = load([&](const Add& add) {
    Result<void> so_far;
    for (uint32_t shard = 0; shard < VisitedSet::kShards; ++shard) {
      set.each(shard, [&](const VisitedSet::Place& place, uint64_t fingerprint, uint64_t second) {
        if (!so_far) return;
        const State state{fingerprint, second, tag == 0 ? place.tag : tag};
        const Result<uint32_t> found = find(readers, state);
        if (!found) {
          so_far = found.error();
        } else if (*found != 0) {
          known(place, *found);
        } else {
          so_far = add(state);
        }
      });
    }
    return so_far;
  });
  if (!loaded) return loaded.error();
  return runs_.size() > kMostRuns ? merge() : Result<void>();
}

Result<void> DiskStates::each(const std::function<Result<void>(const State&)>& f) const {
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
    const auto least =
        std::min_element(heads.begin(), heads.end(),
                         [](const Head& a, const Head& b) { return a.state.before(b.state); });
    if (const auto done = f(least->state); !done) return done.error();
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

Result<void> DiskStates::merge() {
  DiskStates merged(folder_, words_ == 2);
  const Result<void> done = merged.load([&](const Add& add) { return each(add); });
  if (!done) return done.error();
  runs_.swap(merged.runs_);
  return {};
}

}  // namespace ordeal::explore
