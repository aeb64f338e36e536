#include "explore/search/checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/sealed_file.h"
#include "base/text.h"

namespace ordeal::explore {
namespace {

constexpr std::string_view kMagicOfAny = "ordeal checkpoint ";
constexpr std::string_view kMagic = "ordeal checkpoint 6\n";

std::string system_says() { return std::strerror(errno); }

class Closing {
 public:
  explicit Closing(int descriptor) : descriptor_(descriptor) {}
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  ~Closing() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// --- Writing -----------------------------------------------------------------------------------

void write_counts(const SearchState& state, const std::map<std::string, uint64_t>& steps,
                  SealedWriter& to) {
  const Exploration& out = state.out;
  for (const uint64_t n : {out.distinct_states, out.states, out.transitions, out.self_loops,
                           out.terminal_states, uint64_t{out.depth}, state.outside}) {
    to.number(mutant(Mutant::kCheckpointWithoutCounts) ? 0 : n);
  }
  for (const uint64_t n :
       {uint64_t{state.cut_by_depth}, uint64_t{state.has_cycle}, uint64_t{state.may_have_cycle},
        uint64_t{state.level_tag}, state.tags_forgotten_at}) {
    to.number(n);
  }
  to.number(out.bounds.size());
  for (const Bound& bound : out.bounds) {
    for (const uint64_t n : {static_cast<uint64_t>(bound.kind), bound.limit, bound.used,
                             std::bit_cast<uint64_t>(bound.seconds)}) {
      to.number(n);
    }
    to.text(bound.text);
  }
  for (const int64_t depth : out.reached_depth) to.number(static_cast<uint64_t>(depth));
  // By name: numbers of sorts are accidents of the process.
  to.number(mutant(Mutant::kCheckpointWithoutSteps) ? 0 : steps.size());
  for (const auto& [name, count] : steps) {
    if (mutant(Mutant::kCheckpointWithoutSteps)) break;
    to.text(name);
    to.number(count);
  }
  to.number(state.hits.size());
  for (const auto& [hit, count] : state.hits) {
    for (const uint64_t n :
         {uint64_t{hit.property}, uint64_t{hit.entry}, uint64_t{hit.step}, uint64_t{hit.fails},
          uint64_t{hit.choice}, hit.failure, uint64_t{hit.by_step}, count}) {
      to.number(n);
    }
  }
  to.number(state.trouble ? 1 : 0);
  if (!state.trouble) return;
  to.text(state.trouble->message);
  for (const uint64_t n :
       {state.trouble->entry, uint64_t{state.trouble->on_step}, uint64_t{state.trouble->choice}}) {
    to.number(n);
  }
}

// States with the level that they lie on, as far as it matters.
Result<void> write_visited(const SearchState& state, bool notes, SealedWriter& to) {
  const bool wide = state.visited.is_wide();
  const auto write = [&](const DiskStates::State& visited) -> Result<void> {
    to.number(visited.fingerprint);
    if (wide) to.number(visited.second);
    const auto tag = static_cast<uint8_t>(visited.tag);
    to.raw(&tag, sizeof tag);
    if (to.failed()) return Error{"cannot be written"};
    return {};
  };
  to.number(state.visited.size() + state.disk.states());
  if (!state.disk.empty()) return state.disk.each(write);
  Result<void> done;
  for (uint32_t shard = 0; shard < VisitedSet::kShards && done; ++shard) {
    state.visited.each(shard,
                       [&](const VisitedSet::Place& place, uint64_t fingerprint, uint64_t second) {
                         if (done) done = write({fingerprint, second, place.tag});
                         if (notes) to.number(state.visited.note(place));
                       });
  }
  return done;
}

void write_keys(Keys keys, SealedWriter& to) {
  to.number(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) to.number(keys[i]);
}

void write_sleep_sets(const SearchState& state, SealedWriter& to) {
  for (const SleepSets& sets : state.sleep_sets) {
    to.number(sets.size());
    for (uint32_t id = 1; id <= sets.size(); ++id) write_keys(sets.get(id), to);
  }
}

// Numbers of states take 32 bits, all ones for none, as long as that is enough.
bool has_wide_entries(const Ancestry& ancestry) { return ancestry.size() >= UINT32_MAX; }

// A choice takes 16 bits, or 32 where one is larger than that.
void write_ancestry(const Ancestry& ancestry, SealedWriter& to) {
  to.number(ancestry.size());
  const bool wide = ancestry.has_wide_choices();
  to.number(wide ? 1 : 0);
  const size_t bytes = has_wide_entries(ancestry) ? sizeof(uint64_t) : sizeof(uint32_t);
  for (Ancestry::Entry entry = 0; entry < ancestry.size(); ++entry) {
    const Ancestry::Entry parent = ancestry.parent(entry);
    const auto narrow = static_cast<uint32_t>(parent);
    const uint32_t choice = ancestry.choice(entry);
    const auto small = static_cast<uint16_t>(choice);
    if (bytes == sizeof narrow) {
      to.raw(&narrow, bytes);
    } else {
      to.raw(&parent, bytes);
    }
    if (wide) {
      to.raw(&choice, sizeof choice);
    } else {
      to.raw(&small, sizeof small);
    }
  }
}

// Entries that turned out to be no states of their own: whoever goes through the ancestry again
// must leave them out again.
void write_dropped(const std::vector<bool>& dropped, SealedWriter& to) {
  to.number((dropped.size() + 63) / 64);
  for (size_t first = 0; first < dropped.size(); first += 64) {
    uint64_t bits = 0;
    for (size_t i = first; i < std::min(first + 64, dropped.size()); ++i) {
      bits |= uint64_t{dropped[i]} << (i - first);
    }
    to.number(bits);
  }
}

Result<void> write_frontier(const SearchState& state, const Frontier& frontier, SealedWriter& to) {
  Result<void> done = frontier.each([&](const Frontier::Words& chunk) {
    std::vector<Record> records;
    Frontier::read(chunk, records);
    std::erase_if(records, [&](const Record& r) { return state.is_dropped(r.entry); });
    if (records.empty()) return;
    to.number(records.size());
    for (const Record& record : records) {
      const bool first = record.first || mutant(Mutant::kCheckpointForgetsFlags);
      const bool count = record.count || mutant(Mutant::kCheckpointForgetsFlags);
      to.number(record.fingerprint);
      if (has_wide_entries(state.ancestry)) {
        to.number(record.entry);
        to.number(record.depth);
      } else {
        to.number(record.entry << 32 | record.depth);
      }
      to.number(uint64_t{first} | uint64_t{count} << 1 | uint64_t{record.sleeps} << 2);
      if (!record.sleeps) continue;
      write_keys(record.asleep, to);
      write_keys(record.woken, to);
    }
  });
  to.number(0);
  return done;
}

// --- Reading -----------------------------------------------------------------------------------

void read_counts(SealedReader& from, SearchState& state) {
  Exploration& out = state.out;
  out.distinct_states = from.number();
  out.states = from.number();
  out.transitions = from.number();
  out.self_loops = from.number();
  out.terminal_states = from.number();
  out.depth = static_cast<uint32_t>(from.number());
  state.outside = from.number();
  state.cut_by_depth = from.number() != 0;
  state.has_cycle = from.number() != 0;
  state.may_have_cycle = from.number() != 0;
  state.level_tag = static_cast<uint32_t>(from.number());
  state.tags_forgotten_at = from.number();
  const uint64_t bounds = from.count(40);
  for (uint64_t i = 0; i < bounds; ++i) {
    Bound& bound = out.bounds.emplace_back();
    const uint64_t kind = from.number();
    if (kind > static_cast<uint64_t>(Bound::Kind::kTrouble)) from.spoil();
    bound.kind = static_cast<Bound::Kind>(kind);
    bound.limit = from.number();
    bound.used = from.number();
    bound.seconds = std::bit_cast<double>(from.number());
    bound.text = from.text();
  }
  for (int64_t& depth : out.reached_depth) depth = static_cast<int64_t>(from.number());
  const uint64_t sorts = from.count(16);
  for (uint64_t i = 0; i < sorts; ++i) {
    const std::string name = from.text();
    out.earlier_steps[name] = from.number();
  }
  const uint64_t hits = from.count(64);
  for (uint64_t i = 0; i < hits; ++i) {
    Hit hit;
    hit.property = static_cast<uint32_t>(from.number());
    hit.entry = from.number();
    hit.step = static_cast<uint32_t>(from.number());
    hit.fails = from.number() != 0;
    hit.choice = static_cast<uint32_t>(from.number());
    hit.failure = from.number();
    hit.by_step = from.number() != 0;
    const uint64_t count = from.number();
    state.hits.emplace_back(hit, count);
    out.tell_violated(hit.property);
  }
  if (from.number() == 0) return;
  TroubleHit& trouble = state.trouble.emplace();
  trouble.message = from.text();
  trouble.entry = from.number();
  trouble.on_step = from.number() != 0;
  trouble.choice = static_cast<uint32_t>(from.number());
}

Result<void> read_visited(SealedReader& from, const Options& options, bool notes,
                          SearchState& state) {
  const bool wide = options.wide_fingerprints;
  const bool noted = from.number() != 0;
  const uint64_t count = from.count(9);
  const auto read = [&] {
    DiskStates::State visited;
    visited.fingerprint = from.number();
    if (wide) visited.second = from.number();
    uint8_t tag = 0;
    from.raw(&tag, sizeof tag);
    visited.tag = mutant(Mutant::kCheckpointForgetsLevels) ? state.level_tag : tag;
    if (tag == 0 || tag > VisitedSet::kTags) from.spoil();
    return visited;
  };
  constexpr uint64_t kBytesEach = 12;
  const bool to_disk = !options.spill.empty() && !noted && options.max_bytes > 0 &&
                       count * kBytesEach * (wide ? 2 : 1) > options.max_bytes / 2;
  if (to_disk) {
    state.visited.restart(VisitedSet::Note::kNumber);
    return state.disk.load([&](const DiskStates::Add& add) -> Result<void> {
      for (uint64_t i = 0; i < count && !from.bad(); ++i) {
        if (auto done = add(read()); !done) return done;
      }
      return {};
    });
  }
  for (uint64_t i = 0; i < count && !from.bad(); ++i) {
    const DiskStates::State visited = read();
    const VisitedSet::Place place =
        state.visited.put(visited.fingerprint, visited.second, visited.tag);
    const uint32_t note = noted ? static_cast<uint32_t>(from.number()) : 0;
    if (notes) state.visited.set_note(place, note);
  }
  return {};
}

void read_keys(SealedReader& from, std::vector<uint32_t>& words) {
  const uint64_t count = from.count(8);
  for (uint64_t i = 0; i < count; ++i) Keys::push(from.number(), words);
}

void read_sleep_sets(SealedReader& from, SearchState& state) {
  std::vector<uint32_t> words;
  for (SleepSets& sets : state.sleep_sets) {
    const uint64_t count = from.count(8);
    for (uint64_t i = 0; i < count && !from.bad(); ++i) {
      words.clear();
      read_keys(from, words);
      sets.intern(Keys(words));
    }
  }
}

void read_ancestry(SealedReader& from, Ancestry& ancestry) {
  const uint64_t count = from.count(6);
  const bool wide = from.number() != 0;
  for (uint64_t i = 0; i < count && !from.bad(); ++i) {
    Ancestry::Entry parent = 0;
    uint32_t narrow = 0;
    uint32_t choice = 0;
    uint16_t small = 0;
    if (count >= UINT32_MAX) {
      from.raw(&parent, sizeof parent);
    } else {
      from.raw(&narrow, sizeof narrow);
      parent = narrow == UINT32_MAX ? Ancestry::kRoot : narrow;
    }
    if (wide) {
      from.raw(&choice, sizeof choice);
    } else {
      from.raw(&small, sizeof small);
      choice = small;
    }
    ancestry.add(parent, choice);
  }
}

void read_dropped(SealedReader& from, const Ancestry& ancestry, std::vector<bool>& dropped) {
  const uint64_t words = from.count(8);
  dropped.assign(std::min<uint64_t>(words * 64, ancestry.size()), false);
  for (uint64_t word = 0; word < words; ++word) {
    const uint64_t bits = from.number();
    for (uint64_t i = 0; i < 64 && word * 64 + i < dropped.size(); ++i) {
      dropped[word * 64 + i] = (bits >> i & 1) != 0 && !mutant(Mutant::kCheckpointForgetsDropped);
    }
  }
}

struct Waiting {
  Record record;
  std::vector<uint32_t> asleep;
  std::vector<uint32_t> woken;
};
using Chunks = std::vector<std::vector<Waiting>>;

Chunks read_frontier(SealedReader& from, const Ancestry& ancestry) {
  Chunks out;
  for (uint64_t records = from.count(24); records > 0 && !from.bad(); records = from.count(24)) {
    std::vector<Waiting>& chunk = out.emplace_back(records);
    for (Waiting& waiting : chunk) {
      Record& record = waiting.record;
      record.fingerprint = from.number();
      const uint64_t place = from.number();
      const bool wide = has_wide_entries(ancestry);
      record.entry = wide ? place : place >> 32;
      record.depth = static_cast<uint32_t>(wide ? from.number() : place);
      const uint64_t flags = from.number();
      record.first = (flags & 1) != 0;
      record.count = (flags & 2) != 0;
      record.sleeps = (flags & 4) != 0;
      if (!record.sleeps) continue;
      read_keys(from, waiting.asleep);
      read_keys(from, waiting.woken);
    }
  }
  return out;
}

// Takes the ways to the waiting states again, each common part once.
class Revival {
 public:
  Revival(StateSpace& space, const std::vector<StateSpace::Initial>& roots,
          const Ancestry& ancestry)
      : explorer_(space.explorer()),
        roots_(roots),
        ancestry_(ancestry),
        uses_(ancestry.size(), 0) {}

