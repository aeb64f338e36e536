// dpor as a strategy like any other: bounds, guides, traces, claims, and the same result each time.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/predicate.h"
#include "ordeal/system.h"

namespace ordeal::option_tests {
namespace {

struct Msg {
  int n = 0;
};

// Everybody tells everybody else, and decides what it heard first.
struct Hasty {
  using Messages = Types<Msg>;
  std::vector<int> heard;

  void start(Context& ctx) { ctx.broadcast(Msg{ctx.self().value}); }
  void on(Context& ctx, NodeId, const Msg& m) {
    if (heard.empty()) ctx.decide(m.n);
    heard.push_back(m.n);
  }
};

System hasty(int nodes = 3) {
  System system;
  system.add<Hasty>(nodes);
  return system;
}

Report run(const System& system, Options options) {
  options.strategy = "dpor";
  Result<Report> report = check(system, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? std::move(*report) : Report{};
}

TEST(Dpor, CountsTheRunsOfEveryNodeApart) {
  const Report report = run(hasty(), {});
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.runs, 8U);  // two orders at each of three nodes
  EXPECT_EQ(report.notes, std::vector<std::string>{"executions: 8, one per partial order"});
}

TEST(Dpor, ABoundMakesACleanResultUndecided) {
  const Report few = run(hasty(), {.max_runs = 3});
  EXPECT_EQ(few.verdict, Verdict::kUndecided);
  EXPECT_EQ(few.runs, 3U);
  EXPECT_EQ(few.bounds, (std::vector<Bound>{{Bound::Kind::kRuns, 3}}));
  const Report enough = run(hasty(), {.max_runs = 8});
  EXPECT_EQ(enough.verdict, Verdict::kHolds);
  const Report shallow = run(hasty(), {.max_depth = 4});
  EXPECT_EQ(shallow.verdict, Verdict::kUndecided);
  EXPECT_EQ(shallow.depth, 4U);
  const Report deep = run(hasty(), {.max_depth = 6});
  EXPECT_EQ(deep.verdict, Verdict::kHolds);
  EXPECT_EQ(run(hasty(), {.max_states = 5}).verdict, Verdict::kUndecided);
}

TEST(Dpor, FindsAViolationWhoseTraceReplays) {
  System system = hasty();
  system.always("agreement", agreement());
  const Report report = run(system, {});
  ASSERT_EQ(report.verdict, Verdict::kViolated);
  ASSERT_EQ(report.violations.size(), 1U);
  ASSERT_TRUE(report.violations[0].trace.has_value());
  EXPECT_EQ(report.violations[0].trace->steps.size(), 2U);  // minimised: two decisions that differ
  const Result<ReplayResult> again = replay(system, *report.violations[0].trace);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->reproduced) << again->why;
}

TEST(Dpor, GoesOnToAViolationOfEveryProperty) {
  System system = hasty();
  system.always("agreement", agreement());
  system.always("short", each<Hasty>([](const Hasty& h) { return h.heard.size() < 2; }));
  system.eventually("silence", each<Hasty>([](const Hasty& h) { return h.heard.empty(); }));
  const Report report = run(system, {.keep_going = true});
  EXPECT_EQ(report.violations.size(), 3U);
  for (const Violation& violation : report.violations) {
    ASSERT_TRUE(violation.trace.has_value());
    EXPECT_TRUE(replay(system, *violation.trace)->reproduced) << violation.property;
  }
}

TEST(Dpor, FollowsAGuideFirst) {
  ShortForm guide;
  guide.choices = {0, 0};
  const Report report = run(hasty(), {.guide = guide});
  // The first two deliveries, both to node 1, are taken: the orders at two nodes are left.
  EXPECT_EQ(report.runs, 4U);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  guide.choices = {99};
  const Result<Report> wrong = check(hasty(), {.strategy = "dpor", .guide = guide});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("cannot be followed at step 1"), std::string::npos);
}

TEST(Dpor, GivesTheSameReportEachTime) {
  System system = hasty(4);
  system.always("agreement", agreement());
  const Report one = run(system, {.keep_going = true});
  const Report two = run(system, {.seed = 5, .keep_going = true});
  EXPECT_EQ(one.runs, two.runs);
  EXPECT_EQ(one.transitions, two.transitions);
  EXPECT_EQ(one.distinct_states, two.distinct_states);
  ASSERT_FALSE(one.violations.empty());
  EXPECT_EQ(short_form(*one.violations[0].trace), short_form(*two.violations[0].trace));
}

TEST(Dpor, RefusesWhatItWouldNotKeepAndNamesWhatDoes) {
  const auto error = [](const System& system) {
    const Result<Report> report = check(system, {.strategy = "dpor"});
    return report.ok() ? "" : report.error().message;
  };
  const auto anything = [](const View&) { return true; };
  System always = hasty();
  always.always("anything", anything);
  EXPECT_NE(error(always).find("bfs, dfs, prefix"), std::string::npos) << error(always);
  System sometimes = hasty();
  sometimes.sometimes("anything", anything);
  EXPECT_NE(error(sometimes).find("\"anything\" (sometimes)"), std::string::npos);
  System within = hasty();
  within.within([](const View&) { return true; });
  EXPECT_NE(error(within).find("constraint"), std::string::npos) << error(within);
  System fine = hasty();
  fine.eventually("anything", anything);
  EXPECT_EQ(error(fine), "");
}

// A state that lies between two independent steps is seen where a property may look at it.
TEST(Dpor, SeveralNodesAreSeenTogetherWhereAPropertySeesThem) {
  System system;
  system.add<Hasty>(2);
  system.sometimes("one has heard", pairs<Hasty>([](const Hasty& a, const Hasty& b) {
                     return a.heard.size() < b.heard.size();
                   }));
  const Report report = run(system, {});
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_EQ(report.runs, 2U);  // one without the property
}

TEST(Dpor, TimedSystemsAreExploredInFull) {
  System system = hasty(2);
  system.timed();
  EXPECT_EQ(run(system, {}).runs, check(system, {.strategy = "prefix"})->runs);
}

}  // namespace
}  // namespace ordeal::option_tests
