// The subcommands: what each takes (one table), and what each does. Every run_… returns the exit
// code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "ordeal/check.h"
#include "ordeal/suite.h"

namespace ordeal {
struct Chosen;
}

namespace ordeal::cli {

struct Results;

inline constexpr int kExitHolds = 0;  // or: the command did its job
inline constexpr int kExitViolated = 1;
inline constexpr int kExitUndecided = 2;
inline constexpr int kExitTrouble = 3;  // usage or tool error; replay: diverged

struct Program {
  const Suite& suite;
  std::string name;  // "ordeal", for help
  std::string path;  // as it was called, for commands to copy
};

using Words = std::vector<std::string>;

const std::vector<CommandSpec>& commands();
// REQUIRES: there is a command of that name.
const CommandSpec& command(const std::string& name);

int run_list(const Program& program, const Words& words);
int run_check(const Program& program, const Words& words);
int run_replay(const Program& program, const Words& words);
int run_explore(const Program& program, const Words& words);
int run_live(const Program& program, const Words& words);
int run_waypoints(const Program& program, const Words& words);
int run_compare(const Program& program, const Words& words);
int run_experiment(const Program& program, const Words& words);
int run_results_list(const Program& program, const Words& words);
int run_results_show(const Program& program, const Words& words);
int run_results_compare(const Program& program, const Words& words);
int run_results_export(const Program& program, const Words& words);
int run_trace_info(const Program& program, const Words& words);
int run_trace_export(const Program& program, const Words& words);
int run_serve(const Program& program, const Words& words);
int run_trace_import(const Program& program, const Words& words);
int run_trace_view(const Program& program, const Words& words);
int run_history(const Program& program, const Words& words);
int run_scenario_list(const Program& program, const Words& words);
int run_scenario_run(const Program& program, const Words& words);
int run_scenario_ablate(const Program& program, const Words& words);
int run_scenario_from_trace(const Program& program, const Words& words);
int run_help(const Program& program, const Words& words);
int run_version(const Program& program, const Words& words);

int run_tla_check(const Program& program, const Words& words);
int run_tla_simulate(const Program& program, const Words& words);
int run_tla_eval(const Program& program, const Words& words);
int run_tla_graph(const Program& program, const Words& words);
int run_tla_serve(const Program& program, const Words& words);
int run_tla_trace(const Program& program, const Words& words);
int run_conform(const Program& program, const Words& words);

int exit_code(Verdict verdict);
// What 'check' does once it is known what is to be checked; `name`: of the command.
// `more`: what it has to tell besides, once the report is there.
using TellMore = std::function<Result<void>(const Report& report, const Options& options,
                                            const Chosen& chosen, Results& results)>;
int check_subject(const Program& program, const std::string& name, const Subject& subject,
                  const Parsed& parsed, const TellMore& more = {});
// Strategy, seed and bounds, of whatever command has such options.
Result<Options> search_options(const Parsed& parsed);

// "ordeal check: message" on standard error; returns kExitTrouble.
int trouble(const Program& program, const std::string& command, const std::string& message);
// The help of a command, with the parameters and bugs of a subject if there is one.
std::string help_of(const Program& program, const CommandSpec& command, const Subject* subject);
std::string overview(const Program& program);
// The words that begin several commands, and these explained together.
inline constexpr const char* kGroups[] = {"trace", "scenario", "results", "tla"};
std::string group_help(const Program& program, const std::string& group);

// The options of a command, parsed; `help` was asked for: printed. Then there is nothing to do.
struct Parsing {
  Parsed parsed;
  int exit = -1;  // -1: go on
};
Parsing parse(const Program& program, const std::string& name, const Words& words,
              const std::vector<OptionSpec>& extra = {}, const Subject* subject = nullptr);

}  // namespace ordeal::cli
