#include "report/experiment_words.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace ordeal::report {
namespace {

using experiment::ExperimentResults;
using experiment::Measure;
using experiment::MeasureTable;
using experiment::OverallTable;
using experiment::PairTest;
using experiment::Plan;
using experiment::Summary;

std::string unit_of(const Plan& plan, Measure measure) {
  if (measure != Measure::kFirstBug) return words_for(measure);
  const char* unit = plan.unit == experiment::Budget::Kind::kStates  ? "states "
                     : plan.unit == experiment::Budget::Kind::kSteps ? "steps "
                                                                     : "episodes ";
  return unit + std::string(words_for(measure));
}

const std::string& label(const Plan& plan, size_t strategy) {
  return plan.file.strategies[strategy].label;
}

std::string spread_words(const Summary& row) {
  if (!row.mean) return "–";
  return real_words(*row.mean) + (row.deviation ? " ± " + real_words(*row.deviation) : "");
}

std::string title_of(const Plan& plan, const MeasureTable& table) {
  return plan.file.subjects[table.subject].label + ": " +
         experiment::measure_name(table.measure, table.property);
}

WordTable summary_words(const Plan& plan, const MeasureTable& table) {
  WordTable out;
  out.title = title_of(plan, table);
  const bool is_first = table.measure == Measure::kFirstBug;
  out.before.push_back(fmt::format(
      "{}{}{}", unit_of(plan, table.measure), table.property.empty() ? "" : " of this property",
      is_first ? "; mean and deviation of the trials that found one, median of all" : ""));
  out.head = {"strategy", "mean ± deviation",           "median", "least",
              "most",     is_first ? "found" : "trials"};
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Summary& row = table.rows[i];
    const auto number = [&](double value) { return row.mean ? real_words(value) : "–"; };
    out.rows.push_back(
        {label(plan, i), spread_words(row),
         (row.median_censored ? "> " : "") + real_words(row.median), number(row.least),
         number(row.most),
         is_first ? fmt::format("{} of {}", row.found, row.trials) : std::to_string(row.trials)});
  }
  if (table.different) {
    out.after.push_back(fmt::format(
        "Kruskal-Wallis over all strategies: H = {}, {} degrees of freedom, p = {}",
        real_words(table.different->h), table.different->degrees, p_words(table.different->p)));
  }
  return out;
}

WordTable pair_words(const Plan& plan, const MeasureTable& table) {
  WordTable out;
  out.title = title_of(plan, table) + ", pairs";
  out.head = {"A", "B", "Â₁₂", "U", "p (A better)", "p (two-sided)", "p (Holm)"};
  bool all_exact = true;
  for (const PairTest& pair : table.pairs) {
    all_exact = all_exact && pair.exact;
    out.rows.push_back({label(plan, pair.a), label(plan, pair.b), fmt::format("{:.3f}", pair.a12),
                        real_words(pair.u), p_words(pair.p_better), p_words(pair.p),
                        p_words(pair.p_holm)});
  }
  out.after.push_back(fmt::format(
      "Mann-Whitney, {}; Â₁₂ (Vargha-Delaney) above 0.5: A {}; Holm's correction is of the "
      "two-sided p, for {}",
      all_exact ? "exact" : "normal approximation where samples are large",
      table.measure == Measure::kFirstBug ? "needs less" : "has more",
      counted(table.pairs.size(), "test")));
  return out;
}

std::string sample_words(const experiment::Sample& sample, size_t trials) {
  if (sample.empty()) return fmt::format("– (0 of {})", trials);
  const auto mean = experiment::mean(sample);
  const auto deviation = experiment::deviation(sample);
  return (mean ? real_words(*mean) : "–") + (deviation ? " ± " + real_words(*deviation) : "") +
         (sample.size() < trials ? fmt::format(" ({} of {})", sample.size(), trials) : "");
}

std::string experiment_name(const experiment::StoredExperiment& one) {
  return fmt::format("{} {}, begun {} by version {}", one.id, one.about.name, one.about.created,
                     one.about.program);
}

WordTable overall_words(const Plan& plan, const OverallTable& table) {
  const experiment::RepeatedMeasures& found = table.analysis;
  WordTable out;
  out.title = std::string("All subjects: ") + to_string(table.measure);
  out.before.push_back("The means of each strategy on each subject");
  out.head = {"A", "B", "A − B", "95 % band", "p (Tukey)"};
  for (const experiment::TukeyPair& pair : table.pairs) {
    out.rows.push_back(
        {label(plan, pair.a), label(plan, pair.b), real_words(pair.difference),
         fmt::format("{} to {}", real_words(pair.band.low), real_words(pair.band.high)),
         p_words(pair.p)});
  }
  out.after.push_back(fmt::format(
      "Repeated-measures analysis of variance: F({}, {}) = {}, p = {}; with Greenhouse and "
      "Geisser's ε = {:.3f}, p = {}",
      found.degrees_treatments, found.degrees_error, real_words(found.f), p_words(found.p),
      found.epsilon, p_words(found.p_corrected)));
  return out;
}

}  // namespace

