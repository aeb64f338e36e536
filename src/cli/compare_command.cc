#include <fmt/format.h>

#include <map>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/contests.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/stores.h"
#include "experiment/compare_settings.h"
#include "experiment/comparison.h"
#include "experiment/results_store.h"
#include "ordeal/compare.h"

namespace ordeal::cli {
namespace {

using experiment::ComparisonPlan;
using experiment::ResultsStore;

const char* const kName = "compare";

// The files that the results go to; one of them may be standard output.
class Files {
 public:
  static Result<Files> from(const Parsed& parsed) {
    Files files;
    std::map<std::string, std::string> taken;
    for (const char* name : {"markdown", "json", "csv"}) {
      if (!parsed.has(name)) continue;
      const std::string path = parsed.get(name);
      if (path.empty()) return Error{fmt::format("--{} needs a path", name)};
      if (const auto [other, is_new] = taken.emplace(path, name); !is_new) {
        return Error{fmt::format("--{} and --{} would both write to {}", other->second, name,
                                 path == "-" ? "standard output" : path)};
      }
      if (path != "-") {
        if (const Result<void> writable = check_writable(path); !writable) return writable.error();
      }
      files.paths_[name] = path;
      files.standard_output_taken_ = files.standard_output_taken_ || path == "-";
    }
    files.quiet_ = parsed.has("quiet");
    return files;
  }

  bool quiet() const { return quiet_; }

  // All are tried; the Error tells every one that failed.
  Result<void> write(const Comparison& comparison) const {
    std::string failures;
    const auto note = [&](const Result<void>& result) {
      if (!result) failures += (failures.empty() ? "" : "; ") + result.error().message;
    };
    for (const auto& [name, path] : paths_) {
      const std::string content = name == "json"  ? to_json(comparison)
                                  : name == "csv" ? to_csv(comparison)
                                                  : to_markdown(comparison);
      note(path == "-" ? print(content, Ink::kDocument) : write_file_atomically(path, content));
    }
    if (!quiet_ && standard_output_taken_) print_error(to_text(comparison));
    if (!quiet_ && !standard_output_taken_) note(print(to_text(comparison)));
    if (!failures.empty()) return Error{failures};
    return {};
  }

