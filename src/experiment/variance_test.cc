// Analysis of variance with repeated measures, and Tukey's test: against published examples.
#include "experiment/variance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

// Reaction times of five subjects under four drugs: Winer, Statistical Principles in Experimental
// Design (2nd edition, 1971), p. 268; also in the manual of NCSS, chapter 214.
const std::vector<Sample> kDrugs = {
    {30, 14, 24, 38, 26}, {28, 18, 20, 34, 28}, {16, 10, 18, 20, 14}, {34, 22, 30, 44, 30}};

TEST(RepeatedMeasures, OfFourDrugsIsThatOfWiner) {
  const RepeatedMeasures analysis = *repeated_measures(kDrugs);
  EXPECT_NEAR(analysis.ss_treatments, 698.20, 0.005);
  EXPECT_NEAR(analysis.ss_subjects, 680.80, 0.005);
  EXPECT_NEAR(analysis.ss_error, 112.80, 0.005);
  EXPECT_EQ(analysis.degrees_treatments, 3);
  EXPECT_EQ(analysis.degrees_error, 12);
  EXPECT_NEAR(analysis.mean_square_error(), 9.40, 0.005);
  EXPECT_NEAR(analysis.f, 24.76, 0.005);
  EXPECT_LT(analysis.p, 0.0001);
  EXPECT_NEAR(analysis.epsilon, 0.6049, 0.00005);
  EXPECT_GT(analysis.p_corrected, analysis.p);
}

TEST(RepeatedMeasures, OfFitnessIsThatOfLaerd) {
  // Laerd Statistics, "Repeated Measures ANOVA": six people before, and after three and six months.
  const RepeatedMeasures analysis = *repeated_measures(
      {{45, 42, 36, 39, 51, 44}, {50, 42, 41, 35, 55, 49}, {55, 45, 43, 40, 59, 56}});
  EXPECT_NEAR(analysis.ss_treatments, 143.44, 0.005);
  EXPECT_NEAR(analysis.ss_subjects, 658.28, 0.005);
  EXPECT_NEAR(analysis.ss_error, 57.22, 0.005);
  EXPECT_NEAR(analysis.f, 12.53, 0.005);
  EXPECT_NEAR(analysis.p, 0.002, 0.0005);
  EXPECT_EQ(analysis.degrees_error, 10);
}

TEST(RepeatedMeasures, OfTwoTreatmentsIsThePairedTTest) {
  // Student's sleep data: t = 4.0621 with 9 degrees of freedom, p = 0.002833 (R's t.test, paired).
  const RepeatedMeasures analysis =
      *repeated_measures({{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
                          {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}});
  EXPECT_NEAR(std::sqrt(analysis.f), 4.0621, 0.00005);
  EXPECT_NEAR(analysis.p, 0.002833, 0.0000005);
  EXPECT_NEAR(analysis.epsilon, 1, 1e-12);
  // So is Tukey's test, of one pair.
  const TukeyPair pair = tukey_hsd(analysis)->at(0);
  EXPECT_NEAR(pair.p, analysis.p, 1e-10);
  EXPECT_NEAR(pair.difference, -1.58, 1e-12);
  EXPECT_NEAR(pair.band.low, -2.4598858, 0.00000005);
  EXPECT_NEAR(pair.band.high, -0.7001142, 0.00000005);
}

TEST(RepeatedMeasures, TakesOutWhatSubjectsDifferIn) {
  std::vector<Sample> shifted = kDrugs;
  for (Sample& treatment : shifted) {
    for (size_t i = 0; i < treatment.size(); ++i) treatment[i] += 1000.0 * static_cast<double>(i);
  }
  EXPECT_NEAR(repeated_measures(shifted)->f, repeated_measures(kDrugs)->f, 1e-6);
}

TEST(RepeatedMeasures, WithoutErrorIsCertainOneWayOrTheOther) {
  const RepeatedMeasures apart = *repeated_measures({{1, 2, 3.1}, {2, 3, 4.1}, {1, 2, 3.1}});
  EXPECT_TRUE(std::isinf(apart.f));
  EXPECT_EQ(apart.p, 0);
  const std::vector<TukeyPair> pairs = *tukey_hsd(apart);
  EXPECT_EQ(pairs[0].p, 0);
  EXPECT_EQ(pairs[1].p, 1);  // the first and the last
  const RepeatedMeasures equal = *repeated_measures({{7, 7}, {7, 7}});
  EXPECT_EQ(equal.f, 0);
  EXPECT_EQ(equal.p, 1);
  EXPECT_EQ(tukey_hsd(equal)->at(0).p, 1);
}

TEST(RepeatedMeasures, SaysWhatIsWrong) {
  EXPECT_EQ(repeated_measures({{1, 2}, {1, 2, 3}}).error().message,
            "repeated measures need every subject under every treatment, but treatment 1 has 2 "
            "numbers and treatment 2 has 3");
  EXPECT_EQ(repeated_measures({{1, 2}}).error().message,
            "repeated measures compare at least 2 treatments, and there is 1");
  EXPECT_EQ(repeated_measures({{1, 2}, {1}}).error().message,
            "treatment 2 has 1 number, and at least 2 are needed");
  EXPECT_EQ(repeated_measures({{1, 2}, {1, std::nan("")}}).error().message,
            "number 2 of treatment 2 is not a number (NaN)");
  EXPECT_FALSE(tukey_hsd(*repeated_measures(kDrugs), 1));
}

TEST(Tukey, TellsDrugsApartThatAreFurtherApartThanTheHonestDifference) {
  // q(.05; 4, 12) = 4.199, and √(9.40 / 5) = 1.3711: means must differ by 5.757.
  const RepeatedMeasures analysis = *repeated_measures(kDrugs);
  const std::vector<TukeyPair> pairs = *tukey_hsd(analysis);
  ASSERT_EQ(pairs.size(), 6U);
  for (const TukeyPair& pair : pairs) {
    EXPECT_NEAR((pair.band.high - pair.band.low) / 2, 5.757, 0.001);
    EXPECT_NEAR(pair.q, std::abs(pair.difference) / 1.3711, 0.001);
    EXPECT_NEAR(pair.difference, analysis.means[pair.a] - analysis.means[pair.b], 1e-12);
    EXPECT_EQ(pair.p<0.05, std::abs(pair.difference)> 5.757);
    EXPECT_EQ(pair.p<0.05, pair.band.low> 0 || pair.band.high < 0);
    EXPECT_EQ(pair.p, studentized_range_upper(pair.q, 4, 12));
  }
  // Means 26.4, 25.6, 15.6 and 32: only the first two do not differ.
  EXPECT_GT(pairs[0].p, 0.9);
  EXPECT_LT(pairs[2].p, 0.1);
}

}  // namespace
}  // namespace ordeal::experiment
