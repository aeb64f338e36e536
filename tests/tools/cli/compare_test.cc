// `ordeal compare` as a researcher meets it.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/tools/cli/process.h"

namespace ordeal::e2e::comparisons {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const Words kOne = {"compare",  "paxos", "--bug",      "small-quorum",
                    "--trials", "5",     "--max-runs", "100"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class CompareCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  bool nothing_written() const { return fs::is_empty(folder_.path()); }
  Folder folder_;
};

TEST_F(CompareCli, ShowsEveryStrategyOnOneBug) {
  const Finished run = ordeal(kOne);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.out.find("paxos small-quorum: check paxos --bug small-quorum\n"), 0U) << run.out;
  for (const char* name : {"random", "prefix-random", "pct", "pctcp", "pos", "prefix", "dpor",
                           "delay", "bfs", "dfs"}) {
    EXPECT_TRUE(has(run.out, std::string("\n  ") + name + " ")) << name;
  }
  EXPECT_TRUE(has(run.out, "dpor does not fit: ")) << run.out;
  EXPECT_TRUE(has(run.out, " > 100 ")) << run.out;  // prefix
  EXPECT_EQ(run.err, "");
}

TEST_F(CompareCli, WritesTheSameFilesWhateverTheNumberOfThreads) {
  const Words words = {
      "compare",  "paxos",  "single-copy-register", "--strategies", "pos,random,bfs",
      "--trials", "4",      "--max-runs",           "50",           "--max-states",
      "1000",     "--quiet"};
  for (const char* threads : {"1", "3"}) {
    const std::string n = threads;
    const Finished run = ordeal(words + Words{"--threads", n, "--markdown", path("m" + n), "--csv",
                                              path("c" + n), "--json", path("j" + n)});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
  }
  EXPECT_EQ(read_whole(path("m1")), read_whole(path("m3")));
  EXPECT_EQ(read_whole(path("c1")), read_whole(path("c3")));
  Json one = Json::parse(read_whole(path("j1")));
  Json three = Json::parse(read_whole(path("j3")));
  EXPECT_EQ(one["results"], three["results"]);
  EXPECT_EQ(one["results"].back()["subject"], "single-copy-register");
  EXPECT_TRUE(has(read_whole(path("m1")), "| bug | pos | random | bfs (states) |\n"));
}

TEST_F(CompareCli, CsvOnStandardOutputIsAllThereIs) {
  const Finished run = ordeal(kOne + Words{"--strategies", "random", "--csv", "-"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(run.out.find("subject,bug,scenario,strategy,seed,"), 0U) << run.out;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 6);
  EXPECT_TRUE(has(run.err, "paxos small-quorum"));
}

TEST_F(CompareCli, AnInterruptReportsWhatIsThereAndEndsIn2) {
  Process process({"compare", "paxos", "--bug", "adopt-any", "--strategies", "random", "--trials",
                   "1000", "--max-runs", "1000000000", "--progress", "always", "--csv",
                   path("c.csv")});
  ASSERT_TRUE(process.wait_for_error_output("of 1,000 trials, random on paxos adopt-any"));
  process.send(SIGINT);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 2);
  EXPECT_TRUE(has(run.out, "  partial: stopped after ")) << run.out;
  EXPECT_TRUE(has(read_whole(path("c.csv")), "subject,bug,"));
}

