// What every strategy hands back, before it becomes a Report: counts, and the first violation of
// each property, and of each kind of failure, as a path of choices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"

namespace ordeal::explore {

struct Finding {
  uint32_t property = 0;
  ShortForm path;
  bool fails = false;    // the last action's handler fails: there is no state after it
  uint64_t failure = 0;  // … and of which kind; 0: of any (explore/strategy/failures.h)
  uint64_t count = 1;
  std::string by = {};  // as in a Violation
  // No violation: what could not be said where the run ends, or of its last step.
  std::string trouble = {};
  bool on_step = false;  // of trouble
  uint64_t run = 0;      // of trouble: the number of the run, from 1 on; 0: there are no numbers
  std::optional<uint32_t> loop_start = {};  // of a run that goes on for ever: as in a Trace

  bool is_trouble() const { return !trouble.empty(); }
};

// So many kinds of failures are told apart.
inline constexpr size_t kMostFailures = 16;

// The one that a violation belongs to; end: it is the first of its kind. `Known`: has a property
// and a kind of failure.
template <class Iterator, class Member>
Iterator find_alike(Iterator begin, Iterator end, uint32_t property, uint64_t failure,
                    Member member) {
  size_t kinds = 0;
  Iterator first = end;
  for (Iterator at = begin; at != end; ++at) {
    const auto& known = member(*at);
    if (known.property != property) continue;
    if (known.failure == failure) return at;
    if (kinds++ == 0) first = at;
  }
  return kinds < kMostFailures ? end : first;
}

// How often steps of each sort were taken (StepSort).
struct SortCounts {
  std::vector<uint64_t> by_sort;

  void add(uint16_t sort) {
    if (sort >= by_sort.size()) by_sort.resize(sort + size_t{1});
    ++by_sort[sort];
  }
  void add(const SortCounts& others) {
    if (others.by_sort.size() > by_sort.size()) by_sort.resize(others.by_sort.size());
    for (size_t i = 0; i < others.by_sort.size(); ++i) by_sort[i] += others.by_sort[i];
  }
  void clear() { std::fill(by_sort.begin(), by_sort.end(), 0); }
};

struct Exploration {
  uint64_t distinct_states = 0;
  uint64_t outside_states = 0;  // these two: as in a Report
  uint64_t initial_states = 0;
  uint64_t states = 0;  // reached, duplicates included
  uint64_t transitions = 0;
  SortCounts steps;  // the transitions, by sort
  // … before the search was resumed, by name; 0: only without effect.
  std::map<std::string, uint64_t> earlier_steps;
  uint64_t self_loops = 0;
  uint64_t terminal_states = 0;
  uint32_t depth = 0;
  uint64_t runs = 0;
  uint64_t violating_runs = 0;  // these three: as in a Report
  uint64_t first_violating_run = 0;
  uint64_t first_violating_step = 0;
  // How many runs violate a property, and how many have a failing handler (kNoFailure).
  std::map<uint32_t, uint64_t> violating_runs_of;
  bool exhaustive = true;  // the strategy explores everything if nothing cuts it
  bool cycle = false;      // progress actions form a cycle (only looked for where it matters)
  std::optional<Bound> cycle_unknown;  // what kept that from being found out
  // The properties of which it was decided whether runs that go on for ever violate them; of those
  // that are only said of runs (Property::on_runs) nothing else is.
  std::vector<uint32_t> decided_on_runs;
  std::vector<uint32_t> open_on_runs;  // of which it was not
  std::optional<Bound> runs_unknown;   // what kept others from being decided
  bool vacuous_on_runs = false;        // no run counts: none is fair
  std::string assumption;              // these two: as in a Report
  Report::RunGraph run_graph;
  std::vector<Bound> bounds;  // what cut it
  std::vector<std::string> notes;
  std::vector<uint32_t> violated;  // properties known to be so far; findings come at the end
  uint64_t disk_bytes = 0;
  uint64_t table_bytes = 0;
  uint64_t bytes = 0;
  bool stored_states = false;          // fingerprints were compared: collisions are possible
  std::vector<Finding> findings;       // at most one per property and kind of failure
  std::optional<Finding> trouble;      // the first; nothing was explored after it
  std::vector<int64_t> reached_depth;  // per property; -1: not reached (`sometimes`)
  std::optional<Learning> learning;
  std::vector<PortfolioMember> members;
  std::string error;  // a property or the subject could not be run at all

  // Says what cut it, once.
  void bound(Bound what) {
    if (std::find(bounds.begin(), bounds.end(), what) == bounds.end()) {
      bounds.push_back(std::move(what));
    }
  }

  void tell_violated(uint32_t property) {
    if (std::find(violated.begin(), violated.end(), property) == violated.end()) {
      violated.push_back(property);
    }
  }

  // Counts a violation. Not null: it is the first of its kind, and its path is to be filled in.
  Finding* found(uint32_t property, uint64_t failure = 0) {
    const auto known =
        find_alike(findings.begin(), findings.end(), property, failure, std::identity());
    if (known != findings.end()) {
      ++known->count;
      return nullptr;
    }
    Finding& first = findings.emplace_back();
    first.property = property;
    first.failure = failure;
    return &first;
  }
};

// Where a strategy asks whether to go on, and says how far it is.
class Pace {
 public:
  // `properties`: those of the indexes in an Exploration. Left out where nothing is looked at.
  explicit Pace(const Options& options, std::vector<Property> properties = {});
  double seconds() const;
  uint64_t max_bytes() const { return max_bytes_; }
  bool interrupted() const;
  // What it is doing from now on, for whoever follows its progress.
  void say(std::string doing) { doing_ = std::move(doing); }
  // The reason to stop, if there is one. Looks at the clock and calls the progress function now and
  // then.
  std::optional<Bound> look(const Exploration& so_far, uint64_t queue, uint64_t bytes,
                            bool force = false);

 private:
  Progress progress_of(const Exploration& so_far) const;

  const Options& options_;
  const std::vector<Property> properties_;
  const uint64_t max_bytes_;  // as asked for, or most of what the machine has
  double started_;
  double last_progress_ = 0;
  std::string doing_;
  uint32_t calls_ = 0;
};

}  // namespace ordeal::explore
