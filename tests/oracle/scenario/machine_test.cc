// Property machines, what they make of a run, and exhaustive verification.
#include "tests/oracle/scenario/town.h"

namespace ordeal::town::machine_tests {
namespace {

Machine echoes() {
  Machine machine("none");
  const Condition echo = is_receive() && is_message<Echo>();
  machine.on("none", echo, "one").on("one", echo, Machine::kSuccess);
  return machine;
}

Result<Report> verify(const Scenario& scenario, const System& system,
                      const std::string& strategy = "bfs") {
  const monitor::Product product(*monitor::Monitor::make(scenario, system), system);
  return check(product, {.strategy = strategy, .system = "town"});
}

TEST(Machines, TakeAtMostOneTransitionPerEvent) {
  Scenario scenario("two echoes");
  scenario.machine(echoes());
  Runs runs(scenario, town());
  std::vector<std::string> states;
  while (!runs.world().enabled().empty()) {
    ASSERT_TRUE(runs.world().apply(0));
    const std::string now = runs.world().machine_state(false);
    if (states.empty() || states.back() != now) states.push_back(now);
  }
  EXPECT_EQ(states, (std::vector<std::string>{"none", "one", "success"}));
  EXPECT_EQ(runs.world().machine_kind(true), Machine::Kind::kSuccess);
  EXPECT_EQ(runs.world().tally().taken, (std::vector<uint64_t>{1, 1}));
}

TEST(Machines, TheFirstTransitionDeclaredIsTaken) {
  Machine machine("start");
  machine.on("start", is_receive(), "left").on("start", is_receive() && to(2), "right");
  Scenario scenario("order");
  scenario.machine(machine);
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→2"));
  EXPECT_EQ(runs.world().machine_state(false), "left");
}

TEST(Machines, FailureEndsTheRun) {
  Machine machine("start");
  machine.on("start", is_receive() && to(2), Machine::kFailure);
  Scenario scenario("failure");
  scenario.machine(machine);
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→2"));
  EXPECT_TRUE(runs.enabled().empty());
}

TEST(Machines, SeeTheEndOfTheRun) {
  Machine machine("start");
  machine.on("start", is_receive() && is_message<Echo>() && to(1), "answered")
      .on("answered", ended(), Machine::kSuccess)
      .on("start", ended(), Machine::kFailure);
  Scenario scenario("end");
  scenario.machine(machine).filter(when(is_message<Word>() && to(3)).then(drop()));
  EXPECT_EQ(verify(scenario, town())->verdict, Verdict::kHolds);
  scenario.filter(when(is_message<Word>()).then(drop()));
  const Result<Report> report = verify(scenario, town());
  EXPECT_EQ(report->verdict, Verdict::kViolated);
}

TEST(Machines, InStateIsACondition) {
  Scenario scenario("state");
  scenario.machine(echoes()).filter(when(in_state("one") && is_send()).then(drop()));
  // Whoever echoes after the first echo arrived is not heard.
  const Result<Report> report = verify(scenario, town());
  ASSERT_EQ(report->verdict, Verdict::kViolated);
  EXPECT_EQ(report->violations[0].property, "scenario state succeeds");
}

TEST(Verification, HoldsOfEveryRunThatTheFiltersAllow) {
  Scenario scenario("both");
  scenario.machine(echoes());
  const Result<Report> report = verify(scenario, town());
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(verify(scenario, town(), "dfs")->distinct_states, report->distinct_states);
  EXPECT_EQ(verify(scenario, town(), "prefix")->distinct_states, report->distinct_states);
}

TEST(Verification, AFaultThatMustHappenKeepsTheRunAlive) {
  System system = town();
  system.crash({2}).detector(Detector::kNone);
  Scenario scenario("crash at the end");
  scenario.filter(when(timer_fires("rest")).then(crash(2)))
      .filter(when(is_send() && is_message<Word>()).then(drop()))
      .faults(Scenario::Faults::kOnlyByFilters)
      .machine(Machine("up").on("up", crashes(), Machine::kSuccess));
  const auto product = under(scenario, system);
  ASSERT_TRUE(product.ok()) << product.error().message;
  for (const char* strategy : {"bfs", "random"}) {
    Options options;
    options.strategy = strategy;
    options.max_runs = 20;
    const Result<Report> report = check(**product, options);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_NE(report->verdict, Verdict::kViolated) << strategy;
  }
}

TEST(Verification, NeverMeansInNoRun) {
  Scenario scenario("never");
  scenario.machine(echoes()).expect(Expect::never());
  EXPECT_EQ(verify(scenario, town())->verdict, Verdict::kViolated);
  scenario.filter(when(is_message<Word>() && to(3)).then(drop()));
  EXPECT_EQ(verify(scenario, town())->verdict, Verdict::kHolds);
}

TEST(Verification, AViolationIsATraceThatReplaysUnderTheScenario) {
  Scenario scenario("deaf");
  scenario.machine(echoes()).filter(when(is_message<Word>() && to(3)).then(hold("words")));
  const System system = town();
  const monitor::Product product(*monitor::Monitor::make(scenario, system), system);
  const Result<Report> report = check(product, {.strategy = "bfs", .system = "town"});
  ASSERT_EQ(report->verdict, Verdict::kViolated);
  ASSERT_TRUE(report->violations[0].trace);
  const Result<ReplayResult> replayed = replay(product, *report->violations[0].trace);
  ASSERT_TRUE(replayed);
  EXPECT_TRUE(replayed->reproduced) << replayed->why;
  EXPECT_FALSE(report->violations[0].trace->steps[0].detail.scenario.empty());
}

TEST(Verification, HeldMessagesMakeDifferentStates) {
  // Held or free, the messages are the same: only the scenario tells the states apart.
  Scenario scenario("some");
  scenario.filter(when(is_send() && is_message<Echo>() && counter("held") < 1)
                      .then(count("held"), hold("echo")));
  const Result<Report> with = verify(scenario, town());
  const Result<Report> without = verify(Scenario("none"), town());
  EXPECT_NE(with->distinct_states, without->distinct_states);
  EXPECT_EQ(with->distinct_states, verify(scenario, town(), "prefix")->distinct_states);
}

TEST(Verification, PropertiesOfTheSystemAreConditions) {
  System system = town();
  system.eventually("all rest",
                    [](const View& view) -> Outcome { return view.node<Person>(1).tired; });
  Machine machine("start");
  machine.on("start", ended() && holds("all rest"), Machine::kSuccess);
  Scenario scenario("rested");
  scenario.machine(machine);
  EXPECT_EQ(verify(scenario, system)->verdict, Verdict::kHolds);
  scenario.filter(when(timer_set("rest")).then(drop()));
  EXPECT_EQ(verify(scenario, system)->verdict, Verdict::kViolated);
  Scenario required("required");
  required.require("all rest").filter(when(timer_set("rest")).then(drop()));
  EXPECT_EQ(verify(required, system)->violations[0].property, "all rest");
}

}  // namespace
}  // namespace ordeal::town::machine_tests
