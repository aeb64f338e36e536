// Mean, deviation and bands: against published ones, and against what they promise.
#include "experiment/sample.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordeal::experiment {
namespace {

// Hours of sleep gained by ten patients, the second drug less the first: Student, The probable
// error of a mean (1908); R's data set `sleep`.
const Sample kSleep = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};

TEST(SampleOf, SleepHasStudentsMeanDeviationAndBand) {
  EXPECT_NEAR(*mean(kSleep), 1.58, 1e-12);
  EXPECT_NEAR(*deviation(kSleep), 1.229995, 0.0000005);
  EXPECT_NEAR(*median(kSleep), 1.3, 1e-12);
  // R: t.test, 95 percent: 0.7001142 to 2.4598858.
  const Band band = *student_band(kSleep);
  EXPECT_NEAR(band.low, 0.7001142, 0.00000005);
  EXPECT_NEAR(band.high, 2.4598858, 0.00000005);
}

TEST(SampleOf, LargeNumbersKeepsItsDigits) {
  // NIST Statistical Reference Datasets, NumAcc1 and NumAcc3: certified values.
  EXPECT_EQ(*mean({10000001, 10000003, 10000002}), 10000002);
  EXPECT_EQ(*deviation({10000001, 10000003, 10000002}), 1);
  Sample alternating = {1000000.2};
  for (int i = 0; i < 500; ++i) {
    alternating.push_back(1000000.1);
    alternating.push_back(1000000.3);
  }
  EXPECT_NEAR(*mean(alternating), 1000000.2, 1e-9);
  EXPECT_NEAR(*deviation(alternating), 0.1, 1e-9);
}

TEST(SampleOf, NothingOrOfNoNumbersIsRefused) {
  EXPECT_EQ(mean({}).error().message, "the sample has no numbers, and at least 1 is needed");
  EXPECT_EQ(deviation({5}).error().message, "the sample has 1 number, and at least 2 are needed");
  EXPECT_EQ(median({1, std::nan("")}).error().message,
            "number 2 of the sample is not a number (NaN)");
  EXPECT_EQ(student_band({1, -INFINITY}).error().message, "number 2 of the sample is infinite");
  EXPECT_EQ(student_band({1, 2}, 95).error().message,
            "a confidence is between 0 and 1, and 95 is not");
  EXPECT_FALSE(student_band({1, 2}, std::nan("")));
  Rng rng(1);
  EXPECT_FALSE(bootstrap_band({}, rng));
  EXPECT_EQ(bootstrap_band({1}, rng, 0.9, Statistic::kMean, 0).error().message,
            "a bootstrap needs at least 1 resample");
}

TEST(Bootstrap, IsTheSameForTheSameSeed) {
  Rng one(7);
  Rng same(7);
  Rng other(8);
  const Band band = *bootstrap_band(kSleep, one);
  EXPECT_EQ(band.low, bootstrap_band(kSleep, same)->low);
  EXPECT_NE(band.low, bootstrap_band(kSleep, other)->low);
}

TEST(Bootstrap, HoldsTheMeanAndIsNarrowerForLessConfidence) {
  Rng rng(7);
  const Band wide = *bootstrap_band(kSleep, rng, 0.95);
  const Band narrow = *bootstrap_band(kSleep, rng, 0.5);
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_LT(narrow.low, 1.58);
  EXPECT_GT(narrow.high, 1.58);
  EXPECT_GT(wide.high, narrow.high);
  // Its standard error is that of the sample with n instead of n - 1: 0.369.
  EXPECT_NEAR((wide.high - wide.low) / (2 * 1.96), 0.369, 0.03);
}

TEST(Bootstrap, OfAMedianStaysAmongTheNumbers) {
  Rng rng(7);
  const Band band = *bootstrap_band({1, 1, 1, 1, 1, 1, 1, 1, 1000}, rng, 0.95, Statistic::kMedian);
  EXPECT_EQ(band.low, 1);
  EXPECT_EQ(band.high, 1);
}

TEST(Bands, HoldTheTrueMeanAboutAsOftenAsTheySay) {
  // Sums of twelve uniform numbers, as good as normal, around 6.
  Rng rng(2);
  int student = 0;
  int bootstrap = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    Sample sample(15, 0);
    for (double& value : sample) {
      for (int i = 0; i < 12; ++i) value += static_cast<double>(rng.below(1 << 20)) / (1 << 20);
    }
    const auto holds = [](const Band& band) { return band.low <= 6 && 6 <= band.high ? 1 : 0; };
    student += holds(*student_band(sample, 0.9));
    bootstrap += holds(*bootstrap_band(sample, rng, 0.9, Statistic::kMean, 300));
  }
  EXPECT_NEAR(student, 0.9 * kRounds, 25);     // four deviations
  EXPECT_NEAR(bootstrap, 0.87 * kRounds, 28);  // too narrow, as is known for few numbers
}

}  // namespace
}  // namespace ordeal::experiment
