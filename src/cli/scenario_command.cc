#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ready.h"
#include "cli/signals.h"

namespace ordeal::cli {
namespace {

const Trace* first_trace(const std::vector<ScenarioReport>& reports) {
  for (const ScenarioReport& report : reports) {
    for (const Violation& violation : report.violations) {
      if (violation.trace) return &*violation.trace;
    }
  }
  return nullptr;
}

// One in full; of several, those that hold in a line or two each.
std::string text_of(const std::vector<ScenarioReport>& reports, const TextOptions& options) {
  if (reports.size() == 1) return to_text(reports[0], options);
  const Trace* kept = first_trace(reports);
  size_t violated = 0;
  size_t undecided = 0;
  std::string out;
  for (const ScenarioReport& report : reports) {
    if (report.verdict == Verdict::kHolds) {
      out += summary_of(report, options);
      continue;
    }
    ++(report.verdict == Verdict::kViolated ? violated : undecided);
    TextOptions own = options;
    own.subject.clear();
    const bool has_kept =
        std::any_of(report.violations.begin(), report.violations.end(),
                    [&](const Violation& v) { return v.trace && &*v.trace == kept; });
    if (!has_kept) own.trace_path.clear();
    out += "\n" + to_text(report, own) + "\n";
  }
  return out + fmt::format("{}: {} hold, {} violated, {} undecided\n",
                           counted(reports.size(), "scenario"),
                           reports.size() - violated - undecided, violated, undecided);
}

std::string html_of(const std::vector<ScenarioReport>& reports, TextOptions options) {
  size_t traces = 0;
  for (const ScenarioReport& report : reports) {
    for (const Violation& violation : report.violations) traces += violation.trace ? 1 : 0;
  }
  if (traces > 1) options.trace_path.clear();  // it holds only one of them
  if (reports.size() > 1) options.subject.clear();
  return to_html(reports, options);
}

int exit_of(const std::vector<ScenarioReport>& reports) {
  int worst = kExitHolds;
  for (const ScenarioReport& report : reports) {
    if (report.verdict == Verdict::kViolated) return kExitViolated;
    if (report.verdict == Verdict::kUndecided) worst = kExitUndecided;
  }
  return worst;
}

}  // namespace

int run_scenario_list(const Program& program, const Words& words) {
  const std::string command = "scenario list";
  const Parsing parsing = parse(program, command, words);
  if (parsing.exit >= 0) return parsing.exit;
  const std::string only = parsing.parsed.get("subject");
  if (!only.empty()) {
    const Result<const Subject*> subject = find_subject(program.suite, only);
    if (!subject) return trouble(program, command, subject.error().message);
  }
  std::string out;
  size_t count = 0;
  for (const SuiteScenario& declared : program.suite.scenarios()) {
    if (!only.empty() && declared.subject != only) continue;
    const Result<Ready> ready = make_ready(program.suite, declared, Parsed());
    if (!ready) return trouble(program, command, ready.error().message);
    const Scenario::Declaration& scenario = ready->scenario.declaration();
    out +=
        fmt::format("{}: {}\n", one_line(declared.name),
                    scenario.what.empty() ? "(nothing is said about it)" : one_line(scenario.what));
    const auto fact = [&](const char* label, const std::string& text) {
      for (const std::string& line : wrapped(one_line(text), 96)) {
        out += fmt::format("  {:<12}{}\n", label, line);
        label = "";
      }
    };
    fact("subject", ready->chosen.command_words);
    fact("expects", fmt::format("{}, in {} with {}", show(scenario.expectation),
                                counted(scenario.iterations, "run"), scenario.strategy));
    if (!declared.catches.empty()) fact("catches", "--bug " + declared.catches);
    ++count;
  }
  out += fmt::format("{}{}{}\n", count > 0 ? "\n" : "", counted(count, "scenario"),
                     only.empty() ? "" : " for " + only);
  const Result<void> printed = print(out);
  return printed ? kExitHolds : trouble(program, command, printed.error().message);
}

int run_scenario_run(const Program& program, const Words& words) {
  const std::string command = "scenario run";
  const auto fail = [&](const std::string& message) { return trouble(program, command, message); };
  Result<std::vector<const SuiteScenario*>> names =
      named_scenarios(program, cli::command(command), words);
  if (!names) return refuse_name(program, command, words, names.error());
  const bool all = std::find(words.begin(), words.end(), "--all") != words.end();
  if (all) {
    if (!names->empty()) return fail("either names of scenarios, or --all");
    for (const SuiteScenario& scenario : program.suite.scenarios()) names->push_back(&scenario);
  }
  const Parsing parsing = parse(program, command, words, all_parameters(program.suite, *names));
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (names->empty() && !all) {
    return fail("which scenario? 'scenario list' lists them, --all runs every one");
  }
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return fail(outputs.error().message);
  Result<Options> options = scenario_options(parsed);
  if (!options) return fail(options.error().message);
  // Mistakes first: nobody wants to hear of one after the others have run.
  std::vector<Ready> ready;
  for (const SuiteScenario* scenario : *names) {
    Result<Ready> one = make_ready(program.suite, *scenario, parsed);
    if (!one) return fail(one.error().message);
    ready.push_back(*std::move(one));
  }
  options->states = outputs->wants_states();
  if (const Result<void> writable = outputs->check(); !writable) {
    return fail(writable.error().message);
  }

  const StopOnSignal signals;
  options->stop = &signals.flag();
  const std::string when = parsed.get("progress", outputs->quiet() ? "never" : "auto");
  std::vector<ScenarioReport> reports;
  for (const Ready& one : ready) {
    one.chosen.label(*options);
    ProgressPrinter progress(ProgressPrinter::mode_for(when), when == "always" ? 1 : 10);
    options->progress = [&](const Progress& p) { progress(p); };
    Result<ScenarioReport> report = run(one.scenario, *one.chosen.checkable, *options);
    if (!report) {
      return fail(fmt::format("{}: {}", one.declared->name, report.error().message));
    }
    rename(one.declared->name, *report);
    reports.push_back(*std::move(report));
  }
  Results results;
  results.trace = first_trace(reports);
  results.json = [&] { return to_json(reports); };
  results.junit = [&] { return to_junit(reports); };
  results.text = [&](const TextOptions& text) { return text_of(reports, text); };
  results.html = [&](const TextOptions& text) { return html_of(reports, text); };
  TextOptions text;
  text.program = shell_word(program.path);
  if (ready.size() == 1) text.subject = ready[0].chosen.command_words;
  if (const Result<void> written = outputs->write(results, text); !written) {
    return fail(written.error().message);
  }
  return exit_of(reports);
}

}  // namespace ordeal::cli
