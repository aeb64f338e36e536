// run(): what the runs of a scenario mean for what was expected of them.
#include <gtest/gtest.h>

#include "ordeal/report.h"
#include "tests/oracle/scenario/town.h"

namespace ordeal {
namespace {

using town::Echo;
using town::Person;
using town::Word;

bool mentions(const std::vector<std::string>& notes, const std::string& part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

// Succeeds where node 2 hears the word before it is over, fails where node 1 hears an echo of 3
// before one of 2.
Machine machine() {
  Machine machine("quiet");
  machine.on("quiet", is_receive() && is_message<Word>() && to(2), Machine::kSuccess)
      .on("quiet", is_receive() && is_message<Echo>() && from(3), Machine::kFailure);
  return machine;
}

Scenario plain(const std::string& name = "plain") {
  Scenario scenario(name);
  scenario.strategy("random").iterations(50);
  return scenario;
}

ScenarioReport report_of(const Scenario& scenario, const Options& options = {}) {
  const System system = town::town();
  const Result<ScenarioReport> report = run(scenario, system, options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : ScenarioReport();
}

std::string refusal_of(const Scenario& scenario, const Options& options = {}) {
  const System system = town::town();
  const Result<ScenarioReport> report = run(scenario, system, options);
  EXPECT_FALSE(report);
  return report ? "" : report.error().message;
}

TEST(ScenarioRun, WithoutAMachineARunSucceedsByNotFailing) {
  const ScenarioReport report = report_of(plain());
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_EQ(report.runs, 50U);
  EXPECT_EQ(report.successes, 50U);
  EXPECT_EQ(report.expectation, "no run fails");
  EXPECT_GT(report.steps, 50U);
}

TEST(ScenarioRun, CountsSuccessesFailuresAndTheRest) {
  Scenario scenario = plain();
  scenario.machine(machine()).expect(Expect::at_least(1)).iterations(400);
  const ScenarioReport report = report_of(scenario);
  EXPECT_EQ(report.runs, 400U);
  EXPECT_GT(report.successes, 50U);
  EXPECT_GT(report.failures, 20U);
  EXPECT_EQ(report.successes + report.failures, 400U);  // somebody always hears something
  EXPECT_EQ(report.verdict, Verdict::kViolated) << "a run that fails violates every expectation";
  uint64_t ended = 0;
  for (const MachineResult::State& state : report.machine.states) ended += state.ended_in;
  EXPECT_EQ(ended, 400U);
  EXPECT_EQ(report.machine.states[1].ended_in, report.successes);
  EXPECT_EQ(report.machine.states[2].ended_in, report.failures);
  EXPECT_EQ(report.machine.transitions[0].taken, report.successes);
  EXPECT_EQ(report.machine.transitions[1].taken, report.failures);
}

TEST(ScenarioRun, AFailureHasAMinimalTraceThatReplaysUnderTheScenario) {
  Scenario scenario = plain("echo first");
  scenario.machine(machine());
  const ScenarioReport report = report_of(scenario);
  ASSERT_FALSE(report.violations.empty());
  const Violation& violation = report.violations[0];
  EXPECT_EQ(violation.property, "scenario echo first does not fail");
  EXPECT_EQ(violation.count, report.failures);
  ASSERT_TRUE(violation.trace);
  EXPECT_EQ(violation.trace->scenario, "echo first");
  EXPECT_EQ(violation.trace->steps.size(), 3U);  // shout, word to 3, its echo
  const System system = town::town();
  const auto product = under(scenario, system);
  ASSERT_TRUE(product);
  const auto again = replay(**product, *violation.trace);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->reproduced) << again->why;
}

TEST(ScenarioRun, FiltersMakeAnExpectationComeTrueAndAreCounted) {
  Scenario scenario = plain();
  scenario.filter(when(is_send() && is_message<Word>() && to(3)).then(drop()))
      .filter(when(is_message<Echo>() && from(3)).then(drop()))
      .machine(machine());
  const ScenarioReport report = report_of(scenario);
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_EQ(report.successes, 50U);
  ASSERT_EQ(report.filters.size(), 2U);
  EXPECT_EQ(report.filters[0].fired, 50U);
  EXPECT_NE(report.filters[0].file.find("run_test.cc"), std::string::npos);
  EXPECT_GT(report.filters[0].line, 0U);
  EXPECT_EQ(report.filters[1].fired, 0U);
  EXPECT_FALSE(mentions(report.notes, "filter 1"));
  EXPECT_TRUE(mentions(report.notes, "filter 2 (")) << to_text(report);
  EXPECT_TRUE(mentions(report.notes, "never fired"));
}

TEST(ScenarioRun, AlwaysIsViolatedByARunThatEndsWithoutSuccess) {
  Scenario scenario = plain("lost");
  scenario.filter(when(is_send() && is_message<Word>()).then(drop())).machine(machine());
  const ScenarioReport report = report_of(scenario);
  EXPECT_EQ(report.verdict, Verdict::kViolated);
  EXPECT_EQ(report.failures, 0U);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].property, "scenario lost succeeds");
  EXPECT_NE(report.violations[0].why.find("\"quiet\""), std::string::npos);
  EXPECT_EQ(report.violations[0].count, 50U);
  ASSERT_TRUE(report.violations[0].trace);
}

TEST(ScenarioRun, NeverIsViolatedBySuccessOnly) {
  Scenario scenario = plain();
  scenario.filter(when(is_send() && is_message<Word>()).then(drop()))
      .machine(machine())
      .expect(Expect::never());
  EXPECT_EQ(report_of(scenario).verdict, Verdict::kHolds);
  Scenario heard = plain("heard");
  heard.filter(when(is_send() && to(3)).then(drop())).machine(machine()).expect(Expect::never());
  const ScenarioReport report = report_of(heard);
  EXPECT_EQ(report.verdict, Verdict::kViolated);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].property, "scenario heard does not succeed");
}

