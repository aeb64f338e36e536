// Canaries: systems that are obviously wrong, checked the way everything else is. If one of these
// checks came back clean, no clean result would mean anything.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"
#include "ordeal/testing.h"

namespace ordeal {
namespace {

struct Vote {
  int value = 0;
};

// Decides whatever it hears first: two proposers are enough to make two voters disagree.
struct Gullible {
  using Messages = Types<Vote>;

  bool decided = false;

  void start(Context& ctx) { ctx.broadcast_all(Vote{ctx.self()}); }
  void on(Context& ctx, NodeId, const Vote& vote) {
    if (decided) return;
    decided = true;
    ctx.decide(vote.value);
  }
};

// Fails when it is pinged twice.
struct Fragile {
  using Messages = Types<Vote>;

  int pings = 0;

  void start(Context& ctx) { ctx.broadcast_all(Vote{}); }
  void on(Context&, NodeId, const Vote&) {
    ++pings;
    ORDEAL_ASSERT(pings < 2);
  }
};

void expect_caught(const System& system, const std::string& property, const Options& options) {
  const Result<Report> report = check(system, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated) << options.strategy;
  ASSERT_FALSE(report->violations.empty()) << options.strategy;
  const Violation& violation = report->violations.front();
  EXPECT_EQ(violation.property, property);
  ASSERT_TRUE(violation.trace.has_value());
  const auto replayed = replay(system, *violation.trace);
  ASSERT_TRUE(replayed.ok()) << replayed.error().message;
  EXPECT_TRUE(replayed->reproduced) << replayed->why;
}

class Canary : public testing::TestWithParam<std::string> {
 protected:
  Options options() const { return {.strategy = GetParam(), .max_runs = 1000}; }
};

TEST_P(Canary, DisagreementIsSeen) {
  System system;
  system.add<Gullible>(2).always("agreement", agreement());
  expect_caught(system, "agreement", options());
}

TEST_P(Canary, AFailedAssertionIsSeen) {
  System system;
  system.add<Fragile>(2);
  expect_caught(system, system.properties()[kNoFailure].name, options());
}

TEST_P(Canary, ARunThatEndsTooEarlyIsSeen) {
  System system;
  system.add<Gullible>(2).drops(2).eventually("all decide", every_correct_node_decides());
  expect_caught(system, "all decide", options());
}

INSTANTIATE_TEST_SUITE_P(EveryStrategy, Canary,
                         testing::Values("bfs", "dfs", "prefix", "dpor", "random", "pct", "pctcp",
                                         "pos", "delay"),
                         [](const auto& info) { return info.param; });

TEST(CanaryOnce, WhatNeverHappensIsSeen) {
  System system;
  system.add<Gullible>(2).sometimes("pigs fly", [](const View&) { return false; });
  const Result<Report> report = check(system, {.strategy = "bfs"});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
}

System disagreement() {
  System system;
  system.add<Gullible>(2).always("agreement", agreement());
  return system;
}

// The alarm itself: an assertion that a broken system holds must fail, and the other way round.
TEST(CanaryOnce, TheAssertionsOfTestsSoundTheAlarm) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(disagreement()), "agreement");
  EXPECT_VIOLATED(disagreement(), "agreement");
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATED(System(), "agreement"), "");
}

// The other side: a check that always cried wolf would be no better.
TEST(CanaryOnce, AHealthySystemIsLeftAlone) {
  System system;
  system.add<Gullible>(1).always("agreement", agreement());
  system.eventually("all decide", every_correct_node_decides());
  const Result<Report> report = check(system, {.strategy = "bfs"});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_TRUE(report->violations.empty());
}

}  // namespace
}  // namespace ordeal
