// `ordeal waypoints`, and what `check` tells of waypoints, portfolios and probabilities.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/cli/process.h"

namespace ordeal::e2e::steering {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const Words kCubes = {"cube-world", "--cubes", "4", "--width", "5", "--breadth", "5"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(WaypointsCli, ProposesAListThatCheckTakesAsItIs) {
  const Words mine =
      Words{"waypoints"} + kCubes +
      Words{"--target", "Cube(2)", "--horizon", "60", "--enough", "20", "--max-runs", "20000"};
  const Finished list = ordeal(mine + Words{"--quiet"});
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_EQ(list.out, "Cube(1), Cube(2)\n");
  const Finished full = ordeal(mine);
  EXPECT_EQ(full.out.find("Cube(1), Cube(2)\n\n  rests on    20 runs that came to Cube(2), of "),
            0U)
      << full.out;
  EXPECT_TRUE(has(full.out, "\n  on the way  Cube(1): after ")) << full.out;
  EXPECT_TRUE(has(full.out,
                  "check cube-world --cubes 4 --width 5 --breadth 5 --strategy waypoint "
                  "--waypoints 'Cube(1), Cube(2)'"))
      << full.out;
  const Finished json = ordeal(mine + Words{"--json", "-"});
  EXPECT_EQ(json.exit, 0);
  const Json told = Json::parse(json.out);
  EXPECT_EQ(told["format"], "ordeal-waypoints");
  EXPECT_EQ(told["waypoints"], "Cube(1), Cube(2)");
  EXPECT_EQ(told["reached"], 20);
  EXPECT_EQ(told["graded"], false);
  EXPECT_EQ(told["predicates"].size(), 2U);
  const Finished led =
      ordeal(Words{"check"} + kCubes +
             Words{"--strategy", "waypoint", "--waypoints", told["waypoints"].get<std::string>(),
                   "--episodes", "300", "--horizon", "60"});
  EXPECT_EQ(led.exit, 2) << led.err;
  EXPECT_TRUE(has(led.out, "waypoints   Cube(1): in ")) << led.out;
}

TEST(WaypointsCli, SaysWhereTheListRestsOnNothing) {
  const Finished run = ordeal(Words{"waypoints"} + kCubes +
                              Words{"--target", "Cube(3)", "--horizon", "5", "--max-runs", "20"});
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_EQ(run.out.find("Cube(1), Cube(2), Cube(3)\n"), 0U) << run.out;
  EXPECT_TRUE(has(run.out, "rests on    nothing: no run of 20 runs of strategy uniform"))
      << run.out;
}

TEST(WaypointsCli, RefusesWhatItCannotDo) {
  const auto refuses = [](const Words& words, const std::string& why) {
    const Finished run = ordeal(Words{"waypoints"} + words);
    EXPECT_EQ(run.exit, 3) << run.out;
    EXPECT_TRUE(has(run.err, why)) << run.err;
  };
  refuses(kCubes, "where to? --target PREDICATE");
  refuses(kCubes + Words{"--target", "Cub(2)"}, "Cube");
  refuses(kCubes + Words{"--target", "Cube(0)"}, "holds where runs begin");
  refuses(kCubes + Words{"--target", "Cube(2)", "--strategy", "bfs"}, "bfs");
  refuses(kCubes + Words{"--target", "Cube(2)", "--most", "0"}, "--most");
  refuses({"raft", "--target", "LogDiff(2)", "--bug", "nothing"}, "nothing");
  refuses({"raff", "--target", "LogDiff(2)"}, "raft");
}

TEST(BeyondCli, APortfolioTellsWhoBroughtWhat) {
  const Finished run = ordeal(Words{"check", "paxos", "--bug", "small-quorum", "--strategy",
                                    "portfolio", "--members", "random,pct", "--keep-going",
                                    "--max-runs", "300", "--no-minimise", "--json", "-"});
  EXPECT_EQ(run.exit, 1) << run.err;
  const Json told = Json::parse(run.out);
  ASSERT_EQ(told["members"].size(), 2U);
  EXPECT_EQ(told["members"][0]["runs"].get<int>() + told["members"][1]["runs"].get<int>(), 300);
  for (const Json& violation : told["violations"]) {
    EXPECT_TRUE(violation["by"] == "random" || violation["by"] == "pct") << violation["by"];
  }
  const Finished wrong =
      ordeal({"check", "paxos", "--strategy", "portfolio", "--members", "random,dfs"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_TRUE(has(wrong.err, "dfs does not pick runs step by step")) << wrong.err;
}

TEST(BeyondCli, AConfidenceTellsHowLikelyAViolationIs) {
  const Finished run =
      ordeal({"check", "paxos", "--bug", "small-quorum", "--strategy", "random", "--keep-going",
              "--max-runs", "200", "--no-minimise", "--confidence", "0.99", "--json", "-"});
  EXPECT_EQ(run.exit, 1) << run.err;
  const Json told = Json::parse(run.out);
  ASSERT_GE(told["hitting"].size(), 2U);
  EXPECT_EQ(told["hitting"][0]["what"], "any violation");
  EXPECT_EQ(told["hitting"][0]["runs"], 200);
  const double share = told["hitting"][0]["hits"].get<double>() / 200;
  EXPECT_LT(told["hitting"][0]["low"].get<double>(), share);
  EXPECT_GT(told["hitting"][0]["high"].get<double>(), share);
  const Finished wrong =
      ordeal({"check", "paxos", "--strategy", "bonusmax", "--confidence", "0.9"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_TRUE(has(wrong.err, "random, pct, pctcp, pos and uniform")) << wrong.err;
}

}  // namespace
}  // namespace ordeal::e2e::steering
