// Medians and rank tests: against a published table, against counting out, and by hand.
#include "experiment/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ordeal::explore {
namespace {

using Sample = std::vector<Observation>;

Sample found(const std::vector<uint64_t>& values) {
  Sample out;
  for (uint64_t value : values) out.push_back({value});
  return out;
}

Observation given_up(uint64_t at) { return {at, false}; }
Observation hopeless(uint64_t at) { return {at, false, true}; }

Sample operator+(Sample sample, const Sample& more) {
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
  const Median known = median_of(found({3, 1, 2}) + Sample{given_up(100), given_up(100)});
  EXPECT_EQ(known.value, 3);
  EXPECT_FALSE(known.censored);
}

TEST(MedianOf, IsOnlyKnownToBeLargeWhereHalfWereGivenUp) {
  const Median most = median_of(found({3}) + Sample{given_up(100), given_up(100)});
  EXPECT_EQ(most.value, 100);
  EXPECT_TRUE(most.censored);
  // Between 4 and something above 100.
  const Median half = median_of(found({2, 4}) + Sample{given_up(100), given_up(100)});
  EXPECT_EQ(half.value, 52);
  EXPECT_TRUE(half.censored);
}

TEST(MedianOf, TakesAnEarlyEndForNoMoreThanItIs) {
  // The one given up after 2 may have needed 3 or 300: the median is at least 5, at most 9.
  const Median cut = median_of(found({1, 5, 9, 10}) + Sample{given_up(2)});
  EXPECT_EQ(cut.value, 5);
  EXPECT_TRUE(cut.censored);
}

// Two samples without ties, of which the first wins `u` pairs.
std::pair<Sample, Sample> with_u(size_t n, size_t m, size_t u) {
  Sample a;
  Sample b;
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
double counted_out(const Sample& a, const Sample& b) {
  const Sample all = a + b;
  const auto distance = [&](uint32_t group) {
    Sample in;
    Sample out;
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
  const std::vector<std::pair<Sample, Sample>> samples = {
      {found({1, 1, 2}), found({1, 2, 2, 3})},
      {found({1, 5, 5, 5}), found({5, 5, 9})},
      {found({1, 2}) + Sample{given_up(10)}, found({7}) + Sample{given_up(10), given_up(10)}},
      {found({3, 4}) + Sample{given_up(3)}, found({8, 9}) + Sample{hopeless(5), given_up(7)}},
  };
  for (const auto& [a, b] : samples) EXPECT_NEAR(rank_test(a, b).p, counted_out(a, b), 1e-12);
}

TEST(RankTest, TrialsGivenUpAreTiedBehindAllThatFoundIt) {
  const Sample some = found({1, 2}) + Sample{given_up(10)};
  const RankTest test = rank_test(some, Sample{given_up(10), given_up(10)});
  EXPECT_EQ(test.u, 5);  // four wins, two ties
  EXPECT_EQ(rank_test(Sample{given_up(10)}, Sample{hopeless(3)}).a12, 0.5);
  EXPECT_EQ(rank_test(found({8}), Sample{hopeless(3)}).a12, 1);
  // Given up before the other was found: nobody knows.
  EXPECT_EQ(rank_test(found({8}), Sample{given_up(3)}).a12, 0.5);
}

TEST(RankTest, OfEqualSamplesSaysNothing) {
  const RankTest test = rank_test(found({1, 1, 1}), found({1, 1}));
  EXPECT_EQ(test.a12, 0.5);
  EXPECT_EQ(test.p, 1);
  const Sample many(100, {1});
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
}  // namespace ordeal::explore
