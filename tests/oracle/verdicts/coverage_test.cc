// What occurred how often, and what never did, is in every report.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "ordeal/check.h"
#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "ordeal/system.h"

namespace ordeal::verdicts::coverage_tests {
namespace {

struct Ping {};
struct Pong {};
struct Never {};
struct Go {};

struct Player {
  using Messages = Types<Ping, Pong, Never>;
  using Requests = Types<Go>;
  int pongs = 0;
  void request(Context& ctx, const Go&) {
    ctx.send(2, Ping{});
    ctx.set_timer("retry");
  }
  void on(Context& ctx, NodeId from, const Ping&) { ctx.send(from, Pong{}); }
  void on(Context&, const Pong&) { ++pongs; }
  void on(Context&, const Never&) {}
  void timer(Context&, const std::string&) { ++pongs; }
  void crashed(Context&, NodeId) {}
};

System players() {
  System system;
  system.add<Player>(2).request(1, Go{});
  system.always("few pongs", each<Player>([](const Player& p) { return p.pongs < 9; }));
  return system;
}

std::map<std::string, uint64_t> counts(const std::vector<StepCount>& steps) {
  std::map<std::string, uint64_t> out;
  for (const StepCount& step : steps) out[step.what] = step.count;
  return out;
}

TEST(Coverage, SaysWhatOccurredHowOftenAndWhatNeverDid) {
  // Go, then the timer and the messages in any order: three of each.
  const std::map<std::string, uint64_t> expected = {{"request Go", 1}, {"Ping", 2},
                                                    {"Pong", 2},       {"timer retry", 3},
                                                    {"Never", 0},      {"crashed", 0}};
  for (const std::string strategy : {"bfs", "dfs"}) {
    const auto report = check(players(), {.strategy = strategy, .threads = 1});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(counts(report->steps), expected) << strategy;
    EXPECT_EQ(report->verdict, Verdict::kHolds);
    const std::string text = to_text(*report);
    EXPECT_NE(text.find("steps       Ping 2, Pong 2, request Go 1, timer retry 3"), text.npos)
        << text;
    EXPECT_NE(text.find("never       Never, crashed"), text.npos) << text;
    EXPECT_NE(to_html(*report).find("<tr><td>Never</td><td>never</td></tr>"), std::string::npos);
  }
}

TEST(Coverage, IsCountedByEveryStrategy) {
  for (const StrategyInfo& strategy : strategies()) {
    if (strategy.name == "waypoint" || strategy.name == "branching") continue;  // to where?
    const auto report = check(players(), {.strategy = strategy.name, .threads = 1, .max_runs = 50});
    ASSERT_TRUE(report.ok()) << strategy.name << ": " << report.error().message;
    uint64_t sum = 0;
    for (const StepCount& step : report->steps) sum += step.count;
    EXPECT_EQ(sum, report->transitions) << strategy.name;
    EXPECT_GT(counts(report->steps).at("timer retry"), 0U) << strategy.name;
    EXPECT_EQ(counts(report->steps).at("Never"), 0U) << strategy.name;
  }
}

TEST(Coverage, IsAFailureWhereItIsRequired) {
  const auto report = check(players(), {.threads = 1, .require_coverage = true});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
  ASSERT_EQ(report->violations.size(), 1U);
  EXPECT_EQ(report->violations[0].kind, "coverage");
  EXPECT_EQ(report->violations[0].why, "never occurred: Never, crashed");
}

struct Silent {
  int n = 0;
};

TEST(Coverage, SaysThatNothingEverHappened) {
  System system;
  system.add<Silent>(2);
  system.always("nothing", each<Silent>([](const Silent& s) { return s.n == 0; }));
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  ASSERT_FALSE(report->notes.empty());
  EXPECT_EQ(report->notes.back(), "nothing ever happened: no action is enabled where runs begin");
  const auto required = check(system, {.threads = 1, .require_coverage = true});
  ASSERT_TRUE(required.ok());
  EXPECT_EQ(required->verdict, Verdict::kViolated);
}

struct Idle {
  using Messages = Types<Ping>;
  int n = 0;
  void start(Context& ctx) { ctx.broadcast(Ping{}); }
  void on(Context&, const Ping&) {}
};

TEST(Coverage, TellsHandledWithoutEffectFromNeverHandled) {
  System system;
  system.add<Idle>(2).skip_noops();
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->steps.size(), 1U);
  EXPECT_EQ(report->steps[0].what, "Ping");
  EXPECT_EQ(report->steps[0].count, 0U);
  EXPECT_TRUE(report->steps[0].without_effect);
  EXPECT_NE(to_text(*report).find("Ping (only without effect)"), std::string::npos);
}

struct Bank {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, const Ping&) { ++n; }
};
struct Customer {
  using Requests = Types<Go>;
  NodeId bank;
  void request(Context& ctx, const Go&) { ctx.send(bank, Ping{}); }
};

TEST(Coverage, DoesNotMissWhatAComponentHandlesWithinAStep) {
  System system;
  system.add<Customer>(1, [](NodeId) { return Customer{2}; });
  system.component("bank", Bank{});
  system.request(1, Go{});
  const auto report = check(system, {.threads = 1, .require_coverage = true});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_EQ(counts(report->steps),
            (std::map<std::string, uint64_t>{{"request Go at Customer", 1}}));
}

