// Looks for cycles of progress actions in little memory. A state can be taken away once all
// progress edges that lead to it come from states that were taken away. How many edges lead to each
// state is counted first, by putting all of them in order on disk; then the states to which none
// leads are taken away, and their edges with them, which leaves others without, and so on, in
// rounds. A graph without cycles is gone in the end.
//
// States are not stored. All of them come back in the order in which they were found, from the
// ancestry alone (Retrace); those that can be taken away come from those before them, which are
// expanded once to count and once to go on.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/mutant.h"
#include "explore/search/cycles.h"
#include "explore/store/counting_sort.h"
#include "explore/store/frontier.h"
#include "explore/store/visited.h"

namespace ordeal::explore {
namespace {

using Item = CountingSort::Item;

// For each state to which progress edges lead: how many of them are left. In order, on disk; asked
// for in ascending order, again and again.
class EdgesLeft {
 public:
  explicit EdgesLeft(const std::string& folder) : folder_(folder) {}

  Result<void> load(CountingSort::Cursor& sorted) {
    Result<ScratchFile> file = ScratchFile::in(folder_);
    if (!file) return file.error();
    file_.emplace(std::move(*file));
    for (Item item;;) {
      const Result<bool> more = sorted.next(item);
      if (!more) return more.error();
      if (*more) {
        if (states_++ % kBlock == 0) firsts_.push_back(item);
        block_.push_back(item);
      }
      if (block_.size() == kBlock || !*more) {
        const Result<uint64_t> at = file_->append(block_.data(), block_.size() * sizeof(Item));
        if (!at) return at.error();
        block_.clear();
      }
      if (!*more) return {};
    }
  }

  // Takes `wanted.count` away. What is left then; ~0 where no edge has ever led to the state.
  Result<uint64_t> take(const Item& wanted) {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), wanted,
                                        [](const Item& a, const Item& b) { return a.before(b); });
    if (after == firsts_.begin()) return ~uint64_t{0};
    if (const auto done = go_to(static_cast<size_t>(after - firsts_.begin()) - 1); !done) {
      return done.error();
    }
    const auto at = std::lower_bound(block_.begin(), block_.end(), wanted,
                                     [](const Item& a, const Item& b) { return a.before(b); });
    if (at == block_.end() || !at->same(wanted)) return ~uint64_t{0};
    changed_ = changed_ || wanted.count > 0;
    at->count -= std::min(at->count, wanted.count);
    return at->count;
  }

  uint64_t states() const { return states_; }
  uint64_t bytes() const { return (firsts_.capacity() + block_.capacity()) * sizeof(Item); }

 private:
  static constexpr size_t kBlock = 256;  // items that are read at once

  Result<void> go_to(size_t block) {
    if (block == at_) return {};
    if (changed_) {
      const auto done =
          file_->write(at_ * kBlock * sizeof(Item), block_.data(), block_.size() * sizeof(Item));
      if (!done) return done;
      changed_ = false;
    }
    block_.resize(std::min<uint64_t>(kBlock, states_ - block * kBlock));
    at_ = block;
    return file_->read(block * kBlock * sizeof(Item), block_.data(), block_.size() * sizeof(Item));
  }

  const std::string folder_;
  std::optional<ScratchFile> file_;
  uint64_t states_ = 0;
  std::vector<Item> firsts_;  // of each block
  std::vector<Item> block_;   // the one at hand
  size_t at_ = ~size_t{0};
  bool changed_ = false;
};

// A frontier that is filled one state at a time, and goes to disk when it takes too much memory.
class Pile {
 public:
  Result<void> add(const Record& record, uint64_t most_bytes, const std::string& folder) {
    Frontier::write(record, words_);
    if (++records_ < kChunk) return {};
    flush();
    return frontier_.bytes() > most_bytes ? frontier_.store(folder) : Result<void>();
  }
  Frontier& all() {
    flush();
    return frontier_;
  }
  uint64_t bytes() const { return frontier_.bytes() + words_.capacity() * sizeof(uint32_t); }

 private:
  static constexpr uint32_t kChunk = 64;

  void flush() { frontier_.add(std::exchange(words_, {}), std::exchange(records_, 0)); }

  Frontier frontier_;
  Frontier::Words words_;
  uint32_t records_ = 0;
};

class CyclesOnDisk {
 public:
  CyclesOnDisk(const CycleSearchTask& task, const Ancestry& ancestry,
               const std::vector<bool>& dropped)
      : task_(task),
        ancestry_(ancestry),
        dropped_(dropped),
        folder_(task.options.spill),
        wide_(task.options.wide_fingerprints),
        explorer_(task.space.explorer()),
        left_(folder_) {
    const uint64_t base = task.held_bytes + task.space.statistics().bytes + explorer_->bytes();
    share_ = std::max(kLeastShare, (task.most_bytes - std::min(task.most_bytes, base)) / 4);
  }

