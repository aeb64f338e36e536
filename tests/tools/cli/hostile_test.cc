// Files of strangers, and names that a program gives its own things: whatever they contain, the
// command shows it and a terminal does not obey it. The formats for other programs are escaped by
// their own rules; what terminals obey does not occur in them either.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "ordeal/system.h"
#include "ordeal/trace.h"
#include "tests/engine/trace/sample.h"
#include "tests/tools/cli/own_program.h"
#include "tests/tools/cli/process.h"
#include "tests/tools/report/terminal.h"

namespace ordeal::e2e::hostile {
namespace {

using sample::kForTerminals;
using sample::terminal_offence;
using Words = std::vector<std::string>;

// Hostile in every field that a reader leaves to whoever writes the file.
Trace hostile_trace() {
  Trace trace = sample::trace();
  trace.system = trace.strategy = kForTerminals;
  trace.parameters = {{kForTerminals, kForTerminals}, {"bug", kForTerminals}};
  for (const int node : trace.nodes) {
    trace.node_types[node] = kForTerminals + std::to_string(node % 2);
    trace.node_names[node] = kForTerminals + std::to_string(node);
  }
  trace.initially_sent = {{ActionKind::kDeliver, 1, 2, kForTerminals, kForTerminals, 7}};
  trace.initial_history = {{9, false, kForTerminals}};
  for (const ActionKind kind : {ActionKind::kDeliver, ActionKind::kEvent, ActionKind::kDrop,
                                ActionKind::kDuplicate, ActionKind::kRequest, ActionKind::kDetect,
                                ActionKind::kTimer, ActionKind::kChoose, ActionKind::kPartition}) {
    trace.steps.push_back(sample::step(kind, 1, 2, ""));
  }
  for (TraceStep& step : trace.steps) {
    step.detail.action.type = kForTerminals;
    step.detail.action.payload = value::Tree::record(kForTerminals);
    step.detail.action.payload.add(kForTerminals, value::Tree::string(kForTerminals));
    step.detail.action.payload.add("e", value::Tree::enumerator(kForTerminals));
    step.detail.log = step.detail.decided = {kForTerminals};
    step.detail.scenario = {kForTerminals, "filter 1: " + kForTerminals};
    step.detail.timers = {"+" + kForTerminals, "-" + kForTerminals};
    step.detail.history = {{9, true, kForTerminals}, {9, false, kForTerminals}};
    step.detail.sent =
        step.detail.lost = {{ActionKind::kDeliver, 1, 2, kForTerminals, kForTerminals, 7}};
    step.changes = {{kForTerminals, kForTerminals, kForTerminals}};
  }
  trace.steps.back().detail.failure = kForTerminals;
  trace.verdict.property = trace.verdict.why = kForTerminals;
  return trace;
}

class Hostile : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string write(const std::string& name, const Trace& trace) const {
    return write(name, to_json(trace));
  }

  // Some trace of a subject that is there, of which someone has changed what is shown.
  std::string changed_trace() const {
    const std::string file = path("changed.json");
    EXPECT_EQ(ordeal({"check", "hierarchical-consensus", "--crash", "1", "--bug", "advance-once",
                      "--trace", file, "--quiet"})
                  .exit,
              1);
    Result<Trace> trace = read_trace(file);
    EXPECT_TRUE(trace.ok());
    if (!trace) return file;
    trace->verdict.property = trace->verdict.why = trace->verdict.kind = kForTerminals;
    for (TraceStep& step : trace->steps) {
      step.changes = {{kForTerminals, kForTerminals, kForTerminals}};
      step.digest = step.node_digest = 1;
    }
    return write("changed.json", *trace);
  }