  bool expect(const Chunks& chunks) {
    for (const auto& chunk : chunks) {
      for (const Waiting& waiting : chunk) {
        if (waiting.record.entry >= uses_.size()) return false;
        wanted_[waiting.record.entry] = {};
        ++uses_[waiting.record.entry];
      }
    }
    return true;
  }

  // Makes every expected state. False: this program does not go the ways of the checkpoint.
  bool run() {
    for (Ancestry::Entry entry = ancestry_.size(); entry-- > 0;) {
      if (uses_[entry] == 0 || ancestry_.parent(entry) == Ancestry::kRoot) continue;
      if (ancestry_.parent(entry) >= entry) return false;
      ++uses_[ancestry_.parent(entry)];
    }
    for (Ancestry::Entry entry = 0; entry < ancestry_.size(); ++entry) {
      if (uses_[entry] > 0 && !make(entry)) return false;
    }
    return true;
  }

  struct State {
    uint64_t fingerprint = 0;
    std::vector<uint32_t> words;
  };
  const State& state(Ancestry::Entry entry) const { return wanted_.at(entry); }

 private:
  bool make(Ancestry::Entry entry) {
    State made;
    const Ancestry::Entry parent = ancestry_.parent(entry);
    if (parent == Ancestry::kRoot) {
      if (ancestry_.choice(entry) >= roots_.size()) return false;
      made = {roots_[ancestry_.choice(entry)].fingerprint, roots_[ancestry_.choice(entry)].state};
    } else {
      const auto from = alive_.find(parent);
      if (from == alive_.end()) return false;
      if (listed_ != parent) {
        choices_.clear();
        explorer_->enumerate(from->second.words, choices_);
        listed_ = parent;
      }
      const uint32_t choice = ancestry_.choice(entry);
      if (choice >= choices_.size() || choices_[choice].fails) return false;
      made.fingerprint = explorer_->apply(from->second.words, from->second.fingerprint,
                                          choices_[choice], made.words);
      if (--uses_[parent] == 0) {
        alive_.erase(from);
        listed_ = Ancestry::kRoot;
      }
    }
    if (const auto wanted = wanted_.find(entry); wanted != wanted_.end()) {
      wanted->second = made;
      if (--uses_[entry] == 0) return true;
    }
    alive_.emplace(entry, std::move(made));
    return true;
  }

