#include "tests/oracle/scenario/against_reference.h"

#include "tests/oracle/reductions/expect.h"
#include "tests/under_sanitizer.h"

namespace ordeal::oracle {
namespace {

TEST(RandomScenarios, DoWhatTheReferenceDoes) {
  const Tally tally = run_against_reference({.pairs = kSystems * 2 / 5});
  expect_agreement(tally, {"scenarios with all their runs"});
  if (under_sanitizer()) return;  // too few to have everything
  for (const std::string& feature : all_scenario_features()) {
    EXPECT_TRUE(tally.counts.count(feature)) << "never at work: " << feature;
  }
}

}  // namespace
}  // namespace ordeal::oracle
