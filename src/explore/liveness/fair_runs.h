// Whether there is a run that counts and of which a formula is true: looked for in the product of
// the graph of states with the formula's automaton, by strongly connected components (Tarjan, one
// after the other, without recursion). A component in which something is missing that all of it
// must have is none; where something that is owed strongly is possible and never done, the states
// where it is possible are taken away, and what is left falls apart into components again
// (Streett).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/liveness/run_graph.h"
#include "explore/strategy/findings.h"
#include "ordeal/liveness.h"

namespace ordeal::explore {

struct FairRun {
  uint32_t initial = 0;
  std::vector<uint32_t> choices;  // the way to the cycle, and once round
  uint32_t loop_start = 0;        // as in a Trace
};

struct FairRunResult {
  std::optional<FairRun> run;
  std::optional<Bound> stopped;  // why it could not be found out
  uint64_t bytes = 0;            // the most that was held
};

struct FairRunTask {
  const RunGraph& graph;
  const Liveness& liveness;
  const Formula& formula;
  bool any = false;  // the first that comes, and not the one that is reached soonest
  Pace& pace;
  const Exploration& so_far;
  uint64_t held_bytes = 0;  // by whoever asks
  uint64_t most_bytes = 0;  // with that
};

FairRunResult find_fair_run(const FairRunTask& task);

}  // namespace ordeal::explore
