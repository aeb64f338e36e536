// EXPECT_HOLDS and EXPECT_VIOLATED on a model small enough to know.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "ordeal/model.h"
#include "ordeal/testing.h"

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
