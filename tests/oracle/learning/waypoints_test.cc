// How far runs come along waypoints: what is told of it, counted again; and the strategy that
// branches at them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ordeal/report.h"
#include "protocols/cube_world/cube_world.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace way {

using protocols::cube_world::CubeWorld;

Model<CubeWorld> cubes() {
  CubeWorld world;
  world.cubes = 4;
  world.width = world.breadth = 5;
  world.depth = 3;
  return protocols::cube_world::model(world);
}

Options toward(const std::string& strategy, const std::string& waypoints) {
  Options options;
  options.strategy = strategy;
  options.system = "cubes";
  options.strategy_options = {{"waypoints", waypoints}};
  return options;
}

// Counts with sets and maps, from the states alone.
class Recount : public explore::RunObserver {
 public:
  Recount(World& world, const std::vector<std::string>& predicates)
      : colouring_(*world.colouring(kDefaultColouring)) {
    for (const std::string& one : predicates) numbers_.push_back(*world.predicate(one));
    episodes.resize(numbers_.size());
    ways.resize(numbers_.size());
    first.resize(numbers_.size());
    fewest.resize(numbers_.size(), ~size_t{0});
  }

  bool arrive(const explore::Arrival& at) override {
    size_t highest = is_there_ ? numbers_.size() : 0;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      if (at.world.holds(numbers_[i])) highest = std::max(highest, i + 1);
    }
    is_there_ = highest == numbers_.size();
    std::vector<uint64_t> colours;
    at.world.colours(colouring_, colours);
    for (size_t i = 0; i < highest; ++i) {
      reached_.insert({i, {at.path.choices.size(), {colours.begin(), colours.end()}}});
    }
    return true;
  }
  void end(World&, const ShortForm&, explore::RunEnd) override {
    ++runs_;
    for (const auto& [i, how] : reached_) {
      ++episodes[i];
      ways[i].insert(how.second);
      if (first[i] == 0) first[i] = runs_;
      fewest[i] = std::min(fewest[i], how.first);
    }
    reached_.clear();
    is_there_ = false;
  }

  using Look = std::multiset<uint64_t>;
  std::vector<uint64_t> episodes;
  std::vector<std::set<Look>> ways;
  std::vector<uint64_t> first;
  std::vector<size_t> fewest;

 private:
  uint32_t colouring_;
  std::vector<uint32_t> numbers_;
  bool is_there_ = false;
  std::map<size_t, std::pair<size_t, Look>> reached_;
  uint64_t runs_ = 0;
};

// Whether the predicate holds where the run ends, and nowhere before.
bool leads_to(const Checkable& subject, const ShortForm& path, const std::string& predicate) {
  const auto world = subject.world();
  const auto number = world->predicate(predicate);
  if (!number || !world->reset(path.initial)) return false;
  for (const uint32_t choice : path.choices) {
    if (world->holds(*number) || !world->apply(choice)) return false;
  }
  return world->holds(*number);
}

TEST(WaypointCoverage, IsWhatANaiveCountOfAllStatesSays) {
  const std::vector<std::string> predicates = {"Cube(1)", "Cube(2)", "Cube(3)"};
  const auto subject = cubes();
  const auto world = subject.world();
  Options options = toward("waypoint", "cube-3");
  options.strategy_options["horizon"] = "40";
  const auto scheduler = scheduler_of(subject, options, *world);
  Recount naive(*world, predicates);
  watch_runs(*world, *scheduler, naive, 400, 1000);
  const Learning told = *scheduler->learning();
  ASSERT_EQ(told.waypoints.size(), 3U);
  EXPECT_GT(told.waypoints[2].episodes, 10U);
  for (size_t i = 0; i < 3; ++i) {
    const Learning::Waypoint& one = told.waypoints[i];
    EXPECT_EQ(one.predicate, predicates[i]);
    EXPECT_EQ(one.episodes, naive.episodes[i]) << i;
    EXPECT_EQ(one.ways, naive.ways[i].size()) << i;
    ASSERT_TRUE(one.first && one.best) << i;
    EXPECT_EQ(*one.first, naive.first[i]) << i;
    EXPECT_EQ(one.best->steps, naive.fewest[i]) << i;
    EXPECT_GE(one.best->episode, *one.first) << i;
    EXPECT_TRUE(leads_to(subject, one.best->path, predicates[i])) << i;
  }
  EXPECT_EQ(told.target_episodes, told.waypoints[2].episodes);
}

