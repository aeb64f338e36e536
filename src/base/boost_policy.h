// How Boost's distributions are used here, for the two sources that know them: base/proportion.cc
// and experiment/distributions.cc.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace ordeal {

// No exceptions, and double all the way: long double differs between machines.
namespace boost_policy {

namespace policies = boost::math::policies;
using Policy = policies::policy<
    policies::promote_double<false>, policies::domain_error<policies::ignore_error>,
    policies::pole_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
    policies::underflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>>;

}  // namespace boost_policy
}  // namespace ordeal
