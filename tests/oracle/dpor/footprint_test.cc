// What footprints promise, on random protocols.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/oracle/dpor/clerks.h"
#include "tests/oracle/dpor/commute.h"

namespace ordeal::oracle {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSystems = 150;
#else
constexpr uint64_t kSystems = 3000;
#endif

TEST(Footprints, IndependentActionsCommuteOnRandomProtocols) {
  CommuteCount count;
  EXPECT_EQ(problem_with_footprints(0, kSystems, 150, count), "");
  std::cout << count.states << " states, " << count.pairs << " pairs, " << count.independent
            << " independent\n";
  // A footprint of `everything` would pass too.
  EXPECT_GT(count.independent * 5, count.pairs);
}

TEST(Footprints, ACallKeepsItsOrderWithTheReturnsOfOthers) {
  CommuteCount count;
  EXPECT_EQ(Commutation(*desk::clerks().space()).walk(100, count), "");
  // Each of two clerks has not called, has called, or has an answer. While the other waits, a call
  // either comes before its return or not, which both the history and the footprint know.
  EXPECT_EQ(count.states, 13U);
  EXPECT_GT(count.independent, 0U);
}

}  // namespace
}  // namespace ordeal::oracle
