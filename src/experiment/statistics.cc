#include "experiment/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>

#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// 1: a is known to have needed less than b; -1: more; 0: a tie, or it cannot be told.
int wins(const Observation& a, const Observation& b) {
  const auto beats = [](const Observation& x, const Observation& y) {
    if (!x.found) return false;
    return y.found ? x.value < y.value : y.never || x.value <= y.value;
  };
  if (beats(a, b)) return 1;
  return beats(b, a) ? -1 : 0;
}

// Whether groups with this sum are as far out as the one that was seen.
bool as_far(int sum, int seen, Tail tail) {
  switch (tail) {
    case Tail::kLess:
      return sum <= seen;
    case Tail::kGreater:
      return sum >= seen;
    case Tail::kTwoSided:
      break;
  }
  return std::abs(sum) >= std::abs(seen);
}

// In how many of the ways to take `size` of the scores, as a share of all, the sum is as far out as
// `sum`. The scores add up to 0, so that 0 is what is expected.
double exact_p(const std::vector<int>& scores, size_t size, int sum, Tail tail) {
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
    if (as_far(static_cast<int>(s) - reach, sum, tail)) far += ways[size][s];
  }
  return far / all;
}

// Scores are two apart where there are no ties: half of that for the step of the sum.
double normal_p(const std::vector<int>& scores, size_t size, int sum, Tail tail) {
  const double all = static_cast<double>(scores.size());
  const double one = static_cast<double>(size);
  double squares = 0;
  for (int score : scores) squares += static_cast<double>(score) * score;
  const double variance = one * (all - one) * squares / (all * (all - 1));
  if (variance == 0) return 1;
  const double distance = static_cast<double>(sum);
  const double scale = std::sqrt(variance);
  if (tail == Tail::kGreater) return normal_upper((distance - 1) / scale);
  if (tail == Tail::kLess) return normal_upper((-distance - 1) / scale);
  return 2 * normal_upper(std::max(0.0, std::abs(distance) - 1) / scale);
}

// Each one's score: its wins less its defeats, against all others. Within a group they cancel out,
// so that the sum over the first `size` is that group's wins less its defeats against the other.
RankTest by_scores(const std::vector<int>& scores, size_t size, Tail tail, Method method) {
  const int sum =
      std::accumulate(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(size), 0);
  const double pairs = static_cast<double>(size) * static_cast<double>(scores.size() - size);
  RankTest test;
  test.u = (pairs + sum) / 2;
  test.a12 = test.u / pairs;
  test.exact = method == Method::kExact || (method == Method::kChosen && scores.size() <= kExact);
  test.p = test.exact ? exact_p(scores, size, sum, tail) : normal_p(scores, size, sum, tail);
  return test;
}

// The scores of numbers: how many are smaller, less how many are larger. In order of n log n, since
// curves may have many.
std::vector<int> scores_of(const Sample& all) {
  Sample sorted = all;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> scores;
  for (double value : all) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    scores.push_back(static_cast<int>((first - sorted.begin()) - (sorted.end() - last)));
  }
  return scores;
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
  const double low = middle_of(std::move(at_least));
  return {low, low != middle_of(std::move(at_most))};
}

RankTest rank_test(const std::vector<Observation>& a, const std::vector<Observation>& b, Tail tail,
                   Method method) {
  assert(!a.empty() && !b.empty());
  std::vector<Observation> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::vector<int> scores;
  for (const Observation& one : all) {
    int score = 0;
    for (const Observation& other : all) score += wins(one, other);
    scores.push_back(score);
  }
  return by_scores(scores, a.size(), tail, method);
}

Result<RankTest> mann_whitney(const Sample& a, const Sample& b, Tail tail, Method method) {
  if (const auto valid = check_sample("the first sample", a, 1); !valid) return valid.error();
  if (const auto valid = check_sample("the second sample", b, 1); !valid) return valid.error();
  Sample all = a;
  all.insert(all.end(), b.begin(), b.end());
  if (method == Method::kExact && all.size() > kMostExact) {
    return Error{"an exact rank test takes at most " + std::to_string(kMostExact) +
                 " numbers, and these are " + std::to_string(all.size())};
  }
  return by_scores(scores_of(all), a.size(), tail, method);
}

Result<double> vargha_delaney(const Sample& a, const Sample& b) {
  const Result<RankTest> test = mann_whitney(a, b, Tail::kTwoSided, Method::kNormal);
  if (!test) return test.error();
  return test->a12;
}

Result<KruskalWallis> kruskal_wallis(const std::vector<Sample>& groups) {
  if (groups.size() < 2) {
    return Error{"Kruskal and Wallis' test compares at least 2 groups, and there " +
                 std::string(groups.empty() ? "are none" : "is 1")};
  }
  Sample all;
  for (size_t i = 0; i < groups.size(); ++i) {
    const auto valid = check_sample("group " + std::to_string(i + 1), groups[i], 1);
    if (!valid) return valid.error();
    all.insert(all.end(), groups[i].begin(), groups[i].end());
  }
  // A score is twice a rank's distance from the mean rank; so is the variance of all of them what
  // it is with these ties, and needs no correction.
  const std::vector<int> scores = scores_of(all);
  double squares = 0;
  for (int score : scores) squares += static_cast<double>(score) * score;
  double between = 0;
  size_t next = 0;
  for (const Sample& group : groups) {
    double sum = 0;
    for (size_t i = 0; i < group.size(); ++i) sum += scores[next++];
    between += sum * sum / static_cast<double>(group.size());
  }
  KruskalWallis test;
  test.degrees = static_cast<double>(groups.size() - 1);
  test.h = squares == 0 ? 0 : between / squares * static_cast<double>(all.size() - 1);
  test.p = chi_square_upper(test.h, test.degrees);
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

}  // namespace ordeal::experiment
