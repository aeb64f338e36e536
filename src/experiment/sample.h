// A sample of numbers in few: mean, deviation, median, and bands that hold the mean of what the
// sample was drawn from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

using Sample = std::vector<double>;

// An Error unless there are at least `least` numbers, all of them finite. `name` is whose they are:
// "group 2".
Result<void> check_sample(const std::string& name, const Sample& sample, size_t least);
// An Error unless it is between 0 and 1.
Result<void> check_confidence(double confidence);

// Errors: an empty sample, or one with a number that is not finite.
Result<double> mean(const Sample& sample);
Result<double> median(const Sample& sample);  // of an even number, the mean of the middle two
// Of the population, estimated: with n - 1. An Error for fewer than two numbers.
Result<double> deviation(const Sample& sample);

// The same of numbers that may be infinite. REQUIRES: there is one, and none is NaN.
double middle_of(Sample sample);

struct Band {
  double low = 0;
  double high = 0;
};

// Student's band around the mean: it holds the true one with this probability where the numbers are
// about normal. An Error for fewer than two numbers, or a confidence that is not between 0 and 1.
Result<Band> student_band(const Sample& sample, double confidence = 0.95);

// The band of the middle of what samples drawn from this one, with replacement, come to
// (percentiles). It supposes no distribution, but is too narrow for a handful of numbers.
// It draws from `rng`: the same seed, the same band.
enum class Statistic { kMean, kMedian };
Result<Band> bootstrap_band(const Sample& sample, Rng& rng, double confidence = 0.95,
                            Statistic of = Statistic::kMean, size_t resamples = 2000);

}  // namespace ordeal::experiment
