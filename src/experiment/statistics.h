// What a comparison of trials may say by their order alone: rank tests, of numbers and of trials
// that are only known to have needed much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/sample.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

// How much a trial needed. Not found: it was given up after `value`; `never`: and would not have
// found it later either.
struct Observation {
  uint64_t value = 0;
  bool found = true;
  bool never = false;
};

struct Median {
  double value = 0;
  bool censored = false;  // the median is above `value`
};
// Of an even number, the mean of the middle two. REQUIRES: there is one.
Median median_of(const std::vector<Observation>& trials);

enum class Tail {
  kTwoSided,
  kLess,     // that the first sample has the smaller u
  kGreater,  // that it has the larger
};
enum class Method {
  kChosen,  // exact for up to kExact numbers, normal beyond
  kExact,   // over all ways to split the numbers into groups of these sizes, ties as they are
  kNormal,  // approximately, with corrections for ties and continuity
};
inline constexpr size_t kExact = 120;
inline constexpr size_t kMostExact = 300;  // beyond, counting takes long

struct RankTest {
  double u = 0;    // pairs (a, b) that a wins; those that cannot be told count half
  double a12 = 0;  // u as a share of all pairs: Vargha and Delaney's
  double p = 1;    // that groups drawn at random differ as much; two-sided: either way
  bool exact = true;
};
// Mann and Whitney's test, in Gehan's form for censored numbers: a pair is won by the one that was
// found, if the other was given up no earlier; where both were given up, it is a tie. So a12 above
// one half: a needs less. The normal approximation has Mantel's variance.
// REQUIRES: both have some.
RankTest rank_test(const std::vector<Observation>& a, const std::vector<Observation>& b,
                   Tail tail = Tail::kTwoSided, Method method = Method::kChosen);

// The same test of numbers: a pair is won by the larger one, so kGreater asks whether a is larger.
// Errors: an empty sample, a number that is not finite, kExact
// with more than kMostExact numbers.
Result<RankTest> mann_whitney(const Sample& a, const Sample& b, Tail tail = Tail::kTwoSided,
                              Method method = Method::kChosen);

// How likely one of a is larger than one of b, ties as halves; 0.5: neither. Errors as above.
Result<double> vargha_delaney(const Sample& a, const Sample& b);

struct KruskalWallis {
  double h = 0;  // corrected for ties
  double degrees = 0;
  double p = 1;  // by the chi-square approximation
};
// Whether several groups are drawn from one, by ranks. Errors: fewer than two groups, an empty one,
// a number that is not finite.
Result<KruskalWallis> kruskal_wallis(const std::vector<Sample>& groups);

// Holm's correction: what each of these p comes to when as many tests were made.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace ordeal::experiment
