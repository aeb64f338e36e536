#include "base/proportion.h"

#include <boost/math/distributions/beta.hpp>

#include "base/boost_policy.h"

namespace ordeal {
namespace {

namespace math = boost::math;

using boost_policy::Policy;
using Beta = math::beta_distribution<double, Policy>;

}  // namespace

// That X >= h of n has probability q under p says that p is the q-quantile of Beta(h, n - h + 1).
Proportion clopper_pearson(uint64_t hits, uint64_t trials, double confidence) {
  Proportion out;
  if (trials == 0) return out;
  const double h = static_cast<double>(hits);
  const double n = static_cast<double>(trials);
  const double tail = (1 - confidence) / 2;
  if (hits > 0) out.low = math::quantile(Beta(h, n - h + 1), tail);
  if (hits < trials) out.high = math::quantile(math::complement(Beta(h + 1, n - h), tail));
  return out;
}

}  // namespace ordeal
