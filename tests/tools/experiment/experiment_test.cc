// `ordeal experiment` and `ordeal results` as a researcher meets them.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiment/results_store.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e::experiments {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const char* const kSmall = R"toml(name = "small <b>"
trials = 3
seed = 5
budget = { episodes = 60 }
measures = ["coverage", "target_coverage"]
horizon = 30

[[subject]]
name = "cube-world"
parameters = { cubes = 2, width = 4, breadth = 4, depth = 2 }
target = "Cube(1)"

[[strategy]]
name = "uniform"

[[strategy]]
name = "bonusmax"
label = "bonus & more"

[[strategy]]
name = "random"
)toml";

class ExperimentCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& text) const {
    std::ofstream(path("e.toml"), std::ios::binary) << text;
    return path("e.toml");
  }
  Finished run(const std::string& text, const std::string& out, const Words& more = {}) const {
    Words words = {"experiment", write(text), "--out", path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return ordeal(words);
  }
  // The error of a file, with nothing written.
  std::string refused(const std::string& text) const {
    const Finished run = this->run(text, "out");
    EXPECT_EQ(run.exit, 3) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(fs::exists(path("out")));
    return run.err;
  }
  // All but the store, which knows when it was made.
  std::map<std::string, std::string> files(const std::string& out) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(path(out))) {
      const std::string name = entry.path().filename().string();
      if (name.find("sqlite") == name.npos) all[name] = read_whole(entry.path().string());
    }
    return all;
  }
  Folder folder_;
};

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

// Elements that are opened are closed, in their order; void elements close themselves.
bool is_balanced(const std::string& markup) {
  std::vector<std::string> open;
  for (size_t at = markup.find('<'); at != markup.npos; at = markup.find('<', at)) {
    if (markup.compare(at, 2, "<!") == 0 || markup.compare(at, 2, "<?") == 0) {
      at = markup.find('>', at);
      continue;
    }
    const size_t end = markup.find('>', at);
    if (end == markup.npos) return false;
    std::string inside = markup.substr(at + 1, end - at - 1);
    at = end;
    if (inside.ends_with('/')) continue;
    const std::string name = inside.substr(0, inside.find_first_of(" \n"));
    if (name.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
      continue;
    }
    open.push_back(name);
    if (name == "script" || name == "style") at = markup.find("</" + name, at);
  }
  return open.empty();
}

TEST_F(ExperimentCli, TwoExperimentsOfAStoreAreComparedCellByCell) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  ASSERT_EQ(run(kSmall, "out", {"--quiet"}).exit, 0);
  // Other settings of one strategy, and one that has another label.
  ASSERT_EQ(run(with("label = \"bonus & more\"", "label = \"bonus & more\"\nepsilon = 0.5"), "out",
                {"--quiet"})
                .exit,
            0);
  ASSERT_EQ(
      run(with("name = \"random\"", "name = \"random\"\nlabel = \"drawn\""), "out", {"--quiet"})
          .exit,
      0);
  ASSERT_EQ(run(with("episodes = 60", "episodes = 70"), "out", {"--quiet"}).exit, 0);

  const Finished first = ordeal({"results", "compare", "1", "2", path("out")});
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_NE(first.out.find("A: 1 small <b>"), std::string::npos) << first.out;
  // Same settings, same seeds, same numbers.
  for (const char* line : {"  uniform ", "  random "}) {
    const size_t at = first.out.find(line);
    ASSERT_NE(at, std::string::npos) << first.out;
    EXPECT_NE(first.out.substr(at, first.out.find('\n', at) - at).find("0.500"), std::string::npos)
        << first.out;
  }
  EXPECT_NE(first.out.find("bonus & more on cube-world: A with "), std::string::npos) << first.out;
  EXPECT_EQ(first.out.find("Only in"), std::string::npos) << first.out;

  const Finished labelled = ordeal({"results", "compare", "1", "3", path("out")});
  ASSERT_EQ(labelled.exit, 0) << labelled.err;
  EXPECT_NE(labelled.out.find("Only in A: random on cube-world"), std::string::npos);
  EXPECT_NE(labelled.out.find("Only in B: drawn on cube-world"), std::string::npos);

  const auto refused_with = [&](const Words& more) {
    Words words = {"results", "compare"};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(path("out"));
    const Finished run = ordeal(words);
    EXPECT_EQ(run.exit, 3) << run.out;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_NE(refused_with({"1", "4"}).find("60 episodes"), std::string::npos);
  EXPECT_NE(refused_with({"1", "9"}).find("has no experiment 9"), std::string::npos);
  EXPECT_NE(refused_with({"1", "small"}).find("results list"), std::string::npos);
  EXPECT_NE(refused_with({"1", "1"}).find("not with itself"), std::string::npos);
  EXPECT_NE(refused_with({"1", "3", "--strategy", "drawn"}).find("in common"), std::string::npos);
}