// The same, as opaque objects in a process of their own.
class Live {
 public:
  using Messages = Types<Ping, Never>;
  void start(Context& ctx) { ctx.set_timer(ctx.self() == 1 ? "first" : "other"); }
  void timer(Context& ctx, const std::string&) { ctx.broadcast(Ping{}); }
  void on(Context&, const Ping&) { ++pings_; }
  void on(Context&, const Never&) {}

 private:
  int pings_ = 0;
};

TEST(Coverage, IsCountedOfLiveObjectsToo) {
  System system;
  system.add_opaque<Live>(2, [](NodeId) { return std::make_unique<Live>(); });
  const auto report = check(system, {.strategy = "random", .max_runs = 20});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const std::map<std::string, uint64_t> expected = {
      {"Ping", 40}, {"Never", 0}, {"timer first", 20}, {"timer other", 20}};
  EXPECT_EQ(counts(report->steps), expected);
}

class LiveCustomer {
 public:
  using Requests = Types<Go>;
  void request(Context& ctx, const Go&) { ctx.send(2, Ping{}); }
};

TEST(Coverage, DoesNotMissWhatAComponentHandlesForLiveObjects) {
  System system;
  system.add_opaque<LiveCustomer>(1, [](NodeId) { return std::make_unique<LiveCustomer>(); });
  system.component("bank", Bank{});
  system.request(1, Go{});
  const auto report = check(system, {.strategy = "random", .max_runs = 3});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(counts(report->steps),
            (std::map<std::string, uint64_t>{{"request Go at LiveCustomer", 3}}));
}

TEST(Coverage, IsInReportsOfScenarios) {
  Scenario scenario("anything");
  scenario.iterations(10);
  const auto report = run(scenario, players());
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(counts(report->steps_by_sort).at("request Go"), 10U);
  EXPECT_EQ(counts(report->steps_by_sort).at("Never"), 0U);
}

namespace east {
struct Post {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, const Ping&) { ++n; }
};
}  // namespace east
namespace west {
struct Post {
  using Messages = Types<Ping>;
  int n = 0;
  void start(Context& ctx) { ctx.send(1, Ping{}); }
  void on(Context&, const Ping&) { ++n; }
};
}  // namespace west

TEST(Coverage, TellsNodesOfOneNameApart) {
  System system;
  system.add<east::Post>(1).add<west::Post>(1);
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->steps.size(), 2U);
  EXPECT_NE(report->steps[0].what, report->steps[1].what);
  EXPECT_NE(report->steps[0].what.find("east::Post"), std::string::npos) << report->steps[0].what;
  EXPECT_EQ(report->steps[0].count, 1U);
  EXPECT_EQ(report->steps[1].count, 0U);
}

// What a type is called, and what a fault is called.
struct crash {};
struct Prober {
  using Messages = Types<crash>;
  int n = 0;
  void on(Context&, const crash&) { ++n; }
};

TEST(Coverage, TellsAMessageFromAFaultOfItsName) {
  System system;
  system.add<Prober>(1).crash({1});
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->steps.size(), 2U);
  EXPECT_NE(report->steps[0].what, report->steps[1].what);
  EXPECT_EQ(report->steps[0].count, 0U);
  EXPECT_EQ(report->steps[1].count, 1U);
}

// Handlers run to find out what is possible; that is no step.
TEST(Coverage, DoesNotTakeWhatWasPossibleForWhatOccurred) {
  const auto bounded = check(players(), {.threads = 1, .max_depth = 1});
  ASSERT_TRUE(bounded.ok());
  for (const StepCount& step : bounded->steps) {
    EXPECT_EQ(step.count, step.what == "request Go" ? 1U : 0U) << step.what;
    EXPECT_FALSE(step.without_effect) << step.what;
  }
  const auto required = check(players(), {.threads = 1, .max_depth = 1, .require_coverage = true});
  ASSERT_TRUE(required.ok());
  ASSERT_EQ(required->violations.size(), 1U);
  EXPECT_EQ(required->violations[0].why, "not seen: Ping, Pong, Never, crashed, timer retry");
}

TEST(Coverage, IsNotMissedWhereASearchWasInterrupted) {
  const std::atomic<bool> stop = true;
  const auto report = check(players(), {.threads = 1, .require_coverage = true, .stop = &stop});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kUndecided);
}

TEST(Coverage, IsNotRequiredOfScenarios) {
  Scenario scenario("anything");
  const auto report = run(scenario, players(), {.require_coverage = true});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("require_coverage"), std::string::npos);
}

TEST(Opaque, AFactoryThatReturnsNothingIsAnError) {
  System system;
  system.add_opaque<Live>(1, [](NodeId) { return std::unique_ptr<Live>(); });
  const auto report = check(system, {.strategy = "random", .max_runs = 2});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("the factory of node 1 (Live) fails: it returns nothing"),
            std::string::npos)
      << report.error().message;
}

}  // namespace
}  // namespace ordeal::verdicts::coverage_tests
