#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "explore/learn/exact_math.h"
#include "ordeal/check.h"
#include "ordeal/model.h"
#include "protocols/cube_world/cube_world.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/problems.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle::learning {
namespace {

using protocols::cube_world::CubeWorld;

TEST(Learners, LearnFromRandomEpisodesWhatTheThesisPrints) {
  EXPECT_EQ(problem_with_bonus_max(500), "");
  EXPECT_EQ(problem_with_waypoints(500), "");
}

TEST(Partitions, NothingCrossesTheBlocksThatALearnerMakes) { EXPECT_EQ(problem_with_blocks(), ""); }

// The Bell numbers: OEIS A000110.
TEST(Partitions, AreAsManyAsBellCounts) {
  const std::vector<size_t> bell = {1, 1, 2, 5, 15, 52, 203, 877};
  for (size_t n = 0; n < bell.size(); ++n) {
    EXPECT_EQ(explore::all_divisions(n).size(), bell[n]);
    std::set<uint64_t> keys;
    for (const explore::Blocks& blocks : explore::all_divisions(n)) {
      keys.insert(explore::key_by_identities(blocks));
    }
    EXPECT_EQ(keys.size(), bell[n]);
  }
}

TEST(Partitions, OfColoursDoNotDependOnWhoIsWhere) {
  Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    const auto& ways = explore::all_divisions(4);
    const explore::Blocks& blocks = ways[rng.below(ways.size())];
    std::vector<uint64_t> colours;
    for (int i = 0; i < 4; ++i) colours.push_back(rng.below(3));
    // The naive form: a sorted list of sorted lists.
    const auto naive = [](const explore::Blocks& in, const std::vector<uint64_t>& of) {
      std::map<uint8_t, std::vector<uint64_t>> parts;
      for (size_t i = 0; i < in.size(); ++i) parts[in[i]].push_back(of[i]);
      std::vector<std::vector<uint64_t>> all;
      for (auto& [block, part] : parts) {
        std::sort(part.begin(), part.end());
        all.push_back(part);
      }
      std::sort(all.begin(), all.end());
      return all;
    };
    const explore::Blocks& other = ways[rng.below(ways.size())];
    std::vector<uint64_t> moved = colours;
    std::swap(moved[rng.below(4)], moved[rng.below(4)]);
    EXPECT_EQ(naive(blocks, colours) == naive(other, moved),
              explore::key_by_colours(blocks, colours) == explore::key_by_colours(other, moved));
  }
}

TEST(ExactMath, IsWithinAFewUnitsOfTheLibrarys) {
  for (double x = -30; x < 30; x += 0.37) {
    EXPECT_NEAR(explore::exact_exp(x) / std::exp(x), 1, 1e-14) << x;
  }
  for (double x = 1e-6; x < 1e12; x *= 1.7) {
    EXPECT_NEAR(explore::exact_log(x), std::log(x), 1e-13 * std::max(1.0, std::abs(std::log(x))));
  }
}

TEST(QTable, KeepsNoMoreThanItMay) {
  QTable table(1, 100);
  for (uint64_t key = 1; key <= 150; ++key) {
    QTable::Entry* entry = table.put(key);
    EXPECT_EQ(entry != nullptr, key <= 100);
    if (entry != nullptr) entry->value = static_cast<float>(key);
  }
  EXPECT_TRUE(table.is_full());
  EXPECT_EQ(table.size(), 100U);
  EXPECT_EQ(table.value(77), 77);
  EXPECT_EQ(table.value(101), 1);
}

