#include "experiment/measures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <string_view>

#include "base/text.h"
#include "experiment/experiment_file.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

constexpr std::string_view kOfProperty = ": ";
constexpr std::string_view kBudgetSetting = "budget=";

}  // namespace

std::string to_string(const Budget& budget) {
  switch (budget.kind) {
    case Budget::Kind::kEpisodes:
      return counted(budget.count, "episode");
    case Budget::Kind::kSteps:
      return counted(budget.count, "step");
    case Budget::Kind::kStates:
      return counted(budget.count, "state");
    case Budget::Kind::kSeconds:
      return fmt::format("{} seconds", budget.seconds);
  }
  return "";
}

const char* to_string(Measure measure) {
  switch (measure) {
    case Measure::kCoverage:
      return "coverage";
    case Measure::kTargetCoverage:
      return "target_coverage";
    case Measure::kFirstBug:
      return "first_bug";
    case Measure::kBugFrequency:
      return "bug_frequency";
  }
  return "";
}

const char* words_for(Measure measure) {
  switch (measure) {
    case Measure::kCoverage:
      return "abstract states covered";
    case Measure::kTargetCoverage:
      return "abstract states covered from the target on";
    case Measure::kFirstBug:
      return "until the first violation";
    case Measure::kBugFrequency:
      return "episodes that show a violation";
  }
  return "";
}

std::string measure_name(Measure measure, const std::string& property) {
  std::string out = to_string(measure);
  if (!property.empty()) out += std::string(kOfProperty) + property;
  return out;
}

std::optional<std::string> property_in(Measure measure, const std::string& name) {
  const std::string begin = to_string(measure) + std::string(kOfProperty);
  if (!name.starts_with(begin)) return std::nullopt;
  return name.substr(begin.size());
}

std::string map_row_name(const char* what, const std::vector<int64_t>& row) {
  return fmt::format("{} {}", what, fmt::join(row, ", "));
}

std::optional<std::vector<int64_t>> map_row_in(const char* what, const std::string& name) {
  const std::string begin = std::string(what) + " ";
  if (!name.starts_with(begin)) return std::nullopt;
  std::vector<int64_t> out;
  const char* at = name.data() + begin.size();
  const char* const end = name.data() + name.size();
  for (;;) {
    int64_t number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc()) return std::nullopt;
    out.push_back(number);
    at = read.ptr;
    if (at == end) return out;
    if (!std::string_view(at, static_cast<size_t>(end - at)).starts_with(", ")) return std::nullopt;
    at += 2;
  }
}

std::string cell_settings(const std::string& subject, const Options& options,
                          const Budget& budget) {
  std::vector<std::string> settings;
  for (const explore::StrategyOption& option : explore::find_strategy(options.strategy)->options) {
    // What is measured is no setting: it changes no trial.
    if (option.field == "measure" || option.field == "target") continue;
    if (const auto given = option.get(options)) settings.push_back(option.field + "=" + *given);
  }
  const auto add = [&](const char* name, auto value) {
    if (value > 0) settings.push_back(fmt::format("{}={}", name, value));
  };
  add(kDepthField, options.max_depth);
  if (budget.kind != Budget::Kind::kSeconds) add("max_seconds", options.max_seconds);
  add("max_bytes", options.max_bytes);
  settings.push_back(std::string(kBudgetSetting) + to_string(budget));
  return subject + "; " + join(settings, "; ");
}

// It comes last, and has nothing in it that could be taken for another.
std::string budget_in(const std::string& settings) {
  const size_t at = settings.rfind(kBudgetSetting);
  return at == settings.npos ? "" : settings.substr(at + kBudgetSetting.size());
}

}  // namespace ordeal::experiment