TEST(ScenarioRun, TooFewSuccessesAreExplainedByARunWithoutOne) {
  Machine luck("start");
  luck.on("start", is_receive() && is_message<Word>() && to(2), Machine::kSuccess)
      .on("start", is_receive() && is_message<Word>() && to(3), "unlucky");
  Scenario scenario = plain();
  scenario.machine(luck).iterations(100).expect(Expect::at_least(95));
  const ScenarioReport report = report_of(scenario);
  EXPECT_EQ(report.expectation, "at least 95 of 100 runs succeed");
  EXPECT_EQ(report.verdict, Verdict::kViolated);
  EXPECT_EQ(report.failures, 0U);
  ASSERT_EQ(report.violations.size(), 1U);
  const Violation& violation = report.violations[0];
  EXPECT_EQ(violation.kind, "scenario");
  EXPECT_NE(violation.why.find("ended with the property machine in state \"unlucky\""),
            std::string::npos)
      << violation.why;
  ASSERT_TRUE(violation.trace);
  EXPECT_FALSE(violation.trace->steps.empty());
  EXPECT_TRUE(violation.trace->verdict.property.empty());
  scenario.expect(Expect::at_least(20));
  EXPECT_EQ(report_of(scenario).verdict, Verdict::kHolds);
}

TEST(ScenarioRun, ChecksTheSystemsOwnPropertiesAndHandlers) {
  System system = town::town();
  system.always("nobody is tired",
                each<Person>([](const Person& person) { return !person.tired; }));
  const Result<ScenarioReport> report = run(plain(), system);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
  EXPECT_EQ(report->failures, 50U);
  ASSERT_EQ(report->violations.size(), 1U);
  EXPECT_EQ(report->violations[0].property, "nobody is tired");
  EXPECT_EQ(report->violations[0].trace->steps.size(), 2U);
}

TEST(ScenarioRun, RunsCutByTheBoundLeaveAlwaysAndAtLeastOpen) {
  Scenario scenario = plain();
  scenario.machine(machine()).max_steps(1);
  const ScenarioReport report = report_of(scenario);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_EQ(report.cut, 50U);
  EXPECT_TRUE(mentions(report.notes, "came to no end within 1 steps")) << to_text(report);
  scenario.expect(Expect::at_least(1));
  const ScenarioReport few = report_of(scenario);
  EXPECT_EQ(few.verdict, Verdict::kUndecided);  // a run that goes on may succeed
  EXPECT_TRUE(few.violations.empty());
}

