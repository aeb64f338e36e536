#include "explore/learn/waypoints.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"

namespace ordeal::explore {

const StrategyOption& waypoints_option() {
  static const StrategyOption one = StrategyOption::make(
      StrategyOption::Kind::kText, "waypoints", "waypoints", "NAME",
      "where to: the name of a list of waypoints of the subject, or predicates, as in "
      "\"LogDiff(1), LogDiff(2)\"; the last is the target");
  return one;
}

Result<void> need_waypoints(const std::string& strategy, const Options& options) {
  if (waypoints_option().get(options)) return {};
  return Error{
      "strategy " + strategy +
      " needs to be told where to: waypoints, by the name of a list (see `ordeal list`) or "
      "as predicates"};
}

std::vector<Goal> waypoints_in(const Options& options) {
  std::vector<Goal> out;
  const std::string text = waypoints_option().get(options).value_or("");
  if (text.empty()) return out;
  for (const std::string& predicate : split_predicates(text, ',')) {
    out.push_back(goal_of(predicate));
  }
  return out;
}

Result<void> settle_waypoints(const Steering& steering, Options& options) {
  const std::optional<std::string> given = waypoints_option().get(options);
  if (!given) return {};
  std::vector<std::string> names;
  for (const Waypoints& known : steering.waypoints) {
    names.push_back(known.name);
    if (known.name == *given) {
      waypoints_option().set(ordeal::join(known.predicates, ", "), options);
      return {};
    }
  }
  for (const Goal& goal : waypoints_in(options)) {
    const Result<void> valid = check_goal(goal, steering);
    if (valid) continue;
    // One word may be meant as the name of a list.
    const std::string near = did_you_mean(*given, names);
    return Error{valid.error().message + (near.empty() ? "" : "; among lists of waypoints" + near)};
  }
  return {};
}

void WaypointTally::track(const std::vector<Goal>& waypoints) {
  for (const Goal& goal : waypoints) all_.push_back({.predicate = goal.text});
}

void WaypointTally::begin_run(uint32_t from) {
  arrived_ = false;
  from_ = from;
  reached_.clear();
}

void WaypointTally::note_start(World& world, const std::vector<Goal>& waypoints) {
  for (const Goal& waypoint : waypoints) {
    if (is_reached(world, waypoint)) true_at_start_.push_back(waypoint.text);
  }
}

uint32_t WaypointTally::highest(World& world, const std::vector<Goal>& waypoints) {
  const uint32_t count = static_cast<uint32_t>(waypoints.size());
  if (arrived_) return count;
  for (uint32_t i = count; i > 0; --i) {
    if (is_reached(world, waypoints[i - 1])) {
      arrived_ = i == count;
      return i;
    }
  }
  return 0;
}

std::optional<uint32_t> WaypointTally::distance(World& world, const std::vector<Goal>& waypoints,
                                                uint32_t active) {
  std::optional<uint32_t> least;
  for (size_t i = active; i < waypoints.size(); ++i) {
    const std::optional<uint32_t> far = distance_of(world, waypoints[i]);
    if (!far) continue;
    if (!least || *far < *least) least = far;
    if (!all_[i].least || *far < *all_[i].least) all_[i].least = far;
  }
  return least;
}

void WaypointTally::reach(uint32_t waypoint, uint64_t state, uint64_t steps, size_t length) {
  while (from_ + reached_.size() < waypoint) {
    const size_t i = from_ + reached_.size();
    if (ways_.put(combine(state, i)).is_new) ++all_[i].ways;
    reached_.push_back({steps, length});
  }
}

void WaypointTally::end_run(const ShortForm& path, uint64_t run) {
  for (size_t i = 0; i < reached_.size(); ++i) {
    Learning::Waypoint& waypoint = all_[from_ + i];
    ++waypoint.episodes;
    if (waypoint.least) waypoint.least = 0;
    if (!waypoint.first) waypoint.first = run;
    if (waypoint.best && waypoint.best->steps <= reached_[i].steps) continue;
    ShortForm way = path;
    way.choices.resize(std::min(way.choices.size(), reached_[i].length));
    waypoint.best = {run, reached_[i].steps, std::move(way)};
  }
  const uint32_t farthest = from_ + static_cast<uint32_t>(reached_.size());
  if (farthest <= most_) return;
  most_ = farthest;
  closest_ = path;
}

void WaypointTally::tell(Learning& out) const {
  out.waypoints = all_;
  out.closest = closest_;
}

std::vector<std::string> WaypointTally::notes(const std::string& run) const {
  std::vector<std::string> out;
  if (!true_at_start_.empty()) {
    out.push_back("waypoints that are true where runs begin lead nowhere: " +
                  enumeration(true_at_start_));
  }
  if (all_.empty() || most_ == all_.size()) return out;
  const std::string& target = all_.back().predicate;
  if (most_ == 0) {
    out.push_back("no " + run + " came to " + target + ", nor to any waypoint before it" +
                  how_far());
  } else {
    const Learning::Waypoint& best = all_[most_ - 1];
    out.push_back("no " + run + " came to " + target + "; " + counted(best.episodes, run) +
                  " came as far as " + best.predicate + how_far());
  }
  return out;
}

std::string WaypointTally::how_far() const {
  const std::optional<uint32_t>& least = all_.back().least;
  return least ? "; the least distance to it was " + std::to_string(*least) : "";
}

}  // namespace ordeal::explore