TEST(QTable, ComesBackFromAFileAndRefusesOthers) {
  const e2e::Folder folder;
  const std::string file = folder.path() + "/table";
  QTable table(1, 1000);
  for (uint64_t key = 1; key <= 500; ++key) *table.put(key * 977) = {key * 977, 0.5F, 3};
  ASSERT_TRUE(explore::write_table(file, "cubes", table));
  QTable again(1, 1000);
  ASSERT_TRUE(explore::read_table(file, "cubes", again));
  EXPECT_EQ(again.size(), 500U);
  EXPECT_EQ(again.value(977), 0.5F);
  EXPECT_EQ(again.visits(977), 3U);
  QTable other(1, 1000);
  const auto foreign = explore::read_table(file, "raft", other);
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().message.find("learned about something else"), std::string::npos);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_FALSE(explore::read_table(file, "cubes", other));
}

// --- In the cube world ---------------------------------------------------------------------------

Options learn(const std::string& strategy, std::map<std::string, std::string> settings = {}) {
  Options options;
  options.strategy = strategy;
  options.system = "cubes";
  options.strategy_options = {{"episodes", "400"}, {"horizon", "40"}};
  for (auto& [name, value] : settings) options.strategy_options[name] = value;
  return options;
}

Model<CubeWorld> small_cubes() {
  CubeWorld world;
  world.cubes = 4;
  world.width = world.breadth = 5;
  world.depth = 3;
  return model(world);
}

Learning learned(const Checkable& subject, const Options& options) {
  const Result<Report> report = check(subject, options);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report && report->learning ? *report->learning : Learning{};
}

TEST(LearningStrategies, CoverNoMoreThanThereIs) {
  for (const char* strategy : {"bonusmax", "negrl", "ucbzero", "egreedy", "uniform"}) {
    const Learning out = learned(small_cubes(), learn(strategy));
    EXPECT_EQ(out.environment, "actions");
    EXPECT_EQ(out.episodes, 400U) << strategy;
    EXPECT_EQ(out.steps, 400U * 40) << strategy;
    EXPECT_GT(out.coverage, 10U) << strategy;
    EXPECT_LE(out.coverage, 4U * 5 * 5 * 3) << strategy;
  }
}

TEST(LearningStrategies, AreTheSameForTheSameSeedAndOnlyForThat) {
  for (const char* strategy : {"bonusmax", "negrl", "ucbzero", "egreedy", "uniform"}) {
    const auto seeded = [&](uint64_t seed) {
      Options options = learn(strategy, {{"episodes", "50"}});
      options.seed = seed;
      const Result<Report> report = check(small_cubes(), options);
      EXPECT_TRUE(report);
      const Learning& out = *report->learning;
      return std::vector<uint64_t>{report->distinct_states, out.coverage, out.pairs};
    };
    const std::vector<uint64_t> first = seeded(0);
    EXPECT_EQ(first, seeded(0)) << strategy;
    bool differs = false;
    for (uint64_t seed = 1; seed < 5; ++seed) differs = differs || seeded(seed) != first;
    EXPECT_TRUE(differs) << strategy;
  }
}

// Figure 4.1 and 4.4 of the thesis, in the cube world with its numbers and fewer episodes.
TEST(LearningStrategies, OfNoveltyCoverMoreThanDrawingAndOptimismLess) {
  const auto covered = [](const char* strategy) {
    return learned(model(CubeWorld()), learn(strategy, {{"episodes", "2000"}, {"horizon", "80"}}))
        .coverage;
  };
  const uint64_t drawn = covered("uniform");
  EXPECT_GT(covered("bonusmax"), drawn);
  EXPECT_GT(covered("negrl"), drawn);
  EXPECT_LT(covered("ucbzero"), drawn);
}

TEST(Waypoints, LeadToATargetThatNoveltyHardlyReaches) {
  const Options to = learn("waypoint", {{"waypoints", "cube-3"}});
  const Learning led = learned(small_cubes(), to);
  ASSERT_EQ(led.waypoints.size(), 3U);
  EXPECT_EQ(led.target, "Cube(3)");
  ASSERT_TRUE(led.waypoints[2].first);
  EXPECT_GE(led.waypoints[0].episodes, led.waypoints[1].episodes);
  EXPECT_GE(led.waypoints[1].episodes, led.waypoints[2].episodes);
  const Learning drawn = learned(small_cubes(), learn("uniform", {{"target", "Cube(3)"}}));
  EXPECT_GT(*led.target_coverage, *drawn.target_coverage);
}

