#include "experiment/stored_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "experiment/measures.h"
#include "experiment/trials.h"

namespace ordeal::experiment {
namespace {

struct Side {
  StoredExperiment about;
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
std::vector<Observation> observed(const std::vector<TrialRecord>& trials,
                                  const std::string& measure) {
  std::vector<Observation> out;
  for (const TrialRecord& trial : trials) {
    const auto found = trial.measures.find(measure);
    if (found == trial.measures.end()) {
      out.push_back({UINT64_MAX, false});
    } else {
      out.push_back({static_cast<uint64_t>(found->second), true});
    }
  }
  return out;
}

// What either side has of these trials, by the names of the store: of a property alone, where more
// than one was violated.
std::vector<std::pair<Measure, std::string>> measured(const std::vector<TrialRecord>& left,
                                                      const std::vector<TrialRecord>& right) {
  std::vector<std::pair<Measure, std::string>> out;
  for (const Measure measure : kMeasures) {
    std::set<std::string> properties;
    bool has_any = false;
    for (const auto* side : {&left, &right}) {
      for (const TrialRecord& trial : *side) {
        has_any = has_any || trial.measures.contains(to_string(measure));
        for (const auto& [name, value] : trial.measures) {
          if (const auto property = property_in(measure, name)) properties.insert(*property);
        }
      }
    }
    if (has_any) out.emplace_back(measure, "");
    if (properties.size() < 2) continue;
    for (const std::string& property : properties) out.emplace_back(measure, property);
  }
  return out;
}

class Comparing {
 public:
  Comparing(const ResultsStore& store, StoredComparison& out) : store_(store), out_(out) {}

  Result<void> add(const StoredCell& first, const StoredCell& second) {
    const auto left = store_.trials(first.id, false);
    if (!left) return left.error();
    const auto right = store_.trials(second.id, false);
    if (!right) return right.error();
    for (const auto& [measure, property] : measured(*left, *right)) {
      const std::string name = measure_name(measure, property);
      StoredPair pair{first.key, {}, name, {}, {}, left->size(), right->size(), {}, 1};
      pair.first = numbers_of(*left, measure, property);
      pair.second = numbers_of(*right, measure, property);
      if (first.key.settings != second.key.settings) pair.other_settings = second.key.settings;
      if (auto tested = test(*left, *right, measure, pair); !tested) return tested;
      out_.pairs.push_back(std::move(pair));
    }
    return {};
  }

 private:
  // A property that a trial never violated is not in its record.
  static Sample numbers_of(const std::vector<TrialRecord>& trials, Measure measure,
                           const std::string& property) {
    Sample out = numbers_in(trials, measure_name(measure, property));
    if (measure != Measure::kBugFrequency || property.empty()) return out;
    out.resize(numbers_in(trials, to_string(measure)).size());
    return out;
  }

  Result<void> test(const std::vector<TrialRecord>& left, const std::vector<TrialRecord>& right,
                    Measure measure, StoredPair& pair) const {
    if (left.size() < 2 || right.size() < 2) return {};
    for (const auto* side : {&left, &right}) {
      if (std::any_of(side->begin(), side->end(), was_cut)) return {};
    }
    if (measure == Measure::kFirstBug) {
      // Else what was given up when depends on the machine, or on the strategy.
      const std::string budget = budget_in(pair.key.settings);
      if (budget.find(" episode") == budget.npos && budget.find(" step") == budget.npos) return {};
      pair.test = rank_test(observed(left, pair.measure), observed(right, pair.measure));
      return {};
    }
    if (pair.first.size() != left.size() || pair.second.size() != right.size()) return {};
    const auto tested = mann_whitney(pair.first, pair.second);
    if (!tested) return tested.error();
    pair.test = *tested;
    return {};
  }

  const ResultsStore& store_;
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
  StoredComparison out;
  out.first = left->about;
  out.second = right->about;
  Comparing comparing(store, out);
  std::set<int64_t> matched;
  for (const StoredCell& cell : left->cells) {
    const auto same =
        std::find_if(right->cells.begin(), right->cells.end(),
                     [&](const StoredCell& other) { return is_same(cell.key, other.key); });
    if (same == right->cells.end()) {
      out.only_first.push_back(name_of(cell.key));
      continue;
    }
    const std::string budget = budget_in(cell.key.settings);
    const std::string other = budget_in(same->key.settings);
    if (budget != other) {
      return Error{
          fmt::format("experiment {} has {} for a trial of {}, experiment {} has {}: what was "
                      "reached with different budgets cannot be compared",
                      first, budget, one_line(name_of(cell.key)), second, other)};
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
