#include "experiment/tables.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

constexpr size_t kGrowthPoints = 200;

using CellTrials = std::vector<TrialRecord>;

std::optional<double> value_in(const TrialRecord& trial, Measure measure) {
  const auto found = trial.measures.find(to_string(measure));
  if (found == trial.measures.end()) return std::nullopt;
  return found->second;
}

// As it is compared: what was not found is known to take more than the trial did.
std::vector<Observation> observed(const Plan& plan, const CellTrials& trials) {
  std::vector<Observation> out;
  for (const TrialRecord& trial : trials) {
    const auto value = value_in(trial, Measure::kFirstBug);
    const double effort =
        plan.unit == Budget::Kind::kSteps
            ? static_cast<double>(trial.steps)
            : trial.measures.at(plan.unit == Budget::Kind::kStates ? kStatesSeen : kEpisodes);
    out.push_back({static_cast<uint64_t>(value.value_or(effort)), value.has_value()});
  }
  return out;
}

Sample sample_of(const CellTrials& trials, Measure measure) {
  Sample out;
  for (const TrialRecord& trial : trials) {
    if (const auto value = value_in(trial, measure)) out.push_back(*value);
  }
  return out;
}

Result<Summary> summary_of(const Plan& plan, const CellTrials& trials, Measure measure) {
  Summary out;
  out.trials = trials.size();
  const Sample sample = sample_of(trials, measure);
  out.found = sample.size();
  if (!sample.empty()) {
    const auto middle = mean(sample);
    if (!middle) return middle.error();
    out.mean = *middle;
    out.least = *std::min_element(sample.begin(), sample.end());
    out.most = *std::max_element(sample.begin(), sample.end());
  }
  if (sample.size() > 1) {
    const auto spread = deviation(sample);
    if (!spread) return spread.error();
    out.deviation = *spread;
  }
  if (measure == Measure::kFirstBug) {
    if (trials.empty()) return out;
    const Median middle = median_of(observed(plan, trials));
    out.median = middle.value;
    out.median_censored = middle.censored;
  } else if (!sample.empty()) {
    out.median = middle_of(sample);
  }
  return out;
}

Result<std::pair<RankTest, RankTest>> test_both(const Plan& plan, const CellTrials& a,
                                                const CellTrials& b, Measure measure) {
  if (measure == Measure::kFirstBug) {
    const auto left = observed(plan, a);
    const auto right = observed(plan, b);
    return std::pair(rank_test(left, right, Tail::kTwoSided),
                     rank_test(left, right, Tail::kGreater));
  }
  const auto two = mann_whitney(sample_of(a, measure), sample_of(b, measure), Tail::kTwoSided);
  if (!two) return two.error();
  const auto one = mann_whitney(sample_of(a, measure), sample_of(b, measure), Tail::kGreater);
  if (!one) return one.error();
  return std::pair(*two, *one);
}

// What is ranked: trials that found nothing come last, all alike.
Sample ranked_sample(const Plan& plan, const CellTrials& trials, Measure measure, double last) {
  if (measure != Measure::kFirstBug) return sample_of(trials, measure);
  Sample out;
  for (const Observation& one : observed(plan, trials)) {
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
        if (auto made = add_table(subject, measure); !made) return made;
      }
    }
    for (const Measure measure : plan_.measures) {
      if (auto made = add_overall(measure); !made) return made;
    }
    for (size_t subject = 0; subject < plan_.file.subjects.size(); ++subject) {
      for (const Measure measure : plan_.measures) {
        if (auto made = add_growth(subject, measure); !made) return made;
      }
    }
    return {};
  }

 private:
  size_t strategies() const { return plan_.file.strategies.size(); }
  const CellTrials& trials(size_t subject, size_t strategy) const {
    return out_.trials[subject * strategies() + strategy];
  }

  Result<void> add_table(size_t subject, Measure measure) {
    MeasureTable table;
    table.subject = subject;
    table.measure = measure;
    for (size_t i = 0; i < strategies(); ++i) {
      const auto row = summary_of(plan_, trials(subject, i), measure);
      if (!row) return row.error();
      table.rows.push_back(*row);
    }
    if (auto tested = add_pairs(table); !tested) return tested;
    if (auto tested = test_all(table); !tested) return tested;
    out_.tables.push_back(std::move(table));
    return {};
  }

  // A strategy that does not draw has one trial, and nothing to be tested by.
  bool is_sample(size_t subject, size_t strategy) const {
    return trials(subject, strategy).size() > 1;
  }

  // What gives up a trial must not depend on who made it.
  bool may_test(const MeasureTable& table) const {
    if (table.measure == Measure::kFirstBug && plan_.unit != plan_.file.budget.kind) return false;
    for (size_t i = 0; i < strategies(); ++i) {
      for (const TrialRecord& trial : trials(table.subject, i)) {
        if (trial.outcome.starts_with("cut")) return false;
      }
    }
    return true;
  }

  Result<void> add_pairs(MeasureTable& table) const {
    if (!may_test(table)) return {};
    const auto& all = plan_.file.strategies;
    std::vector<double> all_p;
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t b = 0; b < all.size(); ++b) {
        const bool wanted =
            plan_.file.baseline ? all[b].label == *plan_.file.baseline && a != b : a < b;
        if (!wanted || !is_sample(table.subject, a) || !is_sample(table.subject, b)) continue;
        const auto tests =
            test_both(plan_, trials(table.subject, a), trials(table.subject, b), table.measure);
        if (!tests) return tests.error();
        PairTest pair{a, b, tests->first.u, tests->first.a12, tests->second.p, tests->first.p};
        pair.exact = tests->first.exact;
        all_p.push_back(pair.p);
        table.pairs.push_back(pair);
      }
    }
    const std::vector<double> corrected = holm(all_p);
    for (size_t i = 0; i < table.pairs.size(); ++i) table.pairs[i].p_holm = corrected[i];
    return {};
  }

  Result<void> test_all(MeasureTable& table) const {
    if (!may_test(table)) return {};
    double last = 0;
    for (size_t i = 0; i < strategies(); ++i) {
      for (const TrialRecord& trial : trials(table.subject, i)) {
        last = std::max(last, value_in(trial, table.measure).value_or(0) + 1);
      }
    }
    std::vector<Sample> groups;
    for (size_t i = 0; i < strategies(); ++i) {
      if (!is_sample(table.subject, i)) continue;
      groups.push_back(ranked_sample(plan_, trials(table.subject, i), table.measure, last));
    }
    if (groups.size() < 2) return {};
    const auto tested = kruskal_wallis(groups);
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
      if (table.measure != measure) continue;
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
  std::vector<std::vector<TrialRecord>> out;
  for (const PlanCell& cell : plan.cells) {
    const Result<int64_t> id = store.cell(experiment, cell.key);
    if (!id) return id.error();
    auto trials = store.trials(*id);
    if (!trials) return trials.error();
    std::erase_if(*trials, [&](const TrialRecord& trial) {
      return trial.seed < plan.file.seed || trial.seed - plan.file.seed >= cell.trials;
    });
    if (trials->size() != cell.trials) {
      return Error{store.path() + ": trials of " + one_line(cell.key.strategy) + " are missing"};
    }
    out.push_back(*std::move(trials));
  }
  return out;
}

}  // namespace ordeal::experiment
