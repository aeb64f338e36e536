// Raw models under symmetry.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "ordeal/ordeal.h"

namespace ordeal {
namespace {

// Every process counts to two.
struct Counters {
  struct State {
    std::map<NodeId, int> counts = {{1, 0}, {2, 0}, {3, 0}};
  };
  struct Action {
    NodeId who;
  };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    for (const auto& [who, count] : s.counts) {
      if (count < 2) out.push_back({who});
    }
  }
  std::optional<State> next(const State& s, const Action& action) const {
    State out = s;
    ++out.counts[action.who];
    return out;
  }
};

// Three strokes in three colours.
struct Colour;
struct Strokes {
  struct State {
    std::vector<Name<Colour>> strokes;
  };
  struct Action {
    Name<Colour> colour;
  };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    for (uint32_t i = 0; i < 3 && s.strokes.size() < 3; ++i) out.push_back({Name<Colour>(i)});
  }
  std::optional<State> next(const State& s, const Action& action) const {
    State out = s;
    out.strokes.push_back(action.colour);
    return out;
  }
};

const Options kClasses = {.strategy = "bfs", .threads = 1, .symmetry = true};

TEST(ModelSymmetry, ProcessesThatAreAlikeAreABag) {
  Model<Counters> model;
  EXPECT_FALSE(check(model, kClasses).ok());  // nothing is declared alike
  model.alike({1, 2, 3});
  EXPECT_EQ(check(model, {.threads = 1})->distinct_states, 27U);
  const Result<Report> report = check(model, kClasses);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->distinct_states, 10U);  // three of {0, 1, 2}, in any order
  EXPECT_EQ(report->symmetry, "nodes 1 to 3");
  EXPECT_EQ(check(Model<Counters>().alike({1, 2}), kClasses)->distinct_states, 18U);
}

TEST(ModelSymmetry, NamesThatAreInterchangeableOnlyDifferFromEachOther) {
  Model<Strokes> model;
  model.interchangeable<Name<Colour>>(3);
  EXPECT_EQ(check(model, {.threads = 1})->distinct_states, 40U);
  const Result<Report> report = check(model, kClasses);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->distinct_states, 9U);  // 1 + 1 + 2 + 5 ways to group the strokes
  EXPECT_EQ(report->symmetry, "the 3 names Colour");
}

TEST(ModelSymmetry, ViolationsAreRunsOfTheModel) {
  Model<Counters> model;
  model.alike({1, 2, 3});
  model.always("not all", [](const Counters::State& s) {
    return s.counts.at(1) + s.counts.at(2) + s.counts.at(3) < 5;
  });
  const Result<Report> report = check(model, kClasses);
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->violations.size(), 1U);
  EXPECT_EQ(report->violations[0].trace->steps.size(), 5U);
  EXPECT_TRUE(replay(model, *report->violations[0].trace)->reproduced);
}

TEST(ModelSymmetry, WhatIsNotAlikeIsFound) {
  Model<Counters> names;
  names.alike({1, 2, 3});
  names.always("the first", [](const Counters::State& s) { return s.counts.at(1) < 2; });
  const Result<Report> report = check(names, kClasses);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("\"the first\" does not treat like nodes alike"),
            std::string::npos)
      << report.error().message;
  EXPECT_FALSE(check(Model<Counters>().alike({1, 1}), kClasses).ok());
}

}  // namespace
}  // namespace ordeal