TEST_F(ExperimentCli, WritesTablesPlotsAndAPage) {
  const Finished done = run(kSmall, "out");
  ASSERT_EQ(done.exit, 0) << done.err;
  const auto all = files("out");
  for (const char* name : {"results.md", "results.csv", "results.json", "results.html",
                           "coverage-cube-world.svg", "target_coverage-cube-world.svg"}) {
    EXPECT_TRUE(all.contains(name)) << name;
  }
  const Json json = Json::parse(all.at("results.json"));
  EXPECT_EQ(json["cells"].size(), 3U);
  for (const Json& cell : json["cells"]) {
    ASSERT_EQ(cell["trials"].size(), 3U);
    EXPECT_EQ(cell["trials"][0]["seed"], 5);
    EXPECT_EQ(cell["trials"][2]["seed"], 7);
    EXPECT_EQ(cell["trials"][0]["measures"]["episodes"], 60);
    EXPECT_FALSE(cell["trials"][0]["curves"]["coverage"].empty());
  }
  EXPECT_TRUE(has(done.out, "Kruskal-Wallis")) << done.out;
}

TEST_F(ExperimentCli, TellsMeansThatFollowFromTheTrials) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  const Json json = Json::parse(read_whole(path("out/results.json")));
  size_t compared = 0;
  for (const Json& table : json["tables"]) {
    for (const Json& row : table["strategies"]) {
      for (const Json& cell : json["cells"]) {
        if (cell["strategy"] != row["strategy"]) continue;
        double sum = 0;
        for (const Json& trial : cell["trials"]) {
          sum += trial["measures"][table["measure"].get<std::string>()].get<double>();
        }
        EXPECT_NEAR(row["mean"].get<double>(), sum / 3, 1e-9);
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 6U);
}

TEST_F(ExperimentCli, GivesTheSameForTheSameSeedOnAnyNumberOfThreads) {
  ASSERT_EQ(run(kSmall, "one", {"--threads", "1"}).exit, 0);
  ASSERT_EQ(run(kSmall, "three", {"--threads", "3"}).exit, 0);
  EXPECT_EQ(files("one"), files("three"));
  ASSERT_EQ(run(kSmall, "other", {"--seed", "9"}).exit, 0);
  EXPECT_NE(files("one").at("results.csv"), files("other").at("results.csv"));
}

TEST_F(ExperimentCli, GoesOnAfterAKillAndEndsWithTheSameTables) {
  const std::string text = changed("episodes = 60", "episodes = 3000");
  ASSERT_EQ(run(text, "whole").exit, 0);
  {
    Process killed({"experiment", write(text), "--out", path("killed"), "--threads", "1"});
    const auto trials = [&] {
      const Finished list = ordeal({"results", "list", path("killed")});
      return list.exit == 0 && !has(list.out, ": 0 trials") && has(list.out, "trial");
    };
    for (int i = 0; i < 600 && !killed.has_ended() && !trials(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    killed.send(SIGKILL);
    killed.finish();
  }
  const Finished before = ordeal({"results", "export", path("killed")});
  ASSERT_EQ(before.exit, 0) << before.err;
  const Finished resumed = run(text, "killed", {"--resume"});
  ASSERT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(files("whole"), files("killed"));
  const Finished after = ordeal({"results", "list", path("killed")});
  EXPECT_TRUE(has(after.out, "9 trials in 3 cells")) << after.out;  // none was made twice
}

TEST_F(ExperimentCli, KeepsWhatIsFinishedWhenItIsInterrupted) {
  const std::string text = changed("episodes = 60", "episodes = 300000");
  Process stopped({"experiment", write(text), "--out", path("out"), "--progress", "always"});
  ASSERT_TRUE(stopped.wait_for_error_output("of 9 trials"));
  stopped.send(SIGINT);
  const Finished end = stopped.finish();
  EXPECT_EQ(end.exit, 2) << end.err;
  EXPECT_TRUE(has(end.err, "of 9 trials are in ")) << end.err;
  EXPECT_TRUE(has(end.err, "--resume")) << end.err;
  EXPECT_FALSE(fs::exists(path("out/results.md")));
}

TEST_F(ExperimentCli, AddsTrialsToThoseThatAreThere) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  const Finished more = run(kSmall, "out", {"--resume", "--trials", "4"});
  ASSERT_EQ(more.exit, 0);
  EXPECT_FALSE(has(more.err, "with other settings")) << more.err;
  ASSERT_EQ(run(kSmall, "all", {"--trials", "4"}).exit, 0);
  EXPECT_EQ(files("out"), files("all"));
  EXPECT_TRUE(has(ordeal({"results", "list", path("out")}).out, "12 trials in 3 cells"));
}

TEST_F(ExperimentCli, SaysThatThereIsNothingToGoOnWithWhereTheSettingsWereOthers) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  const Finished other = run(changed("horizon = 30", "horizon = 31"), "out", {"--resume"});
  ASSERT_EQ(other.exit, 0);
  EXPECT_TRUE(has(other.err,
                  "has small <b> with other settings, and none with these: nothing to go "
                  "on with, all trials are made"))
      << other.err;
  EXPECT_TRUE(has(ordeal({"results", "list", path("out")}).out, "\n2  small"));
}

TEST_F(ExperimentCli, DoesNotMixTrialsOfTwoBuilds) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  ASSERT_EQ(run(kSmall, "out", {"--resume"}).exit, 0);
  {
    auto store = experiment::ResultsStore::open(path("out") + "/results.sqlite",
                                                experiment::ResultsStore::Access::kWrite);
    ASSERT_TRUE(store);
    const auto known = store->experiments();
    ASSERT_TRUE(known);
    experiment::NewExperiment other = known->front().about;
    EXPECT_TRUE(has(other.program, " (build ")) << other.program;
    other.program.replace(other.program.find("build") + 6, 4, "none");
    ASSERT_TRUE(store->begin(other));
  }
  const Finished again = run(kSmall, "out", {"--resume"});
  EXPECT_EQ(again.exit, 3);
  EXPECT_TRUE(has(again.err, "trials of both would be mixed")) << again.err;
}