 private:
  std::map<std::string, std::string> paths_;
  bool standard_output_taken_ = false;
  bool quiet_ = false;
};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out(1);
  for (char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

Result<std::string> known_strategy(const std::string& option, const std::string& name) {
  std::vector<std::string> names;
  for (const Contestant& who : contestants()) {
    if (who.name == name) return name;
    names.push_back(who.name);
  }
  return Error{fmt::format("--{} {}: there is no such strategy{}; there are {}", option,
                           one_line(name), did_you_mean(name, names), join(names, ", "))};
}

Result<CompareOptions> compare_options(const Parsed& parsed) {
  const Result<Options> search = search_options(parsed);
  if (!search) return search.error();
  CompareOptions options;
  if (parsed.has("strategies")) {
    for (const std::string& name : split_at_commas(parsed.get("strategies"))) {
      const Result<std::string> known = known_strategy("strategies", name);
      if (!known) return known.error();
      options.strategies.push_back(*known);
    }
  }
  if (parsed.has("baseline")) {
    const Result<std::string> known = known_strategy("baseline", parsed.get("baseline"));
    if (!known) return known.error();
    options.baseline = *known;
  }
  if (parsed.has("trials")) {
    const Result<uint64_t> trials = parse_number("--trials", parsed.get("trials"), 1, 10'000);
    if (!trials) return trials.error();
    options.trials = *trials;
  }
  options.seed = search->seed;
  if (search->max_runs > 0) options.max_runs = search->max_runs;
  if (search->max_states > 0) options.max_states = search->max_states;
  options.max_depth = search->max_depth;
  options.max_seconds = search->max_seconds;
  options.max_bytes = search->max_bytes;
  explore::give_settings(*search, options);
  options.threads = search->threads;
  return options;
}

// What a store knows it by: the words that say what is compared on.
std::string name_in(const Parsed& parsed) {
  std::string out = kName;
  for (const std::string& word : parsed.words) out += " " + word;
  if (parsed.has("bug")) out += " --bug " + parsed.get("bug");
  if (parsed.has("bare")) out += " --bare";
  return out;
}

// In a store, if there is to be one; else in memory.
class Keeping {
 public:
  static Result<void> check(const Parsed& parsed) {
    if (parsed.has("resume") && !parsed.has("store")) {
      return Error{"--resume goes on with the trials of a store: give --store FILE, too"};
    }
    if (parsed.has("store") && parsed.get("store").empty()) return Error{"--store needs a path"};
    return {};
  }

  // REQUIRES: the plan outlives it.
  Result<void> begin(const Parsed& parsed, const ComparisonPlan& plan) {
    if (!parsed.has("store")) {
      keeper_ = std::make_unique<experiment::MemoryKeeper>(plan.trials);
      return {};
    }
    Result<ResultsStore> store =
        ResultsStore::open(store_path(parsed.get("store")), ResultsStore::Access::kCreate);
    if (!store) return store.error();
    store_ = std::make_unique<ResultsStore>(*std::move(store));
    const auto about = new_experiment(name_in(parsed), plan.definition());
    if (parsed.has("resume")) {
      const auto other = other_settings_words(*store_, about);
      if (!other) return other.error();
      print_error(*other);
    }
    auto keeper = experiment::StoreKeeper::open(*store_, about, parsed.has("resume"), plan.trials);
    if (!keeper) return keeper.error();
    keeper_ = std::make_unique<experiment::StoreKeeper>(*std::move(keeper));
    return {};
  }

  experiment::TrialKeeper& keeper() { return *keeper_; }
  const ResultsStore* store() const { return store_.get(); }  // null: there is none

 private:
  std::unique_ptr<ResultsStore> store_;
  std::unique_ptr<experiment::TrialKeeper> keeper_;
};

}  // namespace

int run_compare(const Program& program, const Words& words) {
  const auto fail = [&](const std::string& message) { return trouble(program, kName, message); };
  const Parsing parsing = parse(program, kName, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  Result<CompareOptions> options = compare_options(parsed);
  if (!options) return fail(options.error().message);
  if (const auto valid = Keeping::check(parsed); !valid) return fail(valid.error().message);
  Result<std::vector<Contest>> contests =
      contests_of(program.suite, {parsed.words, parsed.get("bug"), parsed.has("bare")});
  if (!contests) return fail(contests.error().message);
  const Result<Files> files = Files::from(parsed);
  if (!files) return fail(files.error().message);
  Result<ComparisonPlan> plan = experiment::plan_comparison(*std::move(contests), *options);
  if (!plan) return fail(plan.error().message);
  Keeping keeping;
  if (const auto begun = keeping.begin(parsed, *plan); !begun) return fail(begun.error().message);

  const StopOnSignal signals;
  plan->options.stop = &signals.flag();
  const std::string when = parsed.get("progress", files->quiet() ? "never" : "auto");
  Result<Comparison> comparison = Error{};
  {
    ProgressPrinter printer(ProgressPrinter::mode_for(when), when == "always" ? 1 : 10);
    plan->options.progress = [&](const CompareProgress& progress) {
      printer(progress.seconds,
              fmt::format("{}: {} of {}, {} on {}", seconds_text(progress.seconds),
                          grouped(progress.done), counted(progress.all, "trial"),
                          progress.contestant, progress.contest));
    };
    comparison = experiment::run_comparison(*plan, keeping.keeper());
  }
  if (!comparison) return fail(comparison.error().message);
  if (const Result<void> written = files->write(*comparison); !written) {
    return fail(written.error().message);
  }
  if (!comparison->partial) return kExitHolds;
  if (keeping.store() != nullptr) {
    print_error(kept_words(comparison->trials_done, comparison->trials_all, *keeping.store()));
  }
  return kExitUndecided;
}

}  // namespace ordeal::cli
