#include "base/proportion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordeal {
namespace {

// P(from <= X <= to) of a binomial number, term by term.
double between(uint64_t from, uint64_t to, uint64_t n, double p) {
  long double sum = 0;
  for (uint64_t k = from; k <= to; ++k) {
    const long double choose = std::lgammal(static_cast<long double>(n) + 1) -
                               std::lgammal(static_cast<long double>(k) + 1) -
                               std::lgammal(static_cast<long double>(n - k) + 1);
    sum += std::exp(choose + static_cast<long double>(k) * std::log(static_cast<long double>(p)) +
                    static_cast<long double>(n - k) * std::log1p(-static_cast<long double>(p)));
  }
  return static_cast<double>(sum);
}

// The manual of R, binom.test: Mendel's peas, Conover (1971), p. 97.
TEST(ClopperPearson, IsThatOfMendelsPeas) {
  const Proportion peas = clopper_pearson(682, 925, 0.95);
  EXPECT_NEAR(peas.low, 0.7076683, 5e-8);
  EXPECT_NEAR(peas.high, 0.7654066, 5e-8);
}

// The usual table for ten trials, to four digits.
TEST(ClopperPearson, IsAsTabulatedForTenTrials) {
  const double table[][3] = {{0, 0, 0.3085},      {1, 0.0025, 0.4450}, {2, 0.0252, 0.5561},
                             {3, 0.0667, 0.6525}, {4, 0.1216, 0.7376}, {5, 0.1871, 0.8129},
                             {10, 0.6915, 1}};
  for (const auto& [hits, low, high] : table) {
    const Proportion one = clopper_pearson(static_cast<uint64_t>(hits), 10, 0.95);
    EXPECT_NEAR(one.low, low, 5.1e-5) << hits;
    EXPECT_NEAR(one.high, high, 5.1e-5) << hits;
  }
}

TEST(ClopperPearson, LeavesHalfOfTheRestOnEitherSide) {
  for (const double confidence : {0.5, 0.9, 0.95, 0.999}) {
    for (const uint64_t n : {1, 2, 7, 30, 400}) {
      for (uint64_t hits = 0; hits <= n; hits += 1 + n / 9) {
        const Proportion one = clopper_pearson(hits, n, confidence);
        const double tail = (1 - confidence) / 2;
        EXPECT_LE(one.low, static_cast<double>(hits) / static_cast<double>(n));
        EXPECT_GE(one.high, static_cast<double>(hits) / static_cast<double>(n));
        EXPECT_EQ(one.low == 0, hits == 0);
        EXPECT_EQ(one.high == 1, hits == n);
        if (hits > 0) {
          EXPECT_NEAR(between(hits, n, n, one.low), tail, 1e-9) << hits << " " << n;
        }
        if (hits < n) {
          EXPECT_NEAR(between(0, hits, n, one.high), tail, 1e-9) << hits << " " << n;
        }
      }
    }
  }
}

TEST(ClopperPearson, OfNoHitsIsWhatTheRootSays) {
  for (const uint64_t n : {1, 10, 10'000, 100'000'000}) {
    const double root = -std::expm1(std::log(0.025) / static_cast<double>(n));
    EXPECT_NEAR(clopper_pearson(0, n, 0.95).high / root, 1, 1e-9) << n;
    EXPECT_NEAR(clopper_pearson(n, n, 0.95).low, 1 - root, 1e-12) << n;
  }
}

TEST(ClopperPearson, KnowsNothingWithoutTrials) {
  const Proportion nothing = clopper_pearson(0, 0, 0.95);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
}

// How often the interval has the truth in it, summed over all outcomes.
TEST(ClopperPearson, CoversTheTruthAtLeastAsOftenAsItSays) {
  for (const uint64_t n : {5, 40}) {
    for (double p = 0.01; p < 1; p += 0.07) {
      double covered = 0;
      for (uint64_t hits = 0; hits <= n; ++hits) {
        const Proportion one = clopper_pearson(hits, n, 0.9);
        if (one.low <= p && p <= one.high) covered += between(hits, hits, n, p);
      }
      EXPECT_GE(covered, 0.9 - 1e-12) << n << " " << p;
    }
  }
}

}  // namespace
}  // namespace ordeal
