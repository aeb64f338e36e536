// A search that keeps going shows every failure of a handler that is another one.
#include "explore/strategy/failures.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "ordeal/report.h"
#include "ordeal/system.h"
#include "tests/oracle/verdicts/strategies.h"

namespace ordeal::failures_tests {
namespace {

struct Left {
  int n = 0;
};
struct Right {
  int n = 0;
};

// Fails for the same reason in two handlers, for two reasons in one, and in a timer.
struct Fragile {
  using Messages = Types<Left, Right>;
  int got = 0;

  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (int n = 1; n <= 3; ++n) ctx.send(2, Left{n});
    ctx.send(2, Right{1});
    ctx.set_timer("late");
  }
  void on(Context&, const Left& m) {
    if (m.n == 3) throw std::runtime_error("three is too many");
    throw std::runtime_error("cannot take " + std::to_string(m.n) + " of 2");
  }
  void on(Context&, const Right& m) {
    throw std::runtime_error("cannot take " + std::to_string(m.n) + " of 2");
  }
  void timer(Context&, const std::string&) { throw std::runtime_error("three is too many"); }
};

std::multiset<std::string> failures_of(const Report& report) {
  std::multiset<std::string> out;
  for (const Violation& violation : report.violations) {
    if (violation.kind == "failure") out.insert(violation.why);
  }
  return out;
}

TEST(Failures, EveryStrategyThatKeepsGoingShowsOneRunOfEach) {
  System system;
  system.add<Fragile>(2);
  for (Options options : all_strategies()) {
    options.keep_going = true;
    const Result<Report> report = check(system, options);
    ASSERT_TRUE(report.ok()) << options.strategy << ": " << report.error().message;
    const std::multiset<std::string> found = failures_of(*report);
    EXPECT_EQ(found.size(), 4U) << options.strategy << ": " << to_text(*report);
    EXPECT_EQ(found.count("deliver Left{n: 3} 1→2: exception: three is too many"), 1U)
        << options.strategy;
    EXPECT_EQ(found.count("deliver Right{n: 1} 1→2: exception: cannot take 1 of 2"), 1U)
        << options.strategy;
    EXPECT_EQ(found.count("timer late at 1: exception: three is too many"), 1U) << options.strategy;
    EXPECT_EQ(found.count("deliver Left{n: 1} 1→2: exception: cannot take 1 of 2") +
                  found.count("deliver Left{n: 2} 1→2: exception: cannot take 2 of 2"),
              1U)
        << options.strategy;
    for (const Violation& violation : report->violations) {
      const auto again = replay(system, *violation.trace);
      EXPECT_TRUE(again.ok() && again->reproduced) << options.strategy;
    }
  }
}

TEST(Failures, DifferInWhatFailsAndInWordsButNotInNumbers) {
  const auto kind = [](const std::string& type, const std::string& why) {
    Action action;
    action.kind = ActionKind::kDeliver;
    action.type = type;
    return explore::failure_kind(action, why);
  };
  const uint64_t one = kind("Vote", "index 5 of 3");
  EXPECT_EQ(one, kind("Vote", "index 12 of 7"));
  EXPECT_NE(one, kind("Vote", "index of 3"));
  EXPECT_NE(one, kind("Ack", "index 5 of 3"));
  EXPECT_NE(kind("Vote", "x > 0 (node.cc:12)"), kind("Vote", "x > 0 (node.cc:21)"));
  EXPECT_EQ(kind("Vote", "x > 0 (node.cc:12)"), kind("Vote", "x > 7 (node.cc:12)"));
}

// What fails in every state in other words would fill the report.
struct Chatty {
  using Messages = Types<Left>;
  int got = 0;
  void start(Context& ctx) {
    for (int n = 0; n < 26; ++n) ctx.send(1, Left{n});
  }
  void on(Context&, const Left& m) { throw std::runtime_error(std::string(1, char('a' + m.n))); }
};

TEST(Failures, OfVeryManyKindsSixteenAreShownAndAllAreCounted) {
  System system;
  system.add<Chatty>(1);
  const Result<Report> report = check(system, {.threads = 1, .keep_going = true});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->violations.size(), 16U);
  uint64_t count = 0;
  for (const Violation& violation : report->violations) count += violation.count;
  EXPECT_EQ(count, 26U);
}

}  // namespace
}  // namespace ordeal::failures_tests