  // Runs it, and looks at all that it printed. What it is about must be in it, escaped.
  void look(const Words& words, const std::string& input = "", bool shows = true) {
    const Finished run = ordeal(words, input);
    std::string said;
    for (const std::string& word : words) said += word + " ";
    EXPECT_NE(run.exit, -1) << said;
    EXPECT_EQ(terminal_offence(run.out, has(said, "--colour always")), "") << said;
    EXPECT_EQ(terminal_offence(run.err), "") << said;
    EXPECT_FALSE(has(run.out + run.err, "\nforged")) << said << "\n" << run.out << run.err;
    if (shows) {
      EXPECT_TRUE(has(run.out + run.err, "forged")) << said << run.out << run.err;
    }
    const bool is_group =
        words[0] == "trace" || words[0] == "scenario" || words[0] == "results" || words[0] == "tla";
    tried_.insert(is_group ? words[0] + " " + words[1] : words[0]);
  }

  Folder folder_;
  std::set<std::string> tried_;  // commands
};

TEST_F(Hostile, NoCommandPrintsWhatATerminalWouldObey) {
  Trace trace = hostile_trace();
  const std::string file = write("hostile.json", trace);
  trace.verdict.kind = kForTerminals;
  const std::string kind = write("kind.json", trace);
  trace.scenario = kForTerminals;
  const std::string scenario = write("scenario.json", trace);
  trace.source = kForTerminals;
  const std::string source = write("source.json", trace);
  const std::string changed = changed_trace();
  const std::string odd_path = path("odd\x1b[2J\rforged\xc2\x9b");

  for (const char* format : {"text", "svg", "mermaid", "shiviz"}) {
    look({"trace", "export", file, "--format", format});
    look({"trace", "export", source, "--format", format});
  }
  look({"trace", "export", file, "--ascii"});
  for (const std::string& one : {file, kind, scenario, source, changed}) {
    for (const char* colour : {"never", "always"}) {
      look({"trace", "info", one, "--steps", "--colour", colour});
      look({"replay", one, "--colour", colour}, "", one != changed);
    }
    look({"trace", "info", one, "--svg", "-"});
    look({"trace", "import", one}, "", one != changed);
    look({"trace", "view", one, "--html", path("page.html")}, "", false);
    look({"scenario", "from-trace", one}, "", one != changed);
    look({"replay", one, "--json", "-"}, "", false);
    look({"explore", "raft", "--start", one}, "", false);
    look({"check", "raft", "--guide", one}, "", false);
    look({"check", "raft", "--checkpoint", one}, "", false);
    look({"live", "raft", "--script", one}, "", false);
    look({"history", one}, "", false);
    look({"serve", one, "--port", "x"}, "", false);
  }
  // The C++ source of a test is read in editors, too.
  EXPECT_EQ(ordeal({"scenario", "from-trace", file}).exit, 0);

  for (const Words& words :
       {Words{"trace", "info"}, Words{"trace", "export"}, Words{"trace", "import"},
        Words{"scenario", "from-trace"}, Words{"replay"}, Words{"history"}, Words{"serve"},
        Words{"live", "raft", "--script"}, Words{"explore", "raft", "--start"},
        Words{"check", "raft", "--guide"}, Words{"trace", "export", file, "--out"},
        Words{"check", "raft", "--trace"}, Words{"trace", "view", file, "--html"}}) {
    Words all = words;
    all.push_back(odd_path + "/none");
    look(all);
  }
  std::filesystem::copy_file(file, odd_path);
  look({"trace", "info", odd_path});
  look({"trace", "import", odd_path});
  look({"replay", odd_path});
  look({"history", odd_path});

  // What is no trace is told by what was found.
  const std::string quoted = "\"" + kForTerminals + "\"";
  write("raw.json", "{\"format\": " + quoted + "}");
  write("none.json", "{\"format\": \"ordeal-trace\\u001b\\u009b\\u202eforged\"}");
  std::string text = to_json(hostile_trace());
  write("step.json", text.replace(text.find("\"deliver\""), 9, "\"\\u001b\\u009b\\u202eforged\""));
  for (const char* bad : {"raw.json", "none.json", "step.json"}) {
    look({"trace", "info", path(bad)}, "", false);
    look({"trace", "import", path(bad)}, "", false);
    look({"replay", path(bad)}, "", false);
  }

  // Experiments, and what is left of them.
  const std::string name = "\"\\u001b[2J\\r\\nforged\\u009b\\u202e\"";
  const std::string experiment =
      write("experiment.toml", "name = " + name + "\nwhat = " + name +
                                   "\ntrials = 2\nbudget = { episodes = 2 }\n"
                                   "[[subject]]\nname = \"cube-world\"\n"
                                   "[[strategy]]\nname = \"uniform\"\nlabel = " +
                                   name + "\n");
  const std::string store = path("results") + "/results.sqlite";
  look({"experiment", experiment, "--out", path("results"), "--progress", "never"});
  look({"results", "list", store});
  look({"results", "show", "1", store}, "", false);
  look({"results", "show", kForTerminals, store});
  // Another of the same name: what both have is told by the labels of strategies.
  look({"experiment", experiment, "--out", path("results"), "--progress", "never"});
  look({"results", "compare", "1", "2", store});
  look({"results", "compare", kForTerminals, "2", store});
  look({"results", "export", store, "--json"}, "", false);
  look({"results", "export", store, "--csv"}, "", false);
  look({"results", "export", store, "--curves"}, "", false);
  for (const char* verb : {"list", "export"}) look({"results", verb, odd_path});
  look({"compare", "paxos", "--bug", "small-quorum", "--trials", "1", "--store", odd_path});
  look({"results", "compare", "1", "2", odd_path});
  look({"experiment", odd_path});
  look({"experiment", odd_path + "/none"});
  look({"experiment", write("odd.toml", name + " = 1\n")});

  // Specifications whose strings a terminal would obey, and whose names are no names.
  const std::string specification = write(
      "Hostile.tla",
      "---- MODULE Hostile ----\nVARIABLE x\nInit == x = \"a\\x1b[2J\x1b[2J\xc2\x9b\xe2\x80\xae" +
          std::string("forged\"\nGo == x = \"forged\" /\\ UNCHANGED x\n") +
          "Next == Go\nFine == x = \"\x1b[2Jforged\"\n====\n");
  write("Hostile.cfg", "INIT Init\nNEXT Next\nINVARIANT Fine\n");
  for (const Words& more : {Words{}, Words{"--coverage"}, Words{"--json", "-"}}) {
    Words words = {"tla", "check", specification};
    words.insert(words.end(), more.begin(), more.end());
    look(words, "", false);
  }
  look({"tla", "simulate", specification, "--max-runs", "2"}, "", false);
  look({"tla", "eval", specification, "x"});
  look({"tla", "eval", specification, "--json", "x"});
  look({"tla", "eval", specification}, ":state\n:next\nforged\x1b[2J\n:forged\x1b[2J\n");
  look({"tla", "eval", kForTerminals}, "", false);  // an error shows the line that is wrong
  look({"tla", "graph", specification});
  look({"tla", "graph", specification, "--json", "-"});
  look({"tla", "serve", specification, "--port", kForTerminals});
  for (const char* verb : {"check", "simulate", "graph", "serve"}) {
    look({"tla", verb, kForTerminals});
    look({"tla", verb, odd_path + "/none.tla"});
  }

  // Logs, and what says how they are to be read.
  const std::string said = "\"x\\u001b[2J\\r\\nforged\\u009b\\u202e\"";
  const std::string said_log =
      write("log.ndjson", "{\"kind\": " + said + ", \"action\": " + said + ", \"node\": 1}\n" +
                              "{\"action\": \"Go\", \"state\": {\"x\": " + said + ", " + said +
                              ": 1}}\n{\"kind\": \"deliver\", \"type\": " + said +
                              ", \"payload\": {" + said + ": " + said + "}, \"node\": 1}\n");
  const std::string raw_log = write("raw.ndjson", kForTerminals + "\n{\"kind\": " + said + "\n");
  const std::string mapper = write(
      "odd.mapper", "specification Hostile\non event.action = \"Go\"\n do Go\n see x = \"\x1b[2J" +
                        std::string("forged\"\notherwise by name\n"));
  const std::string bad_mapper = write("bad.mapper", "specification " + kForTerminals + "\n");
  for (const std::string& log : {said_log, raw_log}) {
    look({"tla", "trace", specification, log, "--progress", "never"}, "", log == said_log);
    look({"tla", "trace", specification, log, "--mapper", mapper}, "", log == said_log);
    look({"tla", "trace", specification, log, "--json", "-"}, "", false);
    look({"conform", "raft", log}, "", log == said_log);
    look({"conform", "raft", log, "--json", "-"}, "", false);
  }
  look({"tla", "trace", specification, said_log, "--mapper", bad_mapper}, "", false);
  look({"tla", "trace", specification, said_log, "--mapper", odd_path + "/none"});
  look({"tla", "trace", specification, odd_path + "/none"});
  look({"tla", "trace", kForTerminals, said_log});
  look({"tla", "trace", specification, said_log, "--max-frontier", kForTerminals});
  look({"conform", "raft", odd_path + "/none"});
  look({"conform", kForTerminals, said_log});
  look({"conform", "raft", said_log, "--hidden", kForTerminals});
  look({"conform", "raft", said_log, "--json", odd_path + "/none/x"});
  look({"trace", "export", file, "--format", "log"}, "", false);
  look({"live", "raft", "--log", odd_path + "/none/x"});

  // Words of the command line itself, and lines that are typed.
  for (const Words& words :
       {Words{kForTerminals},
        Words{"help", kForTerminals},
        Words{"check", kForTerminals},
        Words{"trace", kForTerminals},
        Words{"scenario", "run", kForTerminals},
        Words{"scenario", "ablate", kForTerminals},
        Words{"scenario", "list", "--subject", kForTerminals},
        Words{"check", "raft", "--" + kForTerminals},
        Words{"check", "raft", "--bug", kForTerminals},
        Words{"check", "raft", "--strategy", "portfolio", "--members", kForTerminals},
        Words{"check", "raft", "--strategy", "branching", "--waypoints", kForTerminals},
        Words{"waypoints", kForTerminals},
        Words{"waypoints", "raft", "--target", kForTerminals},
        Words{"check", "raft", "--" + kForTerminals, "x"},
        Words{"list", kForTerminals},
        Words{"check", "raft", "--servers", kForTerminals},
        Words{"compare", kForTerminals},
        Words{"live", "raft", "--unit", kForTerminals},
        Words{"version", kForTerminals},
        Words{"replay", "0.1", kForTerminals},
        Words{"serve", "--host", kForTerminals}}) {
    look(words);
  }
  look({"live", "hierarchical-consensus"}, "crash " + kForTerminals + "\n" + kForTerminals, true);
  look({"explore", "hierarchical-consensus"}, "s " + kForTerminals + "\ng " + kForTerminals + "\n" +
                                                  kForTerminals + "\nsave " + odd_path + "/x\n");

  // A command that is new has to be tried, too.
  const std::string manual = ordeal({"help", "--markdown"}).out;
  size_t at = 0;
  while ((at = manual.find("\n## ", at)) != manual.npos) {
    at += 4;
    const std::string name = manual.substr(at, manual.find('\n', at) - at);
    EXPECT_TRUE(tried_.contains(name)) << name;
  }
}

TEST_F(Hostile, LogsAndHistoriesAreShownAndNotObeyed) {
  const std::string odd =
      "x\x1b[2J\x7f\xc2\x9b\xe2\x80\xae\xd8\x9c"
      "forged";
  const std::string quoted = "x\\u001b[2J\\n\\u009b\\u202e\\u061cforged";
  const std::vector<std::string> logs = {
      // ShiViz: the event, the host, a clock that is none, one that contradicts itself.
      "a {\"a\":1}\n" + odd + "\n",
      odd + " {\"" + quoted + "\":1}\nevent\n",
      odd + " {\"" + quoted + "\":x}\nevent\n",
      "a {\"a\":1}\nevent\na {\"a\":1, \"" + quoted + "\":3}\nevent\n",
      "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n=== (?<trace>.*) ===\n=== " + odd +
          " ===\na {\"a\":1}\n" + odd + "\n=== second ===\na {\"a\":1}\nb\n",
      "(?<host>" + odd + "(?<clock>{.*})\n\na {\"a\":1}\nb\n",
      // Maelstrom: names, bodies, what does not fit.
      "{\"src\":\"" + quoted + "\",\"dest\":\"" + quoted + "\",\"body\":{\"type\":\"" + quoted +
          "\",\"" + quoted + "\":\"" + quoted + "\",\"msg_id\":1}}\n",
      "{\"src\":\"a\",\"dest\":\"b\",\"body\":\"" + quoted + "\"}\n",
      "{:src \"" + odd + "\", :dest \"b\", :body {:type \"" + odd + "\"}}\n",
      "{\"src\":" + odd + "}\n",
      odd + "\n",
  };
  for (const std::string& log : logs) {
    const std::string file = write("log", log);
    look({"trace", "import", file, "--trace", path("imported.json")}, "", false);
    look({"trace", "view", file, "--html", path("page.html")}, "", false);
    if (!std::filesystem::exists(path("imported.json"))) continue;
    look({"trace", "info", path("imported.json"), "--steps"});
    for (const char* format : {"text", "svg", "mermaid", "shiviz"}) {
      look({"trace", "export", path("imported.json"), "--format", format});
    }
    std::filesystem::remove(path("imported.json"));
  }
  const std::string name =
      "x\xc2\x9b\xe2\x80\xae"
      "forged";  // in EDN a word
  const std::vector<std::string> histories = {
      odd + "\n",
      "INFO  jepsen.util - 0\t:invoke\t:" + odd + "\t1\n",
      "INFO  jepsen.util - 0\t:invoke\t:read\t" + odd + "\n",
      "{:process 0, :type :invoke, :f :put, :key \"\xc2\x9b\xe2\x80\xae"
      "forged\", :value \"b\"}\n"
      "{:process 0, :type :ok, :f :put, :key \"\xc2\x9b\xe2\x80\xae"
      "forged\", :value \"b\"}\n"
      "{:process 0, :type :invoke, :f :get, :key \"\xc2\x9b\xe2\x80\xae"
      "forged\", :value nil}\n"
      "{:process 0, :type :ok, :f :get, :key \"\xc2\x9b\xe2\x80\xae"
      "forged\", :value \"c\"}\n",
      "{:process :" + name + ", :type :info, :f :start}\n" +
          "{:process 0, :type :invoke, :f :write, :value [\\u009b :" + name + " \"" + odd + "\" #" +
          name + " {\"" + odd + "\" 1}]}\n{:process 1, :type :invoke, :f :read, :value nil}\n" +
          "{:process 1, :type :ok, :f :read, :value \"" + odd + "\"}\n",
      "{:process 0, :type :invoke, :f :" + odd + ", :value 1}\n",
      "{:process 0, :type :" + odd + ", :f :read, :value 1}\n",
      "{:process 0, :type :invoke, :f :read, :value nil, :" + odd + "\n",
  };
  for (const std::string& history : histories) look({"history", write("h", history)}, "", false);
}

// --- A program whose own names are hostile -------------------------------------------------------

struct Go {
  std::string text;
};
struct Echo {
  std::string text;
};
struct Player {
  using Messages = Types<Echo>;
  using Requests = Types<Go>;
  std::string heard;
  void request(Context& ctx, const Go& go) {
    ctx.log(kForTerminals);
    ctx.set_timer(kForTerminals);
    ctx.broadcast(Echo{go.text});
  }
  void on(Context& ctx, NodeId, const Echo& echo) {
    heard = echo.text;
    ctx.decide(echo.text);
  }
  void timer(Context&, const std::string&) {
    if (!heard.empty()) throw std::runtime_error(kForTerminals);
  }
};

Suite hostile_suite() {
  Suite suite;
  suite.add({.name = "players",
             .what = kForTerminals,
             .parameters = {{"p" + kForTerminals, kForTerminals, kForTerminals, 0, 0,
                             ParameterKind::kWord}},
             .bugs = {{kForTerminals, kForTerminals, kForTerminals}},
             .build = [](const Arguments& arguments) {
               System system;
               system.add<Player>(2).request(1, Go{kForTerminals});
               system.always(kForTerminals, each<Player>([](const Player& p) -> Outcome {
                               return p.heard.empty() ? Outcome(true) : violated(kForTerminals);
                             }));
               system.sometimes("s" + kForTerminals,
                                each<Player>([](const Player& p) { return p.heard.empty(); }));
               if (arguments.bug(kForTerminals)) system.drops(1);
               return system;
             }});
  suite.add(SuiteScenario{.name = kForTerminals,
                          .subject = "players",
                          .parameters = {},
                          .catches = kForTerminals,
                          .make = [](const Arguments&) {
                            Scenario scenario(kForTerminals);
                            scenario.what(kForTerminals);
                            scenario.filter(when(is_message<Echo>()).then(deliver()));
                            return scenario.iterations(3);
                          }});
  return suite;
}

TEST_F(Hostile, TheNamesOfASubjectAreShownAndNotObeyed) {
  const std::string trace = path("t.json");
  const std::vector<std::pair<Words, std::string>> commands = {
      {{"list"}, ""},
      {{"list", "players"}, ""},
      {{"check", "players", "--help"}, ""},
      {{"check", "players", "--trace", trace}, ""},
      {{"check", "players", "--colour", "always", "--bug", kForTerminals}, ""},
      {{"check", "players", "--json", "-"}, ""},
      {{"check", "players", "--junit", "-"}, ""},
      {{"replay", trace, "--colour", "always"}, ""},
      {{"trace", "info", trace, "--steps"}, ""},
      {{"trace", "export", trace}, ""},
      {{"scenario", "from-trace", trace}, ""},
      {{"scenario", "list"}, ""},
      {{"scenario", "run", "--all"}, ""},
      {{"scenario", "run", kForTerminals, "--colour", "always"}, ""},
      {{"scenario", "run", kForTerminals, "--json", "-"}, ""},
      {{"scenario", "run", kForTerminals, "--junit", "-"}, ""},
      {{"scenario", "ablate", kForTerminals, "--iterations", "2"}, ""},
      {{"compare", "players", "--trials", "2", "--max-runs", "5"}, ""},
      {{"compare", "players", "--trials", "2", "--max-runs", "5", "--json", "-"}, ""},
      {{"compare", "players", "--trials", "2", "--max-runs", "5", "--csv", "-"}, ""},
      {{"compare", "players", "--trials", "2", "--max-runs", "5", "--markdown", "-"}, ""},
      {{"compare", "players", "--trials", "2", "--max-runs", "5", "--store", path("store")}, ""},
      {{"results", "show", "compare players", path("store")}, ""},
      {{"explore", "players"}, "e\n0\n0\n0\np\nd\ns\nt\nr 5\nq\n"},
      {{"explore", "players", "--scenario", kForTerminals}, "0\nq\n"},
      {{"live", "players", "--unit", "2", "--latency", "0..1", "--keep-going"},
       "status\nnodes\nrequest 0\n"},
      {{"live", "players", "--unit", "2", "--latency", "0..1", "--script",
        write("s", "at 0 status\nat 0 request 0\n")},
       ""},
  };
  for (const auto& [words, input] : commands) {
    const Finished run = own_program(hostile_suite, words, input);
    std::string said;
    for (const std::string& word : words) said += word + " ";
    EXPECT_NE(run.exit, -1) << said << run.err;
    const bool colours = has(said, "--colour always");
    EXPECT_EQ(terminal_offence(run.out, colours), "") << said;
    EXPECT_EQ(terminal_offence(run.err), "") << said;
    EXPECT_TRUE(has(run.out + run.err, "forged")) << said << run.out << run.err;
    EXPECT_FALSE(has(run.out + run.err, "\nforged")) << said << run.out;
  }
}

}  // namespace
}  // namespace ordeal::e2e::hostile
