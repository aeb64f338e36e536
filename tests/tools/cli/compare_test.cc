// `ordeal compare` as a researcher meets it.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
  };
  for (const Mistake& mistake : mistakes) {
    const Finished run = ordeal(mistake.words + Words{"--progress", "never"});
    EXPECT_EQ(run.exit, 3) << mistake.message;
    EXPECT_EQ(run.out, "") << mistake.message;
    EXPECT_TRUE(has(run.err, mistake.message)) << run.err << "lacks " << mistake.message;
  }
  EXPECT_TRUE(nothing_written());
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
