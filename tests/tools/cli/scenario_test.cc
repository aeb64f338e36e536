// Scenarios through the program, as a user meets them.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ordeal/trace.h"
#include "tests/tools/cli/folder.h"
#include "tests/tools/cli/process.h"
#include "tests/tools/report/markup.h"

namespace ordeal::e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using sample::markup_offence;
using Words = std::vector<std::string>;

const std::string kScenario = "late-decision";
const Words kHolding = {"scenario", "run", kScenario, "--strategy", "random"};
const Words kCaught = {"scenario",   "run",    kScenario, "--bug", "any-proposer",
                       "--strategy", "random", "--seed",  "1"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class ScenarioCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  bool nothing_written() const { return fs::is_empty(folder_.path()); }
  std::string trace() const {
    EXPECT_EQ(ordeal(kCaught + Words{"--quiet", "--trace", path("t.json")}).exit, 1);
    return path("t.json");
  }
  Folder folder_;
};

TEST_F(ScenarioCli, ListsTheScenariosOfASubject) {
  const Finished all = ordeal({"scenario", "list"});
  EXPECT_EQ(all.exit, 0) << all.err;
  EXPECT_TRUE(has(all.out, "late-decision: ")) << all.out;
  EXPECT_TRUE(has(all.out, "  subject     hierarchical-consensus --crash 1\n")) << all.out;
  EXPECT_TRUE(has(all.out, "  catches     --bug any-proposer\n")) << all.out;
  EXPECT_TRUE(has(all.out, "lonely-leader: ")) << all.out;
  const Finished some = ordeal({"scenario", "list", "--subject", "hierarchical-consensus"});
  EXPECT_EQ(some.exit, 0);
  EXPECT_TRUE(has(some.out, "late-decision: "));
  EXPECT_FALSE(has(some.out, "lonely-leader: "));
  EXPECT_TRUE(has(some.out, " for hierarchical-consensus\n"));
}

TEST_F(ScenarioCli, OneThatHoldsEndsIn0) {
  const Finished run = ordeal(kHolding);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.out.find("holds: scenario late-decision on hierarchical-consensus --crash 1\n"), 0U)
      << run.out;
  EXPECT_TRUE(has(run.out, "100 of 100 runs succeeded")) << run.out;
  EXPECT_TRUE(has(run.out, "fired 200 times")) << run.out;
  EXPECT_TRUE(has(run.out, "waiting (start)")) << run.out;
}

TEST_F(ScenarioCli, ThePlantedBugIsCaughtAndShown) {
  const Finished run = ordeal(kCaught + Words{"--json", path("r.json"), "--junit", path("r.xml"),
                                              "--html", path("r.html"), "--trace", path("t.json")});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_TRUE(has(run.out, "violated: agreement (always)")) << run.out;
  EXPECT_TRUE(has(run.out, "violated: scenario late-decision on")) << run.out;
  EXPECT_TRUE(has(run.out, " replay " + path("t.json") + "\n")) << run.out;
  const Json json = Json::parse(read_whole(path("r.json")));
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_GT(json["scenarios"][0]["failures"], 0);
  EXPECT_EQ(json["scenarios"][0]["parameters"]["bug"], "any-proposer");
  EXPECT_EQ(json["scenarios"][0]["violations"][0]["trace"]["scenario"], kScenario);
  EXPECT_EQ(markup_offence(read_whole(path("r.xml")), {}), "");
  EXPECT_TRUE(has(read_whole(path("r.xml")), "failures=\"1\""));
  const std::string page = read_whole(path("r.html"));
  EXPECT_EQ(markup_offence(page, {"meta", "br"}), "");
  EXPECT_TRUE(has(page, "class=\"mc\""));
  EXPECT_TRUE(has(page, "class=\"st\""));
}

TEST_F(ScenarioCli, AParameterReplacesTheScenariosOwn) {
  const Finished run = ordeal(kHolding + Words{"--nodes", "4", "--iterations", "7"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "hierarchical-consensus --nodes 4 --crash 1\n")) << run.out;
  EXPECT_TRUE(has(run.out, "7 of 7 runs succeeded")) << run.out;
}

TEST_F(ScenarioCli, IsVerifiedByStrategiesThatExploreEverything) {
  for (const char* strategy : {"bfs", "dfs", "prefix"}) {
    const Words words = {"scenario", "run", kScenario, "--strategy", strategy};
    const Finished holds = ordeal(words);
    EXPECT_EQ(holds.exit, 0) << strategy << holds.out;
    EXPECT_TRUE(has(holds.out, "explored in full: ")) << holds.out;
    EXPECT_FALSE(has(holds.out, "never fired")) << strategy << holds.out;
    EXPECT_EQ(ordeal(words + Words{"--bug", "any-proposer"}).exit, 1) << strategy;
  }
}

