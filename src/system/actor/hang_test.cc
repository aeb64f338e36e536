// Handlers, properties and factories that do not return, end the process, or fail where nobody
// expects it: found, with the run that leads there, and the checker goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "ordeal/check.h"
#include "ordeal/limits.h"
#include "ordeal/system.h"
#include "tests/under_sanitizer.h"

namespace ordeal::hangs {
namespace {

volatile bool g_never = false;
int* volatile g_null = nullptr;

enum class Way : uint8_t { kReturn, kSpin, kSleep, kExit, kCrash, kThrow };

bool fail(Way way) {
  switch (way) {
    case Way::kReturn:
      break;
    case Way::kSpin:
      while (!g_never) {
      }
      break;
    case Way::kSleep:
      while (!g_never) std::this_thread::sleep_for(std::chrono::hours(1));
      break;
    case Way::kExit:
      std::exit(5);
    case Way::kCrash:
      *g_null = 1;
      break;
    case Way::kThrow:
      throw std::runtime_error("no such slot");
  }
  return true;
}

struct Go {
  int step = 0;
};

struct Stubborn {
  using Messages = Types<Go>;
  Way way = Way::kReturn;
  int seen = 0;

  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (int i = 1; i <= 3; ++i) ctx.send(2, Go{i});
  }
  void on(Context&, NodeId, const Go& go) {
    if (seen > 0 && go.step == 2) fail(way);
    ++seen;
  }
};

struct OpaqueStubborn {
  using Messages = Types<Go>;
  explicit OpaqueStubborn(Way w) : node{w, 0} {}
  void start(Context& ctx) { node.start(ctx); }
  void on(Context& ctx, NodeId from, const Go& go) { node.on(ctx, from, go); }
  Stubborn node;
};

struct Case {
  Way way;
  std::string text;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Way::kSpin, "did not return within 0.1 s of processor time"},
      {Way::kSleep, "did not return within 0.1 s of processor time"},
      {Way::kExit, "called exit(5)"}};
  return all;
}

System values(Way way) {
  System system;
  system.add<Stubborn>(2, [way](NodeId) { return Stubborn{way, 0}; });
  return system;
}

System opaque(Way way) {
  System system;
  system.add_opaque<OpaqueStubborn>(
      2, [way](NodeId) { return std::make_unique<OpaqueStubborn>(way); });
  return system;
}

class Hang : public ::testing::Test {
 protected:
  void SetUp() override {
    if (under_sanitizer()) GTEST_SKIP() << "its runtime has its own opinion of signals";
    limit_calls(0.1);
  }
  void TearDown() override { limit_calls(kDefaultCallSeconds); }
  static Options options(const std::string& strategy) {
    Options out;
    out.strategy = strategy;
    out.max_runs = 200;
    return out;
  }
  static void expect_found(const System& system, const Options& with, const std::string& text) {
    SCOPED_TRACE(text + " with " + with.strategy);
    const auto report = check(system, with);
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report->verdict, Verdict::kViolated);
    ASSERT_EQ(report->violations.size(), 1U);
    const Violation& violation = report->violations[0];
    EXPECT_EQ(violation.property, "no handler fails");
    EXPECT_NE(violation.why.find(text), std::string::npos) << violation.why;
    ASSERT_TRUE(violation.trace.has_value());
    EXPECT_EQ(violation.trace->steps.size(), 2U);
    const auto again = replay(system, *violation.trace);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->reproduced) << again->why;
  }
};

TEST_F(Hang, OfAValueNodeIsAViolationInEveryStrategy) {
  for (const Case& each : cases()) {
    for (const char* strategy : {"bfs", "dfs", "prefix", "dpor", "random", "pct", "pos"}) {
      expect_found(values(each.way), options(strategy), each.text);
    }
  }
}

TEST_F(Hang, OfAValueNodeIsTheSameWithThreads) {
  for (const int threads : {1, 2, 3}) {
    Options with = options("bfs");
    with.threads = threads;
    expect_found(values(Way::kSpin), with, "did not return");
  }
}

TEST_F(Hang, OfAnOpaqueNodeIsAViolationInEveryStrategy) {
  for (const Case& each : cases()) {
    for (const char* strategy : {"prefix", "random", "pct"}) {
      expect_found(opaque(each.way), options(strategy), each.text);
    }
  }
}

TEST_F(Hang, ASearchThatKeepsGoingGoesOnBehindIt) {
  Options with = options("bfs");
  with.keep_going = true;
  const auto report = check(values(Way::kSpin), with);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->violations.size(), 1U);
  const auto sound = check(values(Way::kReturn), options("bfs"));
  ASSERT_TRUE(sound.ok());
  EXPECT_GT(sound->transitions, report->transitions);
}

