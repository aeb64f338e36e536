#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ready.h"
#include "cli/signals.h"

namespace ordeal::cli {

int run_scenario_ablate(const Program& program, const Words& words) {
  const std::string command = "scenario ablate";
  const auto fail = [&](const std::string& message) { return trouble(program, command, message); };
  const Result<std::vector<const SuiteScenario*>> names =
      named_scenarios(program, cli::command(command), words);
  if (!names) return refuse_name(program, command, words, names.error());
  const Parsing parsing = parse(program, command, words, all_parameters(program.suite, *names));
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  Result<Options> options = scenario_options(parsed);
  if (!options) return fail(options.error().message);
  const Result<Ready> ready = make_ready(program.suite, *names->front(), parsed);
  if (!ready) return fail(ready.error().message);

  const StopOnSignal signals;
  options->stop = &signals.flag();
  options->system = ready->chosen.subject->name;
  options->parameters = ready->chosen.parameters;
  const std::string when = parsed.get("progress", "auto");
  Result<Ablation> ablation = Error{};
  {
    ProgressPrinter progress(ProgressPrinter::mode_for(when), when == "always" ? 1 : 10);
    options->progress = [&](const Progress& p) { progress(p); };
    ablation = ablate(ready->scenario, *ready->chosen.checkable, *options);
  }
  if (!ablation) return fail(ablation.error().message);
  rename(ready->declared->name, ablation->whole);
  TextOptions text;
  text.subject = ready->chosen.command_words;
  text.colour = use_colour(parsed.get("colour", "auto"), false);
  const Ink ink = text.colour ? Ink::kColours : Ink::kPlain;
  if (const auto printed = print(to_text(*ablation, text), ink); !printed) {
    return fail(printed.error().message);
  }
  return signals.flag() ? kExitUndecided : kExitHolds;
}

int run_scenario_from_trace(const Program& program, const Words& words) {
  const std::string command = "scenario from-trace";
  const auto fail = [&](const std::string& message) { return trouble(program, command, message); };
  const Parsing parsing = parse(program, command, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  std::vector<Trace> traces;
  SourceOptions options;
  for (const std::string& path : parsed.words) {
    Result<Trace> trace = read_trace(path);
    if (!trace) return fail(trace.error().message);
    Result<std::vector<size_t>> may_miss = steps_to_miss(program.suite, *trace);
    if (!may_miss) return fail(fmt::format("{}: {}", one_line(path), may_miss.error().message));
    traces.push_back(*std::move(trace));
    options.may_miss.push_back(*std::move(may_miss));
  }
  options.include = parsed.get("include", options.include);
  options.suite = parsed.get("suite", options.suite);
  const Result<std::string> source = scenario_source(traces, options);
  if (!source) return fail(source.error().message);
  const std::string path = parsed.get("out");
  const Result<void> written =
      path.empty() ? print(*source, Ink::kDocument) : write_file_atomically(path, *source);
  return written ? kExitHolds : fail(written.error().message);
}

}  // namespace ordeal::cli
