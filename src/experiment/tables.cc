#include "experiment/tables.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

constexpr size_t kGrowthPoints = 200;

using CellTrials = std::vector<TrialRecord>;

std::optional<double> value_in(const TrialRecord& trial, const std::string& measure) {
  const auto found = trial.measures.find(measure);
  if (found == trial.measures.end()) return std::nullopt;
  return found->second;
}

Group group_of(const Plan& plan, const CellTrials& trials, const MeasureTable& table) {
  if (table.measure == Measure::kFirstBug) {
    std::vector<Observation> observed;
    for (const TrialRecord& trial : trials) {
      observed.push_back(observation_of(trial_of(trial, plan.unit, table.property)));
    }
    return Group::of_efforts(std::move(observed));
  }
  Sample numbers;
  for (const TrialRecord& trial : trials) {
    auto value = value_in(trial, measure_name(table.measure, table.property));
    // What was never violated is not in the record.
    if (!value && !table.property.empty() && value_in(trial, to_string(table.measure))) value = 0;
    if (value) numbers.push_back(*value);
  }
  return Group::of_numbers(std::move(numbers), trials.size());
}

// What is ranked: trials that found nothing come last, all alike.
Sample ranked_sample(const Group& group, double last) {
  if (!group.needs_less) return group.numbers;
  Sample out;
  for (const Observation& one : group.observed) {
    out.push_back(one.found ? static_cast<double>(one.value) : last);
  }
  return out;
}

class TableMaker {
 public:
  TableMaker(const Plan& plan, ExperimentResults& out) : plan_(plan), out_(out) {}

  Result<void> make() {
    for (size_t subject = 0; subject < plan_.file.subjects.size(); ++subject) {
      for (const Measure measure : plan_.measures) {
        if (auto made = add_tables(subject, measure); !made) return made;
      }
    }
    for (const Measure measure : plan_.measures) {
      if (auto made = add_overall(measure); !made) return made;
    }
    for (size_t subject = 0; subject < plan_.file.subjects.size(); ++subject) {
      for (const Measure measure : plan_.measures) {
        if (auto made = add_growth(subject, measure); !made) return made;
      }
      if (auto made = add_maps(plan_, subject, out_); !made) return made;
    }
    return {};
  }

 private:
  size_t strategies() const { return plan_.file.strategies.size(); }
  const CellTrials& trials(size_t subject, size_t strategy) const {
    return out_.trials[subject * strategies() + strategy];
  }

  Result<void> add_tables(size_t subject, Measure measure) {
    if (auto added = add_table(subject, measure, ""); !added) return added;
    if (measure != Measure::kFirstBug && measure != Measure::kBugFrequency) return {};
    std::set<std::string> properties;
    for (size_t i = 0; i < strategies(); ++i) {
      for (const TrialRecord& trial : trials(subject, i)) {
        for (const auto& [name, value] : trial.measures) {
          if (const auto property = property_in(measure, name)) properties.insert(*property);
        }
      }
    }
    if (properties.size() < 2) return {};
    for (const std::string& property : properties) {
      if (auto added = add_table(subject, measure, property); !added) return added;
    }
    return {};
  }

  Result<void> add_table(size_t subject, Measure measure, const std::string& property) {
    MeasureTable table;
    table.subject = subject;
    table.measure = measure;
    table.property = property;
    std::vector<Group> groups;
    for (size_t i = 0; i < strategies(); ++i) {
      Group& group = groups.emplace_back(group_of(plan_, trials(subject, i), table));
      // A trial that ended with another violation says little about this property.
      group.may_test = may_test(subject, i, measure) && (property.empty() || plan_.keeps_going);
      const auto row = summary_of(group);
      if (!row) return row.error();
      table.rows.push_back(*row);
    }
    const auto pairs = test_pairs(groups, baseline());
    if (!pairs) return pairs.error();
    for (const PairTest& pair : *pairs) {
      if (pair.is_tested) table.pairs.push_back(pair);
    }
    if (auto tested = test_all(groups, table); !tested) return tested;
    out_.tables.push_back(std::move(table));
    return {};
  }

  std::optional<size_t> baseline() const {
    for (size_t i = 0; i < strategies(); ++i) {
      if (plan_.file.strategies[i].label == plan_.file.baseline) return i;
    }
    return std::nullopt;
  }

  // A strategy that does not draw has one trial, and nothing to be tested by. And what gives up a
  // trial must not depend on who made it.
  bool may_test(size_t subject, size_t strategy, Measure measure) const {
    const CellTrials& all = trials(subject, strategy);
    if (measure == Measure::kFirstBug && plan_.unit != plan_.file.budget.kind) return false;
    return all.size() > 1 && std::none_of(all.begin(), all.end(), was_cut);
  }

  // Whether any strategy differs, of those that are samples. What was cut would be missing.
  Result<void> test_all(const std::vector<Group>& groups, MeasureTable& table) const {
    double last = 0;
    std::vector<Sample> samples;
    for (const Group& group : groups) {
      for (const Observation& one : group.observed) {
        if (one.found) last = std::max(last, static_cast<double>(one.value) + 1);
      }
    }
    for (const Group& group : groups) {
      if (group.trials < 2) continue;
      if (!group.may_test || group.empty()) return {};
      samples.push_back(ranked_sample(group, last));
    }
    if (samples.size() < 2) return {};
    const auto tested = kruskal_wallis(samples);
    if (!tested) return tested.error();
    table.different = *tested;
    return {};
  }

