#include "explore/strategy/abstract_coverage.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "explore/strategy/hitting.h"

namespace ordeal::explore {

Goal goal_of(const std::string& text) { return {text, split_predicates(text, '&'), {}}; }

Result<void> check_goal(const Goal& goal, const Steering& steering) {
  for (const std::string& part : goal.parts) {
    const Result<PredicateCall> call = parse_predicate(part);
    if (!call) return call.error();
    const Result<uint32_t> family = find_predicate(steering.predicates, *call);
    if (!family) return family.error();
  }
  return {};
}

Result<void> bind(World& world, Goal& goal) {
  goal.predicates.clear();
  for (const std::string& part : goal.parts) {
    const Result<uint32_t> predicate = world.predicate(part);
    if (!predicate) return predicate.error();
    goal.predicates.push_back(*predicate);
  }
  return {};
}

bool is_reached(World& world, const Goal& goal) {
  return std::all_of(goal.predicates.begin(), goal.predicates.end(),
                     [&](uint32_t predicate) { return world.holds(predicate); });
}

std::optional<uint32_t> distance_of(World& world, const Goal& goal) {
  if (goal.predicates.size() == 1) return world.distance(goal.predicates[0]);
  uint32_t sum = 0;
  bool is_graded = false;
  for (const uint32_t predicate : goal.predicates) {
    const std::optional<uint32_t> far = world.distance(predicate);
    is_graded = is_graded || far;
    sum += far ? *far : world.holds(predicate) ? 0 : 1;
  }
  return is_graded ? std::optional<uint32_t>(sum) : std::nullopt;
}

const StrategyOption& measure_option() {
  static const StrategyOption one = StrategyOption::make(
      StrategyOption::Kind::kText, "measure", "the name of a colouring", "NAME",
      "count how many abstract states are covered, by this colouring; a learner's own unless told");
  return one;
}

const StrategyOption& target_option() {
  static const StrategyOption one = StrategyOption::make(
      StrategyOption::Kind::kText, "target", "a predicate", "PREDICATE",
      "count what is covered from where this is so; the last waypoint unless told");
  return one;
}

Result<void> check_colouring(const std::string& name, const Steering& steering) {
  std::vector<std::string> names = {kDefaultColouring};
  for (const Colouring& one : steering.colourings) names.push_back(one.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  return Error{"there is no colouring " + quoted_for_message(name) + did_you_mean(name, names) +
               "; there " + (names.size() == 1 ? "is " : "are ") + enumeration(names)};
}

Result<void> settle_measuring(const Steering& steering, const Options& options) {
  if (const auto measure = measure_option().get(options)) {
    if (auto known = check_colouring(*measure, steering); !known) return known;
  }
  const auto target = target_option().get(options);
  return target ? check_goal(goal_of(*target), steering) : Result<void>();
}

void add_measuring(Strategy& strategy) {
  if (strategy.draws_independently()) strategy.options.push_back(confidence_option());
  const bool has = std::any_of(strategy.options.begin(), strategy.options.end(),
                               [](const StrategyOption& one) { return one.name == "measure"; });
  if (has || !strategy.samples()) return;
  strategy.options.push_back(measure_option());
  strategy.options.push_back(target_option());
  strategy.settle = [before = strategy.settle](const Checkable& subject,
                                               Options& options) -> Result<void> {
    if (before) {
      if (auto settled = before(subject, options); !settled) return settled;
    }
    return settle_measuring(subject.steering(), options);
  };
}

uint64_t AbstractCoverage::see(World& world, uint64_t steps, uint64_t run, bool is_at_target) {
  colours_.clear();
  world.colours(colouring_, colours_);
  uint64_t key = 0;  // a sum: of a multiset
  for (const uint64_t colour : colours_) key += mix64(colour);
  key = mix64(key);
  if (states_.put(key).is_new) ++covered_;
  if (!in_target_ && (is_at_target || (target_ != nullptr && is_reached(world, *target_)))) {
    in_target_ = true;
    ++runs_in_target_;
  }
  if (in_target_ && states_in_target_.put(key).is_new) ++covered_in_target_;
  if (steps >= next_) note(steps, run);
  return key;
}

// Twice as far apart whenever there are too many: which are kept follows from the steps alone.
void AbstractCoverage::note(uint64_t steps, uint64_t run) {
  points_.push_back({steps, run, covered_, covered_in_target_});
  if (points_.size() >= kCurvePoints) {
    apart_ *= 2;
    for (size_t i = 0; 2 * i + 1 < points_.size(); ++i) points_[i] = points_[2 * i + 1];
    points_.resize(points_.size() / 2);
  }
  next_ = steps - steps % apart_ + apart_;
}

std::vector<Learning::Point> AbstractCoverage::curve(uint64_t steps, uint64_t runs) const {
  std::vector<Learning::Point> out = points_;
  while (!out.empty() && out.back().steps >= steps) out.pop_back();
  out.push_back({steps, runs, covered_, covered_in_target_});
  return out;
}

}  // namespace ordeal::explore
