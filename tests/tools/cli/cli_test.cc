// The program as a user meets it: what it prints, what it writes, how it ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ordeal/trace.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kSubject = "hierarchical-consensus";
const Words kBuggy = {"check", kSubject, "--nodes", "3", "--crash", "1", "--bug", "advance-once"};
// Takes for ever.
const Words kLong = {"check",      "paxos",      "--nodes",    "3",      "--strategy", "random",
                     "--max-runs", "1000000000", "--progress", "always", "--max-time", "300"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ordeal_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool nothing_written() const { return fs::is_empty(folder_); }

  // Finds the planted bug and keeps its trace.
  std::string trace() const {
    EXPECT_EQ(ordeal(kBuggy + Words{"--quiet", "--trace", path("t.json")}).exit, 1);
    return path("t.json");
  }

  fs::path folder_;
};

// --- Mistakes ------------------------------------------------------------------------------------

struct Mistake {
  Words words;
  std::string message;
};

TEST_F(Cli, MistakesEndIn3WithAMessageAndNothingElse) {
  const std::vector<Mistake> mistakes = {
      {{"chekc"}, "there is no command 'chekc' (did you mean 'check'?)"},
      {{"check"}, "which subject? there are hierarchical-consensus, "},
      {{"check", "hierarchical-consensu"}, "(did you mean 'hierarchical-consensus'?)"},
      {{"check", "zzz"}, "there is no subject 'zzz'; there are"},
      {{"check", kSubject, "--stratgy", "bfs"}, "(did you mean '--strategy'?)"},
      {{"check", kSubject, "--strategy", "bsf"}, "(did you mean 'bfs'?)"},
      {{"check", kSubject, "--bug", "advance-onec"}, "(did you mean 'advance-once'?)"},
      {{"check", kSubject, "--nodes", "0"}, "--nodes 0: out of range"},
      {{"check", kSubject, "--nodse", "3"}, "(did you mean '--nodes'?)"},
      {{"check", kSubject, "--nodes"}, "--nodes needs a value"},
      {{"check", kSubject, "--crash", "9"}, "--crash 9"},
      {{"check", kSubject, "--crash", "x"}, "--crash x: that is no list of nodes"},
      {{"check", kSubject, "--threads", "0"}, "--threads 0: out of range"},
      {{"check", kSubject, "--max-depth", "0"}, "--max-depth 0: out of range"},
      {{"check", kSubject, "--max-states", "-5"}, "--max-states -5: out of range"},
      {{"check", kSubject, "--max-steps", "0"}, "--max-steps 0: out of range"},
      {{"check", kSubject, "--max-steps", "9"}, "random, pct, pctcp, pos, delay"},
      {{"check", kSubject, "--max-steps", "9", "--strategy", "dfs"}, ", not dfs"},
      {{"check", kSubject, "--seed", "18446744073709551616"}, "out of range"},
      {{"check", kSubject, "--max-time", "soon"}, "--max-time soon: that is no time"},
      {{"check", kSubject, "--max-memory", "lots"}, "--max-memory lots: that is no size"},
      {{"check", kSubject, "--colour", "red"}, "it is one of auto, always, never"},
      {{"check", kSubject, "--json", "-", "--junit", "-"}, "would both write to standard output"},
      {{"check", kSubject, "--guide", "0.x"}, "--guide"},
      {{"check", kSubject, "more"}, "'more' is one word too many"},
      {{"replay"}, "the form is: replay"},
      {{"replay", "0.1.2"}, "a short form needs its subject"},
      {{"replay", "999", kSubject}, ""},
      {{"replay", "no-such.json"}, "cannot read no-such.json: No such file or directory"},
      {{"explore", kSubject, "--start", "9999"}, "--start: step 1: there is no action 9999"},
      {{"trace"}, "which of its commands?; there are info, export"},
      {{"trace", "info", "no-such.json"}, "cannot read no-such.json"},
      {{"history", "no-such.log"}, "no-such.log"},
      {{"help", "chekc"}, "(did you mean 'check'?)"},
  };
  for (const Mistake& mistake : mistakes) {
    const Finished run = ordeal(mistake.words);
    EXPECT_EQ(run.exit, 3) << mistake.message;
    EXPECT_EQ(run.out, "") << mistake.message;
    EXPECT_EQ(run.err.find("ordeal"), 0U) << run.err;
    EXPECT_TRUE(has(run.err, mistake.message)) << run.err << "lacks " << mistake.message;
  }
}

