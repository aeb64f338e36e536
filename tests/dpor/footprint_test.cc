// What footprints promise, on random protocols.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/dpor/commute.h"

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

}  // namespace
}  // namespace ordeal::oracle
