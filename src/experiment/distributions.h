// The distributions that tests and confidence bands ask: of Boost.Math, which one source knows, and
// the studentized range, which Boost does not have.
#pragma once

namespace ordeal::experiment {

// P(X > x).
double normal_upper(double x);
double student_t_upper(double t, double degrees);
double chi_square_upper(double x, double degrees);
double f_upper(double f, double degrees1, double degrees2);

// The x with P(X <= x) = p. REQUIRES: 0 < p < 1; degrees > 0.
double normal_quantile(double p);
double student_t_quantile(double p, double degrees);
double chi_square_quantile(double p, double degrees);
double f_quantile(double p, double degrees1, double degrees2);

// The range of `groups` standard normal numbers over an independent deviation with so many degrees
// of freedom (infinitely many too): what Tukey's test asks. P(Q <= q), to about 12 digits after the
// point. REQUIRES: groups >= 2, degrees >= 1.
double studentized_range_cdf(double q, double groups, double degrees);
double studentized_range_upper(double q, double groups, double degrees);
// The q with P(Q <= q) = p. REQUIRES: 0 < p < 1.
double studentized_range_quantile(double p, double groups, double degrees);

}  // namespace ordeal::experiment
