// Medians and rank tests: against a published table, against counting out, and by hand.
#include "experiment/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/rng.h"
#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

using Trials = std::vector<Observation>;

Trials found(const std::vector<uint64_t>& values) {
  Trials out;
  for (uint64_t value : values) out.push_back({value});
  return out;
}

Observation given_up(uint64_t at) { return {at, false}; }
Observation hopeless(uint64_t at) { return {at, false, true}; }

Trials operator+(Trials sample, const Trials& more) {
  sample.insert(sample.end(), more.begin(), more.end());
  return sample;
}

TEST(MedianOf, IsTheMiddleOneOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median_of(found({7})).value, 7);
  EXPECT_EQ(median_of(found({9, 1, 5})).value, 5);
  EXPECT_EQ(median_of(found({9, 1, 5, 2})).value, 3.5);
  EXPECT_FALSE(median_of(found({9, 1, 5, 2})).censored);
}

TEST(MedianOf, IsKnownAsLongAsMoreThanHalfWereFound) {
  const Median known = median_of(found({3, 1, 2}) + Trials{given_up(100), given_up(100)});
  EXPECT_EQ(known.value, 3);
  EXPECT_FALSE(known.censored);
}

TEST(MedianOf, IsOnlyKnownToBeLargeWhereHalfWereGivenUp) {
  const Median most = median_of(found({3}) + Trials{given_up(100), given_up(100)});
  EXPECT_EQ(most.value, 100);
  EXPECT_TRUE(most.censored);
  // Between 4 and something above 100.
  const Median half = median_of(found({2, 4}) + Trials{given_up(100), given_up(100)});
  EXPECT_EQ(half.value, 52);
  EXPECT_TRUE(half.censored);
}

TEST(MedianOf, TakesAnEarlyEndForNoMoreThanItIs) {
  // The one given up after 2 may have needed 3 or 300: the median is at least 5, at most 9.
  const Median cut = median_of(found({1, 5, 9, 10}) + Trials{given_up(2)});
  EXPECT_EQ(cut.value, 5);
  EXPECT_TRUE(cut.censored);
}

// Two samples without ties, of which the first wins `u` pairs.
std::pair<Trials, Trials> with_u(size_t n, size_t m, size_t u) {
  Trials a;
  Trials b;
  for (size_t i = 0; i < m; ++i) b.push_back({1000 * (i + 1)});
  for (size_t i = 0; i < n; ++i) {
    const size_t wins = std::min(u, m);
    u -= wins;
    a.push_back({1000 * (m - wins) + i + 1});
  }
  return {a, b};
}

TEST(RankTest, CountsPairs) {
  const RankTest test = rank_test(found({1, 4, 6}), found({2, 3, 5, 6}));
  // 1 wins all four; 4 wins two; 6 loses three and ties one.
  EXPECT_EQ(test.u, 6.5);
  EXPECT_EQ(test.a12, 6.5 / 12);
  const RankTest turned = rank_test(found({2, 3, 5, 6}), found({1, 4, 6}));
  EXPECT_EQ(turned.u, 5.5);
  EXPECT_EQ(turned.p, test.p);
}

TEST(RankTest, OfSmallSamplesIsAFractionOfAllWaysToSplitThem) {
  const auto p = [](size_t n, size_t m, size_t u) {
    const auto [a, b] = with_u(n, m, u);
    const RankTest test = rank_test(a, b);
    EXPECT_EQ(test.u, static_cast<double>(u));
    return test.p;
  };
  EXPECT_NEAR(p(3, 3, 0), 2.0 / 20, 1e-12);
  EXPECT_NEAR(p(4, 4, 0), 2.0 / 70, 1e-12);
  EXPECT_NEAR(p(4, 4, 16), 2.0 / 70, 1e-12);
  EXPECT_NEAR(p(5, 5, 2), 8.0 / 252, 1e-12);  // 0, 1, and 2 in two ways; and as many above
  EXPECT_NEAR(p(2, 3, 3), 1.0, 1e-12);        // the middle
}

TEST(RankTest, AgreesWithTheTableOfCriticalValues) {
  // Two-sided, 5 %: the largest U that is significant.
  struct Entry {
    size_t n, m, u;
  };
  for (const Entry& entry : std::vector<Entry>{{5, 5, 2},
                                               {6, 6, 5},
                                               {7, 7, 8},
                                               {8, 8, 13},
                                               {10, 10, 23},
                                               {5, 10, 8},
                                               {15, 15, 64},
                                               {10, 20, 55},
                                               {20, 20, 127}}) {
    const auto [a, b] = with_u(entry.n, entry.m, entry.u);
    EXPECT_LE(rank_test(a, b).p, 0.05) << entry.n << ", " << entry.m;
    const auto [c, d] = with_u(entry.n, entry.m, entry.u + 1);
    EXPECT_GT(rank_test(c, d).p, 0.05) << entry.n << ", " << entry.m;
  }
}

