// What expanding leaves out because it cannot change the result.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/model.h"

namespace ordeal::explore {
namespace {

// Counts up to 1,000 by ones, or jumps from 0 to 500 and on from there: 500 is first met at depth 1
// by a breadth-first search, and perhaps at depth 500 by a depth-first one.
struct Counting {
  struct State {
    uint32_t value = 0;
  };
  struct Action {
    uint32_t to = 0;
  };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.value == 0) out.push_back({500});
    if (s.value < 1000) out.push_back({s.value + 1});
  }
  std::optional<State> next(const State&, const Action& action) const { return State{action.to}; }
};

Report run(const Model<Counting>& model, const std::string& strategy, int threads) {
  Options options;
  options.strategy = strategy;
  options.threads = threads;
  const auto report = check(model, options);
  EXPECT_TRUE(report.ok());
  return *report;
}

TEST(Expansion, WhatWasReachedIsNotAskedForAgain) {
  uint64_t asked = 0;
  Model<Counting> model(Counting{});
  model.sometimes("first", [&asked](const Counting::State& s) {
    ++asked;
    return s.value >= 1;
  });
  const Report report = run(model, "bfs", 1);
  EXPECT_EQ(report.distinct_states, 1001U);
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_LE(asked, 3U);
}

TEST(Expansion, WhatWasNotReachedIsAskedForInEveryState) {
  uint64_t asked = 0;
  Model<Counting> model(Counting{});
  model.sometimes("never", [&asked](const Counting::State&) {
    ++asked;
    return false;
  });
  run(model, "bfs", 1);
  EXPECT_GE(asked, 1001U);
}

TEST(Expansion, WhatIsToldIsTheSameOnAnyNumberOfThreads) {
  for (const char* strategy : {"bfs", "dfs"}) {
    std::string told;
    for (int threads : {1, 2, 3}) {
      Model<Counting> model(Counting{});
      model.sometimes("half", [](const Counting::State& s) { return s.value >= 500; });
      const Report report = run(model, strategy, threads);
      const std::string note = report.properties.back().note;
      EXPECT_TRUE(report.properties.back().reached);
      if (std::string(strategy) == "bfs") {
        EXPECT_EQ(note, "reached at depth 1");
      } else {
        // How far away it is is not known; how it was reached is.
        EXPECT_TRUE(note.starts_with("reached after ")) << note;
      }
      if (told.empty()) told = note;
      EXPECT_EQ(note, told) << strategy << " on " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace ordeal::explore
