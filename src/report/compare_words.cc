#include "report/compare_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "experiment/compare_settings.h"
#include "explore/strategy/strategy.h"

namespace ordeal::report {
namespace {

using explore::Strategy;

constexpr double kLevel = 0.05;

template <class F>
std::string names_of(F which) {
  return enumeration(explore::strategies_where(which));
}

template <class F>
bool any_score(const Comparison& comparison, F f) {
  for (const ContestResult& result : comparison.results) {
    if (std::any_of(result.scores.begin(), result.scores.end(), f)) return true;
  }
  return false;
}

bool all_exhausted(const Score& score) {
  return !score.trials.empty() &&
         std::all_of(score.trials.begin(), score.trials.end(),
                     [](const Trial& trial) { return trial.end == Trial::End::kExhausted; });
}

}  // namespace

std::string number_text(double number) {
  const double whole = std::floor(number);
  return grouped(static_cast<uint64_t>(whole)) + (number > whole ? ".5" : "");
}

std::string share_text(double share) { return fmt::format("{:.2f}", share); }

std::string p_text(const std::string& name, double p) {
  return p < 0.001 ? name + " < 0.001" : fmt::format("{} = {:.2g}", name, p);
}

std::string median_text(const Score& score) {
  if (!score.refused.empty()) return "–";
  if (score.trials.empty()) return "…";
  if (all_exhausted(score)) return "none in " + number_text(score.median);
  return (score.median_censored ? "> " : "") + number_text(score.median);
}

std::string mark_of(const Score& score) {
  if (!score.against || !score.against->p_holm || *score.against->p_holm > kLevel) return "";
  return score.against->a12 > 0.5 ? "↓" : "↑";
}

std::string found_text(const Score& score) {
  if (score.trials.empty()) return "";
  if (!score.who.seeded) return score.found > 0 ? "yes" : "no";
  return fmt::format("{}/{}", score.found, score.trials.size());
}

std::string steps_text(const Score& score) {
  const bool is_cut = !score.who.by_runs && score.median_censored;
  return score.trials.empty() || is_cut ? "" : number_text(score.median_steps);
}

std::string against_text(const Score& score) {
  if (!score.against) return "";
  std::string out = "A12 " + share_text(score.against->a12);
  if (score.against->p) out += ", " + p_text("p", *score.against->p);
  if (score.against->p_holm) out += ", " + p_text("Holm", *score.against->p_holm);
  return out;
}

std::string note_of(const Score& score) {
  if (!score.refused.empty()) return "does not fit: " + score.refused;
  std::string by;
  size_t cut = 0;
  for (const Trial& trial : score.trials) {
    if (trial.end != Trial::End::kCut) continue;
    ++cut;
    by = trial.cut;
  }
  return cut == 0 ? "" : fmt::format("{} cut by {}", counted(cut, "trial"), by);
}

std::string trials_text(const Comparison& comparison) {
  const CompareOptions& options = comparison.options;
  const std::string seeds = options.trials == 1 ? fmt::format("seed {}", options.seed)
                                                : fmt::format("seeds {} to {}", options.seed,
                                                              options.seed + options.trials - 1);
  const bool by_states = std::any_of(comparison.contestants.begin(), comparison.contestants.end(),
                                     [](const Contestant& who) { return !who.by_runs; });
  return fmt::format(
      "{} with {}, each of at most {}{}", counted(options.trials, "trial"), seeds,
      counted(options.max_runs, "run"),
      by_states
          ? fmt::format(" ({}: {})", names_of([](const Strategy& s) { return s.needs_space; }),
                        counted(options.max_states, "state"))
          : "");
}

std::string partial_text(const Comparison& comparison) {
  if (!comparison.partial) return "";
  return fmt::format("partial: stopped after {} of {}", grouped(comparison.trials_done),
                     counted(comparison.trials_all, "trial"));
}

std::vector<std::string> legend(const Comparison& comparison) {
  const CompareOptions& options = comparison.options;
  std::vector<std::string> out;
  const auto competes = [&](auto f) {
    return std::any_of(comparison.contestants.begin(), comparison.contestants.end(), f);
  };
  out.push_back("runs until the first violation, that run included: the median over the trials");
  if (std::any_of(comparison.results.begin(), comparison.results.end(),
                  [](const ContestResult& result) { return !result.contest.scenario.empty(); })) {
    out.push_back("in NAME: under the filters of the scenario NAME, and judged by it");
  }
  if (any_score(comparison, [](const Score& score) { return score.median_censored; })) {
    out.push_back(
        "\"> N\": at least half of the trials found nothing in so many runs or states; \"none in "
        "N\": "
        "there are no more than N runs or states, and none shows it");
  }
  if (competes([](const Contestant& who) { return !who.by_runs; })) {
    out.push_back(names_of([](const Strategy& s) { return s.needs_space; }) +
                  " store states and have no runs: distinct states until they stopped, which "
                  "compare with no number of runs");
  }
  if (competes([](const Contestant& who) { return who.by_runs && !who.seeded; })) {
    out.push_back(names_of([](const Strategy& s) { return !s.needs_space && !s.needs_seed; }) +
                  " draw nothing: one trial tells all");
  }
  const Options settings = explore::settings_of(options);
  const auto tries = [&](const Strategy& strategy) {
    return strategy.tries_first ? strategy.tries_first(settings) : 0;
  };
  std::map<uint64_t, std::vector<std::string>> tried;  // by how many runs
  for (const Strategy& strategy : explore::all_strategies()) {
    if (tries(strategy) > 0) tried[tries(strategy)].push_back(strategy.name);
  }
  for (const auto& [runs, names] : tried) {
    const bool any = competes([&, &all = names](const Contestant& who) {
      return std::find(all.begin(), all.end(), who.strategy) != all.end();
    });
    if (!any) continue;
    out.push_back(fmt::format(
        "{} {} {} random runs before each trial, to learn how long runs are; these are not "
        "judged, and not counted",
        enumeration(names), names.size() == 1 ? "makes" : "make", runs));
  }
  if (any_score(comparison, [](const Score& score) { return score.against.has_value(); })) {
    out.push_back(fmt::format(
        "A12: how likely a trial needs fewer runs than one of {0}, ties as halves (Vargha and "
        "Delaney); p: Mann and Whitney's test against {0}, two-sided, trials without a violation "
        "tied behind all others; Holm: p corrected for the number of tests in a row",
        options.baseline));
  }
  if (any_score(comparison, [](const Score& score) { return !mark_of(score).empty(); })) {
    out.push_back(fmt::format("↓ fewer, ↑ more runs than {}, at 5 % after Holm's correction",
                              options.baseline));
  }
  if (any_score(comparison, [](const Score& score) { return !score.refused.empty(); })) {
    out.push_back("–: the strategy does not fit");
  }
  return out;
}

}  // namespace ordeal::report
