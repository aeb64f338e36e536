#include "explore/strategy/hitting.h"

#include <algorithm>

#include "base/mutant.h"
#include "base/proportion.h"
#include "explore/strategy/abstract_coverage.h"

namespace ordeal::explore {

const StrategyOption& confidence_option() {
  static const StrategyOption one = StrategyOption::real(
      "confidence", "a confidence",
      "estimate how likely a run comes to the target or violates a property, with an interval that "
      "covers the truth this often; 0.95 for a target",
      "", 0.5, 0.999999);
  return one;
}

std::vector<Hitting> hitting_of(const Options& options, const Strategy& strategy,
                                const std::vector<Property>& properties, Exploration& explored) {
  std::vector<Hitting> out;
  const bool is_asked = confidence_option().get(options).has_value();
  const bool has_target = target_option().get(options).has_value() && explored.learning;
  if (!strategy.draws_independently() || explored.runs == 0) return out;
  if (!is_asked && !has_target) return out;
  const auto is_by = [](Bound::Kind kind) {
    return [kind](const Bound& bound) { return bound.kind == kind; };
  };
  const std::vector<Bound>& bounds = explored.bounds;
  if (std::any_of(bounds.begin(), bounds.end(), is_by(Bound::Kind::kViolation)) &&
      !mutant(Mutant::kCutRunsPlanned)) {
    if (is_asked) {
      explored.notes.emplace_back(
          "how likely a run is to come to something is not estimated from runs that end with the "
          "first violation; add --keep-going");
    }
    return out;
  }
  const double confidence = is_asked ? real_of(confidence_option(), options) : 0.95;
  const bool planned = std::all_of(bounds.begin(), bounds.end(), [](const Bound& bound) {
    return bound.kind == Bound::Kind::kRuns || bound.kind == Bound::Kind::kPart ||
           bound.kind == Bound::Kind::kDepth;
  });
  const auto add = [&](const std::string& what, uint64_t hits) {
    Proportion interval = clopper_pearson(hits, explored.runs, confidence);
    if (mutant(Mutant::kIntervalOneSided)) interval.low = 0;
    out.push_back({what, hits, explored.runs, confidence, interval.low, interval.high, planned});
  };
  if (has_target) add(explored.learning->target, explored.learning->target_episodes);
  if (!is_asked) return out;
  add("any violation", explored.violating_runs);
  for (const auto& [property, runs] : explored.violating_runs_of) {
    add(properties[property].name, runs);
  }
  return out;
}

}  // namespace ordeal::explore
