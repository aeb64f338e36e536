// Whether progress can go round for ever: found out where it is asked, in memory and on disk.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/model.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::explore {
namespace {

// A chain of numbers with some more edges.
struct Chain {
  struct State {
    uint32_t number = 0;
  };
  struct Action {
    uint32_t to = 0;
  };
  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;
  };
  uint32_t last = 0;
  std::vector<Edge> edges = {};

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& state, std::vector<Action>& out) const {
    if (state.number < last) out.push_back({state.number + 1});
    for (const Edge& edge : edges) {
      if (edge.from == state.number) out.push_back({edge.to});
    }
  }
  std::optional<State> next(const State&, const Action& action) const { return State{action.to}; }
};

// The same space, which says nothing of runs: then only cycles are looked for.
class Silent : public StateSpace {
 public:
  explicit Silent(std::shared_ptr<StateSpace> space) : space_(std::move(space)) {}
  const std::vector<Property>& properties() const override { return space_->properties(); }
  Result<std::vector<Initial>> initial() override { return space_->initial(); }
  std::unique_ptr<Explorer> explorer() override { return space_->explorer(); }
  SpaceStatistics statistics() const override { return space_->statistics(); }
  void forget() override { space_->forget(); }

 private:
  std::shared_ptr<StateSpace> space_;
};

class SilentModel : public Model<Chain> {
 public:
  using Model<Chain>::Model;
  std::shared_ptr<StateSpace> space() const override {
    return std::make_shared<Silent>(Model<Chain>::space());
  }
};

class Cycles : public testing::Test {
 protected:
  // What is said of a property that holds wherever a run ends.
  PropertyResult ends_well(const Chain& chain, const Options& options) {
    SilentModel model(chain);
    model.eventually("ends well", [](const Chain::State&) { return true; });
    const Result<Report> report = check(model, options);
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
    if (!report.ok()) return {};
    EXPECT_TRUE(report->complete);
    EXPECT_EQ(report->distinct_states, chain.last + 1);
    return report->properties.back();
  }

  std::vector<Options> all_ways() const {
    std::vector<Options> ways;
    for (const bool wide : {false, true}) {
      Options options{.strategy = "bfs", .threads = 1};
      options.wide_fingerprints = wide;
      ways.push_back(options);
      options.strategy = "dfs";
      ways.push_back(options);
      options.strategy = "bfs";
      options.spill = folder_.path();
      options.spill_bytes = 1;
      ways.push_back(options);
    }
    return ways;
  }

  void expect_cycle(const Chain& chain, uint32_t max_depth = 0) {
    for (Options options : all_ways()) {
      if (options.strategy == "bfs") options.max_depth = max_depth;
      const PropertyResult result = ends_well(chain, options);
      EXPECT_EQ(result.verdict, Verdict::kUndecided);
      EXPECT_TRUE(result.cycle);
      EXPECT_NE(result.note.find("form a cycle"), std::string::npos)
          << options.strategy << options.spill << ": " << result.note;
    }
  }
  void expect_none(const Chain& chain, uint32_t max_depth = 0) {
    for (Options options : all_ways()) {
      if (options.strategy == "bfs") options.max_depth = max_depth;
      const PropertyResult result = ends_well(chain, options);
      EXPECT_EQ(result.verdict, Verdict::kHolds)
          << options.strategy << options.spill << ": " << result.note;
    }
  }

  const e2e::Folder folder_;
};

TEST_F(Cycles, OfOneStateAndOfMany) {
  expect_none({.last = 0});
  expect_cycle({.last = 0, .edges = {{0, 0}}});
  expect_none({.last = 9});
  expect_cycle({.last = 9, .edges = {{9, 9}}});
  expect_cycle({.last = 9, .edges = {{9, 8}}});
  expect_cycle({.last = 9, .edges = {{9, 0}}});
  expect_cycle({.last = 9, .edges = {{3, 3}}});
}

TEST_F(Cycles, AreNotWhatLeadsToAStateThatWasMetBefore) {
  // 5 is met at depth 1, and again from 4.
  expect_none({.last = 9, .edges = {{0, 5}}});
  expect_none({.last = 9, .edges = {{0, 5}, {1, 9}, {2, 9}, {0, 7}}});
  expect_cycle({.last = 9, .edges = {{0, 5}, {6, 5}}});
}

TEST_F(Cycles, AreNoticedWhereTheyCloseAtTheDepthBound) {
  // Nothing lies deeper, so nothing is cut.
  expect_cycle({.last = 9, .edges = {{9, 4}}}, 9);
  expect_cycle({.last = 9, .edges = {{9, 9}}}, 9);
  expect_none({.last = 9}, 9);
}

TEST_F(Cycles, AreFoundBehindLongWays) {
  // More levels than there are tags for, and more states than lie in one block on disk.
  expect_none({.last = 700});
  expect_none({.last = 700, .edges = {{0, 600}, {1, 300}}});
  expect_cycle({.last = 700, .edges = {{700, 699}}});
  expect_cycle({.last = 700, .edges = {{400, 10}}});
  expect_cycle({.last = 700, .edges = {{0, 600}, {700, 500}}});
}

TEST_F(Cycles, AreLookedForUntilSomebodyWantsToStop) {
  // The property stops the search when it has judged all states: while cycles are looked for.
  std::atomic<bool> stop = false;
  uint32_t judged = 0;
  SilentModel model(Chain{.last = 300, .edges = {{0, 200}}});
  model.eventually("ends well", [](const Chain::State&) { return true; });
  model.always("counted", [&](const Chain::State&) {
    stop = ++judged >= 301;
    return true;
  });
  for (const bool on_disk : {false, true}) {
    Options options{.strategy = "bfs", .threads = 1};
    options.spill = on_disk ? folder_.path() : "";
    options.spill_bytes = 1;
    options.stop = &stop;
    judged = 0;
    stop = false;
    const Result<Report> report = check(model, options);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->verdict, Verdict::kUndecided);
    bool told = !report->complete;  // or even before
    for (const PropertyResult& result : report->properties) {
      told = told ||
             (result.cycle_unknown && result.cycle_unknown->kind == Bound::Kind::kInterrupted &&
              result.note.find("interrupted") != std::string::npos);
    }
    EXPECT_TRUE(told);
  }
}

}  // namespace
}  // namespace ordeal::explore