TEST(ScenarioRun, AnInterruptKeepsWhatWasFound) {
  std::atomic<bool> stop = false;
  uint64_t seen = 0;
  Scenario scenario = plain();
  scenario.iterations(1'000'000'000)
      .filter(when(is_receive() && is_message<Word>())
                  .then(reaction("interrupt", [&](const Event&, ScenarioContext&) {
                    if (++seen == 200) stop = true;
                  })));
  Options options;
  options.stop = &stop;
  const ScenarioReport report = report_of(scenario, options);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_GT(report.runs, 50U);
  EXPECT_EQ(report.successes, report.runs);
  EXPECT_TRUE(mentions(report.notes, "interrupted")) << to_text(report);
  EXPECT_EQ(report.filters[0].fired, seen);
}

TEST(ScenarioRun, IsTheSameForTheSameSeed) {
  Scenario scenario = plain();
  scenario.machine(machine());
  const auto told = [&](uint64_t seed) {
    Options options;
    options.seed = seed;
    ScenarioReport report = report_of(scenario, options);
    report.seconds = 0;
    return to_json(std::vector{report});
  };
  EXPECT_EQ(told(3), told(3));
  EXPECT_NE(told(3), told(4));
}

TEST(ScenarioRun, DrawsAnewForEveryRun) {
  Scenario scenario = plain();
  const Who victim = scenario.draw("victim", {2, 3});
  scenario.filter(when(is_send() && to(victim)).then(drop())).machine(machine());
  const ScenarioReport report = report_of(scenario);
  EXPECT_GT(report.successes, 10U);  // 3 was drawn
  EXPECT_GT(report.failures, 10U);   // 2 was
  EXPECT_EQ(report.successes + report.failures, 50U);
}

// --- With strategies that explore everything ---------------------------------------------------

TEST(ScenarioRun, IsVerifiedWhereTheStrategyExploresEverything) {
  Scenario scenario = plain("verified");
  scenario.filter(when(is_send() && is_message<Word>() && to(3)).then(drop()))
      .filter(when(is_message<Echo>() && from(3)).then(drop()))
      .machine(machine());
  for (const char* strategy : {"bfs", "dfs", "prefix"}) {
    const ScenarioReport report = report_of(scenario, {.strategy = strategy});
    EXPECT_EQ(report.verdict, Verdict::kHolds) << strategy << to_text(report);
    EXPECT_TRUE(report.exhaustive);
    EXPECT_GT(report.distinct_states, 3U);
    EXPECT_GT(report.filters[0].fired, 0U) << strategy;
    EXPECT_TRUE(mentions(report.notes, "filter 2 (")) << strategy;
  }
}

TEST(ScenarioRun, ASearchFindsWhatFailsAndHasTheTrace) {
  Scenario scenario = plain("searched");
  scenario.machine(machine());
  for (const char* strategy : {"bfs", "dfs", "prefix"}) {
    const ScenarioReport report = report_of(scenario, {.strategy = strategy});
    EXPECT_EQ(report.verdict, Verdict::kViolated) << strategy;
    ASSERT_FALSE(report.violations.empty());
    ASSERT_TRUE(report.violations[0].trace);
    EXPECT_EQ(report.violations[0].trace->scenario, "searched");
  }
}

TEST(ScenarioRun, NeverAndAtLeastAreVerifiedToo) {
  Scenario scenario = plain();
  scenario.filter(when(is_send() && is_message<Word>()).then(drop()))
      .machine(machine())
      .expect(Expect::never());
  EXPECT_EQ(report_of(scenario, {.strategy = "bfs"}).verdict, Verdict::kHolds);
  scenario.expect(Expect::at_least(1));
  EXPECT_EQ(report_of(scenario, {.strategy = "bfs"}).verdict, Verdict::kViolated);
  Scenario heard = plain();
  heard.filter(when(is_send() && to(3)).then(drop())).machine(machine()).expect(Expect::never());
  EXPECT_EQ(report_of(heard, {.strategy = "bfs"}).verdict, Verdict::kViolated);
  heard.expect(Expect::at_least(30));
  EXPECT_EQ(report_of(heard, {.strategy = "bfs"}).verdict, Verdict::kHolds);
}

// --- What makes no sense -----------------------------------------------------------------------

TEST(ScenarioRun, RefusesWhatDoesNotFit) {
  Scenario scenario = plain();
  EXPECT_NE(refusal_of(scenario, {.strategy = "dpor"}).find("depend on each other"),
            std::string::npos);
  EXPECT_NE(refusal_of(scenario, {.strategy = "magic"}).find("unknown strategy \"magic\""),
            std::string::npos);
  Options options;
  options.symmetry = true;
  EXPECT_NE(refusal_of(scenario, options).find("symmetry"), std::string::npos);
  options = {};
  options.guide = ShortForm{};
  EXPECT_NE(refusal_of(scenario, options).find("script"), std::string::npos);
  scenario.machine(machine()).expect(Expect::at_least(51));
  EXPECT_NE(refusal_of(scenario).find("only 50 iterations"), std::string::npos);
}

TEST(ScenarioRun, AFunctionThatRemembersCannotBeSearched) {
  Scenario scenario = plain();
  scenario.filter(
      when(condition("every other", [n = 0](const Event&, const ScenarioContext&) mutable {
        return ++n % 2 == 0;
      })).then(count("seen")));
  EXPECT_EQ(report_of(scenario).verdict, Verdict::kHolds);
  const std::string why = refusal_of(scenario, {.strategy = "bfs"});
  EXPECT_NE(why.find("\"every other\" is not const"), std::string::npos) << why;
}

TEST(ScenarioRun, AFunctionOfTheUsersThatFailsIsAnError) {
  Scenario scenario = plain();
  scenario.filter(when(condition("broken", [](const Event&, const ScenarioContext&) -> bool {
                    throw std::runtime_error("out of order");
                  })).then(drop()));
  EXPECT_NE(refusal_of(scenario).find("out of order"), std::string::npos);
}

}  // namespace
}  // namespace ordeal
