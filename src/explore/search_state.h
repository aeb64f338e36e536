// SearchState: everything a search has found out between two rounds; what a checkpoint holds.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "explore/ancestry.h"
#include "explore/disk_runs.h"
#include "explore/expansion.h"
#include "explore/findings.h"
#include "explore/frontier.h"
#include "explore/search.h"
#include "explore/sleep.h"
#include "explore/visited.h"

namespace ordeal::explore {

// What is decided before the search begins.
struct SearchPlan {
  const Options& options;
  Order order = Order::kBreadthFirst;
  int threads = 1;
  bool bounded_depth_first = false;  // states reached on a shorter way are expanded again
  bool has_eventually = false;       // cycles matter
  bool sleeps = false;               // with sleep sets
  VisitedSet::Note note = VisitedSet::Note::kNone;

  uint32_t depth_limit() const {
    return options.max_depth + (mutant(Mutant::kDepthOffByOne) ? 1 : 0);
  }
};

SearchPlan plan_of(const StateSpace& space, Order order, const Options& options);

struct SearchState {
  SearchState(const Options& options, VisitedSet::Note note)
      : visited(options.wide_fingerprints, note),
        beyond(options.wide_fingerprints, VisitedSet::Note::kNone),
        disk(options.spill, options.wide_fingerprints) {}

  VisitedSet visited;
  // Deeper than the bound, and not in `visited`; kept only where the disk must be asked too.
  VisitedSet beyond;
  DiskRuns disk;
  std::array<SleepSets, VisitedSet::kShards> sleep_sets;  // what the notes in `visited` number
  Ancestry ancestry;
  Frontier current;
  Frontier next;  // breadth first: the level after this one
  // By entry: found on disk after all, so not to be expanded. Shorter than the ancestry, or empty.
  std::vector<bool> dropped;

  std::vector<std::pair<Hit, uint64_t>> hits;  // the first of each property, and how many
  uint64_t outside = 0;                        // states beyond the constraint
  bool may_have_cycle = false;
  uint32_t level_tag = 2;  // of the states that this level leads to
  bool cut_by_depth = false;
  Exploration out;

  bool is_dropped(uint32_t entry) const { return entry < dropped.size() && dropped[entry]; }

  uint64_t bytes() const {
    uint64_t sum = visited.bytes() + beyond.bytes() + disk.bytes() + ancestry.bytes() +
                   current.bytes() + next.bytes() + dropped.capacity() / 8;
    for (const SleepSets& sets : sleep_sets) sum += sets.bytes();
    return sum;
  }
};

}  // namespace ordeal::explore
