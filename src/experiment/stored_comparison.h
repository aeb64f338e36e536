// Two experiments of a store side by side: what the same strategy reached on the same subject in
// both. For a strategy, a subject or an engine that was changed in between.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/results_store.h"
#include "experiment/sample.h"
#include "experiment/statistics.h"

namespace ordeal::experiment {

struct StoredPair {
  CellKey key;                                // as the first has it
  std::optional<std::string> other_settings;  // of the second, where they differ
  std::string measure;
  // The numbers of the trials that have one.
  Sample first;
  Sample second;
  size_t first_trials = 0;
  size_t second_trials = 0;
  // a12 above one half: the first does better. None: there is no second trial, or what ended the
  // trials was not the same for all.
  std::optional<RankTest> test;
  double p_holm = 1;  // corrected for all tests of the comparison
};

struct StoredComparison {
  StoredExperiment first;
  StoredExperiment second;
  std::vector<StoredPair> pairs;
  // What only one of them has: "bonusmax on raft".
  std::vector<std::string> only_first;
  std::vector<std::string> only_second;
};

// Cells are the same where subject, strategy and what is measured by are. Errors: there is no such
// experiment, the budgets differ, they have no cell in common.
Result<StoredComparison> compare_stored(const ResultsStore& store, int64_t first, int64_t second,
                                        const ResultsFilter& filter = {});

}  // namespace ordeal::experiment
