#include "ordeal/compare.h"

#include <algorithm>
#include <utility>

#include "experiment/compare_settings.h"
#include "experiment/comparison.h"
#include "experiment/groups.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"

namespace ordeal {
namespace {

using experiment::Budget;
using experiment::ComparisonPlan;
using experiment::Group;
using experiment::Observation;
using experiment::PairTest;
using experiment::Summary;
using experiment::TrialCell;
using experiment::TrialRecord;

constexpr uint64_t kMostCompared = 10'000;

std::string names_of(const std::vector<Contestant>& all) {
  std::string text;
  for (const Contestant& one : all) text += (text.empty() ? "" : ", ") + one.name;
  return text;
}

Result<std::vector<Contestant>> chosen(const CompareOptions& options) {
  const std::vector<Contestant>& all = contestants();
  const auto find = [&](const std::string& name) {
    return std::find_if(all.begin(), all.end(),
                        [&](const Contestant& one) { return one.name == name; });
  };
  const auto unknown = [&](const std::string& name) {
    return Error{"unknown strategy \"" + name + "\"; there are " + names_of(all)};
  };
  std::vector<Contestant> out;
  for (const std::string& name : options.strategies) {
    const auto at = find(name);
    if (at == all.end()) return unknown(name);
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const Contestant& one) { return one.name == name; });
    if (twice) return Error{"strategy " + name + " is named twice"};
    out.push_back(*at);
  }
  const auto baseline = find(options.baseline);
  if (baseline == all.end()) return unknown(options.baseline);
  if (!baseline->by_runs) {
    return Error{"the baseline must be a strategy by runs, and " + options.baseline +
                 " has none: it counts states"};
  }
  if (!out.empty()) return out;
  // All of them, but those that want to be told what nobody has told them.
  const Options settings = explore::settings_of(options);
  for (const Contestant& one : all) {
    const explore::Strategy& strategy = *explore::find_strategy(one.strategy);
    const bool must_be_told = strategy.accepts && !strategy.accepts(Options());
    if (!must_be_told || strategy.accepts(settings)) out.push_back(one);
  }
  return out;
}

Result<void> validate(const CompareOptions& options) {
  if (options.trials < 1 || options.trials > kMostCompared) {
    return Error{"trials: " + std::to_string(options.trials) + " is not between 1 and 10,000"};
  }
  if (options.seed > UINT64_MAX - (options.trials - 1)) {
    return Error{"seed: there are not so many numbers from " + std::to_string(options.seed) +
                 " on; take a lower one"};
  }
  if (auto valid = explore::check_values(explore::settings_of(options)); !valid) return valid;
  if (options.max_runs < 1) return Error{"a trial needs at least 1 run"};
  if (options.max_states < 1) return Error{"a trial needs at least 1 state"};
  if (options.threads < 0 || options.threads > 256) {
    return Error{"threads: " + std::to_string(options.threads) + " is not between 1 and 256"};
  }
  return {};
}

Options options_of(const CompareOptions& given, const Contest& contest, const Contestant& who) {
  Options options;
  options.strategy = who.strategy;
  options.threads = 1;  // trials go side by side instead
  const Options all = explore::settings_of(given);
  for (const explore::StrategyOption& option : explore::find_strategy(who.strategy)->options) {
    std::optional<std::string> value = option.get(all);
    if (const auto own = who.settings.find(option.field); own != who.settings.end()) {
      value = own->second;
    }
    if (value) option.set(*value, options);
  }
  options.max_depth = given.max_depth > 0 ? given.max_depth : contest.max_depth;
  if (who.by_runs) {
    options.max_runs = given.max_runs;
  } else {
    options.max_states = given.max_states;
    if (given.max_depth == 0) options.max_depth = 0;  // it is a bound on runs
  }
  options.max_seconds = given.max_seconds;
  options.max_bytes = given.max_bytes;
  options.minimise = false;
  return options;
}

