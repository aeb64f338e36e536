#include "experiment/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

double mean_of(const Sample& sample) {
  double sum = 0;
  for (double value : sample) sum += value;
  const double rough = sum / static_cast<double>(sample.size());
  double rest = 0;  // what rounding took away
  for (double value : sample) rest += value - rough;
  return rough + rest / static_cast<double>(sample.size());
}

double deviation_of(const Sample& sample) {
  const double middle = mean_of(sample);
  double squares = 0;
  for (double value : sample) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(sample.size() - 1));
}

// Between the two nearest of these, in order.
double percentile(const Sample& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Result<void> check_sample(const std::string& name, const Sample& sample, size_t least) {
  if (sample.size() < least) {
    return Error{fmt::format("{} has {}, and at least {} needed", name,
                             sample.empty() ? "no numbers" : counted(sample.size(), "number"),
                             least == 1 ? "1 is" : fmt::format("{} are", least))};
  }
  for (size_t i = 0; i < sample.size(); ++i) {
    if (std::isfinite(sample[i])) continue;
    return Error{fmt::format("number {} of {} is {}", i + 1, name,
                             std::isnan(sample[i]) ? "not a number (NaN)" : "infinite")};
  }
  return {};
}

Result<void> check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return {};
  return Error{fmt::format("a confidence is between 0 and 1, and {} is not", confidence)};
}

Result<double> mean(const Sample& sample) {
  if (const auto valid = check_sample("the sample", sample, 1); !valid) return valid.error();
  return mean_of(sample);
}

Result<double> median(const Sample& sample) {
  if (const auto valid = check_sample("the sample", sample, 1); !valid) return valid.error();
  return middle_of(sample);
}

double middle_of(Sample sample) {
  std::sort(sample.begin(), sample.end());
  const size_t half = sample.size() / 2;
  return sample.size() % 2 == 1 ? sample[half] : (sample[half - 1] + sample[half]) / 2;
}

Result<double> deviation(const Sample& sample) {
  if (const auto valid = check_sample("the sample", sample, 2); !valid) return valid.error();
  return deviation_of(sample);
}

Result<Band> student_band(const Sample& sample, double confidence) {
  if (const auto valid = check_sample("the sample", sample, 2); !valid) return valid.error();
  if (const auto valid = check_confidence(confidence); !valid) return valid.error();
  const double size = static_cast<double>(sample.size());
  const double middle = mean_of(sample);
  const double half =
      student_t_quantile((1 + confidence) / 2, size - 1) * deviation_of(sample) / std::sqrt(size);
  return Band{middle - half, middle + half};
}

Result<Band> bootstrap_band(const Sample& sample, Rng& rng, double confidence, Statistic of,
                            size_t resamples) {
  if (const auto valid = check_sample("the sample", sample, 1); !valid) return valid.error();
  if (const auto valid = check_confidence(confidence); !valid) return valid.error();
  if (resamples == 0) return Error{"a bootstrap needs at least 1 resample"};
  Sample seen;
  Sample drawn(sample.size());
  for (size_t i = 0; i < resamples; ++i) {
    for (double& value : drawn) value = sample[rng.below(sample.size())];
    seen.push_back(of == Statistic::kMean ? mean_of(drawn) : middle_of(drawn));
  }
  std::sort(seen.begin(), seen.end());
  return Band{percentile(seen, (1 - confidence) / 2), percentile(seen, (1 + confidence) / 2)};
}

}  // namespace ordeal::experiment
