// Campaign: runs of a scenario, one after the other, each picked by a scheduler within what the
// filters allow and judged to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/scenario.h"
#include "system/scenario/product.h"

namespace ordeal::explore {

struct Campaign {
  uint64_t runs = 0;
  uint64_t successes = 0;
  uint64_t failures = 0;
  // By the bound on steps, or because they left the constraint: whether they would have succeeded
  // or failed is not known.
  uint64_t cut = 0;
  uint64_t at_horizon = 0;  // … of those, by the strategy itself
  uint64_t steps = 0;
  std::vector<StepCount> steps_by_sort;
  bool complete = false;           // all the runs that were asked for, or all that there are
  std::optional<Bound> stopped;    // why not
  std::vector<uint64_t> ended_in;  // by state of the machine
  monitor::Tally tally;
  std::vector<Finding> findings;  // at most one per property; counts are runs
  // The first run that came to its end and did not succeed, or else the first that was cut; and
  // what the machine was in then.
  std::optional<ShortForm> unsuccessful;
  bool unsuccessful_was_cut = false;
  std::string unsuccessful_state;
  std::vector<std::string> notes;
};

// options.max_runs runs of at most options.max_depth steps. An Error: the strategy is no scheduler,
// or the subject, a property or the scenario's own functions could not be run.
Result<Campaign> run_campaign(const monitor::Product& product, const monitor::Verdicts& verdicts,
                              const Options& options);

}  // namespace ordeal::explore