  CycleSearchResult run() {
    const Result<void> done = count_edges();
    if (goes_on(done)) take_away();
    look_at_memory();
    // What could not be told is told as such; a cycle is one only if everything was looked at.
    result_.cycle = !result_.stopped && taken_ < left_.states() && !mutant(Mutant::kCycleMissed);
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kLeastShare = uint64_t{1} << 16;
  static constexpr uint64_t kSteps = 256;     // between two looks at memory
  static constexpr uint64_t kBytesEach = 20;  // of a state that is ready, in a VisitedSet
  static constexpr const char* kChanged =
      "a state has other successors than before: a handler does not do the same again";

  bool goes_on(const Result<void>& done) {
    if (!done && !result_.stopped) {
      result_.stopped = {.kind = Bound::Kind::kFile, .text = "disk: " + done.error().message};
    }
    return !result_.stopped;
  }

  void look_at_memory() {
    bytes_ = task_.held_bytes + task_.space.statistics().bytes + explorer_->bytes() +
             left_.bytes() + ready_.bytes() + next_.bytes() + in_use_;
    result_.bytes = std::max(result_.bytes, bytes_);
  }
  bool may_go_on() {
    if (steps_++ % kSteps == 0) look_at_memory();
    if (!result_.stopped) {
      result_.stopped = task_.pace.look(task_.so_far, waiting_, bytes_);
    }
    return !result_.stopped;
  }

  uint64_t second_of(StateRef state) const {
    return wide_ ? explorer_->second_fingerprint(state) : 0;
  }

  // Calls f(fingerprint, second, words) for what each progress action leads to. Whether it was not
  // interrupted, and f never failed.
  template <class F>
  bool each_successor(const Record& record, const F& f) {
    if (!may_go_on()) return false;
    if (!explorer_->within(record.state)) return true;
    choices_.clear();
    explorer_->enumerate(record.state, choices_);
    for (const Choice& choice : choices_) {
      if (choice.fails || choice.outside) continue;
      if (!choice.progress && !task_.any_step) continue;
      words_.clear();
      const uint64_t fingerprint =
          explorer_->apply(record.state, record.fingerprint, choice, words_);
      if (!goes_on(f(fingerprint, second_of(words_), StateRef(words_)))) return false;
    }
    return true;
  }

  // Calls f(record) for every state of a frontier, without taking it. Whether all went well.
  template <class F>
  bool each_record(const Frontier& frontier, const F& f) {
    const Result<void> done = frontier.each([&](const Frontier::Words& chunk) {
      if (result_.stopped) return;
      records_.clear();
      Frontier::read(chunk, records_);
      for (const Record& record : records_) {
        if (!f(record)) return;
      }
    });
    return goes_on(done);
  }

  // --- All states, in the order in which they were found ----------------------------------------
  // f(record) as above.
  template <class F>
  Result<void> retrace(const F& f) {
    Ancestry::Entry entry = 0;  // the next one to be made
    Pile current, next;
    for (; entry < ancestry_.size() && ancestry_.parent(entry) == Ancestry::kRoot; ++entry) {
      const StateSpace::Initial& root = task_.roots[ancestry_.choice(entry)];
      if (auto done = add(entry, root.fingerprint, root.state, current); !done) return done;
    }
    while (!current.all().empty()) {
      const Result<Frontier::Words> chunk = current.all().take_front();
      if (!chunk) return chunk.error();
      std::vector<Record> records;
      Frontier::read(*chunk, records);
      for (const Record& record : records) {
        if (!f(record)) return {};
        bool listed = false;
        for (; entry < ancestry_.size() && ancestry_.parent(entry) == record.entry; ++entry) {
          if (!listed) {
            choices_.clear();
            explorer_->enumerate(record.state, choices_);
            listed = true;
          }
          const uint32_t choice = ancestry_.choice(entry);
          if (choice >= choices_.size() || choices_[choice].fails) return Error{kChanged};
          words_.clear();
          const uint64_t fingerprint =
              explorer_->apply(record.state, record.fingerprint, choices_[choice], words_);
          if (auto done = add(entry, fingerprint, words_, next); !done) return done;
        }
      }
      if (current.all().empty()) std::swap(current, next);
    }
    if (entry != ancestry_.size()) return Error{kChanged};
    return {};
  }

  Result<void> add(Ancestry::Entry entry, uint64_t fingerprint, StateRef state, Pile& to) {
    const bool is_dropped = entry < dropped_.size() && dropped_[entry];
    return is_dropped ? Result<void>() : put(entry, fingerprint, state, to);
  }
  Result<void> put(Ancestry::Entry entry, uint64_t fingerprint, StateRef state, Pile& to) const {
    Record record;
    record.fingerprint = fingerprint;
    record.entry = entry;
    record.state = state;
    return to.add(record, share_, folder_);
  }

  // --- Counting ----------------------------------------------------------------------------------
  // Counts the edges that lead to each state, and leaves ready those to which none does.
  Result<void> count_edges() {
    CountingSort entries(folder_, share_);
    {
      CountingSort edges(folder_, share_);
      CountingSort states(folder_, share_);
      in_use_ = 3 * share_;
      const auto count = [&](const Record& record) {
        return goes_on(states.add({record.fingerprint, second_of(record.state), record.entry})) &&
               each_successor(record, [&](uint64_t fingerprint, uint64_t second, StateRef) {
                 return edges.add({fingerprint, second, 1});
               });
      };
      if (const auto done = retrace(count); !done || result_.stopped) return done;
      Result<CountingSort::Cursor> sorted_edges = edges.sorted();
      if (!sorted_edges) return sorted_edges.error();
      if (auto done = left_.load(*sorted_edges); !done) return done;
      Result<CountingSort::Cursor> sorted_states = states.sorted();
      if (!sorted_states) return sorted_states.error();
      for (Item item;;) {
        const Result<bool> more = sorted_states->next(item);
        if (!more) return more.error();
        if (!*more) break;
        const Result<uint64_t> left = left_.take({item.key, item.second, 0});
        if (!left) return left.error();
        if (*left != ~uint64_t{0}) continue;
        if (auto done = entries.add({item.count, 0, 0}); !done) return done;
      }
    }
    return find_ready(entries);
  }

  Result<void> find_ready(CountingSort& entries) {
    Result<CountingSort::Cursor> sorted = entries.sorted();
    if (!sorted) return sorted.error();
    Item wanted;
    Result<bool> more = sorted->next(wanted);
    const Result<void> done = retrace([&](const Record& record) {
      if (!may_go_on()) return false;
      if (!more || !*more || wanted.key != record.entry) return true;
      more = sorted->next(wanted);
      return goes_on(put(record.entry, record.fingerprint, record.state, ready_));
    });
    in_use_ = 0;
    return more ? done : more.error();
  }

  // --- Taking away -------------------------------------------------------------------------------
  void take_away() {
    while (!ready_.all().empty() && !result_.stopped) {
      if (!goes_on(round())) return;
      ready_ = std::exchange(next_, {});
    }
  }

  // Takes the states that are ready away; the next ones are those that no edge leads to any more.
  Result<void> round() {
    CountingSort taken(folder_, share_);
    in_use_ = 2 * share_;
    waiting_ = ready_.all().size();
    const bool all = each_record(ready_.all(), [&](const Record& record) {
      return each_successor(record, [&](uint64_t fingerprint, uint64_t second, StateRef) {
        return taken.add({fingerprint, second, 1});
      });
    });
    if (!all) return {};
    Result<CountingSort::Cursor> sorted = taken.sorted();
    if (!sorted) return sorted.error();
    // As many at a time as memory holds.
    auto wanted = std::make_unique<VisitedSet>(wide_);
    uint64_t count = 0;
    for (Item item;;) {
      const Result<bool> more = sorted->next(item);
      if (!more) return more.error();
      if (*more) {
        const Result<uint64_t> left = left_.take(item);
        if (!left) return left.error();
        if (*left == ~uint64_t{0}) return Error{kChanged};
        if (*left > 0) continue;
        wanted->put(item.key, item.second, kWanted);
        ++count;
      }
      if (count > 0 && (!*more || count * kBytesEach >= share_)) {
        find_next(*wanted);
        if (result_.stopped) return {};
        taken_ += count;
        count = 0;
        wanted = std::make_unique<VisitedSet>(wide_);
      }
      if (!*more) return {};
    }
  }

  static constexpr uint32_t kFound = 1;
  static constexpr uint32_t kWanted = 2;

  void find_next(VisitedSet& wanted) {
    each_record(ready_.all(), [&](const Record& record) {
      return each_successor(record, [&](uint64_t fingerprint, uint64_t second, StateRef state) {
        const VisitedSet::Place place = wanted.find_place(fingerprint, second);
        if (place.is_new || place.tag != kWanted) return Result<void>();
        wanted.set_tag(place, kFound);
        return put(0, fingerprint, state, next_);
      });
    });
  }

  const CycleSearchTask& task_;
  const Ancestry& ancestry_;
  const std::vector<bool>& dropped_;
  const std::string folder_;
  const bool wide_;
  std::unique_ptr<Explorer> explorer_;
  uint64_t share_ = 0;  // of memory, for each of a few buffers
  EdgesLeft left_;
  uint64_t taken_ = 0;  // states to which edges led
  Pile ready_;
  Pile next_;
  uint64_t waiting_ = 0;  // states that are ready
  uint64_t in_use_ = 0;   // by buffers
  uint64_t steps_ = 0;
  uint64_t bytes_ = 0;
  CycleSearchResult result_;
  std::vector<Choice> choices_;
  std::vector<uint32_t> words_;
  std::vector<Record> records_;
};

}  // namespace

CycleSearchResult find_cycle_on_disk(const CycleSearchTask& task, const Ancestry& ancestry,
                                     const std::vector<bool>& dropped) {
  return std::make_unique<CyclesOnDisk>(task, ancestry, dropped)->run();
}

}  // namespace ordeal::explore