TEST_F(ScenarioCli, AllOfThemAreToldInALineEach) {
  const Finished run = ordeal({"scenario", "run", "--all", "--strategy", "random", "--iterations",
                               "20", "--json", path("r.json"), "--html", path("r.html")});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "holds: late-decision: 20 of 20 runs succeeded\n")) << run.out;
  EXPECT_TRUE(has(run.out, " hold, 0 violated, 0 undecided\n")) << run.out;
  const Json json = Json::parse(read_whole(path("r.json")));
  EXPECT_GT(json["scenarios"].size(), 10U);
  EXPECT_TRUE(has(read_whole(path("r.html")), "<a href=\"#scenario-2\">"));
}

TEST_F(ScenarioCli, EveryScenarioCatchesTheBugThatItSays) {
  const Finished all = ordeal({"scenario", "list"});
  std::istringstream lines(all.out);
  std::string name;
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') name = line.substr(0, line.find(':'));
    if (!line.starts_with("  catches")) continue;
    ++count;
    const std::string bug = line.substr(line.rfind(' ') + 1);
    const Finished run =
        ordeal({"scenario", "run", name, "--bug", bug, "--strategy", "random", "--quiet"});
    EXPECT_EQ(run.exit, 1) << name << " does not catch " << bug << run.err;
  }
  EXPECT_GT(count, 15U);
}

TEST_F(ScenarioCli, AReplayRebuildsTheScenario) {
  const std::string file = trace();
  const Result<Trace> kept = read_trace(file);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->scenario, kScenario);
  const Finished run = ordeal({"replay", file});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "under the scenario late-decision")) << run.out;
  EXPECT_TRUE(has(run.out, "reproduced: ")) << run.out;
  const Finished fixed = ordeal({"replay", file, "--bug", "none"});
  EXPECT_EQ(fixed.exit, 3) << fixed.out;
  EXPECT_TRUE(has(ordeal({"trace", "info", file}).out, "scenario    late-decision"));
  // The same by its short form, and by hand.
  const Words subject = {"hierarchical-consensus", "--bug", "any-proposer", "--scenario",
                         kScenario};
  EXPECT_EQ(ordeal(Words{"replay", short_form(*kept)} + subject).exit, 1);
  const Finished walk =
      Process(Words{"explore"} + subject + Words{"--start", file}, "quit\n").finish();
  EXPECT_EQ(walk.exit, 0) << walk.err;
  EXPECT_TRUE(has(walk.out, " under late-decision: ")) << walk.out;
}

TEST_F(ScenarioCli, AReplayOfAForgottenScenarioIsRefused) {
  const std::string file = trace();
  Json json = Json::parse(read_whole(file));
  json["scenario"] = "late-decisio";
  std::ofstream(path("other.json")) << json.dump();
  const Finished run = ordeal({"replay", path("other.json")});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "(did you mean 'late-decision'?)")) << run.err;
  json["scenario"] = "lonely-leader";
  std::ofstream(path("other.json")) << json.dump();
  const Finished other = ordeal({"replay", path("other.json")});
  EXPECT_EQ(other.exit, 3);
  EXPECT_TRUE(has(other.err, "is for 'paxos', not for 'hierarchical-consensus'")) << other.err;
}

TEST_F(ScenarioCli, AnInterruptKeepsWhatWasFound) {
  Process process(kCaught + Words{"--iterations", "1000000000", "--progress", "always", "--json",
                                  path("r.json")});
  ASSERT_TRUE(process.wait_for_error_output(" states"));
  process.send(SIGINT);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 1) << run.out << run.err;  // it had been caught by then
  const Json json = Json::parse(read_whole(path("r.json")));
  EXPECT_GT(json["scenarios"][0]["runs"], 100);
  EXPECT_LT(json["scenarios"][0]["runs"], 1'000'000'000);
  EXPECT_FALSE(json["scenarios"][0]["violations"].empty());
  Process clean(kHolding + Words{"--iterations", "1000000000", "--progress", "always"});
  ASSERT_TRUE(clean.wait_for_error_output(" states"));
  clean.send(SIGINT);
  const Finished open = clean.finish();
  EXPECT_EQ(open.exit, 2) << open.out << open.err;
  EXPECT_TRUE(has(open.out, "undecided: scenario late-decision")) << open.out;
  EXPECT_TRUE(has(open.out, "interrupted")) << open.out;
}

TEST_F(ScenarioCli, AblationTellsWhatEachFilterIsWorth) {
  const Finished run =
      ordeal({"scenario", "ablate", kScenario, "--strategy", "random", "--iterations", "30"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "without     distance")) << run.out;
  EXPECT_TRUE(has(run.out, "holds: 30 of 30 runs succeeded")) << run.out;
  EXPECT_TRUE(has(run.out, "filter 3    –")) << run.out;
  EXPECT_TRUE(has(run.out, "violated: 0 of 30 runs succeeded, 30 did neither")) << run.out;
  EXPECT_TRUE(has(run.out, "any filter")) << run.out;
}