TrialCell cell_of(const CompareOptions& given, const Contest& contest, const Contestant& who) {
  TrialCell cell;
  cell.options = options_of(given, contest, who);
  cell.trials = who.seeded ? given.trials : 1;
  Budget budget;
  budget.kind = cell.unit = who.by_runs ? Budget::Kind::kEpisodes : Budget::Kind::kStates;
  budget.count = who.by_runs ? given.max_runs : given.max_states;
  const std::string& subject = contest.command.empty() ? contest.name : contest.command;
  cell.key = {contest.name, experiment::cell_settings(subject, cell.options, budget), who.name, ""};
  cell.build = contest.build;
  return cell;
}

// A rank test needs samples on both sides, and what gives up a trial must not depend on who made
// it: else the share of pairs is all that is told.
Group group_of(const Score& score) {
  std::vector<Observation> observed;
  bool was_cut = false;
  for (const Trial& trial : score.trials) {
    observed.push_back(experiment::observation_of(trial));
    was_cut = was_cut || trial.end == Trial::End::kCut;
  }
  Group out = Group::of_efforts(std::move(observed));
  out.may_test = score.who.seeded && !was_cut;
  return out;
}

Result<void> summarise(Score& score) {
  if (score.trials.empty()) return {};
  const Result<Summary> summary = experiment::summary_of(group_of(score));
  if (!summary) return summary.error();
  score.found = summary->found;
  score.median = summary->median;
  score.median_censored = summary->median_censored;
  score.least = static_cast<uint64_t>(summary->least);
  score.most = static_cast<uint64_t>(summary->most);
  std::vector<Observation> steps;
  for (const Trial& trial : score.trials) steps.push_back({trial.steps});
  score.median_steps = experiment::median_of(steps).value;
  return {};
}

Result<void> test_against(const std::string& baseline, std::vector<Score>& scores) {
  std::optional<size_t> base;
  std::vector<Group> groups;
  for (const Score& score : scores) {
    if (score.who.name == baseline) base = groups.size();
    // States are no runs: who counts them is left out.
    groups.push_back(score.who.by_runs ? group_of(score) : Group());
  }
  if (!base) return {};
  const Result<std::vector<PairTest>> pairs = experiment::test_pairs(groups, base);
  if (!pairs) return pairs.error();
  for (const PairTest& pair : *pairs) {
    Against& against = scores[pair.a].against.emplace();
    against.u = pair.u;
    against.a12 = pair.a12;
    if (!pair.is_tested) continue;
    against.p = pair.p;
    against.p_holm = pair.p_holm;
  }
  return {};
}

Score score_of(const Contestant& who, const TrialCell& cell, const std::string& refused,
               const std::vector<TrialRecord>& records) {
  Score out;
  out.who = who;
  out.refused = refused;
  if (!refused.empty()) return out;
  for (const TrialRecord& record : records) {
    out.trials.push_back(experiment::trial_of(record, cell.unit));
  }
  return out;
}

}  // namespace

const char* to_string(Trial::End end) {
  switch (end) {
    case Trial::End::kFound:
      return "found";
    case Trial::End::kCapped:
      return "capped";
    case Trial::End::kExhausted:
      return "exhausted";
    case Trial::End::kCut:
      return "cut";
  }
  return "cut";
}

Options explore::settings_of(const CompareOptions& options) {
  Options out;
  out.bug_depth = options.bug_depth;
  out.max_events = options.max_events;
  out.delays = options.delays;
  out.strategy_options = options.strategy_options;
  return out;
}

