// Treatments that every subject gets, compared: one-way analysis of variance with repeated
// measures, and Tukey's test of all pairs after it.
#pragma once

#include <cstddef>
#include <vector>

#include "experiment/sample.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

struct RepeatedMeasures {
  size_t treatments = 0;
  size_t subjects = 0;
  std::vector<double> means;  // of the treatments
  // Sums of squares: of the treatments, of the subjects, and what is left.
  double ss_treatments = 0;
  double ss_subjects = 0;
  double ss_error = 0;
  double degrees_treatments = 0;
  double degrees_error = 0;
  double f = 0;  // infinite where nothing is left
  double p = 1;
  // Greenhouse and Geisser's: 1 where all differences of treatments vary alike, as F supposes, down
  // to 1 / (treatments - 1); and p with both degrees cut to that share.
  double epsilon = 1;
  double p_corrected = 1;

  double mean_square_error() const { return ss_error / degrees_error; }
};

// treatments[i][j]: what subject j came to under treatment i (in an experiment: strategy i with the
// seed or on the system j). An Error: fewer than two treatments or subjects, treatments of unequal
// lengths, a number that is not finite.
Result<RepeatedMeasures> repeated_measures(const std::vector<Sample>& treatments);

struct TukeyPair {
  size_t a = 0;  // of treatments
  size_t b = 0;
  double difference = 0;  // of the means: a less b
  double q = 0;
  double p = 1;  // corrected for all pairs
  Band band;     // of the difference, all of them at once with this confidence
};
// Honestly significant differences: all pairs, (0, 1), (0, 2), …
// An Error: a confidence that is not between 0 and 1.
Result<std::vector<TukeyPair>> tukey_hsd(const RepeatedMeasures& analysis,
                                         double confidence = 0.95);

}  // namespace ordeal::experiment
