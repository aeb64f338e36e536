// compare() with more than its public header tells: its trials kept in a store of results, as an
// experiment among others.
#pragma once

#include <string>
#include <vector>

#include "experiment/trials.h"
#include "ordeal/compare.h"

namespace ordeal::experiment {

// A comparison as cells of trials: every contest with every contestant.
struct ComparisonPlan {
  CompareOptions options;  // threads, progress and stop are looked at when it is run
  std::vector<Contest> contests;
  std::vector<Contestant> contestants;
  TrialSet trials;  // by contests, then contestants

  std::string definition() const;  // what a store knows it by
};

// An Error: the options make no sense, or a contest cannot be built.
Result<ComparisonPlan> plan_comparison(std::vector<Contest> contests,
                                       const CompareOptions& options);
// Whatever the keeper has is not made again. An Error: trials cannot be kept.
Result<Comparison> run_comparison(const ComparisonPlan& plan, TrialKeeper& keeper);

}  // namespace ordeal::experiment
