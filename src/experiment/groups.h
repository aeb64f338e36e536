// The trials of one cell as a group of numbers, and what can be said of several groups: each in
// few, and which of two does better. One set of statistics for whatever has trials.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiment/sample.h"
#include "experiment/statistics.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

struct Group {
  // Of what was needed until something was found, less is better, and a trial that found nothing
  // needed more than it took; of other numbers more is better.
  bool needs_less = false;
  std::vector<Observation> observed;  // needs_less
  Sample numbers;                     // else
  size_t trials = 0;                  // those without a number included
  // Whether its trials are a sample that a rank test may speak of: several, drawn, and given up by
  // what does not depend on who made them.
  bool may_test = true;

  bool empty() const { return needs_less ? observed.empty() : numbers.empty(); }
  static Group of_efforts(std::vector<Observation> observed);
  static Group of_numbers(Sample numbers, size_t trials);
};

struct Summary {
  size_t trials = 0;
  size_t found = 0;  // trials that have the measure: all of them, but for the first violation
  // Of those that have it.
  std::optional<double> mean;
  std::optional<double> deviation;  // from two on
  double least = 0;
  double most = 0;
  // Of all: those that found nothing count as more than they took.
  double median = 0;
  bool median_censored = false;
};
// An Error: a number is not finite.
Result<Summary> summary_of(const Group& group);

// Two groups. `a` wins where it has more; of what was needed, where it needs less.
struct PairTest {
  size_t a = 0;
  size_t b = 0;
  double u = 0;
  double a12 = 0;       // Vargha and Delaney's: how likely a wins
  double p_better = 1;  // Mann and Whitney's, one-sided: that a wins no more than b
  double p = 1;         // two-sided
  double p_holm = 1;    // … corrected for all pairs that were tested
  bool exact = true;
  bool is_tested = true;  // else the share of pairs is all that is told: one of both is no sample
};
// All pairs, or, where there is a baseline, each of the others with it; empty groups are left out.
Result<std::vector<PairTest>> test_pairs(const std::vector<Group>& groups,
                                         std::optional<size_t> baseline);

}  // namespace ordeal::experiment
