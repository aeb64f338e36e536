// Handlers that fail in every way, in value nodes and in opaque ones: a violation with its trace
// each time, and the checker goes on.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "ordeal/check.h"
#include "ordeal/system.h"
#include "tests/under_sanitizer.h"

namespace ordeal {
namespace {

enum class Way : uint8_t { kThrow, kThrowInt, kAssert, kAbort, kSegfault, kDivide, kOverflow };

struct Go {
  int step = 0;
};

// Kept out of sight of the optimiser, so that the faults really happen.
volatile int g_zero = 0;
volatile int g_seven = 7;
int* volatile g_null = nullptr;

__attribute__((noinline)) int overflow_stack(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  if (g_zero == 2) return 0;  // never; keeps the compiler from noticing
  return overflow_stack(n + 1) + frame[0];
}

void fail(Way way) {
  switch (way) {
    case Way::kThrow:
      throw std::runtime_error("no such slot");
    case Way::kThrowInt:
      throw 42;
    case Way::kAssert:
      ORDEAL_ASSERT(g_zero == 1);
      return;
    case Way::kAbort:
      std::abort();
    case Way::kSegfault:
      *g_null = 1;
      return;
    case Way::kDivide:
      g_seven = g_seven / g_zero;
      return;
    case Way::kOverflow:
      overflow_stack(0);
      return;
  }
}

struct Fragile {
  using Messages = Types<Go>;
  Way way = Way::kThrow;
  int seen = 0;

  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.send(2, Go{1});
    if (ctx.self() == 1) ctx.send(2, Go{2});
  }
  void on(Context&, NodeId, const Go& go) {
    seen += go.step;
    if (seen == 3) fail(way);
  }
};

struct OpaqueFragile {
  using Messages = Types<Go>;
  explicit OpaqueFragile(Way w) : node{w, 0} {}
  void start(Context& ctx) { node.start(ctx); }
  void on(Context& ctx, NodeId from, const Go& go) { node.on(ctx, from, go); }
  Fragile node;
};

struct Case {
  Way way;
  std::string text;
};

std::vector<Case> cases() {
  return {{Way::kThrow, "no such slot"},
          {Way::kThrowInt, "not a std::exception"},
          {Way::kAssert, "assertion failed: g_zero == 1"},
          {Way::kAbort, "SIGABRT"},
          {Way::kSegfault, "SIGSEGV"},
          {Way::kDivide, "SIGFPE"},
          {Way::kOverflow, "SIGSEGV"}};
}

void expect_failure(const Report& report, const std::string& text) {
  ASSERT_EQ(report.verdict, Verdict::kViolated);
  ASSERT_EQ(report.violations.size(), 1U);
  const Violation& violation = report.violations[0];
  EXPECT_EQ(violation.property, "no handler fails");
  EXPECT_EQ(violation.kind, "failure");
  EXPECT_NE(violation.why.find(text), std::string::npos) << violation.why;
  EXPECT_EQ(violation.nodes, std::vector<int>{2});
  ASSERT_TRUE(violation.trace.has_value());
  EXPECT_EQ(violation.trace->steps.size(), 2U);
  EXPECT_EQ(violation.step, 2U);
}

TEST(Failures, OfValueNodesAreViolationsInEveryStrategy) {
  for (const Case& each : cases()) {
    if (under_sanitizer() && each.way != Way::kThrow && each.way != Way::kAssert) continue;
    System system;
    system.add<Fragile>(2, [&](NodeId) { return Fragile{each.way, 0}; });
    for (const char* strategy : {"bfs", "dfs", "prefix", "random", "pct", "pctcp", "pos"}) {
      const auto report = check(system, {.strategy = strategy});
      ASSERT_TRUE(report.ok()) << report.error().message;
      SCOPED_TRACE(each.text + " with " + strategy);
      expect_failure(*report, each.text);
      ASSERT_FALSE(HasFatalFailure());
      const auto again = replay(system, *report->violations[0].trace);
      ASSERT_TRUE(again.ok());
      EXPECT_TRUE(again->reproduced) << again->why;
    }
  }
}

TEST(Failures, OfOpaqueNodesAreViolationsAndTheCheckerGoesOn) {
  for (const Case& each : cases()) {
    if (under_sanitizer() && each.way != Way::kThrow && each.way != Way::kAssert) continue;
    System system;
    system.add_opaque<OpaqueFragile>(
        2, [&](NodeId) { return std::make_unique<OpaqueFragile>(each.way); });
    for (const char* strategy : {"prefix", "random", "pct", "pctcp", "pos"}) {
      const auto report = check(system, {.strategy = strategy, .max_runs = 50});
      ASSERT_TRUE(report.ok()) << report.error().message;
      SCOPED_TRACE(each.text + " with " + strategy);
      expect_failure(*report, each.text);
      ASSERT_FALSE(HasFatalFailure());
      const auto again = replay(system, *report->violations[0].trace);
      ASSERT_TRUE(again.ok());
      EXPECT_TRUE(again->reproduced) << again->why;
    }
    const auto all = check(system, {.strategy = "prefix", .keep_going = true});
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->runs, 2U);  // both orders of the two messages, though both kill the worker
    EXPECT_EQ(all->violations[0].count, 2U);
  }
}

struct Stray {
  int unused = 0;
};
struct Careless {
  using Messages = Types<Go>;
  int what = 0;
  void start(Context& ctx) { ctx.send(ctx.self(), Go{}); }
  void on(Context& ctx, NodeId, const Go&) {
    if (what == 0) ctx.send(99, Go{});
    if (what == 1) ctx.send(ctx.self(), Stray{});
    if (what == 2) ctx.persist(Go{});
    if (what == 3) ctx.returns(Go{});
    if (what == 4) ctx.choose(0);
  }
};

TEST(Failures, NameWhatAHandlerAskedForThatCannotBe) {
  const std::vector<std::string> texts = {
      "to node 99, which does not exist", "no handler for message Stray",
      "the node's Disk is not declared", "client history makes no sense",
      "assertion failed: n > 0"};
  for (int what = 0; what < 5; ++what) {
    System system;
    system.add<Careless>(1, [&](NodeId) { return Careless{what}; });
    const auto report = check(system);
    ASSERT_TRUE(report.ok());
    ASSERT_EQ(report->verdict, Verdict::kViolated) << what;
    EXPECT_NE(report->violations[0].why.find(texts[what]), std::string::npos)
        << report->violations[0].why;
  }
}

TEST(Failures, OfAPropertyViolateItAndAreToldApartFromAVerdictOfIts) {
  System system;
  system.add<Careless>(1, [](NodeId) { return Careless{7}; });
  system.always("asks for a node that is none", [](const View& view) { return view.up(5); });
  for (const char* strategy : {"bfs", "dfs", "prefix", "random", "pct", "pctcp", "pos"}) {
    const auto report = check(system, {.strategy = strategy});
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U);
    const Violation& violation = report->violations[0];
    EXPECT_EQ(violation.property, "asks for a node that is none");
    EXPECT_EQ(violation.why.find("the property itself fails: "), 0U) << violation.why;
    EXPECT_NE(violation.why.find("node 5, which does not exist"), std::string::npos)
        << violation.why;
  }
}

}  // namespace
}  // namespace ordeal
