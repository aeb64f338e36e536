// Expanding states: what one thread does between two looks at the visited set. A Unit is a run of
// waiting states, and what expanding them gave.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/watch.h"
#include "explore/store/frontier.h"
#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// A successor, not looked up yet. Its words end where those of the next candidate begin.
struct Candidate {
  uint64_t fingerprint = 0;
  uint32_t at = 0;  // first word, in the unit's words
  // Together they fit into a word: there are many candidates, and they are looked at often.
  static constexpr uint32_t kChoiceBits = 25;
  uint32_t choice : kChoiceBits = 0;
  uint32_t record : 6 = 0;     // its parent, in the unit
  bool may_return : 1 = true;  // it may be part of a cycle in which there is progress
};
static_assert(sizeof(Candidate) == 16);

struct Hit {
  uint32_t property = 0;
  uint64_t entry = 0;
  uint32_t step = 0;
  bool fails = false;
  uint32_t choice = 0;   // the failing one
  uint64_t failure = 0;  // its kind; 0 unless the search keeps going
  bool by_step = false;  // the run ends with `choice`, and with what that leads to
};

// What could not be said of a state, or of the step that `choice` is.
struct TroubleHit {
  std::string message;
  uint64_t entry = 0;
  bool on_step = false;
  uint32_t choice = 0;
  size_t hits_before = 0;  // in the unit
};

// What one thread found out about the candidates of its shards.
struct Lane {
  struct Queued {
    uint32_t candidate = 0;
    bool is_new = true;    // never seen before; else it is to be expanded again
    bool count = true;     // count its transitions
    uint32_t keys_at = 0;  // expanded again because of its sleep set: the sets, in `keys`
    uint32_t asleep = 0;   // words of the first
    uint32_t woken = 0;    // words of the second
  };
  std::vector<Queued> queued;  // in the order of candidates
  std::vector<uint32_t> keys;
  uint64_t considered = 0;
  uint64_t fresh = 0;
  bool cut_by_depth = false;
  bool leads_back = false;  // what may be part of a cycle, to a state of this level or before
  bool too_deep_to_tell = false;

  void clear() {
    queued.clear();
    keys.clear();
    considered = fresh = 0;
    cut_by_depth = leads_back = too_deep_to_tell = false;
  }
};

struct Unit {
  std::span<const Record> records;
  std::vector<Candidate> candidates;
  std::vector<uint32_t> words;
  std::vector<uint64_t> seconds;   // per candidate, with 128-bit fingerprints
  std::vector<uint32_t> keys;      // sleep sets of the candidates, one after the other,
  std::vector<uint32_t> keys_end;  // … and where each ends
  std::vector<Hit> hits;
  std::optional<TroubleHit> trouble;                   // the first
  std::vector<std::pair<uint32_t, uint32_t>> reached;  // property, depth
  uint64_t transitions = 0;
  SortCounts steps;
  uint64_t self_loops = 0;
  uint64_t repeated = 0;  // successors that are no candidates: they were met a moment ago
  uint64_t terminal = 0;
  uint64_t outside = 0;
  uint32_t depth = 0;
  bool loops = false;           // an action leads to where it began;
  bool progress_loops = false;  // … and is progress
  bool too_many_choices = false;
  bool too_large = false;  // some successors are not there: there was no room for them
  std::string error;
  size_t visiting = 0;      // the record at hand; of an error, where it occurred
  bool judged = false;      // … and whether that came after it was judged
  bool overdue = false;     // something did not return there, and the search is to stop at that
  std::vector<Lane> lanes;  // one per thread
  // Where what is queued goes.
  uint64_t first_entry = 0;
  uint32_t most_queued = 0;
  Frontier::Words waiting;

  void start(std::span<const Record> of);
  uint64_t bytes() const;  // of what expanding gave
  StateRef state(size_t candidate) const {
    const size_t end =
        candidate + 1 < candidates.size() ? candidates[candidate + 1].at : words.size();
    return StateRef(words.data() + candidates[candidate].at, end - candidates[candidate].at);
  }
  Keys asleep(size_t candidate) const {
    const size_t begin = candidate == 0 ? 0 : keys_end[candidate - 1];
    return Keys(StateRef(keys.data() + begin, keys_end[candidate] - begin));
  }
};

// The successors that one thread met last. Most states are reached from many that lie close
// together: four of five successors have been met a moment ago, and need not be looked up in a
// table that no cache holds. What is left out comes later in order than what it repeats, so that no
// result depends on it.
class LastMet {
 public:
  // `most_bytes`: what it may take.
  explicit LastMet(uint64_t most_bytes)
      : bits_(std::clamp(static_cast<int>(std::bit_width(most_bytes / sizeof(uint64_t))) - 1,
                         kLeastBits, kMostBits)) {}

