// ablate(): how much each filter of a scenario matters.
//
//   Result<Ablation> found = ablate(scenario, system, {.seed = 7});
//   if (found) std::cout << to_text(*found);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/world.h"

namespace ordeal {

// How far apart a filter captures messages and lets them go (Netrix, 3.7): messages received in
// between in a run without filters and faults, taken in the order in which they were sent.
struct FilterDistance {
  enum class Kind : uint8_t { kReorder, kDrop, kByzantine, kOther };
  size_t filter = 0;  // that captures
  int release = -1;   // the filter that releases; -1: none, the end of the run does
  Kind kind = Kind::kOther;
  bool infinite = false;  // no schedule does it: contents are changed or invented
  bool captures = false;  // something in the undisturbed run is captured
  uint64_t messages = 0;
};
Result<std::vector<FilterDistance>> filter_distances(const Scenario& scenario,
                                                     const Checkable& subject);

struct Ablation {
  struct Row {
    size_t filter = 0;
    std::string text;
    FilterDistance distance;
    // The outcome when this filter is left out; an Error where the scenario cannot do without it.
    Result<ScenarioReport> without = Error{};
  };
  ScenarioReport whole;
  std::vector<Row> rows;
  Result<ScenarioReport> bare = Error{};  // no filter at all: what the strategy does alone
  std::string stopped;                    // why rows are missing; "": none are
};
// All runs together keep to the bound on time.
Result<Ablation> ablate(const Scenario& scenario, const Checkable& subject,
                        const Options& options = {});

}  // namespace ordeal