void explore::give_settings(const Options& settings, CompareOptions& options) {
  options.bug_depth = settings.bug_depth;
  options.max_events = settings.max_events;
  options.delays = settings.delays;
  options.strategy_options = settings.strategy_options;
}

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all = [] {
    std::vector<Contestant> by_runs;
    std::vector<Contestant> by_states;
    for (const explore::Strategy& one : explore::all_strategies()) {
      auto& list = one.needs_space ? by_states : by_runs;
      list.push_back({one.name, one.name, {}, one.needs_seed, !one.needs_space});
      for (const explore::StrategyForm& form : one.forms) {
        list.push_back({form.name, one.name, form.settings, form.seeded, !one.needs_space});
      }
    }
    // The usual baseline in front, then what else draws, then what enumerates.
    std::stable_sort(by_runs.begin(), by_runs.end(), [](const Contestant& a, const Contestant& b) {
      const auto rank = [](const Contestant& one) {
        return one.name == CompareOptions().baseline ? 0 : one.seeded ? 1 : 2;
      };
      return rank(a) < rank(b);
    });
    by_runs.insert(by_runs.end(), by_states.begin(), by_states.end());
    return by_runs;
  }();
  return all;
}

std::string ComparisonPlan::definition() const {
  std::string out = "comparison, seed " + std::to_string(options.seed) + "\n";
  for (const TrialCell& cell : trials.cells) {
    out += cell.key.strategy + " on " + cell.key.subject + ": " + cell.key.settings + "\n";
  }
  return out;
}

Result<ComparisonPlan> experiment::plan_comparison(std::vector<Contest> contests,
                                                   const CompareOptions& options) {
  if (const auto valid = validate(options); !valid) return valid.error();
  Result<std::vector<Contestant>> who = chosen(options);
  if (!who) return who.error();
  if (contests.empty()) return Error{"there is nothing to compare on"};
  ComparisonPlan plan;
  plan.options = options;
  plan.contests = std::move(contests);
  plan.contestants = *std::move(who);
  plan.trials.seed = options.seed;
  for (const Contest& contest : plan.contests) {
    const auto built = contest.build();
    if (!built) return Error{contest.name + ": " + built.error().message};
    if (const auto valid = (*built)->validate(); !valid) {
      return Error{contest.name + ": " + valid.error().message};
    }
    if (!fits_side_by_side(**built)) plan.trials.side_by_side = false;
    for (const Contestant& one : plan.contestants) {
      plan.trials.cells.push_back(cell_of(options, contest, one));
    }
  }
  return plan;
}

Result<Comparison> experiment::run_comparison(const ComparisonPlan& plan, TrialKeeper& keeper) {
  const size_t contestants = plan.contestants.size();
  TrialsOptions options;
  options.threads = plan.options.threads;
  options.stop = plan.options.stop;
  options.collects_refusals = true;
  if (plan.options.progress) {
    options.progress = [&](const TrialsProgress& progress) {
      plan.options.progress({progress.seconds, progress.done, progress.all,
                             plan.contests[progress.cell / contestants].name,
                             plan.contestants[progress.cell % contestants].name});
    };
  }
  const Result<TrialsOutcome> outcome = run_trials(plan.trials, keeper, options);
  if (!outcome) return outcome.error();
  const auto trials = keeper.trials();
  if (!trials) return trials.error();

  Comparison comparison;
  comparison.options = plan.options;
  comparison.contestants = plan.contestants;
  comparison.trials_all = outcome->all;
  comparison.trials_done = outcome->done;
  comparison.partial = outcome->done < outcome->all;
  comparison.seconds = outcome->seconds;
  for (size_t i = 0; i < plan.contests.size(); ++i) {
    ContestResult& result = comparison.results.emplace_back();
    for (size_t j = 0; j < contestants; ++j) {
      const size_t cell = i * contestants + j;
      Score& score = result.scores.emplace_back(score_of(
          plan.contestants[j], plan.trials.cells[cell], outcome->refused[cell], (*trials)[cell]));
      if (const auto done = summarise(score); !done) return done.error();
    }
    if (const auto done = test_against(plan.options.baseline, result.scores); !done) {
      return done.error();
    }
    result.contest = plan.contests[i];
  }
  return comparison;
}

Result<Comparison> compare(std::vector<Contest> contests, const CompareOptions& options) {
  Result<ComparisonPlan> plan = experiment::plan_comparison(std::move(contests), options);
  if (!plan) return plan.error();
  experiment::MemoryKeeper keeper(plan->trials);
  return experiment::run_comparison(*plan, keeper);
}

}  // namespace ordeal