std::string real_words(double number) {
  if (!std::isfinite(number)) return number > 0 ? "∞" : "−∞";
  const double tenths = std::round(std::abs(number) * 10);
  const std::string sign = number < 0 && tenths > 0 ? "−" : "";
  if (tenths > 1e15) return fmt::format("{:.3g}", number);
  const auto whole = static_cast<uint64_t>(tenths);
  return sign + grouped(whole / 10) + (whole % 10 == 0 ? "" : fmt::format(".{}", whole % 10));
}

std::string p_words(double probability) {
  return probability < 0.0001 ? fmt::format("{:.2e}", probability)
                              : fmt::format("{:.4f}", probability);
}

std::vector<std::string> plan_words(const Plan& plan) {
  std::vector<std::string> out;
  const bool by_clock = plan.file.budget.kind == experiment::Budget::Kind::kSeconds;
  out.push_back(fmt::format("{} of {} each, seeds {} to {}{}", counted(plan.file.trials, "trial"),
                            to_string(plan.file.budget), plan.file.seed,
                            plan.file.seed + plan.file.trials - 1,
                            by_clock ? "; what a second is worth depends on the machine" : ""));
  for (const experiment::PlanCell& cell : plan.cells) {
    out.push_back(fmt::format("{} on {}: {}{}", cell.key.strategy, cell.key.subject,
                              cell.key.settings,
                              cell.key.measure.empty() ? "" : "; measured by " + cell.key.measure));
  }
  return out;
}

std::vector<WordTable> word_tables(const Plan& plan, const ExperimentResults& results) {
  std::vector<WordTable> out;
  for (const MeasureTable& table : results.tables) {
    out.push_back(summary_words(plan, table));
    if (!table.pairs.empty()) out.push_back(pair_words(plan, table));
  }
  for (const OverallTable& table : results.overall) out.push_back(overall_words(plan, table));
  return out;
}

WordTable comparison_words(const experiment::StoredComparison& comparison) {
  WordTable out;
  out.title =
      "A: " + experiment_name(comparison.first) + "; B: " + experiment_name(comparison.second);
  out.head = {"strategy", "subject", "measure", "A", "B", "Â₁₂", "p (two-sided)", "p (Holm)"};
  size_t tests = 0;
  bool all_exact = true;
  for (const experiment::StoredPair& pair : comparison.pairs) {
    std::vector<std::string> row = {pair.key.strategy, pair.key.subject, pair.measure,
                                    sample_words(pair.first, pair.first_trials),
                                    sample_words(pair.second, pair.second_trials)};
    if (pair.test) {
      ++tests;
      all_exact = all_exact && pair.test->exact;
      row.insert(row.end(), {fmt::format("{:.3f}", pair.test->a12), p_words(pair.test->p),
                             p_words(pair.p_holm)});
    } else {
      row.insert(row.end(), {"–", "–", "–"});
    }
    out.rows.push_back(std::move(row));
  }
  if (tests > 0) {
    out.after.push_back(fmt::format(
        "Mann-Whitney, {}; Â₁₂ (Vargha-Delaney) above 0.5: A does better (has more; of first_bug, "
        "needs less); Holm's correction for {}",
        all_exact ? "exact" : "normal approximation where samples are large",
        counted(tests, "test")));
  }
  if (tests < comparison.pairs.size()) {
    out.after.push_back(
        "Not tested: fewer than two trials, or what ended a trial is not the same for all");
  }
  std::string told;  // of the cell before, which has them too
  for (const experiment::StoredPair& pair : comparison.pairs) {
    const std::string cell = pair.key.strategy + " on " + pair.key.subject;
    if (!pair.other_settings || cell == told) continue;
    told = cell;
    out.after.push_back(
        fmt::format("{}: A with {}; B with {}", cell, pair.key.settings, *pair.other_settings));
  }
  for (const std::string& one : comparison.only_first) out.after.push_back("Only in A: " + one);
  for (const std::string& one : comparison.only_second) out.after.push_back("Only in B: " + one);
  return out;
}

}  // namespace ordeal::report
