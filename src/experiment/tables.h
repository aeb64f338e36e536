// What the trials of an experiment come to: for every subject and measure what each strategy
// reached, and how they compare. The same tables for the same trials, in whatever order and in how
// many sittings they were made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/groups.h"
#include "experiment/plan.h"
#include "experiment/results_store.h"
#include "experiment/variance.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

struct MeasureTable {
  size_t subject = 0;
  Measure measure = Measure::kCoverage;
  std::string property = {};               // "": of all; else of this alone
  std::vector<Summary> rows;               // by strategies
  std::vector<PairTest> pairs;             // of strategies; all, or those with the baseline
  std::optional<KruskalWallis> different;  // whether any strategy differs
};

// The strategies over all subjects, by their means on each.
struct OverallTable {
  Measure measure = Measure::kCoverage;
  RepeatedMeasures analysis;
  std::vector<TukeyPair> pairs;
};

// How a measure grew: the mean over trials, with a band that holds the true one in 95 of 100 cases.
struct GrowthPoint {
  double x = 0;
  double mean = 0;
  double low = 0;
  double high = 0;
};
struct Growth {
  size_t subject = 0;
  Measure measure = Measure::kCoverage;
  bool by_episodes = false;                      // else by steps
  std::vector<std::vector<GrowthPoint>> curves;  // by strategies
};

// Where a strategy was: of every place in how many abstract states, the mean over trials.
struct PlaceMap {
  struct Grid {
    std::string title;  // its number; "": there are none
    size_t rows = 0;
    size_t columns = 0;
    std::vector<double> states;  // row by row; 0: it was never there
  };
  size_t subject = 0;
  size_t strategy = 0;
  std::vector<Grid> grids;  // the same of all strategies on a subject
};

struct ExperimentResults {
  std::vector<std::vector<TrialRecord>> trials;  // by cells of the plan, by seed
  // Of the first and of all violations there is a table for every property, too, where more than
  // one was violated on that subject.
  std::vector<MeasureTable> tables;
  std::vector<OverallTable> overall;
  std::vector<Growth> growth;
  std::vector<PlaceMap> maps;  // by subjects that have a map, then strategies
};

// REQUIRES: trials are those of the plan, all of them.
Result<ExperimentResults> results_of(const Plan& plan,
                                     std::vector<std::vector<TrialRecord>> trials);
// The part of that which is maps of a subject.
Result<void> add_maps(const Plan& plan, size_t subject, ExperimentResults& out);
// The trials that a plan asks for, of an experiment in a store; others that are there are left out.
Result<std::vector<std::vector<TrialRecord>>> trials_of(const Plan& plan, ResultsStore& store,
                                                        int64_t experiment);

}  // namespace ordeal::experiment
