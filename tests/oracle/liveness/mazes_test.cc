#include <gtest/gtest.h>

#include "tests/oracle/liveness/problems.h"

namespace ordeal::oracle::liveness {
namespace {

TEST(LivenessOfMazes, IsWhatBruteForceSays) {
  LivenessTally tally;
  EXPECT_EQ(problem_with_liveness(0, 4000, tally), "");
  EXPECT_GT(tally.holds, 500U);
  EXPECT_GT(tally.violated, 500U);
  EXPECT_GT(tally.stays, 100U);
  EXPECT_GT(tally.vacuous, 10U);
}

TEST(LivenessOfMazes, WhatOnlyLooksLikeACycleDoesNotReplay) {
  EXPECT_EQ(problem_with_false_cycle(), "");
}

}  // namespace
}  // namespace ordeal::oracle::liveness
