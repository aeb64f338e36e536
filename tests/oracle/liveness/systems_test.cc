// What is owed to whom in systems of nodes: the default, and what a system says in its place.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"
#include "tests/oracle/liveness/players.h"

namespace ordeal::oracle::liveness::systems {
namespace {

Report checked(const System& system, Options options = {}) {
  options.threads = 1;
  const Result<Report> report = check(system, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? *report : Report();
}
Verdict verdict_on(const System& system, Options options = {}) {
  return checked(system, std::move(options)).verdict;
}

TEST(LivenessOfSystems, MessagesArriveInTheEndByDefault) {
  const System system = players();
  const Report report = checked(system);
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_NE(report.assumption.find("messages to a node that is up are delivered in the end"),
            std::string::npos);
  EXPECT_NE(to_text(report).find("assumed"), std::string::npos);
  EXPECT_GT(report.run_graph.states, 0U);
  const Report none = checked(system, {.fairness = Fairness::kNone});
  ASSERT_EQ(none.verdict, Verdict::kViolated);
  ASSERT_TRUE(none.violations[0].trace);
  EXPECT_EQ(none.violations[0].trace->steps.size(), 3U);  // the request, there and back
  EXPECT_EQ(none.violations[0].trace->loop_start, 1U);
  const Result<ReplayResult> again = replay(system, *none.violations[0].trace);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->reproduced) << again->why;
}

TEST(LivenessOfSystems, AConditionSpeaksOfTypesNodesAndLinks) {
  const auto with = [](Fair fair) { return verdict_on(players().fair(std::move(fair))); };
  EXPECT_EQ(with(Fair::nothing().deliver<Stop>()), Verdict::kViolated);
  EXPECT_EQ(with(Fair::nothing().deliver<Stop>().to(2)), Verdict::kViolated);
  EXPECT_EQ(with(Fair::nothing().deliver<Stop>().to(1)), Verdict::kHolds);
  EXPECT_EQ(with(Fair::nothing().deliver<Stop>().from(1)), Verdict::kViolated);
  EXPECT_EQ(with(Fair::nothing().deliver<Stop>().from(2)), Verdict::kHolds);
  EXPECT_EQ(with(Fair::nothing().deliver<Ball>()), Verdict::kHolds);
  EXPECT_EQ(with(Fair::nothing().deliver("Stop")), Verdict::kViolated);
  EXPECT_EQ(with(Fair::nothing()), Verdict::kViolated);
  // The last one counts.
  System system = players();
  system.fair(Fair::nothing()).fair(Fair::weakly().deliver<Stop>());
  EXPECT_EQ(verdict_on(system), Verdict::kHolds);
}

TEST(LivenessOfSystems, AConditionThatNamesNothingIsRefused) {
  const Result<Report> type = check(players().fair(Fair::weakly().deliver("Stopp")));
  ASSERT_FALSE(type.ok());
  EXPECT_NE(type.error().message.find("did you mean"), std::string::npos) << type.error().message;
  const Result<Report> node = check(players().fair(Fair::weakly().deliver<Stop>().to(7)));
  ASSERT_FALSE(node.ok());
  EXPECT_NE(node.error().message.find("node 7"), std::string::npos) << node.error().message;
}

// A node whose timer is set and cancelled by turns.
struct Doubter {
  using Messages = Types<Ball>;
  using Requests = Types<Go>;
  bool waits = false;
  bool acted = false;

  void request(Context& ctx, const Go&) { ctx.send(ctx.self(), Ball{}); }
  void on(Context& ctx, const Ball&) {
    waits = !waits;
    if (waits) {
      ctx.set_timer("act");
    } else {
      ctx.cancel_timer("act");
    }
    ctx.send(ctx.self(), Ball{});
  }
  void timer(Context&, const std::string&) { acted = true; }
};

TEST(LivenessOfSystems, ATimerThatIsCancelledAgainAndAgainIsOwedOnlyStrongly) {
  const auto doubter = [] {
    System system;
    system.add<Doubter>(1).request(1, Go{});
    system.eventually("acts", each<Doubter>([](const Doubter& d) { return d.acted; }));
    return system;
  };
  EXPECT_EQ(verdict_on(doubter()), Verdict::kViolated);
  EXPECT_EQ(verdict_on(doubter(), {.fairness = Fairness::kStrong}), Verdict::kHolds);
  EXPECT_EQ(verdict_on(doubter().fair(Fair::strongly().timer("act"))), Verdict::kHolds);
  EXPECT_EQ(verdict_on(doubter().fair(Fair::strongly().timer("other"))), Verdict::kViolated);
}

TEST(LivenessOfSystems, AMessageThatStaysMayComeForEver) {
  System system;
  system.add<Player>(2).request(1, Go{}).network(Network::kSet);
  system.eventually_always("quiet", [](const View& view) { return view.messages().empty(); });
  const Report report = checked(system);
  ASSERT_EQ(report.verdict, Verdict::kViolated);
  EXPECT_TRUE(report.violations[0].trace && report.violations[0].trace->loop_start);
}

TEST(LivenessOfSystems, CrashesAreOwedToNobody) {
  System system = players();
  system.crash({2});
  const Report report = checked(system);
  ASSERT_EQ(report.verdict, Verdict::kViolated);  // it may crash before it is told
  System back = players();
  back.crash({2}).recoveries(1);
  back.leads_to(
      "comes back", [](const View& view) { return !view.up(2); },
      [](const View& view) { return view.up(2); });
  const auto verdict_of_last = [](const System& one) {
    return checked(one, {.keep_going = true}).properties.back().verdict;
  };
  EXPECT_EQ(verdict_of_last(back), Verdict::kViolated);
  back.fair(Fair::weakly().recover());
  EXPECT_EQ(verdict_of_last(back), Verdict::kHolds);
}

TEST(LivenessOfSystems, WhatAFilterHoldsIsOwedToNobody) {
  const System system = players();
  Scenario scenario("the message is held");
  scenario.require("told to stop");
  const auto verdict = [&] {
    const Result<std::unique_ptr<Checkable>> product = under(scenario, system);
    EXPECT_TRUE(product.ok());
    const Result<Report> report = check(**product, {.strategy = "bfs", .threads = 1});
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
    if (report.ok() && report->verdict == Verdict::kViolated) {
      EXPECT_TRUE(report->violations[0].trace->loop_start);
    }
    return report.ok() ? report->verdict : Verdict::kUndecided;
  };
  EXPECT_EQ(verdict(), Verdict::kHolds);
  scenario.filter(when(is_message<Stop>()).then(hold("held")));
  EXPECT_EQ(verdict(), Verdict::kViolated);
}

}  // namespace
}  // namespace ordeal::oracle::liveness::systems
