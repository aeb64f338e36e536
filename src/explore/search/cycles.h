// Whether progress actions form a cycle: then a run may go on for ever, and `eventually` cannot be
// decided by looking at terminal states.
//
// Asked after a search only where an edge was seen that may close one: one that leads to a state of
// the same level or of one before. Either answer takes another pass over the states: in memory a
// depth-first search (cycles.cc); on disk, where memory does not suffice for that, the states are
// taken away one after the other, each when no progress action leads to it any more
// (cycles_on_disk.cc): what cannot be taken away lies on a cycle, or behind one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/store/ancestry.h"
#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

struct CycleSearchResult {
  bool cycle = false;
  bool too_large = false;        // more memory would be needed than it may take
  std::optional<Bound> stopped;  // why it could not be found out
  uint64_t bytes = 0;            // the most that was held
};

// What is asked, and what of the search before it is still there.
struct CycleSearchTask {
  StateSpace& space;
  const std::vector<StateSpace::Initial>& roots;
  const Options& options;
  Pace& pace;
  const Exploration& so_far;
  uint64_t held_bytes = 0;  // by whoever asks
  uint64_t most_bytes = 0;  // with that
  bool any_step = false;    // cycles of any steps, not of progress alone
};

CycleSearchResult find_cycle_in_memory(const CycleSearchTask& task);

// Of a complete breadth-first search. `is_dropped`, by entry: those that are no states of their
// own.
CycleSearchResult find_cycle_on_disk(const CycleSearchTask& task, const Ancestry& ancestry,
                                     const std::vector<bool>& dropped);

}  // namespace ordeal::explore