  Result<void> add_overall(Measure measure) {
    if (plan_.file.subjects.size() < 2 || strategies() < 2 || measure == Measure::kFirstBug) {
      return {};
    }
    std::vector<Sample> means(strategies());
    for (const MeasureTable& table : out_.tables) {
      if (table.measure != measure || !table.property.empty()) continue;
      for (size_t i = 0; i < strategies(); ++i) {
        if (!table.rows[i].mean) return {};
        means[i].push_back(*table.rows[i].mean);
      }
    }
    const auto analysis = repeated_measures(means);
    if (!analysis) return analysis.error();
    OverallTable table{measure, *analysis, {}};
    // Where nothing is left to compare with, there is no test.
    if (!(analysis->ss_error > 0)) return {};
    const auto pairs = tukey_hsd(*analysis);
    if (!pairs) return pairs.error();
    table.pairs = *pairs;
    out_.overall.push_back(std::move(table));
    return {};
  }

  // Steps of a learner and steps of the system are not the same: then episodes are the axis.
  bool learners_and_others() const {
    bool learns = false;
    bool others = false;
    for (size_t i = 0; i < strategies(); ++i) {
      const auto& options = explore::find_strategy(plan_.file.strategies[i].name)->options;
      const bool has_horizon =
          std::any_of(options.begin(), options.end(),
                      [](const explore::StrategyOption& one) { return one.field == "horizon"; });
      (has_horizon ? learns : others) = true;
    }
    return learns && others;
  }

  Result<void> add_growth(size_t subject, Measure measure) {
    if (measure != Measure::kCoverage && measure != Measure::kTargetCoverage) return {};
    Growth growth;
    growth.subject = subject;
    growth.measure = measure;
    growth.by_episodes = learners_and_others();
    const std::string name =
        std::string(to_string(measure)) + (growth.by_episodes ? " by episodes" : "");
    bool has_any = false;
    for (size_t i = 0; i < strategies(); ++i) {
      auto points = growth_of(trials(subject, i), name);
      if (!points) return points.error();
      has_any = has_any || !points->empty();
      growth.curves.push_back(*std::move(points));
    }
    if (has_any) out_.growth.push_back(std::move(growth));
    return {};
  }

  // As far as all trials went, at points equally far apart.
  static Result<std::vector<GrowthPoint>> growth_of(const CellTrials& trials,
                                                    const std::string& name) {
    std::vector<const std::vector<CurvePoint>*> curves;
    uint64_t end = UINT64_MAX;
    for (const TrialRecord& trial : trials) {
      const auto found = trial.curves.find(name);
      if (found == trial.curves.end() || found->second.empty()) continue;
      curves.push_back(&found->second);
      end = std::min(end, found->second.back().step);
    }
    std::vector<GrowthPoint> out;
    if (curves.empty() || end == 0) return out;
    const uint64_t count = std::min<uint64_t>(kGrowthPoints, end);
    for (uint64_t i = 1; i <= count; ++i) {
      const auto x = static_cast<uint64_t>(static_cast<double>(end) * static_cast<double>(i) /
                                           static_cast<double>(count));
      Sample sample;
      for (const auto* curve : curves) sample.push_back(value_at(*curve, x));
      const auto middle = mean(sample);
      if (!middle) return middle.error();
      GrowthPoint point{static_cast<double>(x), *middle, *middle, *middle};
      if (sample.size() > 1) {
        const auto band = student_band(sample);
        if (!band) return band.error();
        point.low = std::min(std::max(0.0, band->low), *middle);
        point.high = std::max(band->high, *middle);
      }
      out.push_back(point);
    }
    return out;
  }

  // Of the last point that is not beyond x; 0 before the first.
  static double value_at(const std::vector<CurvePoint>& curve, uint64_t x) {
    const auto after =
        std::upper_bound(curve.begin(), curve.end(), x,
                         [](uint64_t at, const CurvePoint& point) { return at < point.step; });
    return after == curve.begin() ? 0 : (after - 1)->value;
  }

  const Plan& plan_;
  ExperimentResults& out_;
};

}  // namespace

Result<ExperimentResults> results_of(const Plan& plan,
                                     std::vector<std::vector<TrialRecord>> trials) {
  ExperimentResults out;
  out.trials = std::move(trials);
  if (const auto made = TableMaker(plan, out).make(); !made) return made.error();
  return out;
}

Result<std::vector<std::vector<TrialRecord>>> trials_of(const Plan& plan, ResultsStore& store,
                                                        int64_t experiment) {
  const TrialSet set = plan.trials();
  Result<StoreKeeper> keeper = StoreKeeper::of(store, experiment, set);
  if (!keeper) return keeper.error();
  auto trials = keeper->trials();
  if (!trials) return trials.error();
  for (size_t i = 0; i < set.cells.size(); ++i) {
    if ((*trials)[i].size() == set.cells[i].trials) continue;
    return Error{store.path() + ": trials of " + one_line(set.cells[i].key.strategy) +
                 " are missing"};
  }
  return trials;
}

}  // namespace ordeal::experiment
