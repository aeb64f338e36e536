#include "tests/oracle/scenario/against_reference.h"

#include "tests/oracle/reductions/expect.h"

namespace ordeal::oracle {
namespace {

TEST(RandomScenarios, DoWhatTheReferenceDoes) {
  const Tally tally = run_against_reference({.pairs = kSystems * 2 / 5});
  expect_agreement(tally, {"scenarios with all their runs"});
  for (const std::string& feature : all_scenario_features()) {
    EXPECT_TRUE(tally.counts.count(feature)) << "never at work: " << feature;
  }
}

}  // namespace
}  // namespace ordeal::oracle