TEST_F(ExperimentCli, TellsWhereAFileIsWrong) {
  EXPECT_TRUE(has(refused(changed("trials", "trails")), "e.toml:2:1 (did you mean 'trials'?)"));
  EXPECT_TRUE(has(refused(changed("\"cube-world\"", "\"cube-wrld\"")),
                  "e.toml:9:1: there is no subject 'cube-wrld' (did you mean 'cube-world'?)"));
  EXPECT_TRUE(has(refused(changed("width = 4", "widht = 4")), "(did you mean 'width'?)"));
  EXPECT_TRUE(has(refused(changed("width = 4", "width = 0")), "e.toml:10:"));
  EXPECT_TRUE(has(refused(changed("Cube(1)", "Cub(1)")), "e.toml:11:1: "));
  EXPECT_TRUE(has(refused(changed("target =", "measure = \"tpo\"\ntarget =")),
                  "e.toml:11:1: there is no colouring \"tpo\" (did you mean 'top'?)"));
  EXPECT_TRUE(has(refused(changed("target =", "map = \"tpo\"\ntarget =")),
                  "e.toml:11:1: there is no colouring \"tpo\" (did you mean 'top'?)"));
  EXPECT_TRUE(has(refused(changed("target =", "map = \"default\"\ntarget =")),
                  "e.toml:11:1: the colouring \"default\" is no map: a colour of it is "));
  EXPECT_TRUE(has(refused(changed("target =", "bug = \"x\"\ntarget =")), "e.toml:11:1: "));
  EXPECT_TRUE(has(refused(changed("name = \"random\"", "name = \"waypoint\"\nwaypoints = \"cub\"")),
                  "e.toml:22:1: "));
  EXPECT_TRUE(has(refused(changed("target = \"Cube(1)\"\n", "")), "has no target"));
  EXPECT_TRUE(has(refused(changed("name = \"random\"", "name = \"bfs\"")), "bfs has no episodes"));
}

