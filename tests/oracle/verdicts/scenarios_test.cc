// What a scenario claims of runs that hold messages back, that are cut, and that remember things.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"
#include "tests/oracle/verdicts/alarms.h"
#include "tests/oracle/verdicts/letters.h"
#include "tests/under_sanitizer.h"

namespace ordeal::scenarios_tests {
namespace {

using verdicts::every_way;
using verdicts::Letter;
using verdicts::letters;
using verdicts::Sender;

TEST(HeldInAQueue, TheFirstOfTwoEqualMessagesStopsAllBehindIt) {
  EXPECT_EQ(verdicts::problem_with_the_first_held(), "");
}

TEST(HeldInAQueue, TheSecondOfTwoEqualMessagesLetsThoseBeforeItPass) {
  EXPECT_EQ(verdicts::problem_with_the_second_held(), "");
}

TEST(ChangedInAQueue, TheFirstOfTwoEqualMessagesIsTheOneThatIsChanged) {
  EXPECT_EQ(verdicts::problem_with_the_first_changed(), "");
}

TEST(HeldTimers, AreFreeWhenTheyAreSetAgain) { EXPECT_EQ(verdicts::problem_with_alarms(), ""); }

// --- Runs that are cut ---------------------------------------------------------------------------

struct Clock {
  int ticks = 0;
  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    ++ticks;
    ctx.set_timer("tick");
  }
};

System clock() {
  System system;
  system.add<Clock>();
  system.always("early", each<Clock>([](const Clock& c) { return c.ticks <= 20; }));
  return system;
}

TEST(CutRuns, ClaimNothing) {
  const System system = clock();
  const auto report =
      run(Scenario("it ticks"), system, {.strategy = "random", .max_depth = 10, .max_runs = 5});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kUndecided);
  EXPECT_EQ(report->successes, 0U);
  EXPECT_EQ(report->cut, 5U);
}

TEST(CutRuns, AreNoEvidenceThatNothingSucceeds) {
  const System system = clock();
  Machine machine("early");
  machine.on("early", counter("t") >= 15, Machine::kSuccess);
  Scenario scenario("fifteen ticks");
  scenario.filter(when(timer_fires("tick")).then(count("t"))).machine(machine);
  for (const Expect expect : {Expect::never(), Expect::at_least(1), Expect::always()}) {
    Scenario expected = scenario;
    expected.expect(expect);
    const auto report = run(expected, system, {.strategy = "random", .max_depth = 10});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->verdict, Verdict::kUndecided) << show(expect);
  }
}

TEST(CutRuns, ThoseThatLeaveAConstraintAreCut) {
  System system;
  system.add<Clock>();
  system.within([](const View& view) { return view.node<Clock>(1).ticks < 5; });
  const auto report = run(Scenario("within"), system, {.strategy = "random", .max_runs = 5});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kUndecided);
  EXPECT_EQ(report->cut, 5U);
}

TEST(Horizons, ARunIsOverAfterItsLastStep) {
  const System system = clock();
  Machine machine("start");
  machine.on("start", ended() && counter("t") == 10, Machine::kSuccess);
  Scenario scenario("ten ticks");
  scenario.filter(when(timer_fires("tick")).then(count("t"))).machine(machine).ends_after(10);
  for (const std::string& strategy : every_way()) {
    const auto report = run(scenario, system, {.strategy = strategy});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->verdict, Verdict::kHolds) << strategy;
    EXPECT_EQ(report->cut, 0U);
  }
  scenario.ends_after(30);
  for (const std::string& strategy : every_way()) {
    const auto report = run(scenario, system, {.strategy = strategy});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->verdict, Verdict::kViolated) << strategy << ": 21 ticks come before the end";
  }
}

// --- Expectations --------------------------------------------------------------------------------

TEST(Expectations, OfSuccessNeedAMachineThatCanSucceed) {
  const System system = letters();
  Machine machine("start");
  machine.on("start", is_message<Letter>(), Machine::kFailure);
  for (const Expect expect : {Expect::never(), Expect::at_least(1)}) {
    Scenario scenario("hopeless");
    scenario.machine(machine).expect(expect);
    for (const std::string strategy : {"bfs", "random"}) {
      const auto report = run(scenario, system, {.strategy = strategy});
      ASSERT_FALSE(report.ok()) << show(expect);
      EXPECT_NE(report.error().message.find("the machine has no success state"), std::string::npos)
          << report.error().message;
    }
  }
}

// --- Functions that remember things by themselves ------------------------------------------------