TEST(WaypointCoverage, OfSystemsHasRunsThatEndWhereTheWaypointFirstHolds) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(suite, {.system = "raft", .parameters = {{"terms", "3"}}});
  ASSERT_TRUE(chosen);
  for (const char* strategy : {"waypoint", "branching"}) {
    Options options = toward(strategy, "OneInTerm(2), LeaderInTerm(2)");
    options.max_runs = 300;
    const auto report = check(*chosen->checkable, options);
    ASSERT_TRUE(report) << report.error().message;
    for (const Learning::Waypoint& one : report->learning->waypoints) {
      ASSERT_TRUE(one.best) << strategy << " " << one.predicate;
      EXPECT_GE(one.episodes, one.ways);
      // A learner looks at rests only: it may have been so on the way already.
      const auto world = chosen->checkable->world();
      const uint32_t number = *world->predicate(one.predicate);
      ASSERT_TRUE(world->reset(one.best->path.initial));
      for (const uint32_t choice : one.best->path.choices) ASSERT_TRUE(world->apply(choice));
      EXPECT_TRUE(world->holds(number)) << strategy << " " << one.predicate;
    }
  }
}

TEST(WaypointCoverage, IsInTheReportAndInJson) {
  Options options = toward("waypoint", "cube-3");
  options.strategy_options["horizon"] = "40";
  options.max_runs = 400;
  const auto report = check(cubes(), options);
  ASSERT_TRUE(report) << report.error().message;
  const Learning::Waypoint& last = report->learning->waypoints.back();
  ASSERT_TRUE(last.best);
  const std::string text = to_text(*report);
  const std::string line = "Cube(3): in " + std::to_string(last.episodes) +
                           " episodes, 1 way, first in episode " + std::to_string(*last.first) +
                           ", at best after " + std::to_string(last.best->steps) + " steps";
  EXPECT_EQ(last.ways, 1U);
  EXPECT_NE(text.find(line), text.npos) << text;
  EXPECT_NE(text.find("the quickest run there: "), text.npos) << text;
  const std::string json = to_json(*report);
  EXPECT_NE(json.find("\"ways\": 1"), json.npos);
  EXPECT_NE(json.find("\"best\": {"), json.npos);
}

// --- Branching -----------------------------------------------------------------------------------

TEST(Branching, ComesToATargetThatRandomRunsDoNot) {
  Options options = toward("branching", "cube-3");
  options.max_runs = 2000;
  options.max_depth = 60;
  const auto branched = check(cubes(), options);
  ASSERT_TRUE(branched) << branched.error().message;
  options.strategy = "random";
  options.strategy_options = {{"target", "Cube(3)"}};
  const auto drawn = check(cubes(), options);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_GT(*branched->learning->target_coverage, *drawn->learning->target_coverage);
  const auto& waypoints = branched->learning->waypoints;
  ASSERT_EQ(waypoints.size(), 3U);
  for (const Learning::Waypoint& one : waypoints) {
    ASSERT_TRUE(one.best) << one.predicate;
    EXPECT_TRUE(leads_to(cubes(), one.best->path, one.predicate));
    EXPECT_EQ(one.best->steps, one.best->path.choices.size());
  }
}