  std::unique_ptr<Explorer> explorer_;
  const std::vector<StateSpace::Initial>& roots_;
  const Ancestry& ancestry_;
  std::vector<uint32_t> uses_;  // by entry: children to be made, and waiting itself
  std::unordered_map<Ancestry::Entry, State> alive_;
  std::unordered_map<Ancestry::Entry, State> wanted_;
  std::vector<Choice> choices_;
  Ancestry::Entry listed_ = Ancestry::kRoot;  // whose choices these are
};

bool revive(const Chunks& chunks, const Revival& revival, Frontier& frontier) {
  for (const auto& chunk : chunks) {
    Frontier::Words words;
    for (const Waiting& waiting : chunk) {
      Record record = waiting.record;
      const Revival::State& state = revival.state(record.entry);
      if (state.fingerprint != record.fingerprint && !mutant(Mutant::kResumeTrusts)) return false;
      record.state = state.words;
      record.asleep = Keys(waiting.asleep);
      record.woken = Keys(waiting.woken);
      Frontier::write(record, words);
    }
    frontier.add(std::move(words), static_cast<uint32_t>(chunk.size()));
  }
  return true;
}

Result<void> compare(const std::string& path, const Identity& mine, SealedReader& from) {
  Identity there;
  const uint64_t lines = from.count(16);
  for (uint64_t i = 0; i < lines && !from.bad(); ++i) {
    std::string name = from.text();
    std::string value = from.text();
    there.emplace_back(std::move(name), std::move(value));
  }
  const std::string differs = difference(there, mine);
  if (differs.empty()) return {};
  return Error{path + " is a checkpoint of another search: " + differs +
               "; give another file, or remove this one"};
}

// "": the file begins as it should.
std::string foreign(const std::string& path, int descriptor) {
  std::string begin(kMagic.size(), '\0');
  const ssize_t got = pread(descriptor, begin.data(), begin.size(), 0);
  begin.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (begin == kMagic) return "";
  if (begin.starts_with(kMagicOfAny)) {
    return path + " is a checkpoint of another version of ordeal, and means nothing to this one; " +
           "go on with that version, give another file, or remove this one";
  }
  return path + " is no checkpoint; give another file, or remove this one";
}

}  // namespace

Result<void> write_checkpoint(const std::string& path, const Identity& identity,
                              const SearchState& state,
                              const std::map<std::string, uint64_t>& steps, bool notes) {
  // Always the same name aside: what a killed process left is overwritten by the next.
  const std::string aside = path + ".part";
  const auto trouble = [&](const std::string& what) {
    unlink(aside.c_str());
    return Error{path + ": " + what};
  };
  {
    const Closing file(open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) return trouble("cannot be written: " + system_says());
    SealedWriter to(file.get());
    to.raw(kMagic.data(), kMagic.size());
    to.number(identity.size());
    for (const auto& [name, value] : identity) {
      to.text(name);
      to.text(value);
    }
    write_counts(state, steps, to);
    to.number(notes ? 1 : 0);
    if (const auto done = write_visited(state, notes, to); !done) {
      return trouble(done.error().message);
    }
    write_sleep_sets(state, to);
    write_ancestry(state.ancestry, to);
    write_dropped(state.dropped, to);
    for (const Frontier* frontier : {&state.current, &state.next}) {
      if (const auto done = write_frontier(state, *frontier, to); !done) {
        return trouble(done.error().message);
      }
    }
    if (const auto done = to.finish(); !done) {
      return trouble("cannot be written: " + done.error().message);
    }
  }
  if (rename(aside.c_str(), path.c_str()) != 0) {
    return trouble("cannot be written: " + system_says());
  }
  // The new name must survive a power cut too; where that cannot be asked for, the file is whole
  // all the same.
  const size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  const Closing parent(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) fsync(parent.get());
  return {};
}

Result<bool> read_checkpoint(const std::string& path, const Identity& identity, StateSpace& space,
                             const std::vector<StateSpace::Initial>& roots, const Options& options,
                             SearchState& state, bool notes) {
  // A pipe would be waited for; what is no file is found out below.
  const Closing file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT) return false;
    return Error{path + ": cannot be read: " + system_says()};
  }
  if (const std::string why = foreign(path, file.get()); !why.empty()) return Error{why};
  SealedReader from(file.get());
  if (!from.check()) {
    return Error{path +
                 " is a damaged checkpoint: it was cut off or changed since it was written; "
                 "remove it to start anew"};
  }
  const Error odd{path +
                  " is a damaged checkpoint: it contradicts itself; remove it to start anew"};
  std::string magic(kMagic.size(), '\0');
  from.raw(magic.data(), magic.size());
  if (const auto same = compare(path, identity, from); !same) return same.error();
  read_counts(from, state);
  if (const auto read = read_visited(from, options, notes, state); !read) return read.error();
  read_sleep_sets(from, state);
  read_ancestry(from, state.ancestry);
  read_dropped(from, state.ancestry, state.dropped);
  state.notes_from = state.ancestry.size();
  const Chunks current = read_frontier(from, state.ancestry);
  const Chunks next = read_frontier(from, state.ancestry);
  if (from.bad() || !from.at_end()) return odd;
  Revival revival(space, roots, state.ancestry);
  if (!revival.expect(current) || !revival.expect(next)) return odd;
  if (!revival.run() || !revive(current, revival, state.current) ||
      !revive(next, revival, state.next)) {
    return Error{path +
                 " does not fit this program: the same actions lead to other states (a handler, a "
                 "type or the engine has changed since); remove it to start anew"};
  }
  return true;
}

void remove_checkpoint(const std::string& path) { unlink(path.c_str()); }

}  // namespace ordeal::explore
