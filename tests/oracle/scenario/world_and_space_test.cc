#include "tests/oracle/scenario/world_and_space.h"

#include "tests/oracle/reductions/expect.h"
#include "tests/under_sanitizer.h"

namespace ordeal::oracle {
namespace {

TEST(RandomScenarios, AreTheSameInRunsAndInSearch) {
  const Tally tally = run_world_and_space(0, kSystems * 3 / 5);
  expect_agreement(tally, {});
  if (under_sanitizer()) return;  // too few to have everything
  for (const std::string& feature : all_scenario_features()) {
    EXPECT_TRUE(tally.counts.count(feature)) << "never at work: " << feature;
  }
}

}  // namespace
}  // namespace ordeal::oracle
