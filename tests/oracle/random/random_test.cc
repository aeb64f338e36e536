// The engine against the reference on thousands of random protocols.
#include <gtest/gtest.h>

#include <string>

#include "tests/oracle/random/extras.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/random/suite.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSystems = 300;
#else
constexpr uint64_t kSystems = 3000;
#endif

TEST(RandomProtocols, TheEngineAgreesWithTheReference) {
  const SuiteResult result = run_suite({.systems = kSystems, .cap = 600});
  print(result);
  for (size_t i = 0; i < result.disagreements.size() && i < 10; ++i) {
    ADD_FAILURE() << result.disagreements[i];
  }
  EXPECT_EQ(result.disagreements.size(), 0U);
  for (const std::string& what : uncovered(result)) ADD_FAILURE() << "never covered: " << what;
}

TEST(RandomProtocols, ALargeSpaceIsCountedExactly) { EXPECT_EQ(problem_with_a_large_space(), ""); }

TEST(RandomProtocols, ABoundedSearchComesBackOnShorterWays) {
  EXPECT_EQ(problem_with_bounded_depth(), "");
}

TEST(RandomProtocols, ATamperedTraceDoesNotReplay) {
  EXPECT_EQ(problem_with_tampered_traces(), "");
}

TEST(RandomProtocols, ASeedAlwaysGivesTheSameProtocol) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Case a = generate(seed);
    const reference::Exploration first = reference::explore(a.system, 300);
    const Case b = generate(seed);
    const reference::Exploration second = reference::explore(b.system, 300);
    EXPECT_EQ(a.features, b.features);
    EXPECT_EQ(first.distinct, second.distinct);
    EXPECT_EQ(first.transitions, second.transitions);
  }
}

}  // namespace
}  // namespace ordeal::oracle