TEST_F(ScenarioCli, ATraceBecomesATest) {
  const Words found = {"check",       "hierarchical-consensus", "--crash", "1",
                       "--bug",       "advance-once",           "--quiet", "--trace",
                       path("t.json")};
  ASSERT_EQ(ordeal(found).exit, 1);
  const Finished printed = ordeal({"scenario", "from-trace", path("t.json")});
  EXPECT_EQ(printed.exit, 0) << printed.err;
  EXPECT_TRUE(has(printed.out, "#include <gtest/gtest.h>")) << printed.out;
  EXPECT_TRUE(has(printed.out, "TEST(")) << printed.out;
  EXPECT_TRUE(has(printed.out, "advance-once")) << printed.out;
  const Finished kept =
      ordeal({"scenario", "from-trace", path("t.json"), "--out", path("regression_test.cc"),
              "--include", "mine.h", "--suite", "mine::suite()"});
  EXPECT_EQ(kept.exit, 0) << kept.err;
  EXPECT_EQ(kept.out, "");
  EXPECT_TRUE(has(read_whole(path("regression_test.cc")), "#include \"mine.h\""));
  EXPECT_TRUE(has(read_whole(path("regression_test.cc")), "mine::suite()"));
}

struct Mistake {
  Words words;
  std::string message;
};

TEST_F(ScenarioCli, MistakesEndIn3WithAMessageAndNothingElse) {
  const std::vector<Mistake> mistakes = {
      {{"scenario"}, "which of its commands?; there are list, run"},
      {{"scenario", "rnu"}, "there is no 'rnu' (did you mean 'run'?)"},
      {{"scenario", "list", "--subject", "paxo"}, "(did you mean 'paxos'?)"},
      {{"scenario", "run"}, "which scenario?"},
      {{"scenario", "run", "late-decisoin"}, "(did you mean 'late-decision'?)"},
      {{"scenario", "run", "late"}, "; near to it are late-"},
      {{"scenario", "run", kScenario, "--all"}, "either names of scenarios, or --all"},
      {{"scenario", "run", kScenario, kScenario}, "late-decision is named twice"},
      {{"scenario", "run", kScenario, "--strategy", "dpor"}, "there is no such choice"},
      {{"scenario", "run", kScenario, "--bug", "any-propser"}, "(did you mean 'any-proposer'?)"},
      {{"scenario", "run", kScenario, "--ndoes", "3"}, "(did you mean '--nodes'?)"},
      {{"scenario", "run", kScenario, "--nodes", "99"}, "--nodes 99: out of range"},
      {{"scenario", "run", kScenario, "--iterations", "0"}, "--iterations 0"},
      {{"scenario", "run", kScenario, "--json", "/no/such/r.json"}, "/no/such/r.json"},
      {{"scenario", "run", kScenario, "--json", "-", "--junit", "-"}, "both write to standard"},
      {{"scenario", "ablate"}, "the form is: scenario ablate NAME"},
      {{"scenario", "ablate", "lat-decision"}, "(did you mean 'late-decision'?)"},
      {{"scenario", "ablate", kScenario, "lonely-leader"}, "one word too many"},
      {{"scenario", "from-trace"}, "the form is: scenario from-trace TRACE…"},
      {{"scenario", "from-trace", "/no/such/t.json"}, "/no/such/t.json"},
      {{"replay", "0.1", "paxos", "--scenario", "nowhere"}, "there is no scenario 'nowhere'"},
      {{"explore", "paxos", "--scenario", kScenario}, "is for 'hierarchical-consensus'"},
  };
  for (const Mistake& mistake : mistakes) {
    const Finished run = ordeal(mistake.words);
    EXPECT_EQ(run.exit, 3) << mistake.message;
    EXPECT_TRUE(has(run.err, mistake.message)) << run.err << "\n  lacks\n" << mistake.message;
    EXPECT_EQ(run.out, "") << mistake.message;
  }
  EXPECT_TRUE(nothing_written());
}

TEST_F(ScenarioCli, TheJsonReferenceNamesEveryField) {
  const std::string document = read_whole(ORDEAL_SOURCE_DIR "/docs/reference/json-report.md");
  const Json json = Json::parse(ordeal(kCaught + Words{"--json", "-", "--quiet"}).out);
  const Json& one = json["scenarios"][0];
  for (const Json* part : {&json, &one, &one["filters"][0], &one["machine"],
                           &one["machine"]["states"][0], &one["machine"]["transitions"][0]}) {
    for (const auto& [field, value] : part->items()) {
      EXPECT_TRUE(has(document, "`" + field + "`")) << field;
    }
  }
}

}  // namespace
}  // namespace ordeal::e2e
