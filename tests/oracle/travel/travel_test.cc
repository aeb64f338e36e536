// States that leave the process: two processes that have interned different things exchange states
// as content, walk in lockstep, and agree on everything they say.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ordeal/ordeal.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "system/scenario/monitor.h"
#include "system/scenario/product.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/scenario/random_scenario.h"
#include "tests/oracle/travel/other_process.h"

namespace ordeal::oracle {
namespace travel_test {

TEST(Travel, StatesOfRandomSystemsAreTheSameInTwoProcesses) {
  uint64_t steps = 0;
  std::map<std::string, int> features;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    const Case item = generate(seed);
    for (const std::string& feature : item.features) ++features[feature];
    const auto make = [&] { return item.system.space(); };
    EXPECT_EQ(problem_with_travel(make, seed, 2, 25, steps), "") << "seed " << seed;
  }
  EXPECT_GT(steps, 1500U);
  for (const char* feature :
       {"network ordered", "network set", "history", "persist", "component"}) {
    EXPECT_GT(features[feature], 3) << feature;
  }
}

TEST(Travel, StatesOfNodesMadeAtRunTimeToo) {
  uint64_t steps = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const Case item = generate(seed, {.made = true});
    const auto make = [&] { return item.system.space(); };
    EXPECT_EQ(problem_with_travel(make, seed, 2, 20, steps), "") << "seed " << seed;
  }
  EXPECT_GT(steps, 400U);
}

TEST(Travel, StatesUnderRandomScenariosToo) {
  uint64_t steps = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    const Case item = generate(seed);
    if (!item.system.world()->reset(0)) continue;
    const RandomScenario made = generate_scenario(seed, item);
    const auto monitor = monitor::Monitor::make(made.scenario, item.system);
    ASSERT_TRUE(monitor.ok()) << monitor.error().message;
    const monitor::Product product(*monitor, item.system);
    if (product.space() == nullptr) continue;
    const auto make = [&] { return product.space(); };
    EXPECT_EQ(problem_with_travel(make, seed, 2, 20, steps), "") << "seed " << seed;
  }
  EXPECT_GT(steps, 800U);
}

TEST(Travel, ClassesOfStatesToo) {
  uint64_t steps = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Case item = generate(seed, {.alike = true});
    if (item.alike.empty()) continue;
    for (const std::vector<NodeId>& group : item.alike) item.system.alike(group);
    const auto make = [&]() -> std::shared_ptr<StateSpace> {
      return (*item.system.symmetry())->classes();
    };
    EXPECT_EQ(problem_with_travel(make, seed, 2, 20, steps), "") << "seed " << seed;
  }
  EXPECT_GT(steps, 300U);
}

TEST(Travel, StatesOfProtocolsAndRawModelsToo) {
  const Suite suite = protocols::suite();
  for (const Address& address :
       {Address{"two-phase-commit", {{"form", "raw"}}},
        Address{"two-phase-commit", {{"form", "actors"}}}, Address{"paxos"},
        Address{"raft", {{"crash", "3"}, {"recoveries", "1"}}}, Address{"abd-register"},
        Address{"pbft"}}) {
    const Result<Chosen> chosen = choose(suite, address);
    ASSERT_TRUE(chosen.ok()) << chosen.error().message;
    uint64_t steps = 0;
    const auto make = [&] { return chosen->checkable->space(); };
    EXPECT_EQ(problem_with_travel(make, 1, 4, 60, steps), "") << address.system;
    EXPECT_GT(steps, 15U) << address.system;
  }
}

void expect_nothing_else_is_read(StateSpace& space) {
  const auto initial = space.initial();
  ASSERT_TRUE(initial.ok());
  std::string bytes;
  space.encode(initial->front().state, bytes);
  std::vector<uint32_t> packed;
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(space.decode(std::string_view(bytes).substr(0, length), packed).ok()) << length;
  }
  EXPECT_FALSE(space.decode(bytes + "x", packed).ok());
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_FALSE(space.decode(other, packed).ok()) << at;
  }
  EXPECT_TRUE(packed.empty());
  EXPECT_TRUE(space.decode(bytes, packed).ok());
  EXPECT_EQ(packed, initial->front().state);
}

TEST(Travel, WhatIsNoStateIsRefused) {
  expect_nothing_else_is_read(*generate(7).system.space());
  const Suite suite = protocols::suite();
  const Result<Chosen> model = choose(suite, {"two-phase-commit", {{"form", "raw"}}});
  ASSERT_TRUE(model.ok()) << model.error().message;
  expect_nothing_else_is_read(*model->checkable->space());
}

}  // namespace travel_test
}  // namespace ordeal::oracle