TEST(Waypoints, ThatAreNeverReachedAreReportedWithTheRunThatCameClosest) {
  const Options options =
      learn("waypoint", {{"waypoints", "Cube(1), Cube(3)"}, {"episodes", "30"}, {"horizon", "9"}});
  const Result<Report> report = check(small_cubes(), options);
  ASSERT_TRUE(report) << report.error().message;
  const Learning& out = *report->learning;
  EXPECT_FALSE(out.waypoints[1].first);
  ASSERT_TRUE(out.waypoints[0].first);
  ASSERT_TRUE(out.closest);
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes[0].find("no episode came to Cube(3)"), std::string::npos);
  // The run is what it says: it comes to cube 1.
  const auto trace = record(small_cubes(), *out.closest, options);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->steps.size(), out.closest->choices.size());
}

TEST(Waypoints, ThatAreTrueAtTheStartAreNamed) {
  const auto report = check(small_cubes(), learn("waypoint", {{"waypoints", "Cube(0), Cube(1)"}}));
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->notes.empty());
  EXPECT_EQ(report->notes[0], "waypoints that are true where runs begin lead nowhere: Cube(0)");
}

TEST(Waypoints, MustBeGivenAndKnown) {
  const auto message = [](const Options& options) {
    const auto report = check(small_cubes(), options);
    return report ? std::string("accepted") : report.error().message;
  };
  EXPECT_NE(message(learn("waypoint")).find("needs to be told where to"), std::string::npos);
  EXPECT_NE(message(learn("waypoint", {{"waypoints", "Cub(1)"}})).find("Cube"), std::string::npos);
  EXPECT_NE(message(learn("waypoint", {{"waypoints", "cube-4"}})).find("cube-3"),
            std::string::npos);
  EXPECT_NE(message(learn("waypoint", {{"waypoints", "Cube(1"}})).find("is no predicate"),
            std::string::npos);
  EXPECT_NE(message(learn("bonusmax", {{"waypoints", "cube-3"}})).find("waypoint"),
            std::string::npos);
  EXPECT_NE(message(learn("bonusmax", {{"colouring", "tip"}})).find("top"), std::string::npos);
  EXPECT_NE(message(learn("bonusmax", {{"measure", "tip"}})).find("top"), std::string::npos);
  EXPECT_NE(message(learn("bonusmax", {{"environment", "partition"}})).find("no two nodes"),
            std::string::npos);
  EXPECT_NE(message(learn("bonusmax", {{"ticks", "2"}})).find("another environment"),
            std::string::npos);
}

TEST(Coverage, IsMeasuredByAColouringOfItsOwn) {
  const Learning by_top = learned(small_cubes(), learn("bonusmax", {{"measure", "top"}}));
  EXPECT_LE(by_top.coverage, 4U * 5 * 5);
  const Learning seen =
      learned(small_cubes(), learn("bonusmax", {{"colouring", "top"}, {"measure", "default"}}));
  EXPECT_GT(seen.coverage, by_top.coverage);
}

TEST(Tables, AreGoneOnWith) {
  const e2e::Folder folder;
  const std::string file = folder.path() + "/table";
  const Options options = learn("bonusmax", {{"table", file}});
  const Learning first = learned(small_cubes(), options);
  const Learning second = learned(small_cubes(), options);
  EXPECT_GE(second.pairs, first.pairs);
  Options other = learn("bonusmax", {{"table", file}, {"colouring", "top"}});
  const auto refused = check(small_cubes(), other);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("learned about something else"), std::string::npos);
}

// --- Systems -------------------------------------------------------------------------------------