TEST_F(Cli, WithoutACommandItExplainsItself) {
  const Finished run = ordeal({});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "usage: ordeal COMMAND"));
}

TEST_F(Cli, AnOutputThatCannotBeWrittenIsNoticedBeforeTheSearch) {
  std::ofstream(path("file")) << "x";
  for (const char* option : {"--trace", "--json", "--junit", "--html"}) {
    // Would run for minutes, were it not refused.
    const Finished run = ordeal(kLong + Words{option, path("file/below")});
    EXPECT_EQ(run.exit, 3);
    EXPECT_EQ(run.err, "ordeal check: cannot write " + path("file/below") + ": Not a directory\n");
    const Finished missing = ordeal(kLong + Words{option, path("none/x")});
    EXPECT_EQ(missing.exit, 3);
    EXPECT_TRUE(has(missing.err, "there is no folder " + path("none"))) << missing.err;
  }
}

TEST_F(Cli, AFullDiskCostsTheFileButNotTheReport) {
  const Finished run = ordeal(kBuggy + Words{"--json", "/dev/full"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "cannot write /dev/full: No space left on device")) << run.err;
  EXPECT_EQ(run.out.find("violated: "), 0U) << run.out;
  struct stat info {};
  ASSERT_EQ(stat("/dev/full", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));

  const Finished full = Process(kBuggy, "", "/dev/full").finish();
  EXPECT_EQ(full.exit, 3);
  EXPECT_TRUE(has(full.err, "cannot write to standard output: No space left")) << full.err;
}

// --- Checking ------------------------------------------------------------------------------------

