#include "report/scenario_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal::report {

std::array<Ending, 3> endings_of(const ScenarioReport& report) {
  const uint64_t told = report.successes + report.failures;
  return {Ending{"succeeded", '#', report.successes},
          Ending{"did neither", '.', report.runs > told ? report.runs - told : 0},
          Ending{"failed", 'x', report.failures}};
}

std::array<size_t, 3> shares_of(const ScenarioReport& report, size_t total) {
  const std::array<Ending, 3> endings = endings_of(report);
  uint64_t runs = 0;
  for (const Ending& ending : endings) runs += ending.runs;
  std::array<size_t, 3> shares = {};
  if (runs == 0) return shares;
  size_t used = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    const double part = static_cast<double>(endings[i].runs) / static_cast<double>(runs);
    shares[i] = static_cast<size_t>(part * static_cast<double>(total));
    if (endings[i].runs > 0) shares[i] = std::max<size_t>(shares[i], 1);
    used += shares[i];
  }
  // Rounding is the largest one's business.
  size_t& largest = *std::max_element(shares.begin(), shares.end());
  largest = largest + total - used;
  return shares;
}

std::string outcome_of(const ScenarioReport& report) {
  if (report.exhaustive) {
    std::vector<std::string> counts;
    if (report.distinct_states > 0) counts.push_back(counted(report.distinct_states, "state"));
    if (report.runs > 0) counts.push_back(counted(report.runs, "run"));
    return (report.complete ? "explored in full: " : "not everything was explored: ") +
           join(counts, ", ");
  }
  const std::array<Ending, 3> endings = endings_of(report);
  std::string text = fmt::format("{} of {} {}", grouped(report.successes),
                                 counted(report.runs, "run"), endings[0].word);
  for (const Ending& ending : {endings[1], endings[2]}) {
    if (ending.runs > 0) text += fmt::format(", {} {}", grouped(ending.runs), ending.word);
  }
  if (report.cut > 0) {
    text += fmt::format(" ({} {} cut by a bound)", grouped(report.cut),
                        report.cut == 1 ? "was" : "were");
  }
  if (report.runs < report.iterations) {
    text += fmt::format("; {} were asked for", grouped(report.iterations));
  }
  return text;
}

std::string effort_of(const ScenarioReport& report) {
  std::string text = one_line(report.strategy);
  if (!report.exhaustive) text += fmt::format(", seed {}", report.seed);
  if (report.steps > 0) text += ", " + counted(report.steps, "step");
  text += ", " + seconds_text(report.seconds);
  if (report.runs > 0 && report.seconds > 0.001) {
    const double rate = static_cast<double>(report.runs) / report.seconds;
    text += fmt::format(" ({} runs/s)", grouped(static_cast<uint64_t>(rate)));
  }
  return text;
}

std::string fired_words(const FilterResult& filter) {
  if (filter.fired == 0) return "never fired";
  std::string text = "fired " + counted(filter.fired, "time");
  if (filter.in_vain > 0) text += fmt::format(", {} in vain", grouped(filter.in_vain));
  return text;
}

std::string place_of(const FilterResult& filter) {
  return filter.file.empty() ? ""
                             : fmt::format("{}:{}", one_line(short_path(filter.file)), filter.line);
}

std::string state_words(const MachineResult& machine, size_t state) {
  const MachineResult::State& known = machine.states[state];
  std::vector<std::string> words;
  if (state == 0) words.push_back("start");
  const bool success = known.kind == Machine::Kind::kSuccess && known.name != Machine::kSuccess;
  const bool failure = known.kind == Machine::Kind::kFailure && known.name != Machine::kFailure;
  if (success) words.push_back("success");
  if (failure) words.push_back("failure");
  return join(words, ", ");
}

std::string distance_words(const FilterDistance& distance) {
  if (distance.kind == FilterDistance::Kind::kOther) return "–";
  if (distance.infinite) return "∞ (no schedule does it)";
  if (!distance.captures) return "captures nothing";
  switch (distance.kind) {
    case FilterDistance::Kind::kReorder:
      return distance.release < 0
                 ? counted(distance.messages, "message") + " to the end"
                 : fmt::format("{} to filter {}", counted(distance.messages, "message"),
                               distance.release + 1);
    case FilterDistance::Kind::kDrop:
      return counted(distance.messages, "message") + " to the end";
    case FilterDistance::Kind::kByzantine:
      return "∞ (no schedule does it)";
    case FilterDistance::Kind::kOther:
      break;
  }
  return "–";
}

Verdict overall(const std::vector<ScenarioReport>& reports) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(reports.begin(), reports.end(),
                       [&](const ScenarioReport& report) { return report.verdict == verdict; });
  };
  if (has(Verdict::kViolated)) return Verdict::kViolated;
  return has(Verdict::kUndecided) ? Verdict::kUndecided : Verdict::kHolds;
}

}  // namespace ordeal::report
