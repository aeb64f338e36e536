// Opaque objects do what the same nodes do as values.
#include "tests/oracle/random/twins.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "tests/under_sanitizer.h"

namespace ordeal::oracle {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kTwins = 20;
#else
constexpr uint64_t kTwins = 150;
#endif

TEST(Twins, OpaqueObjectsGetTheVerdictsOfTheSameNodesAsValues) {
  const TwinResult result = run_twins({.systems = kTwins});
  std::cout << result.compared << " systems as opaque objects, " << result.completed
            << " explorations that ended, " << result.traces << " traces replayed" << std::endl;
  for (size_t i = 0; i < result.disagreements.size() && i < 10; ++i) {
    ADD_FAILURE() << result.disagreements[i];
  }
  EXPECT_EQ(result.disagreements.size(), 0U);
  EXPECT_GT(result.completed, kTwins);
  EXPECT_GT(result.traces, kTwins);
  if (under_sanitizer()) return;  // too few to have everything
  for (const char* feature : {"choose", "choose twice", "start that chooses", "crash",
                              "messages of one name", "partitions before nodes"}) {
    EXPECT_TRUE(result.features.contains(feature)) << "never covered: " << feature;
  }
}

}  // namespace
}  // namespace ordeal::oracle
