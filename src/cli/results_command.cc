#include <fmt/format.h>

#include <array>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "experiment/results_store.h"
#include "experiment/sample.h"
#include "experiment/stored_comparison.h"
#include "report/experiment_words.h"
#include "report/text/experiment_text.h"

namespace ordeal::cli {
namespace {

using experiment::ResultsFilter;
using experiment::ResultsStore;
using experiment::StoredCell;
using experiment::StoredExperiment;
using experiment::TrialRecord;

Result<ResultsStore> store_in(const Parsed& parsed, size_t word) {
  const std::string path = parsed.words.size() > word ? parsed.words[word] : kStoreFile;
  return ResultsStore::open(store_path(path), ResultsStore::Access::kRead);
}

// Names that the store does not have are mistakes, not empty answers.
Result<ResultsFilter> filter_in(const Parsed& parsed, const ResultsStore& store) {
  const auto experiments = store.experiments();
  if (!experiments) return experiments.error();
  const auto cells = store.cells();
  if (!cells) return cells.error();
  std::set<std::string> names;
  std::set<std::string> subjects;
  std::set<std::string> strategies;
  for (const StoredExperiment& one : *experiments) names.insert(one.about.name);
  for (const StoredCell& one : *cells) {
    subjects.insert(one.key.subject);
    strategies.insert(one.key.strategy);
  }
  ResultsFilter filter;
  const auto take = [&](const char* option, const std::set<std::string>& known,
                        std::optional<std::string>& into) -> Result<void> {
    if (!parsed.has(option)) return {};
    const std::string given = parsed.get(option);
    if (!known.contains(given)) {
      return Error{fmt::format("--{} {}: {} has no such {}{}", option, one_line(given),
                               store.path(), std::string(option) == "name" ? "experiment" : option,
                               did_you_mean(given, {known.begin(), known.end()}))};
    }
    into = given;
    return {};
  };
  for (const auto& taken :
       {take("name", names, filter.name), take("subject", subjects, filter.subject),
        take("strategy", strategies, filter.strategy)}) {
    if (!taken) return taken.error();
  }
  return filter;
}

// Of every measure that the trials have.
Result<std::string> measures_text(const std::vector<TrialRecord>& trials) {
  std::map<std::string, experiment::Sample> samples;
  for (const TrialRecord& trial : trials) {
    for (const auto& [name, value] : trial.measures) samples[name].push_back(value);
  }
  std::string out;
  for (const auto& [name, sample] : samples) {
    const auto mean = experiment::mean(sample);
    if (!mean) return mean.error();
    std::string spread;
    if (sample.size() > 1) {
      const auto deviation = experiment::deviation(sample);
      if (!deviation) return deviation.error();
      spread = " ± " + report::real_words(*deviation);
    }
    const std::string part =
        sample.size() < trials.size() ? fmt::format(" (in {} of them)", sample.size()) : "";
    out += fmt::format("    {}: {}{}{}\n", one_line(name), report::real_words(*mean), spread, part);
  }
  return out;
}

Result<std::string> list_text(const ResultsStore& store, const ResultsFilter& filter) {
  const auto experiments = store.experiments(filter);
  if (!experiments) return experiments.error();
  std::string out;
  for (const StoredExperiment& one : *experiments) {
    out +=
        fmt::format("{}  {}: {} in {}, begun {} by version {}\n", one.id, one_line(one.about.name),
                    counted(one.trials, "trial"), counted(one.cells, "cell"),
                    one_line(one.about.created), one_line(one.about.program));
  }
  return out.empty() ? "no experiments\n" : out;
}

Result<std::string> show_text(const ResultsStore& store, const std::string& name,
                              ResultsFilter filter) {
  const auto all = store.experiments();
  if (!all) return all.error();
  std::vector<std::string> names;
  for (const StoredExperiment& one : *all) {
    names.push_back(one.about.name);
    if (one.about.name == name) filter.experiment = one.id;
  }
  if (!filter.experiment) {
    return Error{fmt::format("{} has no experiment '{}'{}", store.path(), one_line(name),
                             did_you_mean(name, names))};
  }
  const auto cells = store.cells(filter);
  if (!cells) return cells.error();
  std::string out =
      fmt::format("{} ({} in {})\n", one_line(name), *filter.experiment, one_line(store.path()));
  for (const StoredCell& cell : *cells) {
    const auto trials = store.trials(cell.id, false);
    if (!trials) return trials.error();
    out += fmt::format("\n  {} on {}: {}\n    {}\n", one_line(cell.key.strategy),
                       one_line(cell.key.subject), counted(trials->size(), "trial"),
                       one_line(cell.key.settings));
    const auto measures = measures_text(*trials);
    if (!measures) return measures.error();
    out += *measures;
  }
  return out;
}

int run_on_store(const Program& program, const std::string& name, const Words& words, size_t word,
                 const std::function<Result<void>(const Parsed&, const ResultsStore&,
                                                  const ResultsFilter&)>& work) {
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Result<ResultsStore> store = store_in(parsing.parsed, word);
  if (!store) return trouble(program, name, store.error().message);
  const Result<ResultsFilter> filter = filter_in(parsing.parsed, *store);
  if (!filter) return trouble(program, name, filter.error().message);
  const Result<void> done = work(parsing.parsed, *store, *filter);
  return done ? kExitHolds : trouble(program, name, done.error().message);
}

Result<void> print_result(const Result<std::string>& text) {
  return text ? print(*text) : Result<void>(text.error());
}

}  // namespace

int run_results_list(const Program& program, const Words& words) {
  return run_on_store(program, "results list", words, 0,
                      [](const Parsed&, const ResultsStore& store, const ResultsFilter& filter) {
                        return print_result(list_text(store, filter));
                      });
}

int run_results_show(const Program& program, const Words& words) {
  return run_on_store(
      program, "results show", words, 1,
      [](const Parsed& parsed, const ResultsStore& store, const ResultsFilter& filter) {
        return print_result(show_text(store, parsed.words[0], filter));
      });
}

int run_results_compare(const Program& program, const Words& words) {
  return run_on_store(
      program, "results compare", words, 2,
      [](const Parsed& parsed, const ResultsStore& store,
         const ResultsFilter& filter) -> Result<void> {
        std::array<int64_t, 2> ids{};
        for (size_t i = 0; i < ids.size(); ++i) {
          const auto id =
              parse_number("the number of an experiment", parsed.words[i], 1, INT64_MAX);
          if (!id) {
            return Error{id.error().message + "; 'ordeal results list' tells those that there are"};
          }
          ids[i] = static_cast<int64_t>(*id);
        }
        if (ids[0] == ids[1]) {
          return Error{"an experiment is compared with another one, not with itself"};
        }
        const auto compared = experiment::compare_stored(store, ids[0], ids[1], filter);
        if (!compared) return compared.error();
        return print(report::comparison_text(*compared));
      });
}

int run_results_export(const Program& program, const Words& words) {
  return run_on_store(
      program, "results export", words, 0,
      [](const Parsed& parsed, const ResultsStore& store,
         const ResultsFilter& filter) -> Result<void> {
        std::map<std::string, std::string> paths;  // by form
        std::set<std::string> taken;
        for (const char* form : {"csv", "curves", "json"}) {
          if (!parsed.has(form)) continue;
          paths[form] = parsed.get(form);
          if (paths[form].empty()) return Error{fmt::format("--{} needs a path", form)};
          if (!taken.insert(paths[form]).second) {
            return Error{fmt::format("two results would go to {}", one_line(paths[form]))};
          }
        }
        if (paths.empty()) paths["csv"] = "-";
        for (const auto& [form, path] : paths) {
          const Result<std::string> text = form == "csv"      ? trials_csv(store, filter)
                                           : form == "curves" ? curves_csv(store, filter)
                                                              : results_json(store, filter);
          if (!text) return text.error();
          const auto written =
              path == "-" ? print(*text, Ink::kDocument) : write_file_atomically(path, *text);
          if (!written) return written;
        }
        return {};
      });
}

}  // namespace ordeal::cli
