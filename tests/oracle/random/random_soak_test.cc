// As random_test.cc, over ten times as many and larger protocols.
#include <gtest/gtest.h>

#include <string>

#include "tests/oracle/random/suite.h"

namespace ordeal::oracle {
namespace {

TEST(RandomProtocolsSoak, TheEngineAgreesWithTheReference) {
  const SuiteResult result = run_suite({.first_seed = 1'000'000, .systems = 30'000, .cap = 1500});
  print(result);
  for (size_t i = 0; i < result.disagreements.size() && i < 10; ++i) {
    ADD_FAILURE() << result.disagreements[i];
  }
  EXPECT_EQ(result.disagreements.size(), 0U);
  for (const std::string& what : uncovered(result)) ADD_FAILURE() << "never covered: " << what;
}

}  // namespace
}  // namespace ordeal::oracle
