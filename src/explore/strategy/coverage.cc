#include "explore/strategy/coverage.h"

#include <algorithm>

namespace ordeal::explore {

std::map<std::string, uint64_t> named_steps(const std::vector<StepSort>& sorts,
                                            const Exploration& explored) {
  std::map<std::string, uint64_t> out = explored.earlier_steps;
  for (size_t i = 0; i < sorts.size(); ++i) {
    const uint64_t count =
        i < explored.steps.by_sort.size() ? explored.steps.by_sort[i] : uint64_t{0};
    if (!sorts[i].name.empty() && (count > 0 || sorts[i].ran)) out[sorts[i].name] += count;
  }
  return out;
}

std::vector<StepCount> step_counts(const std::vector<StepSort>& sorts,
                                   const Exploration& explored) {
  std::map<std::string, uint64_t> taken = named_steps(sorts, explored);
  std::vector<StepCount> out;
  std::vector<std::string> timers;
  const auto add = [&](const std::string& name) {
    const auto known = taken.find(name);
    StepCount step{name, known == taken.end() ? 0 : known->second, known != taken.end()};
    step.without_effect = step.without_effect && step.count == 0;
    out.push_back(std::move(step));
    if (known != taken.end()) taken.erase(known);
  };
  for (const StepSort& sort : sorts) {
    // The order in which timers were met is an accident.
    if (sort.name.starts_with("timer ")) {
      timers.push_back(sort.name);
    } else if (!sort.name.empty()) {
      add(sort.name);
    }
  }
  // What was only met before the search was resumed.
  for (const auto& [name, count] : explored.earlier_steps) timers.push_back(name);
  std::sort(timers.begin(), timers.end());
  timers.erase(std::unique(timers.begin(), timers.end()), timers.end());
  const auto listed = [&](const std::string& name) {
    return std::any_of(out.begin(), out.end(), [&](const StepCount& s) { return s.what == name; });
  };
  for (const std::string& name : timers) {
    if (!listed(name)) add(name);
  }
  return out;
}

std::optional<Violation> missing_coverage(const Report& report) {
  std::string missing;
  for (const StepCount& step : report.steps) {
    if (step.count > 0 || step.without_effect) continue;
    missing += (missing.empty() ? "" : ", ") + step.what;
  }
  if (missing.empty() && report.transitions > 0) return std::nullopt;
  Violation violation;
  violation.property = "everything occurs";
  violation.kind = "coverage";
  violation.why = missing.empty()   ? "nothing ever happened"
                  : report.complete ? "never occurred: " + missing
                                    : "not seen: " + missing;
  return violation;
}

}  // namespace ordeal::explore