// By trying every group of this size: how many differ as much as the first one does.
double counted_out(const Trials& a, const Trials& b) {
  const Trials all = a + b;
  const auto distance = [&](uint32_t group) {
    Trials in;
    Trials out;
    for (size_t i = 0; i < all.size(); ++i) ((group >> i & 1) != 0 ? in : out).push_back(all[i]);
    return std::abs(rank_test(in, out).u - static_cast<double>(in.size() * out.size()) / 2);
  };
  const double seen = distance((1U << a.size()) - 1);
  int groups = 0;
  int far = 0;
  for (uint32_t group = 0; group < 1U << all.size(); ++group) {
    if (static_cast<size_t>(std::popcount(group)) != a.size()) continue;
    ++groups;
    far += distance(group) >= seen ? 1 : 0;
  }
  return static_cast<double>(far) / groups;
}

TEST(RankTest, WithTiesAndTrialsGivenUpIsThatOfCountingOut) {
  const std::vector<std::pair<Trials, Trials>> samples = {
      {found({1, 1, 2}), found({1, 2, 2, 3})},
      {found({1, 5, 5, 5}), found({5, 5, 9})},
      {found({1, 2}) + Trials{given_up(10)}, found({7}) + Trials{given_up(10), given_up(10)}},
      {found({3, 4}) + Trials{given_up(3)}, found({8, 9}) + Trials{hopeless(5), given_up(7)}},
  };
  for (const auto& [a, b] : samples) EXPECT_NEAR(rank_test(a, b).p, counted_out(a, b), 1e-12);
}

TEST(RankTest, TrialsGivenUpAreTiedBehindAllThatFoundIt) {
  const Trials some = found({1, 2}) + Trials{given_up(10)};
  const RankTest test = rank_test(some, Trials{given_up(10), given_up(10)});
  EXPECT_EQ(test.u, 5);  // four wins, two ties
  EXPECT_EQ(rank_test(Trials{given_up(10)}, Trials{hopeless(3)}).a12, 0.5);
  EXPECT_EQ(rank_test(found({8}), Trials{hopeless(3)}).a12, 1);
  // Given up before the other was found: nobody knows.
  EXPECT_EQ(rank_test(found({8}), Trials{given_up(3)}).a12, 0.5);
}

TEST(RankTest, OfEqualSamplesSaysNothing) {
  const RankTest test = rank_test(found({1, 1, 1}), found({1, 1}));
  EXPECT_EQ(test.a12, 0.5);
  EXPECT_EQ(test.p, 1);
  const Trials many(100, {1});
  EXPECT_EQ(rank_test(many, many).p, 1);
}

TEST(RankTest, OfManyIsCloseToTheExactOne) {
  // One more on each side takes it beyond what is counted exactly; the shares are the same.
  const auto [a, b] = with_u(60, 60, 1400);
  const auto [c, d] = with_u(61, 61, 1400 * 61 * 61 / (60 * 60));
  ASSERT_GT(c.size() + d.size(), kExact);
  const double exact = rank_test(a, b).p;
  EXPECT_NEAR(exact, 0.036, 0.001);  // z is 399.5 / √36,300 = 2.097
  EXPECT_NEAR(rank_test(c, d).p, exact, 0.002);
}

// --- Of numbers ----------------------------------------------------------------------------------

// Pairs won, ties as halves, straight from the definition.
double pairs_won(const Sample& a, const Sample& b) {
  double u = 0;
  for (double x : a) {
    for (double y : b) u += x > y ? 1 : x == y ? 0.5 : 0;
  }
  return u;
}

// The share of all groups of this size that are as far out, by trying each.
double tried_out(const Sample& a, const Sample& b, Tail tail) {
  Sample all = a;
  all.insert(all.end(), b.begin(), b.end());
  const double expected = static_cast<double>(a.size() * b.size()) / 2;
  const double seen = pairs_won(a, b);
  int groups = 0;
  int far = 0;
  for (uint32_t group = 0; group < 1U << all.size(); ++group) {
    if (static_cast<size_t>(std::popcount(group)) != a.size()) continue;
    Sample in;
    Sample out;
    for (size_t i = 0; i < all.size(); ++i) ((group >> i & 1) != 0 ? in : out).push_back(all[i]);
    const double u = pairs_won(in, out);
    const bool counts = tail == Tail::kGreater ? u >= seen
                        : tail == Tail::kLess  ? u <= seen
                                              : std::abs(u - expected) >= std::abs(seen - expected);
    ++groups;
    far += counts ? 1 : 0;
  }
  return static_cast<double>(far) / groups;
}