// --- Properties ----------------------------------------------------------------------------------

System with_property(Way way, bool is_opaque) {
  System system = is_opaque ? opaque(Way::kReturn) : values(Way::kReturn);
  const auto judge = [way](int seen) { return seen < 2 || fail(way); };
  if (is_opaque) {
    system.always("judges", each<OpaqueStubborn>(
                                [judge](const OpaqueStubborn& n) { return judge(n.node.seen); }));
  } else {
    system.always("judges", each<Stubborn>([judge](const Stubborn& n) { return judge(n.seen); }));
  }
  return system;
}

const std::vector<Case>& property_cases() {
  static const std::vector<Case> all = {
      {Way::kSpin, "the property itself fails: did not return within 0.1 s of processor time"},
      {Way::kSleep, "the property itself fails: did not return within 0.1 s of processor time"},
      {Way::kExit, "the property itself fails: called exit(5)"},
      {Way::kCrash, "the property itself fails: segmentation fault (SIGSEGV)"},
      {Way::kThrow, "the property itself fails: exception: no such slot"}};
  return all;
}

TEST_F(Hang, APropertyThatFailsIsViolatedWithTheRunThatLeadsThere) {
  for (const Case& each : property_cases()) {
    for (const char* strategy : {"bfs", "dfs", "prefix", "random", "pct"}) {
      for (const bool is_opaque : {false, true}) {
        if (is_opaque && (strategy[0] == 'b' || strategy[0] == 'd')) continue;
        SCOPED_TRACE(each.text + " with " + strategy + (is_opaque ? ", opaque" : ""));
        const System system = with_property(each.way, is_opaque);
        const auto report = check(system, options(strategy));
        ASSERT_TRUE(report.ok()) << report.error().message;
        ASSERT_EQ(report->violations.size(), 1U);
        const Violation& violation = report->violations[0];
        EXPECT_EQ(violation.property, "judges");
        EXPECT_EQ(violation.why.find(each.text), 0U) << violation.why;
        ASSERT_TRUE(violation.trace.has_value());
        EXPECT_EQ(violation.trace->steps.size(), 2U);
        const auto again = replay(system, *violation.trace);
        ASSERT_TRUE(again.ok());
        EXPECT_TRUE(again->reproduced) << again->why;
      }
    }
  }
}

TEST_F(Hang, AGoalThatFailsIsAnErrorWithTheRunThatLeadsThere) {
  for (const char* strategy : {"bfs", "dfs", "prefix", "random"}) {
    System system = values(Way::kReturn);
    system.sometimes("a goal", [](const View& view) {
      return view.node<Stubborn>(2).seen >= 2 && fail(Way::kThrow);
    });
    const auto report = check(system, options(strategy));
    ASSERT_FALSE(report.ok()) << strategy;
    const std::string& message = report.error().message;
    EXPECT_NE(message.find("the property \"a goal\" fails: exception: no such slot"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("the run that leads there: "), std::string::npos) << message;
  }
}

TEST_F(Hang, WhatWasFoundBeforeSomethingFailsIsKept) {
  for (const char* strategy : {"bfs", "prefix", "random"}) {
    System system = values(Way::kReturn);
    system.always("few", each<Stubborn>([](const Stubborn& n) { return n.seen < 1; }));
    system.within(
        [](const View& view) { return view.node<Stubborn>(2).seen < 2 || fail(Way::kThrow); });
    Options with = options(strategy);
    with.keep_going = true;
    const auto report = check(system, with);
    ASSERT_TRUE(report.ok()) << strategy << ": " << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U);
    EXPECT_EQ(report->violations[0].property, "few");
    EXPECT_FALSE(report->complete);
    ASSERT_FALSE(report->bounds.empty());
    EXPECT_EQ(report->bounds[0].kind, Bound::Kind::kBroken);
    EXPECT_NE(report->bounds[0].text.find("a constraint (within) fails: exception: no such slot"),
              std::string::npos)
        << report->bounds[0].text;
  }
}

TEST_F(Hang, AFactoryThatDoesNotReturnIsAnError) {
  System system;
  system.add<Stubborn>(2, [](NodeId) {
    fail(Way::kSpin);
    return Stubborn{};
  });
  const auto report = check(system, options("bfs"));
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("the factory of node 1"), std::string::npos)
      << report.error().message;
  EXPECT_NE(report.error().message.find("did not return"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::hangs
