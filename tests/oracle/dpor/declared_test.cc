#include "tests/oracle/dpor/declared.h"

#include <gtest/gtest.h>

namespace ordeal::oracle {
namespace {

TEST(DeclaredFootprints, ThatLeaveSomethingOutAreRefused) {
  uint64_t refused = 0;
  EXPECT_EQ(problem_with_declared_footprints(300, refused), "");
  EXPECT_GT(refused, 200U);
}

TEST(DeclaredFootprints, AreSaidToBeSampledNotProven) {
  Counters counters;
  for (uint8_t thread = 0; thread < Counters::kThreads; ++thread) {
    for (Counters::Move& move : counters.program[thread]) move = {thread, thread};
  }
  const auto report = check(Model<Counters>(counters), {.strategy = "dpor"});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes[0].find("sampled pairs, not proven so"), std::string::npos)
      << report->notes[0];
}

}  // namespace
}  // namespace ordeal::oracle