TEST(MannWhitney, OfTinySamplesIsWhatTryingAllGroupsGives) {
  Rng rng(16);
  int tied = 0;
  for (int round = 0; round < 60; ++round) {
    Sample a(1 + rng.below(5));
    Sample b(1 + rng.below(6));
    const uint64_t values = round % 2 == 0 ? 5 : 1000;  // many ties, or nearly none
    for (double& value : a) value = static_cast<double>(rng.below(values)) / 8 - 0.25;
    for (double& value : b) value = static_cast<double>(rng.below(values)) / 8;
    for (const Tail tail : {Tail::kTwoSided, Tail::kLess, Tail::kGreater}) {
      const RankTest test = *mann_whitney(a, b, tail);
      EXPECT_TRUE(test.exact);
      EXPECT_EQ(test.u, pairs_won(a, b));
      EXPECT_NEAR(test.p, tried_out(a, b, tail), 1e-12) << "round " << round;
      tied += test.u != std::floor(test.u) ? 1 : 0;
    }
  }
  EXPECT_GT(tied, 10);
}

Sample from_to(int first, int last) {
  Sample out;
  for (int i = first; i <= last; ++i) out.push_back(i);
  return out;
}

TEST(MannWhitney, OfFullySeparatedSamplesHasTheGoldenValues) {
  // The thesis' published p-values are one-sided and normal with continuity correction.
  const auto p = [](int n, Method method) {
    const RankTest test =
        *mann_whitney(from_to(n + 1, 2 * n), from_to(1, n), Tail::kGreater, method);
    EXPECT_EQ(test.a12, 1);
    EXPECT_EQ(test.exact, method == Method::kExact);
    return test.p;
  };
  EXPECT_NEAR(p(10, Method::kNormal), 9.13e-05, 0.005e-05);
  EXPECT_NEAR(p(10, Method::kExact), 5.41e-06, 0.005e-06);
  EXPECT_NEAR(p(10, Method::kExact), 1.0 / 184'756, 1e-12);  // one of all groups of 10 of 20
  EXPECT_NEAR(p(13, Method::kNormal), 8.25e-06, 0.005e-06);
  EXPECT_NEAR(p(13, Method::kExact), 1.0 / 10'400'600, 1e-15);
}

TEST(MannWhitney, OfTheChorioamnionIsThatOfHollanderAndWolfe) {
  // Nonparametric Statistical Methods (1973), p. 69 f.; R's example of wilcox.test: W = 35,
  // p = 0.1272 (greater, exact).
  const Sample at_term = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const Sample early = {1.15, 0.88, 0.90, 0.74, 1.21};
  const RankTest test = *mann_whitney(at_term, early, Tail::kGreater);
  EXPECT_EQ(test.u, 35);
  EXPECT_NEAR(test.p, 0.1272, 0.00005);
  EXPECT_NEAR(mann_whitney(early, at_term, Tail::kLess)->p, test.p, 1e-12);
}

// Ozone in New York, 1973, by month: R's data set `airquality` (Chambers et al., Graphical Methods
// for Data Analysis, 1983).
const Sample kMay = {41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
                     14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
const Sample kJune = {29, 71, 39, 23, 21, 37, 20, 12, 13};
const Sample kJuly = {135, 49, 32, 64, 40, 77, 97,  97, 85, 10, 27, 7,  48,
                      35,  61, 79, 63, 16, 80, 108, 20, 52, 82, 50, 64, 59};
const Sample kAugust = {39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
                        59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
const Sample kSeptember = {96, 78, 73, 91, 47, 32, 20, 23, 21, 24, 44, 21, 28, 9, 13,
                           46, 18, 13, 24, 16, 13, 23, 36, 7,  14, 30, 14, 18, 20};

TEST(MannWhitney, WithTiesAndByTheApproximationIsThatOfR) {
  // R's example: wilcox.test(Ozone ~ Month, airquality, Month %in% c(5, 8)): W = 127.5,
  // p = 0.0001208.
  const RankTest test = *mann_whitney(kMay, kAugust, Tail::kTwoSided, Method::kNormal);
  EXPECT_EQ(test.u, 127.5);
  EXPECT_NEAR(test.p, 0.0001208, 0.00000005);
  EXPECT_FALSE(test.exact);
  // So far out the exact one is half of it, as with the golden values above.
  const double exact = mann_whitney(kMay, kAugust)->p;
  EXPECT_LT(exact, test.p);
  EXPECT_GT(exact, test.p / 4);
}

TEST(MannWhitney, IsTheTestOfTrialsThatAllFoundIt) {
  const RankTest numbers = *mann_whitney({3, 1, 4}, {1, 5, 9, 2});
  const RankTest trials = rank_test(found({1, 5, 9, 2}), found({3, 1, 4}));
  EXPECT_EQ(numbers.p, trials.p);
  EXPECT_EQ(numbers.u, trials.u);  // one counts the larger, the other who needs less
}

TEST(MannWhitney, OfEqualNumbersSaysNothing) {
  for (const Method method : {Method::kExact, Method::kNormal}) {
    for (const Tail tail : {Tail::kTwoSided, Tail::kLess, Tail::kGreater}) {
      EXPECT_EQ(mann_whitney({2, 2, 2}, {2, 2}, tail, method)->p, 1);
    }
  }
}

TEST(MannWhitney, SaysWhatIsWrongWithASample) {
  EXPECT_EQ(mann_whitney({}, {1}).error().message,
            "the first sample has no numbers, and at least 1 is needed");
  EXPECT_EQ(mann_whitney({1}, {2, std::nan("")}).error().message,
            "number 2 of the second sample is not a number (NaN)");
  EXPECT_EQ(vargha_delaney({1}, {INFINITY}).error().message,
            "number 1 of the second sample is infinite");
  const Sample many(kMostExact, 1);
  EXPECT_EQ(mann_whitney(many, {2}, Tail::kTwoSided, Method::kExact).error().message,
            "an exact rank test takes at most 300 numbers, and these are 301");
}

TEST(VarghaDelaney, IsTheShareOfPairsThatAreLargerWithTiesAsHalves) {
  EXPECT_EQ(*vargha_delaney({4, 5, 6}, {1, 2, 3}), 1);
  EXPECT_EQ(*vargha_delaney({1, 2, 3}, {4, 5, 6}), 0);
  EXPECT_EQ(*vargha_delaney({1, 2}, {1, 2}), 0.5);
  // A = (R / m - (m + 1) / 2) / n, by the sum of the first ranks (Vargha and Delaney 2000, formula
  // 14): ranks 1, 4 and 6.5 of 7.
  EXPECT_NEAR(*vargha_delaney({1, 4, 6}, {2, 3, 5, 6}), (11.5 / 3 - 2) / 4, 1e-12);
}

TEST(KruskalWallis, OfMucociliaryEfficiencyIsThatOfHollanderAndWolfe) {
  // Nonparametric Statistical Methods (1973), p. 116; R's example of kruskal.test: H = 0.7714, 2
  // degrees of freedom, p = 0.68.
  const KruskalWallis test =
      *kruskal_wallis({{2.9, 3.0, 2.5, 2.6, 3.2}, {3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}});
  EXPECT_NEAR(test.h, 0.7714, 0.00005);
  EXPECT_EQ(test.degrees, 2);
  EXPECT_NEAR(test.p, 0.68, 0.00005);
}

TEST(KruskalWallis, WithTiesIsThatOfR) {
  // R's example: kruskal.test(Ozone ~ Month, airquality): 29.267, 4 degrees of freedom, 6.901e-06.
  const KruskalWallis test = *kruskal_wallis({kMay, kJune, kJuly, kAugust, kSeptember});
  EXPECT_NEAR(test.h, 29.267, 0.0005);
  EXPECT_EQ(test.degrees, 4);
  EXPECT_NEAR(test.p, 6.901e-06, 0.0005e-06);
}

TEST(KruskalWallis, OfTwoGroupsIsTheSquareOfTheRankTest) {
  // Without its correction for continuity: H = z².
  const double u = mann_whitney(kMay, kAugust)->u;
  const double z = normal_quantile(chi_square_upper(kruskal_wallis({kMay, kAugust})->h, 1) / 2);
  const double corrected =
      normal_quantile(mann_whitney(kMay, kAugust, Tail::kTwoSided, Method::kNormal)->p / 2);
  const double middle = 26.0 * 26 / 2;
  EXPECT_NEAR(z / corrected, (middle - u) / (middle - u - 0.5), 1e-9);
}

TEST(KruskalWallis, SaysWhatIsWrongAndNothingOfEqualNumbers) {
  EXPECT_EQ(kruskal_wallis({{1, 2}}).error().message,
            "Kruskal and Wallis' test compares at least 2 groups, and there is 1");
  EXPECT_EQ(kruskal_wallis({{1, 2}, {}}).error().message,
            "group 2 has no numbers, and at least 1 is needed");
  EXPECT_EQ(kruskal_wallis({{3, 3}, {3}})->h, 0);
  EXPECT_EQ(kruskal_wallis({{3, 3}, {3}})->p, 1);
}

TEST(Holm, MultipliesTheLeastByTheNumberOfTestsAndKeepsTheOrder) {
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(corrected[0], 0.03, 1e-12);
  EXPECT_NEAR(corrected[1], 0.06, 1e-12);
  EXPECT_NEAR(corrected[2], 0.06, 1e-12);
  EXPECT_NEAR(corrected[3], 0.02, 1e-12);
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace ordeal::experiment