  // Whether the state was met at this depth not long ago; it is remembered in any case.
  bool again(uint64_t fingerprint, uint32_t depth, bool progress) {
    uint64_t& slot = slots_[fingerprint >> (64 - bits_)];
    const uint64_t met = fingerprint + (uint64_t{depth} * 2 + (progress ? 1 : 0)) * kSpread;
    if (slot == met) return true;
    slot = met;
    return false;
  }
  uint64_t bytes() const { return slots_.size() * sizeof(uint64_t); }

 private:
  static constexpr int kMostBits = 15;
  static constexpr int kLeastBits = 8;
  static constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
  int bits_;
  std::vector<uint64_t> slots_ = std::vector<uint64_t>(size_t{1} << bits_);
};

class Expander {
 public:
  static constexpr size_t kMostChoices = size_t{1} << Candidate::kChoiceBits;  // per state

  // What else is judged than states within the constraint.
  struct Judging {
    bool steps = false;
    bool outside = false;
  };
  static Judging judging_of(const StateSpace& space) {
    return {any_on_steps(space.properties()), space.judges_outside()};
  }

  // `most_bytes`: what one thread may take to work in, at most.
  Expander(std::unique_ptr<Explorer> explorer, const Options& options, uint64_t most_bytes,
           Judging judging);

  uint64_t bytes() const { return explorer_->bytes() + last_met_.bytes(); }

  // Judges and expands the states of the unit. Calls after_each(number of candidates before) when
  // the candidates of a state have been added. A property or a raw model may fail in any way; the
  // search does not die of it: see Unit::error.
  template <class F>
  void expand(Unit& unit, const F& after_each) {
    {
      const Trusting trusting;
      unit.error = guarded([&] { expand_from(0, unit, after_each); });
    }
    if (unit.error.empty() || is_abandoned(unit.error) || unit.judged) return;
    // It failed while the state was judged: of that, once more, with care.
    unit.error = guarded([&] { expand_from(unit.visiting, unit, after_each); });
  }

 private:
  template <class F>
  void expand_from(size_t first, Unit& unit, const F& after_each) {
    const Watched watched;
    for (size_t i = first; i < unit.records.size(); ++i) {
      const size_t before = unit.candidates.size();
      unit.visiting = i;
      unit.judged = false;
      watch_next();
      visit(unit.records[i], static_cast<uint8_t>(i), unit);
      after_each(before);
      if (unit.overdue) return;
    }
  }
  void visit(const Record& record, uint8_t number, Unit& unit);
  // Whether the last question could not be answered; if so, notes it.
  bool meets_trouble(const Record& record, Unit& unit);
  bool meets_trouble_in(size_t choice, const Record& record, Unit& unit);
  // False: it could not be judged.
  bool judge(const Record& record, bool terminal, Unit& unit);
  // A state outside of the constraint.
  void judge_outside(const Record& record, Unit& unit);
  // A step, and where it is outside of the constraint the state behind it. False: it could not be.
  bool judge_step(const Record& record, size_t choice, StateRef after, Unit& unit);
  // Applies one action; false: it leads nowhere else.
  bool step(const Record& record, uint64_t second, size_t choice, bool beyond, Unit& unit);
  void step_all(const Record& record, uint8_t number, bool beyond, Unit& unit);
  // … but for those that sleep, and with sleep sets for the successors.
  void step_awake(const Record& record, uint8_t number, bool beyond, Unit& unit);
  void note_failure(const Record& record, size_t choice, bool beyond, Unit& unit) const;
  // Where a call does not return, others of the same round would not return either: the search does
  // not wait for each of them.
  void note_overdue(std::string_view why, Unit& unit) const;
  void add_sleep_set(const Record& record, size_t taken, Unit& unit);

  std::unique_ptr<Explorer> explorer_;
  const Options& options_;
  const size_t most_words_;  // of the successors of a unit
  std::vector<Choice> choices_;
  Judgement judgement_;
  const Judging judging_;
  const bool may_skip_;  // successors that are met again
  LastMet last_met_;
  std::vector<uint32_t> told_;  // the least depth at which a property was told to be reached
  // Of the state at hand, by choice; only with sleep sets.
  std::vector<Footprint> footprints_;
  std::vector<uint32_t> asleep_;  // choices that sleep, and those taken so far
  std::vector<uint64_t> successor_keys_;
};

}  // namespace ordeal::explore
