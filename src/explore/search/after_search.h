// What is asked when all states have been seen: of cycles of progress, and of runs that go on for
// ever. The search has given back what it does not need any more.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/search/search_state.h"
#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/liveness.h"
#include "ordeal/world.h"

namespace ordeal::explore {

struct AfterSearch {
  StateSpace& space;
  const std::vector<StateSpace::Initial>& roots;
  const Options& options;
  const SearchPlan& plan;
  Pace& pace;
  SearchState& s;
  uint64_t memory_to_keep = 0;  // beyond it a search goes on on disk
  Exploration& out;
};

// Whether progress goes round in a cycle. Whether that could be found out.
bool look_for_cycles(const AfterSearch& after);
// The claims that are open. Whether that could be found out.
bool look_for_runs(const AfterSearch& after, const Liveness& liveness);

}  // namespace ordeal::explore
