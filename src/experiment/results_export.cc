#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/csv.h"
#include "experiment/results_store.h"

namespace ordeal::experiment {
namespace {

struct LoadedCell {
  StoredCell cell;
  std::vector<TrialRecord> trials;
};

Result<std::vector<LoadedCell>> load(const ResultsStore& store, const ResultsFilter& filter,
                                     bool with_curves) {
  Result<std::vector<StoredCell>> cells = store.cells(filter);
  if (!cells) return cells.error();
  std::vector<LoadedCell> out;
  for (StoredCell& cell : *cells) {
    Result<std::vector<TrialRecord>> trials = store.trials(cell.id, with_curves);
    if (!trials) return trials.error();
    out.push_back({std::move(cell), std::move(*trials)});
  }
  return out;
}

constexpr const char* kCellColumns = "experiment,name,subject,settings,strategy,measure,seed";

std::string cell_fields(const StoredCell& cell, const TrialRecord& trial) {
  return fmt::format("{},{},{},{},{},{},{}", cell.experiment, csv_field(cell.experiment_name),
                     csv_field(cell.key.subject), csv_field(cell.key.settings),
                     csv_field(cell.key.strategy), csv_field(cell.key.measure), trial.seed);
}

nlohmann::json object_of(const TrialRecord& trial) {
  nlohmann::json curves = nlohmann::json::object();
  for (const auto& [name, points] : trial.curves) {
    nlohmann::json& list = curves[name] = nlohmann::json::array();
    for (const CurvePoint& point : points) list.push_back({point.step, point.value});
  }
  return {{"seed", trial.seed},
          {"outcome", trial.outcome},
          {"steps", trial.steps},
          {"measures", trial.measures},
          {"curves", std::move(curves)}};
}

}  // namespace

Result<std::string> trials_csv(const ResultsStore& store, const ResultsFilter& filter) {
  const Result<std::vector<LoadedCell>> loaded = load(store, filter, false);
  if (!loaded) return loaded.error();
  std::set<std::string> measures;
  for (const LoadedCell& one : *loaded) {
    for (const TrialRecord& trial : one.trials) {
      for (const auto& [name, value] : trial.measures) measures.insert(name);
    }
  }
  std::string out = fmt::format("{},outcome,steps", kCellColumns);
  for (const std::string& name : measures) out += "," + csv_field(name);
  out += "\n";
  for (const LoadedCell& one : *loaded) {
    for (const TrialRecord& trial : one.trials) {
      out += fmt::format("{},{},{}", cell_fields(one.cell, trial), csv_field(trial.outcome),
                         trial.steps);
      for (const std::string& name : measures) {
        const auto found = trial.measures.find(name);
        out += found == trial.measures.end() ? "," : fmt::format(",{}", found->second);
      }
      out += "\n";
    }
  }
  return out;
}

Result<std::string> curves_csv(const ResultsStore& store, const ResultsFilter& filter) {
  const Result<std::vector<LoadedCell>> loaded = load(store, filter, true);
  if (!loaded) return loaded.error();
  std::string out = fmt::format("{},curve,step,value\n", kCellColumns);
  for (const LoadedCell& one : *loaded) {
    for (const TrialRecord& trial : one.trials) {
      const std::string begin = cell_fields(one.cell, trial);
      for (const auto& [name, points] : trial.curves) {
        const std::string field = csv_field(name);
        for (const CurvePoint& point : points) {
          out += fmt::format("{},{},{},{}\n", begin, field, point.step, point.value);
        }
      }
    }
  }
  return out;
}

Result<std::string> results_json(const ResultsStore& store, const ResultsFilter& filter) {
  const Result<std::vector<StoredExperiment>> experiments = store.experiments(filter);
  if (!experiments) return experiments.error();
  const Result<std::vector<LoadedCell>> loaded = load(store, filter, true);
  if (!loaded) return loaded.error();
  nlohmann::json list = nlohmann::json::array();
  for (const StoredExperiment& experiment : *experiments) {
    nlohmann::json cells = nlohmann::json::array();
    for (const LoadedCell& one : *loaded) {
      if (one.cell.experiment != experiment.id) continue;
      nlohmann::json trials = nlohmann::json::array();
      for (const TrialRecord& trial : one.trials) trials.push_back(object_of(trial));
      cells.push_back({{"subject", one.cell.key.subject},
                       {"settings", one.cell.key.settings},
                       {"strategy", one.cell.key.strategy},
                       {"measure", one.cell.key.measure},
                       {"trials", std::move(trials)}});
    }
    list.push_back({{"id", experiment.id},
                    {"name", experiment.about.name},
                    {"definition", experiment.about.definition},
                    {"program", experiment.about.program},
                    {"created", experiment.about.created},
                    {"cells", std::move(cells)}});
  }
  const nlohmann::json json = {
      {"format", "ordeal-results"}, {"version", 1}, {"experiments", std::move(list)}};
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::experiment
