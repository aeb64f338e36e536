#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/hanging.h"
#include "base/text.h"
#include "base/watch.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "ordeal/suite.h"

namespace ordeal::cli {
namespace {

using Runner = int (*)(const Program&, const Words&);

struct Entry {
  const char* name;
  Runner run;
};
constexpr Entry kEntries[] = {
    {"list", run_list},
    {"check", run_check},
    {"replay", run_replay},
    {"explore", run_explore},
    {"live", run_live},
    {"conform", run_conform},
    {"waypoints", run_waypoints},
    {"compare", run_compare},
    {"experiment", run_experiment},
    {"results list", run_results_list},
    {"results show", run_results_show},
    {"results compare", run_results_compare},
    {"results export", run_results_export},
    {"trace info", run_trace_info},
    {"trace export", run_trace_export},
    {"trace import", run_trace_import},
    {"trace view", run_trace_view},
    {"history", run_history},
    {"serve", run_serve},
    {"scenario list", run_scenario_list},
    {"scenario run", run_scenario_run},
    {"scenario ablate", run_scenario_ablate},
    {"scenario from-trace", run_scenario_from_trace},
    {"tla check", run_tla_check},
    {"tla simulate", run_tla_simulate},
    {"tla eval", run_tla_eval},
    {"tla graph", run_tla_graph},
    {"tla serve", run_tla_serve},
    {"tla trace", run_tla_trace},
    {"help", run_help},
    {"version", run_version},
};

// The second words of the commands that begin with `group`.
std::vector<std::string> commands_of(const std::string& group) {
  std::vector<std::string> seconds;
  for (const Entry& entry : kEntries) {
    const std::string_view entry_name = entry.name;
    if (entry_name.starts_with(group + " ")) {
      seconds.emplace_back(entry_name.substr(group.size() + 1));
    }
  }
  return seconds;
}

int dispatch(const Program& program, Words words) {
  if (words.empty()) {
    print_error(overview(program));
    return kExitTrouble;
  }
  std::string name = words[0];
  words.erase(words.begin());
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  if (std::find(std::begin(kGroups), std::end(kGroups), name) != std::end(kGroups)) {
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
      return run_help(program, {name});
    }
    const std::string second = words.empty() ? "" : words[0];
    const std::vector<std::string> seconds = commands_of(name);
    if (std::find(seconds.begin(), seconds.end(), second) == seconds.end()) {
      return trouble(program, name,
                     fmt::format("{}{}; there are {}",
                                 second.empty() ? "which of its commands?"
                                                : "there is no '" + one_line(second) + "'",
                                 did_you_mean(second, seconds), join(seconds, ", ")));
    }
    words.erase(words.begin());
    name += " " + second;
  }
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) {
    if (name == entry.name) return entry.run(program, words);
    names.emplace_back(entry.name);
  }
  return trouble(program, "",
                 fmt::format("there is no command '{}'{}; there are {}", one_line(name),
                             did_you_mean(name, names), join(names, ", ")));
}

// Descriptors 0 to 2 are taken: else the first file or socket that is opened would be taken for a
// standard stream. What was closed stays useless: there is nothing to read, and writing fails.
void keep_standard_streams_apart() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDONLY) < 0) return;  // the lowest that is free is this one
  }
}

}  // namespace

int trouble(const Program& program, const std::string& command, const std::string& message) {
  // One line, or one with what it is about below it, whatever was found and where.
  print_error(fmt::format("{}{}{}: {}\n", program.name, command.empty() ? "" : " ", command,
                          hanging(message, "  ")));
  return kExitTrouble;
}

Parsing parse(const Program& program, const std::string& name, const Words& words,
              const std::vector<OptionSpec>& extra, const Subject* subject) {
  const CommandSpec& spec = command(name);
  Parsing parsing;
  Result<Parsed> parsed = parse_options(spec, extra, words);
  if (!parsed) {
    parsing.exit = trouble(program, name, parsed.error().message);
    return parsing;
  }
  parsing.parsed = *std::move(parsed);
  if (parsing.parsed.help) {
    const Result<void> printed = print(help_of(program, spec, subject));
    parsing.exit = printed ? kExitHolds : trouble(program, name, printed.error().message);
  } else if (parsing.parsed.has("handler-seconds")) {
    const std::string text = parsing.parsed.get("handler-seconds");
    const Result<double> seconds =
        text == "0" ? Result<double>(0.0) : parse_seconds("--handler-seconds", text);
    if (!seconds) {
      parsing.exit = trouble(program, name, seconds.error().message);
    } else {
      limit_calls(*seconds);
    }
  }
  return parsing;
}

}  // namespace ordeal::cli

namespace ordeal {

int main(int argc, char** argv, const Suite& suite) {
  // Who reads no more of the output is heard of by print(), and no file is left half written.
  std::signal(SIGPIPE, SIG_IGN);
  cli::keep_standard_streams_apart();
  const std::string path = argc > 0 ? argv[0] : "ordeal";
  const cli::Program program{suite, std::filesystem::path(path).filename().string(), path};
  return cli::dispatch(program, {argv + std::min(argc, 1), argv + argc});
}

}  // namespace ordeal
