#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/stores.h"
#include "experiment/plan.h"
#include "experiment/tables.h"
#include "report/draw/growth_plot.h"
#include "report/export/experiment_export.h"
#include "report/page/experiment_page.h"
#include "report/text/experiment_text.h"
#include "suite/experiment_subjects.h"

namespace ordeal::cli {
namespace {

using experiment::ExperimentResults;
using experiment::Plan;
using experiment::PlanOutcome;
using experiment::ResultsStore;

const char* const kExperiment = "experiment";

Result<Plan> plan_in(const Program& program, const Parsed& parsed) {
  Result<experiment::ExperimentFile> file = experiment::read_experiment(parsed.words[0]);
  if (!file) return file.error();
  if (parsed.has("trials")) {
    const auto trials = parse_number("--trials", parsed.get("trials"), 1, 10'000);
    if (!trials) return trials.error();
    file->trials = *trials;
  }
  if (parsed.has("seed")) {
    const auto seed = parse_number("--seed", parsed.get("seed"), 0, UINT64_MAX - file->trials);
    if (!seed) return seed.error();
    file->seed = *seed;
  }
  auto subjects = subjects_of(program.suite, *file);
  if (!subjects) return subjects.error();
  return make_plan(*std::move(file), *std::move(subjects));
}

// What would give the same results, wherever they go.
std::string command_for(const Program& program, const Parsed& parsed) {
  std::string out = program.name + " experiment " + shell_word(parsed.words[0]);
  for (const char* name : {"trials", "seed"}) {
    if (parsed.has(name)) out += fmt::format(" --{} {}", name, shell_word(parsed.get(name)));
  }
  return out;
}

std::string folder_in(const Parsed& parsed) {
  if (parsed.has("out")) return parsed.get("out");
  return std::filesystem::path(parsed.words[0]).stem().string() + "-results";
}

// The folder is there and can be written to.
Result<void> make_folder(const std::string& folder) {
  if (folder.empty()) return Error{"--out needs a path"};
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{folder + ": cannot be made: " + failed.message()};
  return check_writable(folder + "/results.md");
}

Result<void> write_results(const std::string& folder, const Plan& plan,
                           const ExperimentResults& results, const std::string& command) {
  // All are made before one is written.
  std::vector<std::pair<std::string, std::string>> files = {
      {"results.md", report::experiment_markdown(plan, results, command)},
      {"results.csv", report::experiment_csv(plan, results)},
      {"results.json", report::experiment_json(plan, results)}};
  for (const experiment::Growth& growth : results.growth) {
    Result<std::string> svg = report::to_svg(report::growth_plot(plan, growth));
    if (!svg) return svg.error();
    files.emplace_back(report::growth_file(plan, growth), *std::move(svg));
  }
  for (const experiment::PlaceMap& map : results.maps) {
    if (map.grids.empty()) continue;  // nothing was on it
    Result<std::string> svg = report::to_svg(report::place_map(plan, results, map));
    if (!svg) return svg.error();
    files.emplace_back(report::map_file(plan, map), *std::move(svg));
  }
  files.emplace_back("results.html", report::experiment_page(plan, results, command));
  for (const auto& [name, content] : files) {
    const auto written = write_file_atomically(folder + "/" + name, content);
    if (!written) return written.error();
  }
  return {};
}

}  // namespace

int run_experiment(const Program& program, const Words& words) {
  const auto fail = [&](const std::string& message) {
    return trouble(program, kExperiment, message);
  };
  const Parsing parsing = parse(program, kExperiment, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  experiment::TrialsOptions options;
  if (parsed.has("threads")) {
    const auto threads = parse_number("--threads", parsed.get("threads"), 1, 256);
    if (!threads) return fail(threads.error().message);
    options.threads = static_cast<int>(*threads);
  }
  const Result<Plan> plan = plan_in(program, parsed);
  if (!plan) return fail(plan.error().message);
  const std::string folder = folder_in(parsed);
  if (const auto made = make_folder(folder); !made) return fail(made.error().message);
  Result<ResultsStore> store =
      ResultsStore::open(folder + "/results.sqlite", ResultsStore::Access::kCreate);
  if (!store) return fail(store.error().message);

  const StopOnSignal signals("finished trials are kept");
  options.stop = &signals.flag();
  const experiment::NewExperiment about = new_experiment(plan->file.name, plan->definition());
  if (parsed.has("resume")) {
    const auto other = other_settings_words(*store, about);
    if (!other) return fail(other.error().message);
    print_error(*other);
  }
  const std::string when = parsed.get("progress", parsed.has("quiet") ? "never" : "auto");
  Result<PlanOutcome> outcome = Error{};
  {
    ProgressPrinter printer(ProgressPrinter::mode_for(when), when == "always" ? 1 : 10);
    options.progress = [&](const experiment::TrialsProgress& progress) {
      const experiment::CellKey& key = plan->cells[progress.cell].key;
      printer(progress.seconds,
              fmt::format("{}: {} of {}, {} on {}", seconds_text(progress.seconds),
                          grouped(progress.done), counted(progress.all, "trial"),
                          one_line(key.strategy), one_line(key.subject)));
    };
    outcome = run_plan(*plan, *store, about, parsed.has("resume"), options);
  }
  if (!outcome) return fail(outcome.error().message);
  if (!outcome->is_complete()) {
    print_error(kept_words(outcome->done, outcome->all, *store));
    return kExitUndecided;
  }
  auto trials = trials_of(*plan, *store, outcome->experiment);
  if (!trials) return fail(trials.error().message);
  const auto results = results_of(*plan, *std::move(trials));
  if (!results) return fail(results.error().message);
  const auto written = write_results(folder, *plan, *results, command_for(program, parsed));
  if (!written) return fail(written.error().message);
  if (parsed.has("quiet")) return kExitHolds;
  const auto printed = print(
      fmt::format("{}\n{}: results.md, results.csv, results.json, "
                  "results.html, {}{}\n",
                  report::experiment_text(*plan, *results), one_line(folder),
                  counted(results->growth.size(), "plot"),
                  results->maps.empty() ? "" : ", " + counted(results->maps.size(), "heat map")));
  return printed ? kExitHolds : fail(printed.error().message);
}

}  // namespace ordeal::cli
