// Maps of where strategies were: from states to places, from trials to cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "experiment/tables.h"
#include "explore/run/run_map.h"
#include "ordeal/model.h"

namespace ordeal::experiment::maps {
namespace {

using explore::RunCounts;

// Somebody walks on a board, and turns a card at any time.
struct Board {
  struct State {
    int row = 0;
    int column = 0;
    bool turned = false;
    ORDEAL_FIELDS(row, column, turned);
  };
  using Action = int;

  std::vector<State> initial() const { return {{}}; }
  void actions(const State&, std::vector<int>& out) const { out = {0, 1, 2}; }
  std::optional<State> next(const State& state, int action) const {
    State to = state;
    if (action == 0) to.row = (to.row + 1) % 3;
    if (action == 1) to.column = (to.column + 1) % 2;
    if (action == 2) to.turned = !to.turned;
    return to;
  }
};

Model<Board> board() {
  Model<Board> out{Board()};
  out.colour({"square", ""}, [](const Board::State& s) { return std::pair(s.row, s.column); });
  out.colour({"side", ""}, [](const Board::State& s) {
    return std::vector<int>{s.turned, s.row, s.column};
  });
  out.colour({"row", ""}, [](const Board::State& s) { return s.row; });
  out.colour({"below", ""}, [](const Board::State& s) {
    return std::vector<int>{-s.row, s.column};
  });
  out.colour({"either", ""}, [](const Board::State& s) {
    return s.turned ? std::vector<int>{1, s.row, s.column} : std::vector<int>{s.row, s.column};
  });
  return out;
}

Options options(const std::string& strategy) {
  Options out;
  out.strategy = strategy;
  out.max_runs = 30;
  out.max_depth = 25;
  out.seed = 3;
  return out;
}

TEST(RunMaps, CountEveryStateOfEveryRunWhereItIs) {
  for (const char* strategy : {"random", "pos", "uniform", "bonusmax"}) {
    for (const char* map : {"square", "side"}) {
      RunCounts counts;
      counts.map = map;
      counts.measure = kDefaultColouring;
      const auto report = explore::check_counting(board(), options(strategy), counts);
      ASSERT_TRUE(report) << report.error().message;
      uint64_t visits = 0;
      uint64_t states = 0;
      for (const explore::MapPlace& place : counts.places) {
        visits += place.visits;
        states += place.states;
      }
      EXPECT_EQ(visits, report->transitions + report->runs) << strategy;
      // A state is on one square: so the squares have each state once.
      EXPECT_EQ(states, report->distinct_states) << strategy;
      EXPECT_EQ(counts.places.size(), std::string(map) == "square" ? 6U : 12U) << strategy;
      EXPECT_TRUE(std::is_sorted(counts.places.begin(), counts.places.end(),
                                 [](const auto& a, const auto& b) { return a.at < b.at; }));
      EXPECT_EQ(counts.places[0].states, std::string(map) == "square" ? 2U : 1U);
    }
  }
}

TEST(RunMaps, CountByWhatIsMeasured) {
  RunCounts counts;
  counts.map = "square";
  counts.measure = "row";  // by which both sides, and both columns, are one
  ASSERT_TRUE(explore::check_counting(board(), options("random"), counts));
  for (const explore::MapPlace& place : counts.places) EXPECT_EQ(place.states, 1U);
}

TEST(RunMaps, RefuseWhatIsNoMap) {
  const auto error = [](const std::string& map) {
    RunCounts counts;
    counts.map = map;
    counts.measure = kDefaultColouring;
    const auto report = explore::check_counting(board(), options("random"), counts);
    return report ? "" : report.error().message;
  };
  EXPECT_EQ(error("square"), "");
  EXPECT_NE(
      error("row").find("\"row\" is no map: a colour of it is 0, and a place is two or three"),
      std::string::npos)
      << error("row");
  EXPECT_NE(error("below").find("is no map: a colour of it is [-1, "), std::string::npos)
      << error("below");
  EXPECT_NE(error("either").find("some of its colours are two numbers, some three"),
            std::string::npos)
      << error("either");
  EXPECT_NE(error("default").find("is no map"), std::string::npos);  // a card is no number
  EXPECT_NE(error("squares").find("squares"), std::string::npos);
}

TrialRecord trial(const std::map<std::string, std::vector<CurvePoint>>& curves) {
  TrialRecord out;
  out.curves = curves;
  return out;
}

TEST(PlaceMaps, AreMeansOverTrialsWithTheSameCellsForAllStrategies) {
  Plan plan;
  plan.file.subjects.push_back({"s", "s", {}, {}, {}, {}});
  plan.file.subjects[0].map = Setting{"square", {}};
  for (const char* name : {"a", "b"}) plan.file.strategies.push_back({name, name, {}, {}});
  ExperimentResults results;
  results.trials = {{trial({{"map states 0, 0", {{0, 2}, {1, 4}}}, {"map visits 0, 0", {{9, 9}}}}),
                     trial({{"map states 0, 0", {{1, 2}}}, {"coverage", {{7, 7}}}})},
                    {trial({{"map states 2, 1", {{2, 5}}}}), trial({})}};
  ASSERT_TRUE(add_maps(plan, 0, results));
  ASSERT_EQ(results.maps.size(), 2U);
  for (const PlaceMap& map : results.maps) {
    ASSERT_EQ(map.grids.size(), 2U);
    EXPECT_EQ(map.grids[0].title, "0");
    EXPECT_EQ(map.grids[1].title, "2");
    EXPECT_EQ(map.grids[0].rows, 2U);
    EXPECT_EQ(map.grids[0].columns, 3U);
  }
  EXPECT_EQ(results.maps[0].grids[0].states, (std::vector<double>{1, 3, 0, 0, 0, 0}));
  EXPECT_EQ(results.maps[0].grids[1].states, (std::vector<double>(6, 0.0)));
  EXPECT_EQ(results.maps[1].grids[1].states, (std::vector<double>{0, 0, 0, 0, 0, 2.5}));

  results.maps.clear();
  results.trials[1][0].curves["map states 2, 900000"] = {{900'000, 1}};
  const auto large = add_maps(plan, 0, results);
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().message.find("a coarser colouring has fewer"), std::string::npos);
}

TEST(MapRows, ComeBackFromTheirNames) {
  EXPECT_EQ(map_row_name(kMapStates, {2, 3}), "map states 2, 3");
  EXPECT_EQ(map_row_in(kMapStates, "map states 2, 3"), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(map_row_in(kMapVisits, "map visits 7"), std::vector<int64_t>{7});
  EXPECT_FALSE(map_row_in(kMapStates, "map visits 7"));
  for (const char* bad : {"map states", "map states ", "map states x", "map states 2;3"}) {
    EXPECT_FALSE(map_row_in(kMapStates, bad)) << bad;
  }
}

}  // namespace
}  // namespace ordeal::experiment::maps