TEST(FunctionsThatRemember, AreForStrategiesThatSample) {
  const System system = letters();
  Scenario scenario("mutable");
  int calls = 0;
  scenario.filter(
      when(condition("third", [n = 0](const Event&, const ScenarioContext&) mutable {
        return ++n == 3;
      })).then(reaction("count", [&calls](const Event&, ScenarioContext&) { ++calls; })));
  for (const std::string strategy : {"bfs", "dfs", "prefix"}) {
    const auto report = run(scenario, system, {.strategy = strategy});
    ASSERT_FALSE(report.ok()) << strategy;
    EXPECT_NE(report.error().message.find("\"third\" is not const"), std::string::npos)
        << report.error().message;
  }
  const auto product = under(scenario, system);
  ASSERT_TRUE(product.ok());
  const auto prefix = check(**product, {.strategy = "prefix"});
  ASSERT_FALSE(prefix.ok());
  EXPECT_NE(prefix.error().message.find("is not const"), std::string::npos)
      << prefix.error().message;
  const auto sampled = run(scenario, system, {.strategy = "random", .max_runs = 3});
  ASSERT_TRUE(sampled.ok()) << sampled.error().message;
  bool told = false;
  for (const std::string& note : sampled->notes) {
    told = told || note.find("starts afresh in every run") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST(FunctionsThatRemember, SeeTheEndOfARunOnce) {
  System system;
  system.add<Sender>(2);
  const auto ends = std::make_shared<int>(0);
  Machine machine("start");
  machine.on("start",
             condition("end",
                       [ends, seen = 0](const Event& event, const ScenarioContext&) mutable {
                         if (event.kind != EventKind::kEnd) return false;
                         ++*ends;
                         return ++seen == 1;
                       }),
             Machine::kSuccess);
  Scenario scenario("ends");
  scenario.machine(machine);
  const auto report = run(scenario, system, {.strategy = "random", .max_runs = 7});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_EQ(*ends, 7);
}

TEST(DrawnNumbers, DifferFromRunToRunAndAreAllExplored) {
  const System system = letters();
  Scenario scenario("some letters are lost");
  scenario.draw_number("lost", 4).filter(
      when(condition("lost", [](const Event& event, const ScenarioContext& ctx) {
        return event.kind == EventKind::kSend && ctx.drawn_number("lost") == 3;
      })).then(drop()));
  const auto all = run(scenario, system, {.strategy = "bfs"});
  ASSERT_TRUE(all.ok()) << all.error().message;
  EXPECT_EQ(all->verdict, Verdict::kViolated);
  const auto sampled = run(scenario, system, {.strategy = "random", .max_runs = 100});
  ASSERT_TRUE(sampled.ok()) << sampled.error().message;
  EXPECT_GT(sampled->failures, 50U);
  EXPECT_LT(sampled->failures, 95U) << "in a quarter of the runs everything is lost";
}

// --- What a scenario does wrong ------------------------------------------------------------------

TEST(FailingFilters, AreNamed) {
  if (under_sanitizer()) GTEST_SKIP() << "it ends the process before it is a crash";
  const System system = letters();
  Scenario scenario("a slip");
  scenario.filter(when(is_send()).then(reaction("resend", [](const Event&, ScenarioContext& ctx) {
    ctx.inject(*ctx.recorded("nobody recorded this"));
  })));
  for (const std::string& strategy : every_way()) {
    const auto report = run(scenario, system, {.strategy = strategy});
    ASSERT_FALSE(report.ok()) << strategy;
    EXPECT_NE(report.error().message.find("filter 1 (verdicts/scenarios_test.cc:"),
              std::string::npos)
        << report.error().message;
    EXPECT_NE(report.error().message.find("the reaction \"resend\""), std::string::npos)
        << report.error().message;
    EXPECT_NE(report.error().message.find("SIGSEGV"), std::string::npos) << report.error().message;
  }
}

// --- Scripts -------------------------------------------------------------------------------------

TEST(Scripts, ALineThatIsNotPossibleIsAFailureThatNamesIt) {
  System system;
  system.add<Sender>(2).crash({2});
  for (const std::string& strategy : every_way()) {
    Scenario scenario("twice");
    scenario.script({"crash 2", "crash 2"});
    const auto report = run(scenario, system, {.strategy = strategy});
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report->verdict, Verdict::kViolated) << strategy;
    EXPECT_EQ(report->violations[0].property, "scenario twice follows its script");
    EXPECT_NE(report->violations[0].why.find("line 2 of the script"), std::string::npos)
        << report->violations[0].why;
    Scenario forgiving("once");
    forgiving.script({"crash 2", "? crash 2"});
    const auto fine = run(forgiving, system, {.strategy = strategy});
    ASSERT_TRUE(fine.ok()) << fine.error().message;
    EXPECT_EQ(fine->verdict, Verdict::kHolds) << strategy;
  }
}

}  // namespace
}  // namespace ordeal::scenarios_tests
