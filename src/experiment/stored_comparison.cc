#include "experiment/stored_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "experiment/experiment_file.h"

namespace ordeal::experiment {
namespace {

struct Side {
  StoredExperiment about;
  Budget budget;
  std::vector<StoredCell> cells;
};

Result<Side> side_of(const ResultsStore& store, int64_t id, ResultsFilter filter) {
  filter.experiment = id;
  const auto found = store.experiments({.experiment = id});
  if (!found) return found.error();
  if (found->empty()) {
    return Error{fmt::format("{} has no experiment {}; 'ordeal results list' tells their numbers",
                             store.path(), id)};
  }
  Side out;
  out.about = found->front();
  const auto file = parse_experiment(out.about.about.definition, fmt::format("experiment {}", id));
  if (!file) return file.error();
  out.budget = file->budget;
  auto cells = store.cells(filter);
  if (!cells) return cells.error();
  out.cells = std::move(*cells);
  return out;
}

bool is_same(const CellKey& a, const CellKey& b) {
  return a.subject == b.subject && a.strategy == b.strategy && a.measure == b.measure;
}

std::string name_of(const CellKey& key) {
  return key.strategy + " on " + key.subject +
         (key.measure.empty() ? "" : ", measured by " + key.measure);
}

Sample numbers_in(const std::vector<TrialRecord>& trials, const std::string& measure) {
  Sample out;
  for (const TrialRecord& trial : trials) {
    const auto found = trial.measures.find(measure);
    if (found != trial.measures.end()) out.push_back(found->second);
  }
  return out;
}

// Both had the same budget: what was not found in it comes last, all alike.
std::vector<Observation> observed(const std::vector<TrialRecord>& trials) {
  std::vector<Observation> out;
  for (const TrialRecord& trial : trials) {
    const auto found = trial.measures.find(to_string(Measure::kFirstBug));
    if (found == trial.measures.end()) {
      out.push_back({UINT64_MAX, false});
    } else {
      out.push_back({static_cast<uint64_t>(found->second), true});
    }
  }
  return out;
}

bool was_cut(const std::vector<TrialRecord>& trials) {
  return std::any_of(trials.begin(), trials.end(),
                     [](const TrialRecord& trial) { return trial.outcome.starts_with("cut"); });
}

class Comparing {
 public:
  Comparing(const ResultsStore& store, const Budget& budget, StoredComparison& out)
      : store_(store), budget_(budget), out_(out) {}

  Result<void> add(const StoredCell& first, const StoredCell& second) {
    const auto left = store_.trials(first.id, false);
    if (!left) return left.error();
    const auto right = store_.trials(second.id, false);
    if (!right) return right.error();
    for (const Measure measure : {Measure::kCoverage, Measure::kTargetCoverage, Measure::kFirstBug,
                                  Measure::kBugFrequency}) {
      StoredPair pair{first.key,
                      {},
                      to_string(measure),
                      numbers_in(*left, to_string(measure)),
                      numbers_in(*right, to_string(measure)),
                      left->size(),
                      right->size(),
                      {},
                      1};
      if (pair.first.empty() && pair.second.empty()) continue;
      if (first.key.settings != second.key.settings) pair.other_settings = second.key.settings;
      if (auto tested = test(*left, *right, measure, pair); !tested) return tested;
      out_.pairs.push_back(std::move(pair));
    }
    return {};
  }

 private:
  Result<void> test(const std::vector<TrialRecord>& left, const std::vector<TrialRecord>& right,
                    Measure measure, StoredPair& pair) const {
    if (left.size() < 2 || right.size() < 2 || was_cut(left) || was_cut(right)) return {};
    if (measure == Measure::kFirstBug) {
      // Else what was given up when depends on the machine, or on the strategy.
      if (budget_.kind != Budget::Kind::kEpisodes && budget_.kind != Budget::Kind::kSteps) {
        return {};
      }
      pair.test = rank_test(observed(left), observed(right));
      return {};
    }
    if (pair.first.size() != left.size() || pair.second.size() != right.size()) return {};
    const auto tested = mann_whitney(pair.first, pair.second);
    if (!tested) return tested.error();
    pair.test = *tested;
    return {};
  }

  const ResultsStore& store_;
  const Budget& budget_;
  StoredComparison& out_;
};

void correct(std::vector<StoredPair>& pairs) {
  std::vector<double> all;
  for (const StoredPair& pair : pairs) {
    if (pair.test) all.push_back(pair.test->p);
  }
  const std::vector<double> corrected = holm(all);
  size_t next = 0;
  for (StoredPair& pair : pairs) {
    if (pair.test) pair.p_holm = corrected[next++];
  }
}

}  // namespace

Result<StoredComparison> compare_stored(const ResultsStore& store, int64_t first, int64_t second,
                                        const ResultsFilter& filter) {
  const auto left = side_of(store, first, filter);
  if (!left) return left.error();
  const auto right = side_of(store, second, filter);
  if (!right) return right.error();
  if (to_string(left->budget) != to_string(right->budget)) {
    return Error{
        fmt::format("experiment {} has {} for a trial, experiment {} has {}: what was "
                    "reached with different budgets cannot be compared",
                    first, to_string(left->budget), second, to_string(right->budget))};
  }
  StoredComparison out;
  out.first = left->about;
  out.second = right->about;
  Comparing comparing(store, left->budget, out);
  std::set<int64_t> matched;
  for (const StoredCell& cell : left->cells) {
    const auto same =
        std::find_if(right->cells.begin(), right->cells.end(),
                     [&](const StoredCell& other) { return is_same(cell.key, other.key); });
    if (same == right->cells.end()) {
      out.only_first.push_back(name_of(cell.key));
      continue;
    }
    matched.insert(same->id);
    if (auto added = comparing.add(cell, *same); !added) return added.error();
  }
  for (const StoredCell& cell : right->cells) {
    if (!matched.contains(cell.id)) out.only_second.push_back(name_of(cell.key));
  }
  if (out.pairs.empty()) {
    return Error{
        fmt::format("experiments {} and {} have no measured cell in common: no strategy "
                    "that both tried on the same subject, measured by the same",
                    first, second)};
  }
  correct(out.pairs);
  return out;
}

}  // namespace ordeal::experiment