TEST_F(CompareCli, MistakesEndIn3WithAMessageAndNothingElse) {
  struct Mistake {
    Words words;
    std::string message;
  };
  const std::vector<Mistake> mistakes = {
      {{"compare", "paxo"}, "(did you mean 'paxos'?)"},
      {{"compare", "paxos", "paxos"}, "paxos is named twice"},
      {{"compare", "--bug", "small-qourum"}, "(did you mean 'small-quorum'?)"},
      {{"compare", "two-phase-commit", "--bug", "small-quorum"},
       "there is no planted bug 'small-quorum' of two-phase-commit"},
      {{"compare", "--strategies", "random,rnadom"}, "--strategies rnadom: there is no such"},
      {{"compare", "--strategies", "random,"}, "--strategies : there is no such strategy"},
      {{"compare", "--strategies", "pos,pos"}, "strategy pos is named twice"},
      {{"compare", "--baseline", "bfs"}, "the baseline must be a strategy by runs"},
      {{"compare", "--trials", "0"}, "--trials 0: out of range"},
      {{"compare", "--max-runs", "0"}, "--max-runs 0: out of range"},
      {{"compare", "--bug-depth", "x"}, "--bug-depth x: that is no whole number"},
      {{"compare", "--csv", "-", "--json", "-"}, "would both write to standard output"},
      {{"compare", "--markdown", "/no/such/m.md"}, "/no/such/m.md"},
      {{"compare", "--nodes", "3"}, "unknown option '--nodes'"},
      {{"compare", "--resume"}, "--resume goes on with the trials of a store: give --store FILE"},
      {{"compare", "--store", ""}, "--store needs a path"},
      {{"compare", "paxos", "--store", "/no/such/s.sqlite"}, "/no/such/s.sqlite"},
      {{"compare", "paxos", "--store", "/dev/null"}, "/dev/null: is no file"},
      {{"compare", "paxos", "--baseline", "bfs", "--store", path("s")}, "strategy by runs"},
  };
  for (const Mistake& mistake : mistakes) {
    const Finished run = ordeal(mistake.words + Words{"--progress", "never"});
    EXPECT_EQ(run.exit, 3) << mistake.message;
    EXPECT_EQ(run.out, "") << mistake.message;
    EXPECT_TRUE(has(run.err, mistake.message)) << run.err << "lacks " << mistake.message;
  }
  EXPECT_TRUE(nothing_written());
}

TEST_F(CompareCli, KeepsItsTrialsInAStoreThatResultsKnow) {
  const Words all = kOne + Words{"--strategies", "random,pos,bfs,prefix", "--csv", "-"};
  const Finished plain = ordeal(all);
  const Finished kept = ordeal(all + Words{"--store", path("")});  // a folder
  ASSERT_EQ(kept.exit, 0) << kept.err;
  EXPECT_EQ(kept.out, plain.out);
  const std::string name = "compare paxos --bug small-quorum";
  EXPECT_TRUE(has(ordeal({"results", "list", path("results.sqlite")}).out,
                  "1  " + name + ": 12 trials in 4 cells"));
  const Finished shown = ordeal({"results", "show", name, path("")});
  EXPECT_TRUE(has(shown.out, "random on paxos small-quorum: 5 trials")) << shown.out;
  EXPECT_TRUE(has(shown.out, "check paxos --bug small-quorum; budget=100 episodes")) << shown.out;
  EXPECT_TRUE(has(shown.out, "first_bug: ")) << shown.out;

  // Every trial says the same in both.
  const Json json = Json::parse(ordeal({"results", "export", path(""), "--json", "-"}).out);
  const Json full = Json::parse(
      ordeal(kOne + Words{"--strategies", "random,pos,bfs,prefix", "--quiet", "--json", "-"}).out);
  const Json& cells = json["experiments"][0]["cells"];
  ASSERT_EQ(cells.size(), 4U);
  for (size_t i = 0; i < cells.size(); ++i) {
    const Json& score = full["results"][0]["scores"][i];
    EXPECT_EQ(cells[i]["strategy"], score["strategy"]);
    ASSERT_EQ(cells[i]["trials"].size(), score["trials"].size());
    for (size_t j = 0; j < score["trials"].size(); ++j) {
      const Json& mine = cells[i]["trials"][j];
      const Json& trial = score["trials"][j];
      EXPECT_EQ(mine["seed"], trial["seed"]);
      EXPECT_EQ(mine["steps"], trial["steps"]);
      const bool found = trial["end"] == "found";
      EXPECT_EQ(mine["outcome"], found ? "found: " + trial["property"].get<std::string>()
                                       : trial["end"].get<std::string>());
      const char* unit = score["unit"] == "runs" ? "episodes" : "states";
      EXPECT_EQ(mine["measures"][found ? "first_bug" : unit], trial["effort"]);
    }
  }

  // Another one beside it, and both compared: the same seeds, the same numbers.
  ASSERT_EQ(ordeal(all + Words{"--store", path("")}).exit, 0);
  const Finished both = ordeal({"results", "compare", "1", "2", path("")});
  ASSERT_EQ(both.exit, 0) << both.err;
  const size_t at = both.out.find("  random ");
  ASSERT_NE(at, std::string::npos) << both.out;
  EXPECT_TRUE(has(both.out.substr(at, both.out.find('\n', at) - at), "0.500")) << both.out;
  ASSERT_EQ(ordeal({"compare", "paxos", "--bug", "small-quorum", "--trials", "5", "--max-runs",
                    "50", "--strategies", "random,pos", "--store", path(""), "--quiet"})
                .exit,
            0);
  const Finished refused = ordeal({"results", "compare", "1", "3", path("")});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_TRUE(has(refused.err, "has 100 episodes for a trial of random on paxos small-quorum"))
      << refused.err;
}