TEST(Colours, ThatAreNoFunctionsOfTheStateAreFoundOut) {
  System system = gossip(3);
  const auto calls = std::make_shared<int>(0);
  system.colour<Gossiper>([calls](const Gossiper&) { return ++*calls; });
  const auto report = check(system, learn("bonusmax"));
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("is not a function of the state"), std::string::npos)
      << report.error().message;
}

std::string refusal(const Checkable& subject, const Options& options) {
  const auto report = check(subject, options);
  return report ? std::string("accepted") : report.error().message;
}

TEST(Colours, OfModelsThatAreNoFunctionsOfTheStateAreFoundOut) {
  Model<CubeWorld> cubes = small_cubes();
  const auto calls = std::make_shared<int>(0);
  cubes.colour({"fickle"}, [calls](const CubeWorld::State&) { return ++*calls; });
  EXPECT_NE(refusal(cubes, learn("bonusmax", {{"colouring", "fickle"}})).find("two colours"),
            std::string::npos);
  Options measured;
  measured.strategy = "random";
  measured.strategy_options = {{"measure", "fickle"}};
  const std::string refused = refusal(cubes, measured);
  EXPECT_NE(refused.find("two colours"), std::string::npos) << refused;
}

TEST(Colours, OfAModelAreDeclaredOnce) {
  Model<CubeWorld> cubes = small_cubes();
  for (int i = 0; i < 2; ++i) cubes.colour({"default"}, [](const CubeWorld::State&) { return 1; });
  EXPECT_EQ(refusal(cubes, learn("bonusmax")), "the default colouring is declared twice");
}

TEST(Predicates, ThatAreNoFunctionsOfTheStateAreFoundOut) {
  const auto calls = std::make_shared<int>(0);
  System system = gossip(3);
  system.predicate("Fickle", "now and then", [calls](const View&) { return ++*calls % 2 == 0; });
  EXPECT_NE(refusal(system, learn("bonusmax", {{"target", "Fickle"}})).find("yes and no"),
            std::string::npos);
  Model<CubeWorld> cubes = small_cubes();
  cubes.predicate("Fickle", "now and then",
                  [calls](const CubeWorld::State&) { return ++*calls % 2 == 0; });
  EXPECT_NE(refusal(cubes, learn("bonusmax", {{"target", "Fickle"}})).find("yes and no"),
            std::string::npos);
}

TEST(Coverage, IsNotCountedUnderAScenarioAndSaysSo) {
  const Suite suite = protocols::suite();
  const auto ready = make_ready(suite, **find_scenario(suite, "raft-drop-votes"), {});
  ASSERT_TRUE(ready);
  for (const char* field : {"measure", "target"}) {
    Options options;
    options.strategy = "random";
    options.strategy_options[field] = "default";
    const auto report = run(ready->scenario, *ready->chosen.checkable, options);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("has no place for"), std::string::npos);
  }
}

TEST(LearningStrategies, FindAPlantedBugAndItsTraceReplays) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(
      suite, {.system = "raft",
              .parameters = {{"terms", "3"}, {"candidates", "0"}, {"bug", "vote-keeps-term"}}});
  ASSERT_TRUE(chosen) << chosen.error().message;
  for (const char* strategy : {"bonusmax", "uniform"}) {
    for (const char* environment : {"partition", "actions"}) {
      Options options = learn(strategy, {{"episodes", "3000"}, {"environment", environment}});
      chosen->label(options);
      const auto report = check(*chosen->checkable, options);
      ASSERT_TRUE(report) << report.error().message;
      ASSERT_EQ(report->verdict, Verdict::kViolated) << strategy << " " << environment;
      const auto again = replay(*chosen->checkable, *report->violations[0].trace);
      ASSERT_TRUE(again);
      EXPECT_TRUE(again->reproduced) << again->why;
    }
  }
}

}  // namespace
}  // namespace ordeal::oracle::learning
