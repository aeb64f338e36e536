#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "experiment/compare_settings.h"
#include "explore/strategy/strategy.h"
#include "ordeal/compare.h"

namespace ordeal {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_object(const Trial& trial) {
  return {{"seed", trial.seed},   {"end", to_string(trial.end)}, {"effort", trial.effort},
          {"steps", trial.steps}, {"property", trial.property},  {"cut", trial.cut}};
}

Json to_object(const Score& score) {
  Json trials = Json::array();
  for (const Trial& trial : score.trials) trials.push_back(to_object(trial));
  Json json = {{"strategy", score.who.name},
               {"unit", score.who.by_runs ? "runs" : "states"},
               {"seeded", score.who.seeded},
               {"refused", score.refused},
               {"found", score.found},
               {"median", nullptr},
               {"median_censored", score.median_censored},
               {"least", nullptr},
               {"most", nullptr},
               {"median_steps", nullptr},
               {"against", nullptr},
               {"trials", std::move(trials)}};
  if (!score.trials.empty()) {
    json["median"] = score.median;
    json["median_steps"] = score.median_steps;
  }
  if (score.found > 0) {
    json["least"] = score.least;
    json["most"] = score.most;
  }
  if (score.against) {
    json["against"] = {{"u", score.against->u},
                       {"a12", score.against->a12},
                       {"p", or_null(score.against->p)},
                       {"p_holm", or_null(score.against->p_holm)}};
  }
  return json;
}

Json to_json_value(const explore::StrategyOption& option, const std::string& text) {
  switch (option.kind) {
    case explore::StrategyOption::Kind::kNumber:
      return Json::parse(text, nullptr, false);
    case explore::StrategyOption::Kind::kReal:
      return std::strtod(text.c_str(), nullptr);
    case explore::StrategyOption::Kind::kFlag:
      return text == "yes";
    case explore::StrategyOption::Kind::kWord:
    case explore::StrategyOption::Kind::kText:
    case explore::StrategyOption::Kind::kFile:
      break;
  }
  return text;
}

Json to_object(const CompareOptions& options) {
  Json json = {{"baseline", options.baseline},
               {"trials", options.trials},
               {"seed", options.seed},
               {"max_runs", options.max_runs},
               {"max_states", options.max_states},
               {"max_depth", options.max_depth},
               {"max_seconds", options.max_seconds},
               {"max_bytes", options.max_bytes}};
  const Options settings = explore::settings_of(options);
  for (const auto& [option, users] : explore::strategy_options()) {
    if (!explore::is_compared_by(option)) continue;
    const std::optional<std::string> given = option.get(settings);
    json[option.field] = given                 ? to_json_value(option, *given)
                         : option.zero_is_none ? Json(0)
                                               : Json(nullptr);
  }
  return json;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json results = Json::array();
  for (const ContestResult& result : comparison.results) {
    Json scores = Json::array();
    for (const Score& score : result.scores) scores.push_back(to_object(score));
    results.push_back({{"name", result.contest.name},
                       {"subject", result.contest.subject},
                       {"bug", result.contest.bug},
                       {"scenario", result.contest.scenario},
                       {"command", result.contest.command},
                       {"scores", std::move(scores)}});
  }
  const Json json = {{"format", "ordeal-comparison"},
                     {"version", 1},
                     {"options", to_object(comparison.options)},
                     {"partial", comparison.partial},
                     {"trials_done", comparison.trials_done},
                     {"trials_all", comparison.trials_all},
                     {"seconds", comparison.seconds},
                     {"results", std::move(results)}};
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const Comparison& comparison) {
  std::string out = "subject,bug,scenario,strategy,seed,end,unit,effort,steps,property\n";
  for (const ContestResult& result : comparison.results) {
    const Contest& contest = result.contest;
    for (const Score& score : result.scores) {
      for (const Trial& trial : score.trials) {
        out += csv_field(contest.subject) + "," + csv_field(contest.bug) + "," +
               csv_field(contest.scenario) + "," + score.who.name + "," +
               std::to_string(trial.seed) + "," + to_string(trial.end) + "," +
               (score.who.by_runs ? "runs" : "states") + "," + std::to_string(trial.effort) + "," +
               std::to_string(trial.steps) + "," + csv_field(trial.property) + "\n";
      }
    }
  }
  return out;
}

}  // namespace ordeal
