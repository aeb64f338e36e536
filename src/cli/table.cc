#include <algorithm>
#include <cassert>
#include <iterator>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/conform_output.h"
#include "cli/experiment_table.h"
#include "cli/scenario_table.h"
#include "cli/tla_table.h"
#include "cli/waypoints_table.h"
#include "explore/strategy/strategy.h"
#include "history/history_file.h"
#include "ordeal/compare.h"

namespace ordeal::cli {
namespace {

using explore::Strategy;

std::vector<std::string> strategy_names() {
  return explore::strategies_where([](const Strategy&) { return true; });
}

std::string strategy_help() {
  std::vector<std::string> parts;
  for (const Strategy& one : explore::all_strategies()) parts.push_back(one.name + ": " + one.what);
  return "how to explore. " + join(parts, "; ") + ". Default: " + explore::default_strategy(true) +
         " where it fits, else " + explore::default_strategy(false);
}

// Those that store states, and those that go level by level.
std::vector<std::string> searches() {
  return explore::strategies_where([](const Strategy& one) { return one.needs_space; });
}
std::string by_levels() {
  return enumeration(explore::strategies_where([](const Strategy& one) { return one.by_levels; }));
}

const std::vector<std::string> kWhen = {"auto", "always", "never"};

OptionSpec bug_option() {
  return {"bug", "NAME", "switch on this planted bug; 'none' is the correct form"};
}
OptionSpec handler_option() {
  return {"handler-seconds", "TIME",
          "how long a call of a handler, a property or a builder may take before it counts as one "
          "that does not return (default 10; 0: any time)"};
}
OptionSpec colour_option() {
  return {"colour", "WHEN", "colours: auto (on a terminal), always or never", kWhen};
}

void put_behind(const std::string& name, std::vector<OptionSpec> more,
                std::vector<OptionSpec>& options) {
  const auto at = std::find_if(options.begin(), options.end(),
                               [&](const OptionSpec& option) { return option.name == name; });
  assert(at != options.end());
  options.insert(at + 1, std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

std::vector<OptionSpec> output_options() {
  return {
      {"trace", "FILE", "write the trace of the first violation"},
      {"json", "FILE",
       "write the report as JSON; '-' is standard output, and only JSON goes there"},
      {"junit", "FILE", "write the report as JUnit XML, for CI; '-' is standard output"},
      {"html", "FILE", "write the report as one HTML page with a space-time diagram"},
      {"quiet", "", "print no report; the exit code tells the verdict"},
      colour_option(),
  };
}

CommandSpec history_spec() {
  std::string models;
  std::vector<std::string> names;
  for (const HistoryModel& model : history_models()) {
    names.emplace_back(model.name);
    std::vector<std::string> functions;
    for (const std::string_view function : model.functions) {
      functions.push_back(":" + std::string(function));
    }
    models += "  " + names.back() + std::string(17 - names.back().size(), ' ') +
              std::string(model.what) + " (" + join(functions, ", ") + ")\n";
  }
  return {
      "history",
      "FILE",
      "check a recorded client history for linearizability",
      "Checks a recorded history of client operations for linearizability. Two formats are known: "
      "EDN, as\nJepsen writes it (history.edn), and logs of a register. What operations in EDN are "
      "about is the\nmodel:\n\n" +
          models +
          "\nExit code: 0 linearizable, 1 not linearizable, 2 undecided, 3 usage or tool error.",
      1,
      1,
      {{"format",
        "NAME",
        "auto (by how the file begins), edn or etcd (a log of a register)",
        {"auto", "edn", "etcd"}},
       {"model", "NAME", "what the operations are about; unless given, as their functions tell",
        names},
       {"initial", "VALUE", "what a register holds at first, in EDN: 0, {:x 0}; nil unless given"},
       {"independent", "", "each value is a pair [key value]; each key is checked by itself"},
       {"nil-unknown", "", "a read that returned nil may have read anything, as in Knossos"},
       {"max-time", "SECONDS", "give up after this time: 90, 0.5, 10m"},
       {"max-memory", "SIZE", "give up at this much memory: 512M, 2G"},
       {"quiet", "", "print nothing; the exit code tells the verdict"}},
      {{"history history.edn", "is it linearizable?"},
       {"history history.edn --model fifo-queue", "where the functions leave the model open"}}};
}

CommandSpec check_spec() {
  CommandSpec spec{
      "check",
      "SUBJECT [--PARAMETER VALUE]… [OPTIONS]",
      "explore a subject and judge every state",
      "Explores SUBJECT and judges every state that it reaches. The subject's own parameters are "
      "options\ntoo: 'check SUBJECT --help' lists them, 'list' lists the subjects. A program with "
      "one "
      "subject\nneeds no name for it.\n\nExit code: 0 "
      "every property holds, 1 one is violated, 2 undecided (a bound was hit, or the\nstrategy "
      "only "
      "samples), 3 usage or tool error.",
      0,
      1,
      {bug_option(),
       {"strategy", "NAME", strategy_help(), strategy_names()},
       {"threads", "N",
        "for " + enumeration(searches()) +
            ": how many threads (default: all cores); runs go on one"},
       {"seed", "N", "the seed of everything random; default 0"},
       {"max-depth", "N", "go no deeper than N steps"},
       {"max-runs", "N", "stop after N runs (strategies by runs)"},
       {"max-states", "N", "stop after N distinct states"},
       {"max-steps", "N", "begin no run after N steps of all runs (strategies that pick steps)"},
       {"max-time", "SECONDS", "stop after this time: 90, 0.5, 10m, 2h"},
       {"max-memory", "SIZE", "stop at this much memory: 512M, 2G"},
       handler_option(),
       {"spill", "DIR",
        "with " + by_levels() + ": do not stop there, but go on in nameless files in DIR"},
       {"checkpoint", "FILE",
        "leave in FILE what is needed to go on after being killed, and go on from there if FILE "
        "exists; it is removed when the search is over"},
       {"checkpoint-every", "TIME", "how long between two checkpoints (default 60 s)"},
       {"reduce",
        "WHAT",
        "none, or sleep: leave out actions whose effect is seen on another way (" +
            join(searches(), ", ") + ")",
        {"none", "sleep"}},
       {"fingerprint", "BITS", "64 or 128 bits to tell states apart (default 64)", {"64", "128"}},
       {"keep-going", "", "look for a violation of every property, every kind of failure"},
       {"no-minimise", "", "leave the trace as it was found"},
       {"symmetry", "",
        "count states that differ by renaming like nodes once (" + join(searches(), ", ") + ")"},
       {"fairness",
        "WHAT",
        "of runs that go on for ever: none (any may), weak or strong (what is owed anything "
        "happens in "
        "the end where it stays possible, or is possible again and again); default: as the subject "
        "says",
        {"none", "weak", "strong"}},
       {"require-coverage", "",
        "fail where a message, request or timer is never handled, or a fault never occurs"},
       {"audit", "", "apply prefixes twice and compare, to catch hidden nondeterminism"},
       {"guide", "RUN", "first follow this run (a trace file or a short form), then explore"}},
      {{"check hierarchical-consensus --nodes 3 --crash 1",
        "every run of three nodes, one of which may crash"},
       {"check hierarchical-consensus --crash 1 --bug advance-once --trace t.json",
        "find the planted bug and keep its trace"},
       {"check paxos --strategy random --max-time 60 --json -",
        "sample for a minute; the report as JSON"}}};
  put_behind("strategy", strategy_option_specs(explore::strategy_options()), spec.options);
  for (OptionSpec& option : output_options()) spec.options.push_back(std::move(option));
  spec.options.push_back(
      {"progress", "WHEN", "progress on standard error: auto, always or never", kWhen});
  return spec;
}

CommandSpec replay_spec() {
  CommandSpec spec{
      "replay",
      "FILE | replay SHORTFORM SUBJECT [--PARAMETER VALUE]…",
      "run a trace again and verify every step",
      "Runs a trace again: every action is found by what it is, every state compared with the "
      "trace.\nSubject and parameters come from the file; options given here override them, so a "
      "trace can be\ntried on another form of the program. A short form (0.2.1, the indexes of the "
      "choices) needs its\nsubject.\n\nExit code: 1 reproduced: the same violation; 0 the run is "
      "the same and violates nothing; 3 diverged\n(with the step and the reason), or usage or tool "
      "error.",
      1,
      2,
      {bug_option(),
       {"scenario", "NAME", "under this scenario; of a trace file: the one that it names"},
       {"short", "", "print only the short form of the run"},
       {"break-at", "N", "with a trace file: stop for a debugger (SIGTRAP) before step N, from 1"},
       handler_option()},
      {{"replay t.json", "see the violation again"},
       {"replay t.json --bug none", "does the correct form still follow this run?"},
       {"replay 0.2.1 paxos --html run.html", "draw a run that is known by its short form"}}};
  for (OptionSpec& option : output_options()) spec.options.push_back(std::move(option));
  return spec;
}

CommandSpec explore_spec() {
  return {"explore",
          "SUBJECT [--PARAMETER VALUE]… [OPTIONS]",
          "walk through a subject by hand",
          "Shows the state and the enabled actions; a number takes one. 'help' inside lists the "
          "commands.\nReads standard input, so a walk can be piped in.",
          0,
          1,
          {bug_option(),
           {"scenario", "NAME", "under the filters of this scenario"},
           {"start", "RUN", "begin at the end of this run (a trace file or a short form)"},
           {"seed", "N", "the seed of random steps; default 0"},
           handler_option(),
           colour_option()},
          {{"explore paxos", "start in the initial state"},
           {"explore paxos --start 0.2.1", "start three steps further"}}};
}

CommandSpec live_spec() {
  return {
      "live",
      "SUBJECT [--PARAMETER VALUE]… [OPTIONS]",
      "run a subject in real time, and make things happen",
      "Runs the nodes of SUBJECT in real time, each on a thread of its own, and shows what "
      "happens. "
      "Commands\nthat are typed (or come from standard input, or from a script) pause, crash and "
      "restart nodes, send\nrequests, and make links lose or delay messages; 'help' lists them. "
      "The recording is a trace that\n'replay' follows step by step. The simulator follows while "
      "it is made: it judges the properties, and\ntells a handler that does not do the same "
      "again.\n\nThe run ends with 'stop', the end of the input at a terminal, or Ctrl-C; after "
      "--seconds; with a\nviolation; and, where nobody sits at a terminal, when nothing can "
      "happen any more. What is\nqueued then is not handled; a handler that does not return in "
      "time (--grace) is named, and left out\nof the recording.\n\nExit code: 0 nothing was "
      "violated, 1 a property was violated, 3 usage or tool error.",
      0,
      1,
      {bug_option(),
       {"script", "FILE", "commands with their times, a line each: at 0.5 crash 2"},
       {"seconds", "N", "end after so many seconds; default 10 where nobody sits at a terminal"},
       {"unit", "MS", "a unit of virtual time takes so many milliseconds (default 100)"},
       {"latency", "LO..HI", "a message takes LO to HI milliseconds (default 20..60)"},
       {"seed", "N", "the seed of latencies and of choices; default 0"},
       {"hold-requests", "", "no request by itself: only those that a person sends"},
       {"keep-going", "", "go on after a violation"},
       {"max-steps", "N", "end after so many steps (default 100,000)"},
       {"grace", "MS",
        "at the end: a handler that runs has so many milliseconds to return, and the simulator to "
        "catch up (default 2000)"},
       handler_option(),
       {"trace", "FILE", "write the recording"},
       {"log", "FILE",
        "write what happened as a log, one JSON object in each line, with the state of the node "
        "behind each step; 'tla trace' and 'conform' read it"},
       {"html", "FILE", "write the run as one HTML page with a space-time diagram"},
       {"quiet", "", "print nothing; the exit code tells the verdict"},
       colour_option()},
      {{"live raft --servers 3", "watch an election; type 'crash 1'"},
       {"live paxos --seconds 5 --trace live.json", "record five seconds"},
       {"replay live.json", "see them again in the simulator"}}};
}

CommandSpec conform_spec() {
  CommandSpec out = {
      "conform",
      "SUBJECT LOG.ndjson [--PARAMETER VALUE]… [OPTIONS]",
      "check whether a log of an implementation is a run of a subject",
      "Reads a log with one JSON object in each line: its kind (deliver, request, timer, crash, "
      "recover, …),\nnode, from, type, payload, and the state of the node behind it, as far as "
      "they are known. All states that\nSUBJECT could be in are kept. The line at which there is "
      "none is told, with what would have been\npossible there, the nearest first. '-' is "
      "standard input.\n\nExit code: 0 the log conforms, 1 it departs, 2 undecided, 3 usage or "
      "tool error.",
      0,
      2,
      {bug_option(),
       {"as-declared", "", "no other faults than SUBJECT declares (default: any, as in 'live')"},
       {"hidden", "KINDS", "steps of these kinds may be missing in the log: drop,timer"},
       {"max-hidden", "N", "with --hidden: so many between two lines (default 1)"},
       handler_option()},
      {{"conform raft raft.ndjson", "a log of 'live raft --log raft.ndjson'"},
       {"conform raft raft.ndjson --bug late-vote-save", "is it this bug?"}}};
  for (OptionSpec& option : conform_options()) out.options.push_back(std::move(option));
  return out;
}

std::string contestant_names() {
  std::vector<std::string> names;
  for (const Contestant& who : contestants()) names.push_back(who.name);
  return join(names, ", ");
}

std::vector<OptionSpec> compared_options() {
  std::vector<OptionSpec> out;
  for (const auto& [option, users] : explore::strategy_options()) {
    if (!explore::is_compared_by(option)) continue;
    out.push_back(
        {option.name, option.value, "for " + enumeration(users) + ", as of 'check'", option.words});
  }
  return out;
}

CommandSpec compare_spec() {
  CommandSpec spec{
      "compare",
      "[SUBJECT]… [OPTIONS]",
      "compare strategies by the runs they need to find planted bugs",
      "Looks for every planted bug of the suite (or of the SUBJECTs) with every strategy, and "
      "tells "
      "how many\nruns each needs until the first violation: the median over trials with different "
      "seeds. A bug is\nlooked for with the parameters, or under the scenario, with which it "
      "shows. "
      "A trial that finds\nnothing counts as \"more than so many\". Each strategy is tested "
      "against "
      "the baseline (Mann-Whitney,\nVargha-Delaney). The result depends on the seed alone.\n\nExit "
      "code: 0 compared, 2 interrupted: what is there was reported, and says that it is partial, "
      "3 usage\nor tool error.",
      0,
      1000,
      {{"bug", "NAME", "only this planted bug"},
       {"bare", "",
        "look for bugs of scenarios also without their scenario, where a property of the subject "
        "itself can tell"},
       {"strategies", "NAMES",
        "only these, with commas between: " + contestant_names() + ". Default: all"},
       {"baseline", "NAME", "the strategy that others are tested against (default random)"},
       {"trials", "N", "so many trials of strategies that draw (default 20)"},
       {"seed", "N", "the seed of the first trial; the others follow it (default 0)"},
       {"max-runs", "N", "give up a trial after N runs (default 10,000)"},
       {"max-states", "N",
        "give up a trial of a strategy that stores states after N of them (default 1,000,000)"},
       {"max-depth", "N", "end every run after N steps"},
       {"max-time", "SECONDS", "for safety: give up a trial after this time; the report says so"},
       {"max-memory", "SIZE", "for safety: give up a trial at this much memory"},
       handler_option(),
       {"threads", "N", "so many trials side by side; default: all cores"},
       {"markdown", "FILE", "write all of it as Markdown, without times; '-' is standard output"},
       {"json", "FILE", "write all of it as JSON; '-' is standard output"},
       {"csv", "FILE", "write a line for every trial; '-' is standard output"},
       {"store", "FILE",
        "keep every trial in this store of results (or in results.sqlite in this folder) as soon "
        "as it is finished; see 'results list'"},
       {"resume", "", "with --store: go on with the trials that the store does not have"},
       {"quiet", "", "print no table"},
       {"progress", "WHEN", "progress on standard error: auto, always or never", kWhen}},
      {{"compare paxos --bug small-quorum", "every strategy on one bug, in full"},
       {"compare paxos multi-paxos --strategies random,pctcp,pos --csv trials.csv",
        "three strategies on all bugs of two subjects; every trial in a file"},
       {"compare --trials 50 --max-runs 2000 --markdown strategies.md", "a document of all bugs"},
       {"compare raft --store out/results.sqlite --resume", "… of Raft, in several sittings"}}};
  put_behind("handler-seconds", compared_options(), spec.options);
  return spec;
}

CommandSpec serve_spec() {
  return {
      "serve",
      "[FILE… | SUBJECT [--PARAMETER VALUE]…] [OPTIONS]",
      "show runs in a browser: step, fork, check, run live",
      "Serves the viewer on this machine and prints its address. FILEs are the runs that it "
      "shows:\ntraces, or logs of ShiViz and Maelstrom; with SUBJECT it opens at the start of that "
      "subject. Runs\nuntil Ctrl-C. Only this machine can reach it; with --host others can, who "
      "need the token that is\nprinted then.",
      0,
      1000,
      {bug_option(),
       {"scenario", "NAME", "with SUBJECT: under this scenario"},
       {"check", "", "with SUBJECT: begin to check it at once"},
       {"strategy", "NAME", "with --check: how to explore, as of 'check'", strategy_names()},
       {"port", "N", "listen at this port (default 7075); 0: any that is free"},
       {"host", "ADDRESS", "listen at this address (default 127.0.0.1)"},
       {"token", "TOKEN",
        "ask for this token instead of a random one: 16 or more of A-Z, a-z, "
        "0-9, - and _"},
       handler_option()},
      {{"serve t.json", "look at a trace"},
       {"serve raft --servers 3", "step through a subject"},
       {"serve --check paxos --bug small-quorum", "watch a search, then look at what it found"}}};
}

std::vector<CommandSpec> make_commands() {
  std::vector<CommandSpec> all;
  all.push_back({"list",
                 "[SUBJECT]",
                 "list the subjects, their parameters and planted bugs",
                 "Lists the subjects; with SUBJECT, its parameters and planted bugs in full.",
                 0,
                 1,
                 {{"strategies", "", "which strategy may claim what, as Markdown"}},
                 {{"list", "all subjects"}, {"list paxos", "one in full"}}});
  all.push_back(check_spec());
  all.push_back(replay_spec());
  all.push_back(explore_spec());
  all.push_back(live_spec());
  all.push_back(conform_spec());
  for (CommandSpec& spec : scenario_specs(check_spec().options)) all.push_back(std::move(spec));
  all.push_back(waypoints_spec(bug_option(), handler_option()));
  all.push_back(compare_spec());
  for (CommandSpec& spec : experiment_specs()) all.push_back(std::move(spec));
  all.push_back({"trace info",
                 "FILE",
                 "show what is in a trace file",
                 "Shows a trace file without running anything.",
                 1,
                 1,
                 {{"steps", "", "also the table of steps"},
                  {"svg", "FILE", "write the space-time diagram as SVG; '-' is standard output"},
                  colour_option()},
                 {{"trace info t.json --steps", "the whole run"},
                  {"trace info t.json --svg t.svg", "a picture for a document"}}});
  all.push_back(
      {"trace export",
       "FILE [--format NAME] [--out FILE]",
       "draw a trace for a terminal, or write it for another tool",
       "Draws a trace for a terminal, or writes it in the format of another tool, without running "
       "anything.",
       1,
       1,
       {{"format",
         "NAME",
         "text (a space-time diagram for a terminal; the default), svg, mermaid (a sequence "
         "diagram), shiviz (a log with vector clocks) or log (an object of JSON in each line, for "
         "'tla trace' and 'conform')",
         {"text", "svg", "mermaid", "shiviz", "log"}},
        {"out", "FILE", "write to FILE; '-' is standard output, and the default"},
        {"ascii", "", "with text: draw with ASCII characters only"}},
       {{"trace export t.json", "see the run"},
        {"trace export t.json --format shiviz --out t.log", "open t.log in ShiViz"}}});
  all.push_back(
      {"trace import",
       "FILE [--from NAME] [--trace FILE] [--html FILE]",
       "read the run that another program has logged",
       "Reads the log of another program and writes it as a trace: to look at, export and compare, "
       "not to replay.\nKnown are logs with vector clocks (ShiViz), and messages or journals of "
       "messages in JSON or EDN (Maelstrom).",
       1,
       1,
       {{"from",
         "NAME",
         "auto (by what the file looks like; the default), shiviz, maelstrom or trace",
         {"auto", "shiviz", "maelstrom", "trace"}},
        {"parser", "REGEX",
         "shiviz: the expression of an event, with groups (?<host>…), (?<clock>…) and (?<event>…)"},
        {"delimiter", "REGEX", "shiviz: the expression between executions; (?<trace>…) names one"},
        {"execution", "N", "shiviz: which of several executions, from 1"},
        {"trace", "FILE", "write the run as a trace"},
        {"html", "FILE", "write a page that shows the run"}},
       {{"trace import chord.log --html run.html", "see a ShiViz log"},
        {"trace import messages.jsonl --trace t.json", "messages as a trace"}}});
  all.push_back({"trace view",
                 "FILE… --html FILE",
                 "write a page that shows several runs",
                 "Writes one page with several runs, to look at and to compare. A file is a trace, "
                 "or a log that 'trace import' knows\nby its looks. States are shown of those runs "
                 "that the program can do again.",
                 1,
                 100,
                 {{"html", "FILE", "the page"}},
                 {{"trace view failing.json passing.json --html both.html", "compare two runs"}}});
  for (CommandSpec& spec : tla_specs(check_spec().options)) all.push_back(std::move(spec));
  all.push_back(history_spec());
  all.push_back(serve_spec());
  all.push_back({"help",
                 "[COMMAND | SUBJECT]",
                 "explain a command or a subject",
                 "Explains a command or a subject.",
                 0,
                 2,
                 {{"markdown", "", "the help of all commands as one Markdown document"}},
                 {}});
  all.push_back({"version", "", "tell the version", "Tells the version.", 0, 0, {}, {}});
  return all;
}

}  // namespace

const std::vector<CommandSpec>& commands() {
  static const std::vector<CommandSpec> all = make_commands();
  return all;
}

const CommandSpec& command(const std::string& name) {
  const auto at = std::find_if(commands().begin(), commands().end(),
                               [&](const CommandSpec& spec) { return spec.name == name; });
  assert(at != commands().end());
  return *at;
}

}  // namespace ordeal::cli
