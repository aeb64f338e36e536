// What a comparison of censored trials may say: medians and rank tests of numbers some of which are
// only known to be large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::explore {

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

struct RankTest {
  double u = 0;    // pairs (a, b) where a needed less than b; those that cannot be told count half
  double a12 = 0;  // u as a share of all pairs
  double p = 1;    // that groups drawn at random differ as much, either way
};
// Mann and Whitney's test, in Gehan's form for censored numbers: a pair is won by the one that was
// found, if the other was given up no earlier; where both were given up, it is a tie. P is exact
// (over all ways to split the numbers into groups of these sizes, ties as they are) for up to
// kExact numbers, and a normal approximation with Mantel's variance beyond.
// REQUIRES: both have some.
inline constexpr size_t kExact = 120;
RankTest rank_test(const std::vector<Observation>& a, const std::vector<Observation>& b);

// Holm's correction: what each of these p comes to when as many tests were made.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace ordeal::explore
