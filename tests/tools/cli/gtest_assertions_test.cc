// EXPECT_HOLDS and EXPECT_VIOLATED on a model small enough to know.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "ordeal/model.h"
#include "ordeal/testing.h"
#include "tests/tools/report/terminal.h"

namespace ordeal {
namespace {

struct Counter {
  struct State {
    int n = 0;
  };
  enum class Action { kUp };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.n < 5) out.push_back(Action::kUp);
  }
  std::optional<State> next(const State& s, const Action&) const { return State{s.n + 1}; }
};

Model<Counter> model(int limit) {
  Model<Counter> model;
  model.always("small", [limit](const Counter::State& s) -> Outcome {
    return s.n < limit ? Outcome(true) : violated("n is " + std::to_string(s.n));
  });
  return model;
}

TEST(GtestAssertions, TellRightFromWrong) {
  EXPECT_HOLDS(model(6));
  ASSERT_HOLDS(model(6), Options());
  EXPECT_VIOLATED(model(3), "small");
  ASSERT_VIOLATED(model(3), "small", Options());
  EXPECT_FALSE(gtest::holds(model(3)));
  EXPECT_FALSE(gtest::violates(model(6), "small"));
}

TEST(GtestAssertions, AFailureShowsTheRun) {
  const std::string message = gtest::holds(model(3)).message();
  EXPECT_NE(message.find("small (always) is violated: n is 3"), std::string::npos) << message;
  EXPECT_NE(message.find("short form: 0.0.0"), std::string::npos) << message;
  Options cut;
  cut.max_states = 2;
  const std::string undecided = gtest::holds(model(6), cut).message();
  EXPECT_NE(undecided.find("undecided"), std::string::npos) << undecided;
  const std::string unknown = gtest::violates(model(3), "smal").message();
  EXPECT_NE(unknown.find("no property 'smal'"), std::string::npos) << unknown;
}

TEST(GtestAssertions, AFailureHoldsNothingThatATerminalObeys) {
  Model<Counter> hostile;
  hostile.always(sample::kForTerminals,
                 [](const Counter::State&) { return violated(sample::kForTerminals); });
  hostile.always("fine", [](const Counter::State&) { return true; });
  const std::vector<std::string> messages = {
      std::string(gtest::holds(hostile).message()),
      std::string(gtest::violates(hostile, "fine").message())};
  for (const std::string& message : messages) {
    EXPECT_EQ(sample::terminal_offence(message), "");
    EXPECT_EQ(message.find("\nforged"), std::string::npos) << message;
  }
}

Scenario reaches(int n, const char* strategy) {
  Machine machine("below");
  machine.on("below",
             condition("high",
                       [n](const Event&, const ScenarioContext& context) {
                         return context.counter("ups") >= n;
                       }),
             Machine::kSuccess);
  Scenario scenario("reaches");
  scenario.filter(when(is_event(EventKind::kStep)).then(count("ups")))
      .machine(machine)
      .strategy(strategy)
      .iterations(5);
  return scenario;
}

TEST(GtestAssertions, AScenarioMustShowWhatItExpects) {
  EXPECT_SCENARIO(reaches(4, "random"), model(6));
  ASSERT_SCENARIO(reaches(4, "bfs"), model(6), Options());
  EXPECT_FALSE(gtest::shows(reaches(9, "random"), model(6)));
  EXPECT_FALSE(gtest::shows(reaches(4, "random"), model(3))) << "a property of its own";
  Options cut;
  cut.max_depth = 2;
  const std::string open = gtest::shows(reaches(4, "random"), model(6), cut).message();
  EXPECT_NE(open.find("undecided"), std::string::npos) << open;
}

TEST(GtestAssertions, AScenarioThatDoesNotTellsItsStory) {
  const std::string message = gtest::shows(reaches(9, "random"), model(6)).message();
  for (const char* part :
       {"scenario reaches succeeds (eventually) is violated", "short form: 0.0.0.0.0",
        "0 of 5 runs succeeded", "when(", "fired 25 times", "gtest_assertions_test.cc", "below"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in\n" << message;
  }
  const std::string refused =
      gtest::shows(reaches(9, "random"), model(6), {.strategy = "magic"}).message();
  EXPECT_NE(refused.find("unknown strategy"), std::string::npos) << refused;
}

TEST(GtestAssertions, TracesAreKeptWhereTheEnvironmentSays) {
  const std::string folder = ::testing::TempDir() + "ordeal_traces";
  std::filesystem::create_directories(folder);
  ASSERT_EQ(setenv("ORDEAL_TRACE_DIR", folder.c_str(), 1), 0);
  const std::string message = gtest::holds(model(3)).message();
  ASSERT_EQ(unsetenv("ORDEAL_TRACE_DIR"), 0);
  const std::string path =
      folder + "/GtestAssertions.TracesAreKeptWhereTheEnvironmentSays-small.json";
  EXPECT_NE(message.find("trace: " + path), std::string::npos) << message;
  EXPECT_TRUE(read_trace(path));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ordeal
