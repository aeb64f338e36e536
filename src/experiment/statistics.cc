#include "experiment/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace ordeal::explore {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// 1: a is known to have needed less than b; -1: more; 0: a tie, or it cannot be told.
int wins(const Observation& a, const Observation& b) {
  const auto beats = [](const Observation& x, const Observation& y) {
    if (!x.found) return false;
    return y.found ? x.value < y.value : y.never || x.value <= y.value;
  };
  if (beats(a, b)) return 1;
  return beats(b, a) ? -1 : 0;
}

// In how many of the ways to take `size` of the scores, as a share of all, the sum is at least as
// far from 0 as `sum`. The scores add up to 0, so that 0 is what is expected.
double exact_p(const std::vector<int>& scores, size_t size, int sum) {
  int reach = 0;
  for (int score : scores) reach += std::abs(score);
  const size_t width = 2 * static_cast<size_t>(reach) + 1;
  // ways[k][s]: to take k of the scores so far with the sum s - reach.
  std::vector<std::vector<double>> ways(size + 1, std::vector<double>(width, 0));
  ways[0][static_cast<size_t>(reach)] = 1;
  for (int score : scores) {
    for (size_t k = size; k-- > 0;) {
      const size_t from = static_cast<size_t>(std::max(0, -score));
      const size_t to = width - static_cast<size_t>(std::max(0, score));
      for (size_t s = from; s < to; ++s) {
        if (ways[k][s] == 0) continue;
        ways[k + 1][static_cast<size_t>(static_cast<int>(s) + score)] += ways[k][s];
      }
    }
  }
  double all = 0;
  double far = 0;
  for (size_t s = 0; s < width; ++s) {
    all += ways[size][s];
    if (std::abs(static_cast<int>(s) - reach) >= std::abs(sum)) far += ways[size][s];
  }
  return far / all;
}

// Scores are two apart where there are no ties: half of that for the step of the sum.
double normal_p(const std::vector<int>& scores, size_t size, int sum) {
  const double all = static_cast<double>(scores.size());
  const double one = static_cast<double>(size);
  double squares = 0;
  for (int score : scores) squares += static_cast<double>(score) * score;
  const double variance = one * (all - one) * squares / (all * (all - 1));
  if (variance == 0) return 1;
  const double distance = std::max(0.0, std::abs(static_cast<double>(sum)) - 1);
  return std::erfc(distance / std::sqrt(2 * variance));
}

}  // namespace

Median median_of(const std::vector<Observation>& trials) {
  assert(!trials.empty());
  std::vector<double> at_least;
  std::vector<double> at_most;
  for (const Observation& trial : trials) {
    at_least.push_back(static_cast<double>(trial.value));
    at_most.push_back(trial.found ? static_cast<double>(trial.value) : kInfinite);
  }
  const double low = middle(std::move(at_least));
  return {low, low != middle(std::move(at_most))};
}

RankTest rank_test(const std::vector<Observation>& a, const std::vector<Observation>& b) {
  assert(!a.empty() && !b.empty());
  std::vector<Observation> all = a;
  all.insert(all.end(), b.begin(), b.end());
  // Each one's wins less its defeats, against all others: within a group they cancel out.
  std::vector<int> scores;
  for (const Observation& one : all) {
    int score = 0;
    for (const Observation& other : all) score += wins(one, other);
    scores.push_back(score);
  }
  const int sum =
      std::accumulate(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(a.size()), 0);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  RankTest test;
  test.u = (pairs + sum) / 2;
  test.a12 = test.u / pairs;
  test.p = all.size() <= kExact ? exact_p(scores, a.size(), sum) : normal_p(scores, a.size(), sum);
  return test;
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return p[x] < p[y]; });
  std::vector<double> out(p.size());
  double so_far = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    so_far = std::max(so_far, p[order[i]] * static_cast<double>(p.size() - i));
    out[order[i]] = std::min(1.0, so_far);
  }
  return out;
}

}  // namespace ordeal::explore