TEST_F(ExperimentCli, MeasuresHowSoonAndHowOftenABugShows) {
  const std::string text = R"toml(name = "bugs"
trials = 2
budget = { episodes = 200 }
measures = ["first_bug", "bug_frequency"]

[[subject]]
name = "paxos"
bug = "small-quorum"

[[strategy]]
name = "random"
)toml";
  const Finished done = run(text, "out");
  ASSERT_EQ(done.exit, 0) << done.err;
  const Json json = Json::parse(read_whole(path("out/results.json")));
  for (const Json& trial : json["cells"][0]["trials"]) {
    const Json& measures = trial["measures"];
    EXPECT_EQ(measures["episodes"], 200);  // it went on
    EXPECT_GT(measures["bug_frequency"], 0);
    EXPECT_LT(measures["bug_frequency"], 200);
    EXPECT_GT(measures["first_bug"], 0);
    // The first is the run that a check stops at.
    const std::string seed = std::to_string(trial["seed"].get<uint64_t>());
    const Finished check = ordeal({"check", "paxos", "--bug", "small-quorum", "--strategy",
                                   "random", "--seed", seed, "--json", "-"});
    const Json report = Json::parse(check.out);
    EXPECT_EQ(report["runs"], measures["first_bug"]);
    EXPECT_EQ(report["transitions"], measures["first_bug_steps"]);
  }
}

TEST_F(ExperimentCli, CountsEveryPropertyThatIsViolated) {
  const std::string text = R"toml(name = "properties"
trials = 3
budget = { episodes = 200 }
measures = ["first_bug", "bug_frequency"]

[[subject]]
name = "paxos"
bug = "small-quorum"

[[subject]]
name = "two-phase-commit"
bug = "commit-early"

[[strategy]]
name = "random"

[[strategy]]
name = "pos"
)toml";
  const Finished done = run(text, "out");
  ASSERT_EQ(done.exit, 0) << done.err;
  const Json json = Json::parse(read_whole(path("out/results.json")));
  std::set<std::string> told;
  for (const Json& table : json["tables"]) {
    if (!table.contains("property")) continue;
    EXPECT_EQ(table["subject"], "paxos small-quorum");
    told.insert(table["measure"].get<std::string>() + ": " + table["property"].get<std::string>());
  }
  // Two decide: this is seen by who looks at all, and, more rarely, by who asks.
  EXPECT_EQ(told, (std::set<std::string>{"bug_frequency: agreement", "bug_frequency: linearizable",
                                         "first_bug: agreement", "first_bug: linearizable"}));
  for (const Json& trial : json["cells"][0]["trials"]) {
    const Json& measures = trial["measures"];
    double first = 1e9;
    double most = 0;
    double sum = 0;
    for (const auto& [name, value] : measures.items()) {
      if (name.starts_with("first_bug: ")) first = std::min(first, value.get<double>());
      if (!name.starts_with("bug_frequency: ")) continue;
      most = std::max(most, value.get<double>());
      sum += value.get<double>();
    }
    EXPECT_EQ(measures["first_bug"], first);
    EXPECT_GE(measures["bug_frequency"], most);
    EXPECT_LE(measures["bug_frequency"], sum);
  }
  for (const char* file : {"out/results.md", "out/results.html"}) {
    EXPECT_TRUE(has(read_whole(path(file)), "paxos small-quorum: first\\_bug: agreement") ||
                has(read_whole(path(file)), "paxos small-quorum: first_bug: agreement"))
        << file;
  }
  EXPECT_TRUE(has(read_whole(path("out/results.csv")), ",bug_frequency: agreement,"));
  EXPECT_TRUE(has(ordeal({"results", "export", path("out"), "--csv", "-"}).out,
                  ",first_bug: linearizable,"));
}

TEST_F(ExperimentCli, DrawsWhereEveryStrategyWas) {
  const std::string text = changed("target =", "map = \"top\"\ntarget =");
  const Finished done = run(text, "out");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_TRUE(has(done.out, "2 plots, 3 heat maps")) << done.out;
  const auto all = files("out");
  for (const char* name : {"map-cube-world_uniform.svg", "map-cube-world_bonus-more.svg",
                           "map-cube-world_random.svg"}) {
    ASSERT_TRUE(all.contains(name)) << name;
    EXPECT_TRUE(has(all.at("results.md"), std::string("](") + name + ")")) << name;
    EXPECT_TRUE(is_balanced(all.at(name))) << name;
  }
  EXPECT_TRUE(is_balanced(all.at("results.html")));
  EXPECT_TRUE(has(all.at("results.html"), "<div class=\"map\"><svg"));
  // Of two cubes, 4 by 4: every covered state is at one place.
  const Json json = Json::parse(all.at("results.json"));
  for (const Json& cell : json["cells"]) {
    for (const Json& trial : cell["trials"]) {
      double states = 0;
      double visits = 0;
      for (const auto& [name, points] : trial["curves"].items()) {
        if (!name.starts_with("map ")) continue;
        for (const Json& point : points) {
          EXPECT_LT(point[0], 4);
          (name.starts_with("map states ") ? states : visits) += point[1].get<double>();
        }
      }
      EXPECT_EQ(states, trial["measures"]["coverage"]) << cell["strategy"];
      EXPECT_EQ(visits, trial["steps"].get<double>() + 60) << cell["strategy"];
    }
  }
}

