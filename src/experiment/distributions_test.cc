// Distributions against printed tables.
#include "experiment/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ordeal::experiment {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

TEST(Distributions, AgreeWithPrintedTables) {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.
  EXPECT_NEAR(normal_upper(1.96), 0.025, 0.0001);
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 0.0000005);
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228, 0.0005);
  EXPECT_NEAR(student_t_quantile(0.95, 1), 6.314, 0.0005);
  EXPECT_NEAR(chi_square_quantile(0.95, 4), 9.488, 0.0005);
  EXPECT_NEAR(chi_square_quantile(0.99, 10), 23.209, 0.0005);
  EXPECT_NEAR(f_quantile(0.95, 3, 10), 3.708, 0.0005);
  EXPECT_NEAR(f_quantile(0.95, 10, 20), 2.348, 0.0005);
}

TEST(Distributions, TailsAndQuantilesBelongTogether) {
  for (const double p : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(normal_upper(normal_quantile(p)), 1 - p, 1e-12);
    EXPECT_NEAR(student_t_upper(student_t_quantile(p, 7), 7), 1 - p, 1e-12);
    EXPECT_NEAR(chi_square_upper(chi_square_quantile(p, 7), 7), 1 - p, 1e-12);
    EXPECT_NEAR(f_upper(f_quantile(p, 3, 7), 3, 7), 1 - p, 1e-12);
    EXPECT_NEAR(studentized_range_cdf(studentized_range_quantile(p, 4, 7), 4, 7), p, 1e-10);
  }
}

TEST(Distributions, FarTailsAreSmallAndNotNothing) {
  EXPECT_NEAR(normal_upper(10) / 7.619853024160527e-24, 1, 1e-12);  // erfc(10 / √2) / 2
  EXPECT_EQ(normal_upper(kEndless), 0);
  EXPECT_EQ(f_upper(kEndless, 2, 3), 0);
  EXPECT_EQ(f_upper(0, 2, 3), 1);
  EXPECT_EQ(chi_square_upper(0, 2), 1);
}

TEST(StudentizedRange, HasTheQuantilesOfPrintedTables) {
  struct Entry {
    double level, groups, degrees, q;
  };
  // Harter, Tables of range and studentized range (1960), as reprinted in textbooks, three digits
  // after the point.
  for (const Entry& entry : std::vector<Entry>{{0.95, 3, 10, 3.877},
                                               {0.95, 2, 10, 3.151},
                                               {0.95, 2, 1, 17.97},
                                               {0.95, 3, 1, 26.98},
                                               {0.95, 3, 2, 8.331},
                                               {0.95, 3, 5, 4.602},
                                               {0.95, 4, 12, 4.199},
                                               {0.95, 4, 20, 3.958},
                                               {0.95, 5, 60, 3.977},
                                               {0.95, 10, 20, 5.008},
                                               {0.95, 3, kEndless, 3.314},
                                               {0.95, 10, kEndless, 4.474},
                                               {0.95, 20, kEndless, 5.012},
                                               {0.99, 3, 10, 5.270},
                                               {0.99, 5, 20, 5.294},
                                               {0.99, 2, 1, 90.03},
                                               {0.99, 10, kEndless, 5.157}}) {
    const double digit = entry.q > 10 ? 0.006 : 0.0011;
    EXPECT_NEAR(studentized_range_quantile(entry.level, entry.groups, entry.degrees), entry.q,
                digit)
        << entry.groups << " groups, " << entry.degrees << " degrees";
  }
}

TEST(StudentizedRange, AgreesWithR) {
  // The examples of the R package distributional (dist_studentized_range), and of qtukey.
  EXPECT_NEAR(studentized_range_cdf(4, 6, 5), 0.8017144, 0.00000005);
  EXPECT_NEAR(studentized_range_cdf(4, 2, 4), 0.9525787, 0.000001);  // by t it is 0.9525793
  EXPECT_NEAR(studentized_range_quantile(0.7, 6, 5), 3.414964, 0.00001);
  EXPECT_NEAR(studentized_range_quantile(0.7, 2, 4), 1.682303, 0.00001);
  EXPECT_NEAR(studentized_range_quantile(0.1, 7, 5), 1.574255, 0.0005);  // R: to 4 digits
  EXPECT_NEAR(studentized_range_quantile(0.9, 7, 5), 5.238196, 0.0005);
}

TEST(StudentizedRange, OfTwoIsStudentsT) {
  // The range of two is the size of their difference: √2 times |t|.
  for (const double degrees : {1.0, 2.0, 3.0, 10.0, 57.0, 1000.0}) {
    for (const double q : {0.01, 0.5, 1.0, 3.0, 8.0, 40.0, 400.0}) {
      EXPECT_NEAR(studentized_range_upper(q, 2, degrees),
                  2 * student_t_upper(q / std::sqrt(2.0), degrees), 1e-11)
          << q << ", " << degrees;
    }
  }
  EXPECT_NEAR(studentized_range_upper(3, 2, kEndless), 2 * normal_upper(3 / std::sqrt(2.0)), 1e-13);
}

TEST(StudentizedRange, GrowsFromNothingToOne) {
  EXPECT_EQ(studentized_range_cdf(0, 3, 10), 0);
  EXPECT_EQ(studentized_range_cdf(-1, 3, 10), 0);
  EXPECT_EQ(studentized_range_cdf(kEndless, 3, 10), 1);
  EXPECT_NEAR(studentized_range_cdf(1e6, 50, 10), 1, 1e-12);
  EXPECT_TRUE(std::isnan(studentized_range_cdf(std::nan(""), 3, 10)));
  double before = 0;
  for (double q = 0.25; q < 12; q += 0.25) {
    const double now = studentized_range_cdf(q, 30, 4);
    EXPECT_GT(now, before);
    before = now;
  }
  // The deviation is taken for 1 from 100,000 degrees on: no step is to be seen there.
  EXPECT_NEAR(studentized_range_cdf(3, 4, 100'000), studentized_range_cdf(3, 4, 100'001), 1e-5);
}

}  // namespace
}  // namespace ordeal::experiment