TEST_F(CompareCli, GoesOnAfterAKillAndEndsAsIfItHadNotBeenKilled) {
  const Words all = {"compare", "paxos",        "--bug",      "adopt-any",  "--trials",
                     "6",       "--strategies", "random,pos", "--max-runs", "3000"};
  const auto with = [&](const std::string& to) {
    return all + Words{"--quiet", "--markdown", path(to + ".md"), "--csv", path(to + ".csv")};
  };
  ASSERT_EQ(ordeal(with("whole")).exit, 0);
  {
    Process killed(all + Words{"--store", path("s"), "--threads", "1", "--quiet"});
    const auto trials = [&] {
      const Finished list = ordeal({"results", "list", path("s")});
      return list.exit == 0 && !has(list.out, ": 0 trials") && has(list.out, "trial");
    };
    for (int i = 0; i < 600 && !killed.has_ended() && !trials(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    killed.send(SIGKILL);
    killed.finish();
  }
  EXPECT_TRUE(fs::exists(path("s")));
  const Finished resumed = ordeal(with("resumed") + Words{"--store", path("s"), "--resume"});
  ASSERT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(read_whole(path("whole.md")), read_whole(path("resumed.md")));
  EXPECT_EQ(read_whole(path("whole.csv")), read_whole(path("resumed.csv")));
  // None was made twice, and none is made again.
  const std::string list = ordeal({"results", "list", path("s")}).out;
  EXPECT_TRUE(has(list, "1  ")) << list;
  EXPECT_TRUE(has(list, ": 12 trials in 2 cells")) << list;
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 1) << list;
  ASSERT_EQ(ordeal(with("again") + Words{"--store", path("s"), "--resume"}).exit, 0);
  EXPECT_EQ(read_whole(path("whole.md")), read_whole(path("again.md")));
  EXPECT_EQ(ordeal({"results", "list", path("s")}).out, list);
  // With another bound they are other trials.
  Words other = with("other");
  other.insert(other.end(), {"--max-depth", "9", "--store", path("s"), "--resume"});
  const Finished anew = ordeal(other);
  ASSERT_EQ(anew.exit, 0) << anew.err;
  EXPECT_TRUE(has(anew.err, "with other settings, and none with these")) << anew.err;
}

TEST_F(CompareCli, AnInterruptLeavesWhatIsFinishedInTheStore) {
  Process process({"compare", "paxos", "--bug", "adopt-any", "--strategies", "random", "--trials",
                   "1000", "--max-runs", "1000000000", "--progress", "always", "--store",
                   path("s")});
  ASSERT_TRUE(process.wait_for_error_output("of 1,000 trials, random on paxos adopt-any"));
  process.send(SIGINT);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 2);
  EXPECT_TRUE(has(run.out, "  partial: stopped after ")) << run.out;
  EXPECT_TRUE(has(run.err, "of 1,000 trials are in " + path("s") + "; go on with --resume"))
      << run.err;
}

TEST_F(CompareCli, TheJsonReferenceNamesEveryField) {
  const std::string document = read_whole(ORDEAL_SOURCE_DIR "/docs/reference/json-report.md");
  const Json json = Json::parse(ordeal(kOne + Words{"--json", "-", "--quiet"}).out);
  const Json& one = json["results"][0];
  for (const Json* part : {&json, &json["options"], &one, &one["scores"][1],
                           &one["scores"][1]["trials"][0], &one["scores"][1]["against"]}) {
    for (const auto& [field, value] : part->items()) {
      EXPECT_TRUE(has(document, "`" + field + "`")) << field;
    }
  }
}

}  // namespace
}  // namespace ordeal::e2e::comparisons
