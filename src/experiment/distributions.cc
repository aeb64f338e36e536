// Includes Boost, whose headers take seconds to compile; so does base/proportion.cc, and no other.
#include "experiment/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/boost_policy.h"

namespace ordeal::experiment {
namespace {

namespace math = boost::math;

using boost_policy::Policy;
using Normal = math::normal_distribution<double, Policy>;
using StudentT = math::students_t_distribution<double, Policy>;
using ChiSquare = math::chi_squared_distribution<double, Policy>;
using FisherF = math::fisher_f_distribution<double, Policy>;

}  // namespace

double normal_upper(double x) {
  if (std::isinf(x)) return x > 0 ? 0 : 1;
  return math::cdf(math::complement(Normal(), x));
}
double student_t_upper(double t, double degrees) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return math::cdf(math::complement(StudentT(degrees), t));
}
double chi_square_upper(double x, double degrees) {
  if (x <= 0) return 1;
  return std::isinf(x) ? 0 : math::cdf(math::complement(ChiSquare(degrees), x));
}
double f_upper(double f, double degrees1, double degrees2) {
  if (f <= 0) return 1;
  return std::isinf(f) ? 0 : math::cdf(math::complement(FisherF(degrees1, degrees2), f));
}

double normal_quantile(double p) { return math::quantile(Normal(), p); }
double student_t_quantile(double p, double degrees) { return math::quantile(StudentT(degrees), p); }
double chi_square_quantile(double p, double degrees) {
  return math::quantile(ChiSquare(degrees), p);
}
double f_quantile(double p, double degrees1, double degrees2) {
  return math::quantile(FisherF(degrees1, degrees2), p);
}

}  // namespace ordeal::experiment
