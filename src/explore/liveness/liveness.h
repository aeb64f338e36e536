// Properties of runs, decided after a complete search: one graph of the states for all of them
// (run_graph.h), and for each the question whether there is a run that counts and violates it
// (fair_runs.h). Sequential, and from the canonical order alone: one answer, however many threads
// searched before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

struct RunsTask {
  StateSpace& space;
  const Liveness& liveness;
  const std::vector<StateSpace::Initial>& roots;
  const Options& options;
  Pace& pace;
  uint64_t held_bytes = 0;  // by whoever asks
  uint64_t most_bytes = 0;  // with that
};

// Decides of claims what needs no look at runs: nothing is claimed, or it is known to be violated,
// or all runs end and where they end was judged. Whether some are left (Exploration::open_on_runs).
bool decide_without_runs(const std::vector<Property>& properties, const Liveness& liveness,
                         bool may_go_round, const std::vector<uint32_t>& violated,
                         Exploration& out);

// Decides what it can, and adds it to `out`: findings, what was decided, what kept it from more.
void decide_on_runs(const RunsTask& task, Exploration& out);

// What the options make of what a subject declares.
Liveness as_asked(Liveness liveness, Fairness fairness);

// Whether the run of these choices, which goes on from `loop_start` for ever, violates a property:
// its claim, and nothing of what is fair. An Error: it cannot be taken.
Result<bool> violates_on_runs(StateSpace& space, const ShortForm& path, uint32_t loop_start,
                              uint32_t property);

}  // namespace ordeal::explore
