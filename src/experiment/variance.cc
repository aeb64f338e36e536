#include "experiment/variance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

Result<void> check_treatments(const std::vector<Sample>& treatments) {
  if (treatments.size() < 2) {
    return Error{fmt::format("repeated measures compare at least 2 treatments, and there {}",
                             treatments.empty() ? "are none" : "is 1")};
  }
  for (size_t i = 0; i < treatments.size(); ++i) {
    const std::string name = fmt::format("treatment {}", i + 1);
    if (const auto valid = check_sample(name, treatments[i], 2); !valid) return valid.error();
    if (treatments[i].size() == treatments[0].size()) continue;
    return Error{fmt::format(
        "repeated measures need every subject under every treatment, but treatment 1 has {} and "
        "{} has {}",
        counted(treatments[0].size(), "number"), name, treatments[i].size())};
  }
  return {};
}

// From the covariances of the treatments, less the means of their rows and columns.
double greenhouse_geisser(const std::vector<Sample>& treatments, const Sample& means) {
  const size_t k = treatments.size();
  const size_t n = treatments[0].size();
  std::vector<Sample> covariance(k, Sample(k, 0));
  Sample row(k, 0);
  double all = 0;
  for (size_t i = 0; i < k; ++i) {
    for (size_t j = 0; j < k; ++j) {
      for (size_t s = 0; s < n; ++s) {
        covariance[i][j] += (treatments[i][s] - means[i]) * (treatments[j][s] - means[j]);
      }
      row[i] += covariance[i][j] / static_cast<double>(k);
    }
    all += row[i] / static_cast<double>(k);
  }
  double trace = 0;
  double squares = 0;
  for (size_t i = 0; i < k; ++i) {
    for (size_t j = 0; j < k; ++j) {
      const double centred = covariance[i][j] - row[i] - row[j] + all;
      if (i == j) trace += centred;
      squares += centred * centred;
    }
  }
  const double least = 1 / static_cast<double>(k - 1);
  return squares == 0 ? 1 : std::clamp(trace * trace * least / squares, least, 1.0);
}

}  // namespace

Result<RepeatedMeasures> repeated_measures(const std::vector<Sample>& treatments) {
  if (const auto valid = check_treatments(treatments); !valid) return valid.error();
  RepeatedMeasures out;
  out.treatments = treatments.size();
  out.subjects = treatments[0].size();
  const double k = static_cast<double>(out.treatments);
  const double n = static_cast<double>(out.subjects);
  Sample subjects(out.subjects, 0);
  for (const Sample& treatment : treatments) {
    out.means.push_back(*mean(treatment));
    for (size_t s = 0; s < out.subjects; ++s) subjects[s] += treatment[s] / k;
  }
  const double all = *mean(out.means);
  for (double one : out.means) out.ss_treatments += n * (one - all) * (one - all);
  for (double one : subjects) out.ss_subjects += k * (one - all) * (one - all);
  double size = 0;  // of the numbers themselves, for what rounding leaves
  for (size_t i = 0; i < out.treatments; ++i) {
    for (size_t s = 0; s < out.subjects; ++s) {
      const double left = treatments[i][s] - out.means[i] - subjects[s] + all;
      out.ss_error += left * left;
      size += treatments[i][s] * treatments[i][s];
    }
  }
  const double nothing = 1e-28 * size;
  if (out.ss_error <= nothing) out.ss_error = 0;
  if (out.ss_treatments <= nothing) out.ss_treatments = 0;
  out.degrees_treatments = k - 1;
  out.degrees_error = (k - 1) * (n - 1);
  if (out.ss_treatments > 0) {
    out.f = out.ss_error == 0
                ? std::numeric_limits<double>::infinity()
                : out.ss_treatments / out.degrees_treatments / out.mean_square_error();
  }
  out.p = f_upper(out.f, out.degrees_treatments, out.degrees_error);
  out.epsilon = out.ss_error == 0 ? 1 : greenhouse_geisser(treatments, out.means);
  out.p_corrected =
      f_upper(out.f, out.degrees_treatments * out.epsilon, out.degrees_error * out.epsilon);
  return out;
}

Result<std::vector<TukeyPair>> tukey_hsd(const RepeatedMeasures& analysis, double confidence) {
  if (const auto valid = check_confidence(confidence); !valid) return valid.error();
  const double k = static_cast<double>(analysis.treatments);
  const double error =
      std::sqrt(analysis.mean_square_error() / static_cast<double>(analysis.subjects));
  const double half =
      error == 0 ? 0 : error * studentized_range_quantile(confidence, k, analysis.degrees_error);
  std::vector<TukeyPair> pairs;
  for (size_t a = 0; a < analysis.treatments; ++a) {
    for (size_t b = a + 1; b < analysis.treatments; ++b) {
      TukeyPair& pair = pairs.emplace_back();
      pair.a = a;
      pair.b = b;
      pair.difference = analysis.means[a] - analysis.means[b];
      pair.band = {pair.difference - half, pair.difference + half};
      // Without error, means are equal or not.
      pair.q = analysis.ss_treatments == 0 || pair.difference == 0
                   ? 0
                   : std::abs(pair.difference) / error;
      pair.p = studentized_range_upper(pair.q, k, analysis.degrees_error);
    }
  }
  return pairs;
}

}  // namespace ordeal::experiment
