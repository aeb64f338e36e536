// Experiments as their files have them, and what is said of files that are wrong.
#include "experiment/experiment_file.h"

#include <gtest/gtest.h>

namespace ordeal::experiment::files {
namespace {

const char* const kGood = R"toml(name = "coverage"
what = "what it is about"
trials = 3
seed = 7
budget = { episodes = 50 }
measures = ["coverage", "first_bug"]
baseline = "plain"
horizon = 40

[[subject]]
name = "raft"
parameters = { servers = 3, pre-vote = true }
bug = "small-quorum"
colouring = "term5"
measure = "default"
target = "LogDiff(1)"

[[strategy]]
name = "uniform"
label = "plain"

[[strategy]]
name = "waypoint"
waypoints = ["LogDiff(1)", "LogDiff(2)"]
crash-actions = 2
alpha = 0.3
max_depth = 500
)toml";

// The good file with one text in place of another.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto file = parse_experiment(text, "e.toml");
  EXPECT_FALSE(file) << text;
  return file ? "" : file.error().message;
}

TEST(ExperimentFile, SaysWhatIsRunAndHow) {
  const auto file = parse_experiment(kGood, "e.toml");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->name, "coverage");
  EXPECT_EQ(file->trials, 3U);
  EXPECT_EQ(file->seed, 7U);
  EXPECT_EQ(to_string(file->budget), "50 episodes");
  EXPECT_EQ(file->measures, (std::vector{Measure::kCoverage, Measure::kFirstBug}));
  EXPECT_EQ(file->baseline, "plain");
  EXPECT_EQ(file->options.at("horizon").value, "40");
  ASSERT_EQ(file->subjects.size(), 1U);
  EXPECT_EQ(file->subjects[0].label, "raft small-quorum");
  EXPECT_EQ(file->subjects[0].parameters.at("servers").value, "3");
  EXPECT_EQ(file->subjects[0].parameters.at("pre-vote").value, "yes");
  EXPECT_EQ(file->subjects[0].options.at("target").value, "LogDiff(1)");
  ASSERT_EQ(file->strategies.size(), 2U);
  EXPECT_EQ(file->strategies[1].options.at("waypoints").value, "LogDiff(1), LogDiff(2)");
}

TEST(ExperimentFile, KnowsOptionsByFieldAndByDashedName) {
  const auto file = parse_experiment(kGood, "e.toml");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->strategies[1].options.at("crash_actions").value, "2");
  EXPECT_EQ(file->strategies[1].options.at("alpha").value, "0.3");
  EXPECT_EQ(file->strategies[1].options.at("max_depth").value, "500");
}

TEST(ExperimentFile, NamesLineColumnAndNearestKeyOfATypo) {
  EXPECT_EQ(error_of(changed("trials = 3", "trails = 3")),
            "unknown key 'trails' in e.toml:3:1 (did you mean 'trials'?)");
  EXPECT_EQ(error_of(changed("[[strategy]]", "[[strateggy]]")),
            "unknown key 'strateggy' in e.toml:18:3 (did you mean 'strategy'?)");
  EXPECT_EQ(error_of(changed("alpha = 0.3", "alhpa = 0.3")),
            "unknown key 'alhpa' in e.toml:26:1 (did you mean 'alpha'?)");
  EXPECT_EQ(error_of(changed("bug =", "bugg =")),
            "unknown key 'bugg' in e.toml:13:1 (did you mean 'bug'?)");
}

TEST(ExperimentFile, NamesThePlaceOfWhatIsNoToml) {
  EXPECT_EQ(error_of(changed("trials = 3", "trials = ")).find("e.toml:3:"), 0U);
  EXPECT_EQ(error_of(changed("seed = 7", "trials = 7")).find("e.toml:4:"), 0U);
}

TEST(ExperimentFile, RefusesBudgetsThatContradictEachOther) {
  const std::string two = error_of(changed("episodes = 50", "episodes = 50, steps = 9"));
  EXPECT_EQ(two.find("e.toml:5:"), 0U) << two;
  EXPECT_NE(two.find("the budgets contradict each other: 50 episodes and steps"), two.npos) << two;
  EXPECT_EQ(error_of(changed("alpha = 0.3", "episodes = 5")),
            "e.toml:26:1: episodes are the budget: budget = { episodes = 1000 }");
  EXPECT_NE(error_of(changed("episodes = 50", "")).find("budget is empty"), std::string::npos);
  EXPECT_NE(error_of(changed("episodes = 50", "episodes = 0")).find("is not from 1"),
            std::string::npos);
  EXPECT_NE(error_of(changed("budget = { episodes = 50 }\n", "")).find("budget is missing"),
            std::string::npos);
}

TEST(ExperimentFile, NamesTheNearestStrategyMeasureAndWord) {
  EXPECT_NE(error_of(changed("name = \"uniform\"", "name = \"uniforn\""))
                .find("e.toml:19:1: there is no strategy 'uniforn' (did you mean 'uniform'?)"),
            std::string::npos);
  EXPECT_NE(error_of(changed("\"first_bug\"", "\"first_bugg\""))
                .find("there is no measure 'first_bugg' (did you mean 'first_bug'?)"),
            std::string::npos);
  EXPECT_NE(error_of(changed("alpha = 0.3", "environment = \"partitions\""))
                .find("(did you mean 'partition'?)"),
            std::string::npos);
  EXPECT_NE(error_of(changed("baseline = \"plain\"", "baseline = \"plian\""))
                .find("(did you mean 'plain'?)"),
            std::string::npos);
}

TEST(ExperimentFile, RefusesValuesThatOptionsDoNotTake) {
  EXPECT_EQ(error_of(changed("alpha = 0.3", "alpha = 3")).find("e.toml:26:1: alpha 3: out of"), 0U);
  EXPECT_EQ(error_of(changed("horizon = 40", "horizon = 0")).find("e.toml:8:1: horizon 0"), 0U);
  EXPECT_EQ(error_of(changed("horizon = 40", "horizon = 1979-05-27")),
            "e.toml:8:1: horizon is a date or time, and should be a text or a number");
}

TEST(ExperimentFile, RefusesOptionsThatNobodyHasAUseFor) {
  EXPECT_NE(error_of(changed("label = \"plain\"", "label = \"plain\"\nalpha = 0.1"))
                .find("not for uniform"),
            std::string::npos);
  EXPECT_NE(error_of(changed("horizon = 40", "temperature = 2"))
                .find("temperature is for negrl and portfolio, none of which is here"),
            std::string::npos);
  EXPECT_NE(error_of(changed("alpha = 0.3", "table = \"t\"")).find("trials would share"),
            std::string::npos);
}

TEST(ExperimentFile, RefusesTwoOfOneName) {
  EXPECT_NE(error_of(changed("waypoints =", "label = \"plain\"\nwaypoints ="))
                .find("there is a strategy 'plain' already"),
            std::string::npos);
}

}  // namespace
}  // namespace ordeal::experiment::files
