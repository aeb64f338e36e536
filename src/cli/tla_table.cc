#include "cli/tla_table.h"

#include <algorithm>

#include "cli/conform_output.h"
#include "cli/subject.h"
#include "suite/specifications.h"

namespace ordeal::cli {
namespace {

std::vector<OptionSpec> without(const std::vector<OptionSpec>& options,
                                const std::vector<std::string>& names) {
  std::vector<OptionSpec> out;
  std::copy_if(options.begin(), options.end(), std::back_inserter(out),
               [&](const OptionSpec& option) {
                 return std::find(names.begin(), names.end(), option.name) == names.end();
               });
  return out;
}

}  // namespace

std::vector<CommandSpec> tla_specs(const std::vector<OptionSpec>& check) {
  std::vector<CommandSpec> all;
  const std::vector<OptionSpec> options =
      without(check, {"bug", "symmetry", "handler-seconds", "require-coverage", "fairness"});
  std::vector<OptionSpec> checking = options;
  checking.push_back(
      {"coverage", "",
       "tell how often each action was taken and each expression evaluated; the states are gone "
       "through once more for that"});
  all.push_back(
      {"tla check",
       "SPEC.tla [--config FILE] [OPTIONS]",
       "check a specification in TLA+, or all of a directory",
       "Explores every state of a specification in TLA+ and judges it by the invariants and "
       "properties of its\nconfiguration: FILE, or SPEC.cfg beside it. Of a directory, every "
       "specification that has a\nconfiguration is checked, and told in a line.\n\nExit code: 0 "
       "every property holds, 1 one is violated, 2 undecided, 3 an expression has no value in\n"
       "some state, usage or tool error.",
       1,
       1,
       checking,
       {{"tla check specs/TwoPhase.tla", "every state of two-phase commit"},
        {"tla check specs/TwoPhase.tla --constant 'RM={\"r1\", \"r2\"}' --json -",
         "with another constant"},
        {"tla check specs", "all of a directory"}}});
  all.push_back({"tla simulate",
                 "SPEC.tla [--config FILE] [OPTIONS]",
                 "take random runs through a specification in TLA+",
                 "Takes runs through a specification and judges every state that they come "
                 "through: one random step\nafter the other unless --strategy says otherwise.",
                 1,
                 1,
                 options,
                 {{"tla simulate specs/Raft.tla --max-runs 1000 --max-depth 50", "a first look"}}});
  all.push_back({"tla eval",
                 "[SPEC.tla] [EXPR]… [OPTIONS]",
                 "evaluate expressions of TLA+, in a state of a specification",
                 "Evaluates expressions: in the first initial state of SPEC.tla, or in the state "
                 "that the options say;\nwithout a specification among the standard modules. "
                 "Without EXPR, expressions and definitions come\nfrom standard input, a line "
                 "each, and ':help' lists the commands: ':state', ':next' and ':do N' among\n"
                 "them.\n\nExit code: 0, or 3 where an expression has no value, and after usage "
                 "or tool errors.",
                 0,
                 1000,
                 {{"initial", "N", "in initial state number N, from 0"},
                  {"trace", "FILE",
                   "in a state of this trace; without SPEC.tla of the specification that it is of"},
                  {"step", "N", "with --trace: after N of its steps (default: after the last)"},
                  {"json", "", "print values as JSON, a line each"}},
                 {{"tla eval '{x \\in 1..9 : x % 2 = 0}'", "a value"},
                  {"tla eval specs/TwoPhase.tla 'Cardinality(RM)' 'Next'", "in the initial state"},
                  {"tla eval --trace t.json --step 3 msgs", "in a state of a counterexample"}}});
  all.push_back({"tla graph",
                 "SPEC.tla [--dot FILE] [--json FILE] [OPTIONS]",
                 "write the state graph of a specification",
                 "Writes every state and every step with its action, breadth first, always in the "
                 "same order: as DOT to\nstandard output unless the options say otherwise.\n\n"
                 "Exit code: 0 the whole graph, 2 a part of it, 3 usage or tool error.",
                 1,
                 1,
                 {{"dot", "FILE", "as DOT, for Graphviz; '-' is standard output"},
                  {"json", "FILE", "as JSON; '-' is standard output"},
                  {"max-states", "N", "no more than N states (default 10,000)"}},
                 {{"tla graph specs/TwoPhase.tla | dot -Tsvg > graph.svg", "a picture"},
                  {"tla graph specs/TwoPhase.tla --json graph.json", "for a program"}}});
  all.push_back({"tla serve",
                 "SPEC.tla [--port N] [OPTIONS]",
                 "follow events on a specification, over HTTP",
                 "Answers POST /execute: a list of events, each an action with arguments, is "
                 "followed on the model; the\nstates and their keys come back. It is what clients "
                 "of ModelFuzz talk to. Only the action that is asked for\nis evaluated; one that "
                 "is not enabled leaves the state as it is. Runs until Ctrl-C.",
                 1,
                 1,
                 {{"port", "N", "listen at this port (default 2023); 0: any that is free"},
                  {"bind", "ADDRESS", "listen at this address (default 127.0.0.1)"},
                  {"token", "TOKEN", "answer only who sends 'Authorization: Bearer TOKEN'"},
                  {"key", "EXPR",
                   "what tells states apart, instead of all variables; consecutive states with one "
                   "key are told as one"},
                  {"events", "FILE", "rules that say which events stand for which actions"}},
                 {{"tla serve specs/Raft.tla --config specs/RaftFollow.cfg --key '<<state, log>>'",
                   "terms do not count"}}});
  std::vector<OptionSpec> tracing = conform_options();
  tracing.insert(tracing.begin(), {"mapper", "FILE",
                                   "which events of the log stand for which actions, and which "
                                   "fields for which variables"});
  all.push_back(
      {"tla trace",
       "SPEC.tla LOG.ndjson [--mapper FILE] [OPTIONS]",
       "check whether a log of an implementation is behaviour of a specification",
       "Reads a log with one JSON object in each line and keeps all states that the specification "
       "could be in.\nThe line at which there is none is told, with what the specification would "
       "have allowed there, the\nnearest first. A mapper says what a line stands for; without one, "
       "'action' (or 'event' or 'name') is\nthe name of an action, 'arguments' its arguments, and "
       "'state' has values of variables. '-' is standard\ninput.\n\nExit code: 0 the log conforms, "
       "1 it departs, 2 undecided, 3 usage or tool error.",
       2,
       2,
       tracing,
       {{"tla trace specs/Raft.tla raft.ndjson --config specs/RaftFollow.cfg --mapper "
         "specs/Raft.mapper",
         "a log of 'live raft --log raft.ndjson'"},
        {"tla trace Spec.tla run.ndjson --json -", "for a program"}}});
  // What a specification is loaded with comes first in each.
  const std::vector<OptionSpec> parameters =
      parameter_options({.parameters = specification_parameters()});
  for (CommandSpec& spec : all) {
    spec.options.insert(spec.options.begin(), parameters.begin(), parameters.end());
  }
  return all;
}

}  // namespace ordeal::cli
