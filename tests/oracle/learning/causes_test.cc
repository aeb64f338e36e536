// What a learner sees of causes, held against going back from each step and against all runs of
// small systems; and what those that lead others do, as the broken engines are held to it.
#include "tests/oracle/learning/causes.h"

#include <gtest/gtest.h>

#include <iostream>

#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/leaders.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace causes {

TEST(Causes, AreWhatGoingBackFromEachStepFinds) { EXPECT_EQ(problem_with_causal_order(3000), ""); }

TEST(Causes, AreTheSameForRunsThatDifferByIndependentSteps) {
  CausesCount count;
  EXPECT_EQ(problem_with_swaps(1500, count), "");
  std::cout << count.systems << " systems, " << count.runs << " runs, " << count.orders
            << " partial orders; all told apart in " << count.told_apart << "\n";
  EXPECT_GT(count.systems, 100U);
  EXPECT_GT(count.runs, 2 * count.orders);
  EXPECT_GT(count.told_apart * 10, count.systems * 5);
}

Options seen(std::map<std::string, std::string> settings) {
  Options options;
  options.strategy = "bonusmax";
  options.strategy_options = {{"environment", "causes"}, {"episodes", "60"}, {"horizon", "20"}};
  for (auto& [name, value] : settings) options.strategy_options[name] = value;
  return options;
}

// In a world: two actions that are independent where they meet, one way and the other.
TEST(Causes, OfAWorldLookTheSameHoweverIndependentActionsCome) {
  const System system = gossip(4);
  const auto world = system.world();
  const auto kind = explore::causes_environment();
  Options options;
  options.strategy_options = {{"causes", "0"}};
  const auto one = kind.make(options, *world, 0);
  ASSERT_TRUE(one);
  explore::Environment& environment = **one;
  const auto look = [&](const std::vector<uint64_t>& keys) {
    EXPECT_TRUE(world->reset(0));
    environment.begin(*world);
    for (const uint64_t key : keys) {
      uint32_t index = 0;
      while (world->key(index) != key) ++index;
      environment.step(*world, index);
      EXPECT_TRUE(world->apply(index));
    }
    std::vector<uint64_t> actions;
    return environment.look(*world, actions);
  };
  size_t swapped = 0;
  size_t kept = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    std::vector<uint64_t> keys;
    look(keys);
    for (int i = 0; i < 6; ++i) {
      const uint32_t index = static_cast<uint32_t>(rng.below(world->enabled().size()));
      keys.push_back(world->key(index));
      ASSERT_TRUE(world->apply(index));
    }
    const uint32_t count = static_cast<uint32_t>(world->enabled().size());
    for (uint32_t a = 0; a < count; ++a) {
      for (uint32_t b = a + 1; b < count; ++b) {
        look(keys);
        Footprint first;
        Footprint second;
        world->footprint(a, first);
        world->footprint(b, second);
        const uint64_t key_a = world->key(a);
        const uint64_t key_b = world->key(b);
        std::vector<uint64_t> way = keys;
        way.insert(way.end(), {key_a, key_b});
        std::vector<uint64_t> other = keys;
        other.insert(other.end(), {key_b, key_a});
        if (independent(first, second)) {
          EXPECT_EQ(look(way), look(other));
          ++swapped;
        } else if (key_a != key_b) {
          ++kept;
        }
      }
    }
  }
  EXPECT_GT(swapped, 50U);
  EXPECT_GT(kept, 10U);
}

TEST(Causes, AreOneMoreEnvironmentOfEveryLearner) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(suite, {.system = "raft", .parameters = {{"terms", "2"}}});
  ASSERT_TRUE(chosen);
  const auto told = [&](std::map<std::string, std::string> settings, uint64_t seed) {
    Options options = seen(std::move(settings));
    options.seed = seed;
    const auto report = check(*chosen->checkable, options);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? *report->learning : Learning();
  };
  const Learning out = told({}, 1);
  EXPECT_EQ(out.environment, "causes");
  EXPECT_EQ(out.episodes, 60U);
  EXPECT_EQ(out.pairs, told({}, 1).pairs);
  EXPECT_NE(out.pairs, told({}, 2).pairs);
  // What is seen of more layers is more.
  EXPECT_LT(told({{"causes", "1"}}, 1).pairs, told({{"causes", "0"}}, 1).pairs);
}

TEST(Causes, AreRefusedWhereTheyMakeNoSense) {
  const auto message = [](const Options& options) {
    const auto report = check(gossip(3), options);
    return report ? std::string("accepted") : report.error().message;
  };
  EXPECT_NE(message(seen({{"causes", "-1"}})).find("causes -1: out of range"), std::string::npos)
      << message(seen({{"causes", "-1"}}));
  EXPECT_NE(message(seen({{"environment", "actions"}, {"causes", "1"}}))
                .find("is for another environment than actions"),
            std::string::npos);
  EXPECT_NE(message(seen({{"environment", "causs"}})).find("causes"), std::string::npos);
  EXPECT_NE(message(seen({{"beside", "colour"}})).find("colours"), std::string::npos);
}

TEST(Leaders, DoWhatTheBrokenOnesDoNot) {
  EXPECT_EQ(problem_with_portfolio(), "");
  EXPECT_EQ(problem_with_branching(), "");
  EXPECT_EQ(problem_with_hitting(), "");
  EXPECT_EQ(problem_with_mining(), "");
}

}  // namespace causes
}  // namespace
}  // namespace ordeal::oracle::learning
