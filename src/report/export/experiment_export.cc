#include "report/export/experiment_export.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/csv.h"
#include "base/text.h"
#include "report/draw/growth_plot.h"
#include "report/experiment_words.h"

namespace ordeal::report {
namespace {

using experiment::ExperimentResults;
using experiment::Plan;
using experiment::TrialRecord;
using ResultsJson = nlohmann::ordered_json;

// A text in a line, or a cell of a table: nothing of it is markup.
std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_[]<>|#&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + markdown_text(cell) + " |";
  return out + "\n";
}

std::string markdown_table(const WordTable& table) {
  std::string out = "## " + markdown_text(table.title) + "\n\n";
  for (const std::string& sentence : table.before) out += markdown_text(sentence) + ".\n\n";
  out += markdown_row(table.head);
  out += "|";
  for (size_t i = 0; i < table.head.size(); ++i) out += i == 0 ? "---|" : "---:|";
  out += "\n";
  for (const auto& row : table.rows) out += markdown_row(row);
  out += "\n";
  for (const std::string& sentence : table.after) out += markdown_text(sentence) + ".\n\n";
  return out;
}

ResultsJson json_of(const TrialRecord& trial) {
  ResultsJson out = {{"seed", trial.seed}, {"outcome", trial.outcome}, {"steps", trial.steps}};
  out["measures"] = trial.measures;
  ResultsJson& curves = out["curves"] = ResultsJson::object();
  for (const auto& [name, points] : trial.curves) {
    ResultsJson& list = curves[name] = ResultsJson::array();
    for (const experiment::CurvePoint& point : points) list.push_back({point.step, point.value});
  }
  return out;
}

ResultsJson json_of(const Plan& plan, const experiment::MeasureTable& table) {
  const auto label = [&](size_t i) { return plan.file.strategies[i].label; };
  ResultsJson out = {{"subject", plan.file.subjects[table.subject].label},
                     {"measure", to_string(table.measure)}};
  if (!table.property.empty()) out["property"] = table.property;
  ResultsJson& rows = out["strategies"] = ResultsJson::array();
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const experiment::Summary& row = table.rows[i];
    ResultsJson one = {{"strategy", label(i)}, {"trials", row.trials}, {"found", row.found}};
    one["mean"] = row.mean ? ResultsJson(*row.mean) : ResultsJson();
    one["deviation"] = row.deviation ? ResultsJson(*row.deviation) : ResultsJson();
    one["median"] = row.median;
    one["median_censored"] = row.median_censored;
    one["least"] = row.least;
    one["most"] = row.most;
    rows.push_back(std::move(one));
  }
  ResultsJson& pairs = out["pairs"] = ResultsJson::array();
  for (const experiment::PairTest& pair : table.pairs) {
    pairs.push_back({{"a", label(pair.a)},
                     {"b", label(pair.b)},
                     {"u", pair.u},
                     {"a12", pair.a12},
                     {"p_better", pair.p_better},
                     {"p", pair.p},
                     {"p_holm", pair.p_holm},
                     {"exact", pair.exact}});
  }
  if (table.different) {
    out["kruskal_wallis"] = {{"h", table.different->h},
                             {"degrees", table.different->degrees},
                             {"p", table.different->p}};
  }
  return out;
}

ResultsJson json_of(const Plan& plan, const experiment::OverallTable& table) {
  ResultsJson out = {{"measure", to_string(table.measure)},
                     {"f", table.analysis.f},
                     {"degrees", {table.analysis.degrees_treatments, table.analysis.degrees_error}},
                     {"p", table.analysis.p},
                     {"epsilon", table.analysis.epsilon},
                     {"p_corrected", table.analysis.p_corrected}};
  ResultsJson& pairs = out["tukey"] = ResultsJson::array();
  for (const experiment::TukeyPair& pair : table.pairs) {
    pairs.push_back({{"a", plan.file.strategies[pair.a].label},
                     {"b", plan.file.strategies[pair.b].label},
                     {"difference", pair.difference},
                     {"low", pair.band.low},
                     {"high", pair.band.high},
                     {"q", pair.q},
                     {"p", pair.p}});
  }
  return out;
}

}  // namespace

std::string experiment_markdown(const Plan& plan, const ExperimentResults& results,
                                const std::string& command) {
  std::string out = "# " + markdown_text(plan.file.name) + "\n\n";
  if (!plan.file.what.empty()) out += markdown_text(plan.file.what) + "\n\n";
  out += "Made by\n\n    " + one_line(command) + "\n\n";
  for (const std::string& sentence : plan_words(plan)) out += "- " + markdown_text(sentence) + "\n";
  out += "\n";
  for (const WordTable& table : word_tables(plan, results)) out += markdown_table(table);
  for (const experiment::Growth& growth : results.growth) {
    out += fmt::format("![{}]({})\n\n", markdown_text(growth_plot(plan, growth).title),
                       growth_file(plan, growth));
  }
  for (const experiment::PlaceMap& map : results.maps) {
    if (map.grids.empty()) continue;
    out += fmt::format("![{}]({})\n\n", markdown_text(place_map(plan, results, map).title),
                       map_file(plan, map));
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string experiment_csv(const Plan& plan, const ExperimentResults& results) {
  std::set<std::string> measures;
  for (const auto& trials : results.trials) {
    for (const TrialRecord& trial : trials) {
      for (const auto& [name, value] : trial.measures) measures.insert(name);
    }
  }
  std::string out = "subject,strategy,settings,measure,seed,outcome,steps";
  for (const std::string& name : measures) out += "," + csv_field(name);
  out += "\n";
  for (size_t i = 0; i < plan.cells.size(); ++i) {
    const experiment::CellKey& key = plan.cells[i].key;
    for (const TrialRecord& trial : results.trials[i]) {
      out += fmt::format("{},{},{},{},{},{},{}", csv_field(key.subject), csv_field(key.strategy),
                         csv_field(key.settings), csv_field(key.measure), trial.seed,
                         csv_field(trial.outcome), trial.steps);
      for (const std::string& name : measures) {
        const auto found = trial.measures.find(name);
        out += found == trial.measures.end() ? "," : fmt::format(",{}", found->second);
      }
      out += "\n";
    }
  }
  return out;
}

std::string experiment_json(const Plan& plan, const ExperimentResults& results) {
  ResultsJson json = {{"format", "ordeal-experiment"},
                      {"version", 1},
                      {"name", plan.file.name},
                      {"what", plan.file.what},
                      {"trials", plan.file.trials},
                      {"seed", plan.file.seed},
                      {"budget", to_string(plan.file.budget)}};
  ResultsJson& tables = json["tables"] = ResultsJson::array();
  for (const auto& table : results.tables) tables.push_back(json_of(plan, table));
  ResultsJson& overall = json["overall"] = ResultsJson::array();
  for (const auto& table : results.overall) overall.push_back(json_of(plan, table));
  ResultsJson& cells = json["cells"] = ResultsJson::array();
  for (size_t i = 0; i < plan.cells.size(); ++i) {
    const experiment::CellKey& key = plan.cells[i].key;
    ResultsJson cell = {{"subject", key.subject},
                        {"strategy", key.strategy},
                        {"settings", key.settings},
                        {"measure", key.measure}};
    ResultsJson& trials = cell["trials"] = ResultsJson::array();
    for (const TrialRecord& trial : results.trials[i]) trials.push_back(json_of(trial));
    cells.push_back(std::move(cell));
  }
  return json.dump(1, ' ', true, ResultsJson::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::report
