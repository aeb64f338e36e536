// Mining waypoints: from runs of which it is known what lies on the way.
#include "explore/mine.h"

#include <gtest/gtest.h>

#include "ordeal/check.h"
#include "ordeal/model.h"
#include "protocols/cube_world/cube_world.h"
#include "report/text/mined_text.h"

namespace ordeal::oracle::learning {
namespace {

namespace mining {

using explore::Mined;
using explore::MiningSettings;

// Up by one, or back to the bottom.
struct Ladder {
  struct State {
    int at = 0;
    int fallen = 0;
  };
  enum class Action : uint8_t { kUp, kDown };

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    out = {Action::kUp};
    if (s.at > 0) out.push_back(Action::kDown);
  }
  std::optional<State> next(const State& s, const Action& action) const {
    if (action == Action::kUp) return State{s.at + 1, s.fallen};
    return State{0, s.fallen + 1};
  }
};

Model<Ladder> ladder() {
  Model<Ladder> model;
  model.predicate("Fallen", "so often (>=)",
                  [](int n) { return [n](const Ladder::State& s) { return s.fallen >= n; }; });
  model.predicate("AsHigh", "so high (>=)",
                  [](int n) { return [n](const Ladder::State& s) { return s.at >= n; }; });
  model.predicate("Reached", "so high (>=)",
                  [](int n) { return [n](const Ladder::State& s) { return s.at >= n; }; });
  model.predicate("Bottom", "where runs begin", [](const Ladder::State& s) { return s.at == 0; });
  return model;
}

Options runs(uint64_t most, uint32_t depth) {
  Options options;
  options.strategy = "random";
  options.max_runs = most;
  options.max_depth = depth;
  return options;
}

Mined mined(const Checkable& subject, const Options& options, const MiningSettings& settings) {
  const Result<Mined> out = mine_waypoints(subject, options, settings);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out ? *out : Mined();
}

// In six steps there are three chances to go on from the first rung: every other run has been
// there, and seven of eight on the second.
TEST(Mining, FindsTheRungsOfALadder) {
  const Mined out = mined(ladder(), runs(2000, 6), {.target = "Reached(4)"});
  EXPECT_FALSE(out.is_graded);
  EXPECT_EQ(out.reached, 100U);
  EXPECT_EQ(out.others, 100U);
  EXPECT_EQ(out.list(), "Reached(2), Reached(3), Reached(4)");
  EXPECT_GE(out.waypoints[0].first, 2);
  EXPECT_LE(out.waypoints[0].first, 4);
  EXPECT_NEAR(out.waypoints[1].first, out.waypoints[0].first + 1, 1e-9);  // nobody falls on the way
  EXPECT_NEAR(out.waypoints[2].first, out.waypoints[1].first + 1, 1e-9);
  EXPECT_GT(out.waypoints[0].others, out.waypoints[1].others);
  // Four families with 0 to 5, and one without numbers.
  EXPECT_EQ(out.tried, 3U * 6 + 1);
  EXPECT_EQ(out.at_start, 4U);    // Bottom, and all with 0
  EXPECT_EQ(out.everywhere, 2U);  // Reached(1), AsHigh(1)
  EXPECT_EQ(out.together, 2U);    // AsHigh(2), AsHigh(3)
  EXPECT_EQ(out.not_in_all, 9U);  // Fallen(1) to (5); those with 4 and 5
}

TEST(Mining, PrefersTheFamilyOfTheTarget) {
  EXPECT_EQ(mined(ladder(), runs(2000, 6), {.target = "AsHigh(4)"}).list(),
            "AsHigh(2), AsHigh(3), AsHigh(4)");
}

// What is proposed holds in every run that came there, in that order on average, and not at first:
// counted from the runs themselves.
TEST(Mining, ProposesWhatHeldOnEveryWay) {
  const auto cubes =
      protocols::cube_world::model({.cubes = 4, .width = 5, .breadth = 5, .depth = 2});
  Options options = runs(20000, 0);
  options.strategy = "uniform";
  options.strategy_options = {{"horizon", "40"}};
  const Mined out = mined(cubes, options, {.target = "Cube(2)", .enough = 20});
  EXPECT_EQ(out.reached, 20U);
  EXPECT_EQ(out.list(), "Cube(1), Cube(2)");
  EXPECT_LT(out.waypoints[0].first, out.waypoints[1].first);
  EXPECT_GE(out.waypoints[0].first, 5);  // the door is four steps away
}

TEST(Mining, KeepsNoMoreThanItMayAndThoseThatAreRarest) {
  const Mined out =
      mined(ladder(), runs(20000, 9), {.target = "Reached(5)", .enough = 50, .most = 1});
  EXPECT_EQ(out.list(), "Reached(4), Reached(5)");
  EXPECT_GT(out.beyond, 0U);
}

TEST(Mining, GoesBySmallerFormsWhereNoRunCameToTheTarget) {
  const Mined out = mined(ladder(), runs(100, 3), {.target = "Reached(5)"});
  EXPECT_TRUE(out.is_graded);
  EXPECT_EQ(out.reached, 0U);
  EXPECT_EQ(out.list(), "Reached(1), Reached(2), Reached(3), Reached(4), Reached(5)");
  EXPECT_EQ(out.others, 100U);
  EXPECT_EQ(out.waypoints[0].others, 100U);
  EXPECT_EQ(out.waypoints[4].others, 0U);
  const std::string text = report::mined_text(out, {.subject = "ladder", .target = "Reached(5)"});
  EXPECT_NE(text.find("nothing: no run of 100 runs"), text.npos) << text;
  EXPECT_NE(text.find("smaller forms of it"), text.npos) << text;
}

TEST(Mining, IsTheSameForTheSameSeed) {
  const MiningSettings settings = {.target = "Reached(4)", .enough = 10};
  Options options = runs(2000, 8);
  const auto told = [&](uint64_t seed) {
    options.seed = seed;
    return report::mined_json(mined(ladder(), options, settings), {.target = settings.target});
  };
  EXPECT_EQ(told(1), told(1));
  EXPECT_NE(told(1), told(2));
}

TEST(Mining, ProposesWhatWaypointsTakeAsItIs) {
  const Mined out = mined(ladder(), runs(2000, 8), {.target = "Reached(4) & AsHigh(3)"});
  Options led;
  led.strategy = "waypoint";
  led.max_runs = 300;
  led.strategy_options = {{"waypoints", out.list()}, {"horizon", "8"}};
  const auto report = check(ladder(), led);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->learning->waypoints.size(), out.waypoints.size());
  EXPECT_TRUE(report->learning->waypoints.back().first);
}

// Runs that begin there are over before they come anywhere.
struct TwoLadders : Ladder {
  std::vector<State> initial() const { return {State{}, State{100}}; }
};

TEST(Mining, ARunThatBeginsOutsideOfTheConstraintComesToNothing) {
  Model<TwoLadders> model;
  model.predicate("Reached", "so high (>=)",
                  [](int n) { return [n](const Ladder::State& s) { return s.at >= n; }; });
  model.within([](const Ladder::State& s) { return s.at < 50; });
  const Mined out = mined(model, runs(60, 6), {.target = "Reached(3)"});
  EXPECT_EQ(out.list(), "Reached(2), Reached(3)");
  EXPECT_EQ(out.runs, 60U);
  EXPECT_LT(out.reached + out.others, 50U);
  EXPECT_GT(out.reached, 0U);
  EXPECT_GT(out.others, 0U);
}

TEST(Mining, RefusesWhatLeadsNowhere) {
  const auto message = [](const MiningSettings& settings, const Options& options) {
    const auto out = mine_waypoints(ladder(), options, settings);
    return out ? std::string("accepted") : out.error().message;
  };
  EXPECT_NE(message({.target = "Reached(0)"}, runs(10, 5)).find("holds where runs begin"),
            std::string::npos);
  EXPECT_NE(message({.target = "Reachd(3)"}, runs(10, 5)).find("Reached"), std::string::npos);
  EXPECT_NE(message({.target = "Reached(3"}, runs(10, 5)).find("no predicate"), std::string::npos);
  EXPECT_NE(message({.target = "Reached(3)", .numbers = 1000}, runs(10, 5)).find("at most 2,000"),
            std::string::npos);
  Options unknown = runs(10, 5);
  unknown.strategy = "randm";
  EXPECT_NE(message({.target = "Reached(3)"}, unknown).find("unknown strategy"), std::string::npos);
}

}  // namespace mining
}  // namespace
}  // namespace ordeal::oracle::learning
