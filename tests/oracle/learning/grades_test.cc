// Predicates that say how far they are from being so, and what learners make of it.
#include <gtest/gtest.h>

#include <set>

#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/guided.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace grades {

using guided::cubes;
using guided::CubeWorld;
using guided::learned;
using guided::refused;
using guided::with;

TEST(Grades, ChangeNoValueInTheEndButWhereItBegins) {
  // The same episodes again and again: what began differently comes to the same.
  Rng rng(5);
  AgentSettings settings;
  settings.alpha = 0.3;
  settings.gamma = 0.9;
  settings.target = 2;
  settings.most_entries = 1000;
  AgentSettings graded = settings;
  graded.grade = 2;
  std::vector<MachineEpisode> episodes;
  for (int i = 0; i < 12; ++i) {
    episodes.push_back(machine_episode(rng, settings.target, false));
    // A distance that is a function of what the learner sees.
    for (Episode::Moment& moment : episodes.back().episode.moments) {
      if (moment.predicate != settings.target) {
        moment.distance = static_cast<uint32_t>(moment.state % 3);
      }
    }
  }
  const auto plain = explore::waypoint_agent(settings);
  const auto shaped = explore::waypoint_agent(graded);
  for (int round = 0; round < 4000; ++round) {
    for (const MachineEpisode& one : episodes) {
      plain->learn_episode(one.episode);
      shaped->learn_episode(one.episode);
    }
  }
  size_t compared = 0;
  for (const MachineEpisode& one : episodes) {
    for (size_t i = 0; i < one.episode.steps(); ++i) {
      const Episode::Moment& moment = one.episode.moments[i];
      const uint64_t part = moment.distance
                                ? combine(moment.predicate, uint64_t{*moment.distance} + 1)
                                : moment.predicate;
      const double promise = moment.distance ? 2.0 * std::pow(0.9, *moment.distance) : 0;
      const uint64_t action = one.episode.picked_at(i);
      const float a =
          plain->table()->value(explore::pair_key(moment.predicate, moment.state, action));
      const float b = shaped->table()->value(explore::pair_key(part, moment.state, action));
      EXPECT_NEAR(a, b + promise, 2e-3) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(Grades, LeadToATargetWithoutWaypointsBefore) {
  std::map<std::string, std::string> settings = {{"waypoints", "Cube(3)"}, {"reward", "20"}};
  const uint64_t plain = learned(cubes(), with(settings)).target_episodes;
  settings["grade"] = "15";
  EXPECT_GT(learned(cubes(), with(settings)).target_episodes, plain + 100);
}

TEST(Grades, ThatPromiseMoreThanWaypointsPayAreNamed) {
  const auto noted = [](const char* grade) {
    const auto report = check(cubes(), with({{"waypoints", "Cube(1)"}, {"grade", grade}}));
    EXPECT_TRUE(report);
    const auto says = [](const std::string& note) {
      return note.find("all that is near is tried before") != note.npos;
    };
    return std::any_of(report->notes.begin(), report->notes.end(), says);
  };
  EXPECT_FALSE(noted("0"));
  EXPECT_FALSE(noted("0.9"));
  EXPECT_TRUE(noted("0.91"));
}

TEST(Grades, TellTheLeastDistanceThatAnyStateHad) {
  const Options options = with({{"waypoints", "Cube(1), Cube(3)"}, {"horizon", "9"}});
  const Model<CubeWorld> subject = cubes();
  const auto report = check(subject, options);
  ASSERT_TRUE(report) << report.error().message;
  // Counted again: the states of all runs, one by one.
  const auto world = subject.world();
  const auto scheduler = scheduler_of(subject, options, *world);
  class Nearest : public explore::RunObserver {
   public:
    explicit Nearest(uint32_t predicate) : predicate_(predicate) {}
    bool arrive(const explore::Arrival& at) override {
      least = std::min(least, *at.world.distance(predicate_));
      return true;
    }
    uint32_t least = ~0U;

   private:
    uint32_t predicate_;
  } nearest(*world->predicate("Cube(3)"));
  watch_runs(*world, *scheduler, nearest, 400, 1000);
  const auto& waypoints = report->learning->waypoints;
  EXPECT_EQ(waypoints[0].least, 0U);
  EXPECT_EQ(waypoints[1].least, nearest.least);
  EXPECT_GT(nearest.least, 0U);
  EXPECT_LT(nearest.least, 15U);  // what it is at the start
  EXPECT_NE(
      report->notes[0].find("; the least distance to it was " + std::to_string(nearest.least)),
      std::string::npos)
      << report->notes[0];
  EXPECT_NE(to_json(*report).find("\"least_distance\": " + std::to_string(nearest.least)),
            std::string::npos);
}

TEST(Grades, ThatAreNoFunctionsOfTheStateAreFoundOut) {
  const auto calls = std::make_shared<int>(0);
  Model<Yard> subject = yard();
  subject.graded("Fickle", "now and then", [calls](const Yard::State&) { return ++*calls + 1; });
  const std::string said = refused(subject, with({{"waypoints", "Fickle"}}));
  EXPECT_NE(said.find("gives two numbers"), std::string::npos) << said;
  System system = gossip(3);
  system.graded("Fickle", "now and then", [calls](const View&) { return ++*calls + 1; });
  const std::string of_system = refused(system, with({{"waypoints", "Fickle"}}));
  EXPECT_NE(of_system.find("gives two numbers"), std::string::npos) << of_system;
}

// Gossips as an object of its own, in a process of its own.
class LiveGossiper {
 public:
  using Messages = Types<Gossip>;
  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.broadcast(Gossip{});
  }
  void on(Context& ctx, NodeId, const Gossip& gossip) {
    if (gossip.hop < 2) ctx.broadcast(Gossip{gossip.hop + 1});
  }
};

// So many messages fewer than there are on their way.
void grade_by_messages(System& system) {
  system.graded("Quiet", "at most so many messages are on their way (<=)", [](int most) {
    return [most](const View& view) { return static_cast<int>(view.messages().size()) - most; };
  });
  system.predicate("Loud", "so many messages are on their way (>=)", [](int least) {
    return [least](const View& view) { return static_cast<int>(view.messages().size()) >= least; };
  });
}

void expect_distances_of_messages(World& world) {
  const uint32_t quiet = *world.predicate("Quiet(1)");
  const uint32_t loud = *world.predicate("Loud(1)");
  std::set<uint32_t> seen;
  for (uint64_t run = 0; run < 6; ++run) {
    Rng rng(run);
    ASSERT_TRUE(world.reset(0));
    for (int step = 0; step < 12; ++step) {
      const size_t pending = world.observe().pending.size();
      ASSERT_TRUE(world.distance(quiet));
      EXPECT_EQ(*world.distance(quiet), pending < 1 ? 0 : pending - 1);
      EXPECT_EQ(world.holds(quiet), pending <= 1);
      EXPECT_FALSE(world.distance(loud));
      EXPECT_EQ(world.holds(loud), pending >= 1);
      seen.insert(*world.distance(quiet));
      if (world.enabled().empty()) break;
      ASSERT_TRUE(world.apply(static_cast<uint32_t>(rng.below(world.enabled().size()))));
    }
  }
  EXPECT_GE(seen.size(), 3U);
}

TEST(Grades, AreAskedOfSystemsOfObjectsAndOfScenarios) {
  System system = gossip(3);
  grade_by_messages(system);
  expect_distances_of_messages(*system.world());
  System objects;
  objects.add_opaque<LiveGossiper>(3, [](NodeId) { return std::make_unique<LiveGossiper>(); });
  grade_by_messages(objects);
  expect_distances_of_messages(*objects.world());
  Scenario counted("what is received is counted");
  counted.filter(when(is_receive()).then(count("received")));
  const auto product = under(counted, system);
  ASSERT_TRUE(product) << product.error().message;
  expect_distances_of_messages(*(*product)->world());
}

// The library's: a graded predicate holds where its distance is 0, and only there.
TEST(Grades, OfTheLibrariesHoldWhereTheyAreNothing) {
  const Suite suite = protocols::suite();
  for (const char* name : {"raft", "rsl"}) {
    const auto chosen = choose(suite, {.system = name});
    ASSERT_TRUE(chosen);
    const auto world = chosen->checkable->world();
    std::vector<uint32_t> graded;
    for (const PredicateFamily& family : chosen->checkable->steering().predicates) {
      if (!family.graded) continue;
      for (int n = 0; n < 4; ++n) {
        graded.push_back(*world->predicate(family.name + "(" + std::to_string(n) + ")"));
      }
    }
    ASSERT_GE(graded.size(), 16U);
    std::set<uint32_t> seen;
    for (uint64_t run = 0; run < 60; ++run) {
      Rng rng(run);
      ASSERT_TRUE(world->reset(0));
      for (int step = 0; step < 60 && !world->enabled().empty(); ++step) {
        for (const uint32_t one : graded) {
          const auto far = world->distance(one);
          ASSERT_TRUE(far);
          EXPECT_EQ(*far == 0, world->holds(one));
          seen.insert(*far);
        }
        if (!world->apply(static_cast<uint32_t>(rng.below(world->enabled().size())))) break;
      }
    }
    EXPECT_GE(seen.size(), 3U) << name;
  }
}

}  // namespace grades
}  // namespace
}  // namespace ordeal::oracle::learning
