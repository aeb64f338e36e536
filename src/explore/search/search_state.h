// SearchState: everything a search has found out between two rounds; what a checkpoint holds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/search/expansion.h"
#include "explore/search/search.h"
#include "explore/store/ancestry.h"
#include "explore/store/disk_states.h"
#include "explore/store/frontier.h"
#include "explore/store/sleep.h"
#include "explore/store/visited.h"
#include "explore/strategy/findings.h"

namespace ordeal::explore {

// What is decided before the search begins.
struct SearchPlan {
  const Options& options;
  Order order = Order::kBreadthFirst;
  int threads = 1;
  bool bounded_depth_first = false;  // states reached on a shorter way are expanded again
  bool has_eventually = false;       // cycles matter
  bool any_step = false;             // … of all steps, not of progress alone
  bool sleeps = false;               // with sleep sets
  VisitedSet::Note note = VisitedSet::Note::kNone;

  uint32_t depth_limit() const {
    return options.max_depth + (mutant(Mutant::kDepthOffByOne) ? 1 : 0);
  }
};

SearchPlan plan_of(const StateSpace& space, Order order, const Options& options);

// Tags of states in memory while others are on disk: they were led to since those were compared,
inline constexpr uint32_t kLedTo = 2;
inline constexpr uint32_t kLedToByProgress = 3;  // … by a progress action, where that matters

struct SearchState {
  SearchState(const Options& options, VisitedSet::Note note)
      : visited(options.wide_fingerprints, note),
        beyond(options.wide_fingerprints, VisitedSet::Note::kNone),
        disk(options.spill, options.wide_fingerprints) {}

  using Hits = std::vector<std::pair<Hit, uint64_t>>;  // the first of each property, and how many

  VisitedSet visited;
  // Deeper than the bound, and not in `visited`; kept only where the disk must be asked too.
  VisitedSet beyond;
  DiskStates disk;
  std::array<SleepSets, VisitedSet::kShards> sleep_sets;  // what the notes in `visited` number
  Ancestry ancestry;
  Frontier current;
  Frontier next;  // breadth first: the level after this one
  // By entry: found on disk after all, so not to be expanded. Shorter than the ancestry, or empty.
  std::vector<bool> dropped;
  // What the notes of visited states count from, where they are entries: those before are on disk.
  Ancestry::Entry notes_from = 0;

  Hits hits;
  std::optional<TroubleHit> trouble;  // the first; the search ends with the level
  uint64_t outside = 0;               // states beyond the constraint
  bool has_cycle = false;          // of progress actions, for certain: one leads to where it began
  bool may_have_cycle = false;     // one leads to a state of its level, or of one before
  uint32_t level_tag = 2;          // of the states that this level leads to
  uint64_t tags_forgotten_at = 0;  // transitions
  bool cut_by_depth = false;
  Exploration out;

  // Where a bound on states was hit, in the middle of a round: what is to be reported. The round
  // was taken to its end, so that a checkpoint can be left.
  struct AtBound {
    uint64_t entries = 0;  // of the ancestry, that count
    Hits hits;
    std::optional<TroubleHit> trouble;
    uint64_t outside = 0;
    bool cut_by_depth = false;
    Exploration out;
  };
  std::optional<AtBound> at_bound;

  bool is_dropped(Ancestry::Entry entry) const { return entry < dropped.size() && dropped[entry]; }

  // States are tagged with their level, so that edges that lead back can be told from others. There
  // are few tags: when they run out, all states so far become old ones, unless that takes too long;
  // then every edge may lead back. `levels_matter`: to somebody who asks for cycles.
  void next_level(bool levels_matter);
  // Compares what was found since the last time with what lies on disk, and adds it there.
  Result<void> settle_with_disk(bool levels_matter);
  // Moves to disk what need not be at hand, apart from visited states.
  Result<void> store(const std::string& folder);

  void note(const Hit& hit);
  ShortForm path_to(Ancestry::Entry entry, const std::optional<ShortForm>& guide) const;
  // What could not be said, with the run that leads there.
  std::optional<Finding> trouble_found(const std::optional<ShortForm>& guide) const;
  // Leaves what is to be reported, where that is less than what was found.
  void go_back_to_bound();

  // Gives back what is only for going on: all but the ancestry, and what was found.
  void release();
  uint64_t bytes() const;
};

}  // namespace ordeal::explore
