// dpor explores exactly one run of every partial order, on random protocols.
#include "tests/oracle/dpor/orders.h"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/oracle/dpor/spoilt.h"
#include "tests/oracle/dpor/verdicts.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle::order_tests {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSystems = 300;
constexpr uint64_t kJudged = 500;
#else
constexpr uint64_t kSystems = 6000;
constexpr uint64_t kJudged = 14'000;
#endif

TEST(Orders, EveryPartialOrderOfARandomProtocolIsExploredExactlyOnce) {
  OrderCount count;
  uint64_t problems = 0;
  for (uint64_t seed = 0; seed < kSystems; ++seed) {
    const Case item = generate(seed);
    if (item.system.constrained()) continue;
    const std::string problem = problem_with_orders(*item.system.space(), 3000, count);
    if (problem.empty()) continue;
    if (++problems <= 10) ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  std::cout << count.compared << " systems compared, " << count.too_many << " too large, "
            << count.runs << " runs, " << count.orders << " partial orders, " << problems
            << " problems\n";
  EXPECT_EQ(problems, 0U);
  EXPECT_GT(count.runs, 2 * count.orders);  // or nothing would be left out
}

TEST(Orders, WhatAFailingHandlerWouldHaveDoneElseIsExplored) {
  OrderCount count;
  EXPECT_EQ(problem_with_orders(*kitchen::spoilt().space(), 1000, count), "");
  EXPECT_EQ(count.orders, 32U);
}

TEST(Orders, WhatIsKeptIsJudgedAsByTheReference) {
  VerdictCount count;
  uint64_t problems = 0;
  for (uint64_t seed = 0; seed < kJudged; ++seed) {
    const Case item = generate(seed);
    const std::string problem = problem_with_verdicts(item, 150, count);
    if (problem.empty()) continue;
    if (++problems <= 10) ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  std::cout << count.compared << " systems compared, " << count.too_many << " too large, "
            << count.properties << " properties, " << count.violated << " violated or reached\n";
  EXPECT_EQ(problems, 0U);
  EXPECT_GT(count.violated * 5, count.properties);
}

}  // namespace
}  // namespace ordeal::oracle::order_tests