TEST_F(Cli, ACorrectProtocolHoldsInAFewLines) {
  const Finished run = ordeal({"check", kSubject, "--crash", "1", "--colour", "never"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.out.find("holds: hierarchical-consensus --crash 1\n"), 0U) << run.out;
  EXPECT_LE(std::count(run.out.begin(), run.out.end(), '\n'), 6) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST_F(Cli, APlantedBugIsFoundAndEveryOutputWritten) {
  const Finished run = ordeal(kBuggy + Words{"--trace", path("t.json"), "--json", path("r.json"),
                                             "--junit", path("r.xml"), "--html", path("r.html")});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_EQ(run.out.find("violated: "), 0U) << run.out;
  EXPECT_TRUE(has(run.out, " replay " + path("t.json") + "\n")) << run.out;
  EXPECT_TRUE(has(run.out, " --start ")) << run.out;
  EXPECT_FALSE(has(run.out, "\x1b"));
  EXPECT_TRUE(read_trace(path("t.json")));
  EXPECT_EQ(Json::parse(read_whole(path("r.json")))["verdict"], "violated");
  EXPECT_TRUE(has(read_whole(path("r.xml")), "failures=\"1\""));
  EXPECT_TRUE(has(read_whole(path("r.html")), "<svg"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 4);
}

TEST_F(Cli, JsonOnStandardOutputIsAllThereIs) {
  const Finished run = ordeal(kBuggy + Words{"--json", "-", "--progress", "always"});
  EXPECT_EQ(run.exit, 1);
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["parameters"]["bug"], "advance-once");
  EXPECT_TRUE(trace_from_json(json["violations"][0]["trace"].dump()));
  EXPECT_TRUE(has(run.err, "violated: "));
  const Finished quiet = ordeal(kBuggy + Words{"--json", "-", "--quiet"});
  EXPECT_TRUE(Json::accept(quiet.out));
  EXPECT_EQ(quiet.err, "");
}

TEST_F(Cli, QuietLeavesTheExitCode) {
  const Finished run = ordeal(kBuggy + Words{"--quiet"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(run.out + run.err, "");
}

TEST_F(Cli, WithoutAViolationNoTraceIsWritten) {
  const Finished run = ordeal({"check", kSubject, "--trace", path("t.json")});
  EXPECT_EQ(run.exit, 0);
  EXPECT_TRUE(has(run.out, "no trace was written to " + path("t.json"))) << run.out;
  EXPECT_TRUE(nothing_written());
}

TEST_F(Cli, ABoundThatIsHitLeavesTheVerdictOpen) {
  const Finished run = ordeal({"check", kSubject, "--crash", "1", "--max-states", "20"});
  EXPECT_EQ(run.exit, 2) << run.out;
  EXPECT_EQ(run.out.find("undecided: "), 0U) << run.out;
  const Finished random =
      ordeal({"check", kSubject, "--strategy", "random", "--max-runs", "50", "--seed", "7"});
  EXPECT_EQ(random.exit, 2) << random.out;
}

TEST_F(Cli, NoRunBeginsAfterSoManyStepsOfAll) {
  const auto report = [&](const Words& more) {
    Words words = {"check", kSubject, "--strategy", "random", "--seed", "7", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished run = ordeal(words);
    EXPECT_EQ(run.exit, 2) << run.err;
    return Json::parse(run.out);
  };
  const Json bounded = report({"--max-steps", "100"});
  EXPECT_EQ(bounded["bounds"], Json::array({"100 steps"}));
  EXPECT_GE(bounded["transitions"], 100);
  // One run fewer would not have been enough.
  const uint64_t runs = bounded["runs"].get<uint64_t>();
  EXPECT_LT(report({"--max-runs", std::to_string(runs - 1)})["transitions"], 100);
  EXPECT_EQ(report({"--max-runs", std::to_string(runs)})["transitions"], bounded["transitions"]);
}

TEST_F(Cli, ParametersMayComeFirstAndWithAnEqualsSign) {
  const Finished run = ordeal({"check", "--nodes=2", "--crash", "1", kSubject, "--json", "-"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["parameters"]["nodes"], "2");
}

// --- Signals -------------------------------------------------------------------------------------

TEST_F(Cli, AnInterruptEndsInAReport) {
  Process process(kLong + Words{"--json", path("r.json")});
  ASSERT_TRUE(process.wait_for_error_output(" states"));
  process.send(SIGINT);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_EQ(run.out.find("undecided: "), 0U) << run.out;
  EXPECT_EQ(Json::parse(read_whole(path("r.json")))["verdict"], "undecided");
}

TEST_F(Cli, AThirdInterruptEndsAtOnceAndLeavesNoFile) {
  Process process(kLong + Words{"--json", path("r.json")});
  ASSERT_TRUE(process.wait_for_error_output(" states"));
  // Different signals, for equal ones may arrive as one.
  process.send(SIGTERM);
  process.send(SIGINT);
  process.send(SIGHUP);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_TRUE(has(run.err, "stopped at once")) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(nothing_written());
}

// --- Replaying -----------------------------------------------------------------------------------

TEST_F(Cli, AReplayReproducesTheViolation) {
  const Finished run = ordeal({"replay", trace()});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_TRUE(has(run.out, "reproduced: ")) << run.out;
  EXPECT_TRUE(has(run.out, "violated: ")) << run.out;
}

TEST_F(Cli, AReplayOnAnotherProgramDivergesWithStepAndReason) {
  const Finished run = ordeal({"replay", trace(), "--bug", "none"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(run.out.starts_with("diverged at step ")) << run.out;
  const Finished quiet = ordeal({"replay", path("t.json"), "--bug", "none", "--quiet"});
  EXPECT_EQ(quiet.exit, 3);
  EXPECT_TRUE(has(quiet.err, "diverged at step ")) << quiet.err;
}

TEST_F(Cli, AReplayThatDivergedSaysSoInEveryReport) {
  const Finished run = ordeal({"replay", trace(), "--bug", "none", "--json", path("r.json"),
                               "--junit", path("r.xml"), "--html", path("page.html"), "--quiet"});
  EXPECT_EQ(run.exit, 3);
  const std::string json = read_whole(path("r.json"));
  EXPECT_TRUE(has(json, "\"divergence\": \"at step ")) << json;
  const std::string xml = read_whole(path("r.xml"));
  EXPECT_TRUE(has(xml, "errors=\"1\"") && has(xml, "<error message=\"diverged at step ")) << xml;
  const std::string page = read_whole(path("page.html"));
  EXPECT_TRUE(has(page, "<span class=\"verdict diverged\">diverged</span>"));
  EXPECT_TRUE(has(page, "\"divergence\":\"at step "));
  EXPECT_FALSE(has(page, ">nothing is violated<"));
  EXPECT_FALSE(has(page, "\"name\":\"nothing is violated\""));
  const std::string title = page.substr(page.find("<title>"), 100);
  EXPECT_TRUE(has(title, "diverged")) << title;
  // A replay that reproduced has none.
  EXPECT_EQ(ordeal({"replay", path("t.json"), "--json", path("r.json"), "--quiet"}).exit, 1);
  EXPECT_TRUE(has(read_whole(path("r.json")), "\"divergence\": \"\""));
}

TEST_F(Cli, AStaleReadIsMarkedAndExplainedByTheWriteBeforeIt) {
  const Finished run = ordeal({"scenario", "run", "raft-deposed-and-asked", "--bug", "stale-read",
                               "--trace", path("s.json")});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_TRUE(has(run.out, "no place for client 5: Read = ReadOk{value: -} beside client 4: "))
      << run.out;
  EXPECT_TRUE(has(run.out, "(no place)")) << run.out;
  const Trace trace = *read_trace(path("s.json"));
  EXPECT_EQ(trace.verdict.operations, (std::vector<TraceOperation>{{4, 0}, {5, 1}}));
  EXPECT_EQ(trace.verdict.unplaced, (std::vector<TraceOperation>{{5, 1}}));
}

TEST_F(Cli, AShortFormReplaysWithItsSubject) {
  const std::string form = short_form(*read_trace(trace()));
  const Words subject = {kSubject, "--nodes", "3", "--crash", "1", "--bug", "advance-once"};
  const Finished run = ordeal(Words{"replay", form} + subject + Words{"--trace", path("u.json")});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_EQ(ordeal({"replay", path("u.json")}).exit, 1);
  const Finished shorter = ordeal({"replay", path("u.json"), "--short"});
  EXPECT_EQ(shorter.out, form + "\n");
  const Finished start = ordeal({"replay", "0:", kSubject, "--html", path("run.html")});
  EXPECT_EQ(start.exit, 0) << start.err;
  EXPECT_TRUE(has(read_whole(path("run.html")), "<svg"));
}

TEST_F(Cli, TheSuggestedCommandsWork) {
  const Finished found = ordeal(kBuggy);
  std::istringstream lines(found.out);
  std::string line;
  int replayed = 0;
  while (std::getline(lines, line)) {
    const size_t at = line.find(" replay ");
    if (at == std::string::npos || has(line, "--html")) continue;
    std::istringstream words(line.substr(at));
    Words arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    EXPECT_EQ(ordeal(arguments).exit, 1) << line;
    ++replayed;
  }
  EXPECT_EQ(replayed, 1) << found.out;
}

TEST_F(Cli, BrokenTracesAreRefusedWithTheirPlace) {
  const std::string good = read_whole(trace());
  const auto replay = [&](const std::string& text) {
    std::ofstream(path("bad.json")) << text;
    return ordeal({"replay", path("bad.json")});
  };
  const auto changed = [&](const char* field, const Json& value) {
    Json json = Json::parse(good);
    json[field] = value;
    return replay(json.dump());
  };
  const Finished cut = replay(good.substr(0, good.size() / 2));
  EXPECT_EQ(cut.exit, 3);
  EXPECT_TRUE(has(cut.err, path("bad.json") + ": this is no JSON: ")) << cut.err;
  const Finished newer = changed("version", 99);
  EXPECT_EQ(newer.exit, 3);
  EXPECT_TRUE(has(newer.err, "version: found 99; this program reads versions up to")) << newer.err;
  const Finished other = changed("format", "other");
  EXPECT_TRUE(has(other.err, "this is no trace of Ordeal")) << other.err;
  const Finished system = changed("system", "hierarchical-consenus");
  EXPECT_EQ(system.exit, 3);
  EXPECT_TRUE(has(system.err, "(did you mean 'hierarchical-consensus'?)")) << system.err;
  const Finished parameter = changed("parameters", {{"nodes", "999"}});
  EXPECT_EQ(parameter.exit, 3);
  EXPECT_TRUE(has(parameter.err, "--nodes 999: out of range")) << parameter.err;
  const Finished named = ordeal({"replay", path("t.json"), "paxos"});
  EXPECT_EQ(named.exit, 3);
  EXPECT_TRUE(has(named.err, "is a trace of 'hierarchical-consensus', not of 'paxos'"));
}

TEST_F(Cli, TraceInfoShowsWithoutRunning) {
  const Finished info = ordeal({"trace", "info", trace(), "--steps", "--svg", path("t.svg")});
  EXPECT_EQ(info.exit, 0) << info.err;
  EXPECT_TRUE(has(info.out, "short form")) << info.out;
  EXPECT_TRUE(has(info.out, "crash 1")) << info.out;
  EXPECT_EQ(read_whole(path("t.svg")).find("<svg"), 0U);
}

// --- Exploring -----------------------------------------------------------------------------------

TEST_F(Cli, ExploringWorksFromAPipe) {
  const Finished run = ordeal(
      {"explore", kSubject, "--crash", "1"},
      "0\nd\ns 1\np\nshort\nt\nb\nb\nr 2\nzz\n77\ng 0.0\nsave " + path("w.json") + "\nh\nq\n0\n");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "0> 0\n")) << run.out;
  EXPECT_TRUE(has(run.out, "1> short\n0\n")) << run.out;
  EXPECT_TRUE(has(run.out, "this is the initial state")) << run.out;
  EXPECT_TRUE(has(run.out, "There is no command 'zz'")) << run.out;
  EXPECT_TRUE(has(run.out, "there is no action 77")) << run.out;
  EXPECT_TRUE(has(run.out, "always agreement")) << run.out;
  EXPECT_FALSE(has(run.out, "q\n2> 0")) << run.out;
  EXPECT_EQ(ordeal({"replay", path("w.json")}).exit, 0);
}

TEST_F(Cli, ExploringAnnouncesAViolation) {
  const std::string form = short_form(*read_trace(trace()));
  const Finished run = ordeal({"explore", kSubject, "--nodes", "3", "--crash", "1", "--bug",
                               "advance-once", "--start", form});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "✗ violated: termination (eventually)")) << run.out;
}

// --- Help ----------------------------------------------------------------------------------------

TEST_F(Cli, ListAndHelpKnowEverySubject) {
  const Finished list = ordeal({"list"});
  EXPECT_EQ(list.exit, 0);
  EXPECT_TRUE(has(list.out, kSubject + ": "));
  EXPECT_TRUE(has(list.out, "advance-once"));
  EXPECT_TRUE(has(ordeal({"list", kSubject}).out, "--nodes N"));
  EXPECT_TRUE(has(ordeal({"help", kSubject}).out, "--nodes N"));
  EXPECT_TRUE(has(ordeal({"check", kSubject, "--help"}).out, "--nodes N"));
}

TEST_F(Cli, EveryCommandExplainsItself) {
  for (const Words& words : {Words{"list"}, Words{"check"}, Words{"replay"}, Words{"explore"},
                             Words{"trace", "info"}, Words{"history"}, Words{"version"}}) {
    const Finished help = ordeal(words + Words{"--help"});
    EXPECT_EQ(help.exit, 0) << words[0] << help.err;
    EXPECT_EQ(help.out.find("usage: ordeal " + words[0]), 0U) << help.out;
    EXPECT_EQ(ordeal(Words{"help"} + words).out, help.out);
  }
}

TEST_F(Cli, TheReferenceIsWhatTheProgramSays) {
  const Finished help = ordeal({"help", "--markdown"});
  EXPECT_EQ(help.exit, 0);
  EXPECT_EQ(help.out, read_whole(ORDEAL_SOURCE_DIR "/docs/reference/cli.md"))
      << "ordeal help --markdown > docs/reference/cli.md";
}

TEST_F(Cli, TheJsonReferenceNamesEveryField) {
  const std::string document = read_whole(ORDEAL_SOURCE_DIR "/docs/reference/json-report.md");
  const Json json = Json::parse(ordeal(kBuggy + Words{"--json", "-", "--quiet"}).out);
  for (const Json* part : {&json, &json["violations"][0], &json["properties"][0]}) {
    for (const auto& [field, value] : part->items()) {
      EXPECT_TRUE(has(document, "`" + field + "`")) << field;
    }
  }
}

TEST_F(Cli, HistoriesAreJudged) {
  std::ofstream(path("good.log")) << "INFO  jepsen.util - 0\t:invoke\t:write\t1\n"
                                     "INFO  jepsen.util - 0\t:ok\t:write\t1\n";
  EXPECT_EQ(ordeal({"history", path("good.log")}).exit, 0);
  std::ofstream(path("bad.log")) << "INFO  jepsen.util - 0\t:invoke\t:write\t1\n"
                                    "INFO  jepsen.util - 0\t:ok\t:write\t1\n"
                                    "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
                                    "INFO  jepsen.util - 0\t:ok\t:read\t2\n";
  const Finished bad = ordeal({"history", path("bad.log"), "--format", "etcd"});
  EXPECT_EQ(bad.exit, 1) << bad.out << bad.err;
  EXPECT_EQ(ordeal({"history", path("bad.log"), "--format", "edn"}).exit, 3);
}

TEST_F(Cli, HistoriesInEdnAreJudgedByTheModelThatIsAskedFor) {
  std::ofstream(path("queue.edn")) << "{:process 0, :type :invoke, :f :enqueue, :value 1}\n"
                                      "{:process 0, :type :ok, :f :enqueue, :value 1}\n"
                                      "{:process 0, :type :invoke, :f :enqueue, :value 2}\n"
                                      "{:process 0, :type :ok, :f :enqueue, :value 2}\n"
                                      "{:process 1, :type :invoke, :f :dequeue, :value nil}\n"
                                      "{:process 1, :type :ok, :f :dequeue, :value 2}\n";
  const Words queue = {"history", path("queue.edn")};
  EXPECT_EQ(ordeal(queue + Words{"--model", "unordered-queue"}).exit, 0);
  EXPECT_EQ(ordeal(queue + Words{"--model", "fifo-queue"}).exit, 1);
  const Finished open = ordeal(queue);
  EXPECT_EQ(open.exit, 3);
  EXPECT_TRUE(has(open.err, "say which with --model: fifo-queue, unordered-queue")) << open.err;
  EXPECT_EQ(ordeal(queue + Words{"--model", "stack"}).exit, 3);
  EXPECT_EQ(ordeal(queue + Words{"--model", "fifo-queue", "--initial", "[1]"}).exit, 3);

  std::ofstream(path("keys.edn")) << "{:process 0, :type :invoke, :f :write, :value [:x 1]}\n"
                                     "{:process 0, :type :ok, :f :write, :value [:x 1]}\n"
                                     "{:process 0, :type :invoke, :f :read, :value [:y nil]}\n"
                                     "{:process 0, :type :ok, :f :read, :value [:y 7]}\n"
                                     "{:process 0, :type :invoke, :f :read, :value [:x nil]}\n"
                                     "{:process 0, :type :ok, :f :read, :value [:x nil]}\n";
  const Words keys = {"history", path("keys.edn"), "--independent", "--initial"};
  EXPECT_EQ(ordeal(keys + Words{"7", "--nil-unknown"}).exit, 0);
  EXPECT_EQ(ordeal(keys + Words{"7"}).exit, 1);
  EXPECT_EQ(ordeal(keys + Words{"8", "--nil-unknown"}).exit, 1);
  EXPECT_EQ(ordeal({"history", path("keys.edn")}).exit, 3);
}

}  // namespace
}  // namespace ordeal::e2e
