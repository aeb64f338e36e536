#include "experiment/groups.h"

#include <algorithm>
#include <utility>

namespace ordeal::experiment {
namespace {

Result<RankTest> test_groups(const Group& a, const Group& b, Tail tail) {
  if (a.needs_less) return rank_test(a.observed, b.observed, tail);
  return mann_whitney(a.numbers, b.numbers, tail);
}

}  // namespace

Group Group::of_efforts(std::vector<Observation> observed) {
  Group out;
  out.needs_less = true;
  out.trials = observed.size();
  out.observed = std::move(observed);
  return out;
}

Group Group::of_numbers(Sample numbers, size_t trials) {
  Group out;
  out.numbers = std::move(numbers);
  out.trials = trials;
  return out;
}

Result<Summary> summary_of(const Group& group) {
  Summary out;
  out.trials = group.trials;
  Sample found = group.numbers;
  for (const Observation& one : group.observed) {
    if (one.found) found.push_back(static_cast<double>(one.value));
  }
  out.found = found.size();
  if (!found.empty()) {
    const auto middle = mean(found);
    if (!middle) return middle.error();
    out.mean = *middle;
    out.least = *std::min_element(found.begin(), found.end());
    out.most = *std::max_element(found.begin(), found.end());
  }
  if (found.size() > 1) {
    const auto spread = deviation(found);
    if (!spread) return spread.error();
    out.deviation = *spread;
  }
  if (group.empty()) return out;
  if (group.needs_less) {
    const Median middle = median_of(group.observed);
    out.median = middle.value;
    out.median_censored = middle.censored;
  } else {
    out.median = middle_of(group.numbers);
  }
  return out;
}

Result<std::vector<PairTest>> test_pairs(const std::vector<Group>& groups,
                                         std::optional<size_t> baseline) {
  std::vector<PairTest> out;
  std::vector<double> all_p;
  for (size_t a = 0; a < groups.size(); ++a) {
    for (size_t b = 0; b < groups.size(); ++b) {
      if (baseline ? b != *baseline || a == b : a >= b) continue;
      if (groups[a].empty() || groups[b].empty()) continue;
      const auto both = test_groups(groups[a], groups[b], Tail::kTwoSided);
      if (!both) return both.error();
      PairTest pair{a, b, both->u, both->a12};
      pair.is_tested = groups[a].may_test && groups[b].may_test;
      if (pair.is_tested) {
        const auto better = test_groups(groups[a], groups[b], Tail::kGreater);
        if (!better) return better.error();
        pair.p_better = better->p;
        pair.p = both->p;
        pair.exact = both->exact;
        all_p.push_back(pair.p);
      }
      out.push_back(pair);
    }
  }
  const std::vector<double> corrected = holm(all_p);
  size_t next = 0;
  for (PairTest& pair : out) {
    if (pair.is_tested) pair.p_holm = corrected[next++];
  }
  return out;
}

}  // namespace ordeal::experiment