TEST_F(ExperimentCli, ComparesSearchesByStates) {
  const std::string text = R"toml(name = "searches"
trials = 2
budget = { states = 5000 }
measures = ["first_bug"]

[[subject]]
name = "paxos"
bug = "small-quorum"

[[strategy]]
name = "bfs"

[[strategy]]
name = "random"
)toml";
  const Finished done = run(text, "out");
  ASSERT_EQ(done.exit, 0) << done.err;
  const Json json = Json::parse(read_whole(path("out/results.json")));
  EXPECT_EQ(json["cells"][0]["trials"].size(), 1U);  // it draws nothing
  EXPECT_EQ(json["cells"][1]["trials"].size(), 2U);
}

TEST_F(ExperimentCli, WritesMarkupThatIsBalancedAndEscaped) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  for (const auto& [name, text] : files("out")) {
    if (!name.ends_with(".html") && !name.ends_with(".svg")) continue;
    EXPECT_TRUE(is_balanced(text)) << name;
    EXPECT_FALSE(has(text, "<b>")) << name;
    EXPECT_FALSE(has(text, "bonus & more")) << name;
    EXPECT_FALSE(has(text, "http://") && !has(text, "http://www.w3.org/2000/svg")) << name;
    EXPECT_FALSE(has(text, "https://")) << name;
  }
  EXPECT_TRUE(has(files("out").at("results.md"), "small \\<b\\>"));
}

TEST_F(ExperimentCli, ShowsListsAndExportsWhatAStoreHas) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  const std::string store = path("out/results.sqlite");
  EXPECT_TRUE(has(ordeal({"results", "list", store}).out, "small <b>: 9 trials in 3 cells"));
  const Finished shown = ordeal({"results", "show", "small <b>", store, "--strategy", "uniform"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "uniform on cube-world: 3 trials")) << shown.out;
  EXPECT_FALSE(has(shown.out, "bonus")) << shown.out;
  EXPECT_TRUE(has(shown.out, "target_coverage: ")) << shown.out;
  const Finished csv = ordeal({"results", "export", store, "--csv", "-", "--strategy", "uniform"});
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 4) << csv.out;
  const Finished json = ordeal({"results", "export", store, "--json", path("all.json")});
  EXPECT_EQ(json.exit, 0) << json.err;
  EXPECT_EQ(Json::parse(read_whole(path("all.json")))["experiments"].size(), 1U);
}

TEST_F(ExperimentCli, NamesTheNearestOfWhatAStoreDoesNotHave) {
  ASSERT_EQ(run(kSmall, "out").exit, 0);
  const Finished show = ordeal({"results", "show", "smal <b>", path("out")});
  EXPECT_EQ(show.exit, 3);
  EXPECT_TRUE(has(show.err, "(did you mean 'small <b>'?)")) << show.err;
  const Finished list = ordeal({"results", "list", path("out"), "--strategy", "unifrom"});
  EXPECT_EQ(list.exit, 3);
  EXPECT_TRUE(has(list.err, "(did you mean 'uniform'?)")) << list.err;
}

TEST_F(ExperimentCli, RefusesAStoreThatIsNone) {
  std::ofstream(path("results.sqlite")) << "not a database, but long enough to be taken for one";
  for (const Words& words :
       {Words{"results", "list", folder_.path()}, Words{"results", "show", "x", folder_.path()},
        Words{"results", "export", folder_.path()},
        Words{"experiment", write(kSmall), "--out", folder_.path()}}) {
    const Finished run = ordeal(words);
    EXPECT_EQ(run.exit, 3) << run.out;
    EXPECT_TRUE(has(run.err, "is no results store")) << run.err;
  }
  EXPECT_FALSE(fs::exists(path("results.md")));
  EXPECT_EQ(ordeal({"results", "list", path("none")}).exit, 3);
}

}  // namespace
}  // namespace ordeal::e2e::experiments