TEST(Branching, FromTheStartAloneIsRandom) {
  Options options = toward("branching", "cube-3");
  options.max_runs = 60;
  options.max_depth = 200;
  options.seed = 7;
  options.strategy_options["from_start"] = "1";
  const auto branched = check(cubes(), options);
  ASSERT_TRUE(branched) << branched.error().message;
  options.strategy = "random";
  options.strategy_options = {{"target", "Cube(3)"}};
  const auto drawn = check(cubes(), options);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(branched->distinct_states, drawn->distinct_states);
  EXPECT_EQ(branched->transitions, drawn->transitions);
  EXPECT_EQ(branched->learning->coverage, drawn->learning->coverage);
  EXPECT_EQ(branched->learning->target_coverage, drawn->learning->target_coverage);
  EXPECT_EQ(branched->learning->target_episodes, drawn->learning->target_episodes);
}

// The way to where a run begins is not gone again: only what comes behind it is taken and counts.
class Steps : public explore::RunObserver {
 public:
  void step(const explore::StepTaken&) override { ++counted; }
  void take(World&, uint32_t) override { ++taken; }
  void end(World&, const ShortForm& path, explore::RunEnd) override {
    in_paths += path.choices.size();
  }
  uint64_t counted = 0;
  uint64_t taken = 0;
  uint64_t in_paths = 0;
};

TEST(Branching, CountsTheWayToItsBranchesOnce) {
  const auto subject = cubes();
  const auto world = subject.world();
  Options options = toward("branching", "Cube(1)");
  options.strategy_options["from_start"] = "0";
  const auto scheduler = scheduler_of(subject, options, *world);
  Steps steps;
  watch_runs(*world, *scheduler, steps, 200, 60);
  const Learning told = *scheduler->learning();
  EXPECT_EQ(told.steps, steps.counted);
  EXPECT_EQ(steps.counted, steps.taken);
  EXPECT_LT(steps.taken, steps.in_paths);
  // Runs that begin at the waypoint do not come to it once more.
  EXPECT_LT(told.waypoints[0].episodes, 200U);
  EXPECT_EQ(told.target_episodes, 200U - *told.waypoints[0].first + 1);
}

TEST(Branching, IsTheSameForTheSameSeedAndOnlyForThat) {
  const auto seeded = [](uint64_t seed) {
    Options options = toward("branching", "cube-3");
    options.seed = seed;
    options.max_runs = 50;
    options.max_depth = 40;
    const auto report = check(cubes(), options);
    EXPECT_TRUE(report);
    return std::vector<uint64_t>{report->distinct_states, report->transitions,
                                 *report->learning->target_coverage};
  };
  EXPECT_EQ(seeded(1), seeded(1));
  EXPECT_NE(seeded(1), seeded(2));
}

TEST(Branching, FindsAPlantedBugBehindAWaypointAndItsTraceReplays) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(
      suite, {.system = "raft",
              .parameters = {{"terms", "3"}, {"candidates", "0"}, {"bug", "vote-keeps-term"}}});
  ASSERT_TRUE(chosen) << chosen.error().message;
  Options options = toward("branching", "LeaderInTerm(1)");
  chosen->label(options);
  const auto report = check(*chosen->checkable, options);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->verdict, Verdict::kViolated);
  const auto again = replay(*chosen->checkable, *report->violations[0].trace);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->reproduced) << again->why;
}

TEST(Branching, MustBeToldWhereTo) {
  const auto message = [](const Options& options) {
    const auto report = check(cubes(), options);
    return report ? std::string("accepted") : report.error().message;
  };
  Options nowhere;
  nowhere.strategy = "branching";
  EXPECT_NE(message(nowhere).find("strategy branching needs to be told where to"),
            std::string::npos);
  EXPECT_NE(message(toward("branching", "cube-4")).find("cube-3"), std::string::npos);
  Options none = toward("branching", "cube-3");
  none.strategy_options["ways"] = "0";
  EXPECT_NE(message(none).find("ways"), std::string::npos);
}

}  // namespace way
}  // namespace
}  // namespace ordeal::oracle::learning
