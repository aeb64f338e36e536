#include <algorithm>
#include <limits>

#include "base/text.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/findings.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

constexpr int kFaults = std::numeric_limits<int>::min();

}  // namespace

void PctScheduler::start() {
  const Draw draw = [this](uint64_t n) { return rng().below(n); };
  lowered_at_ = draw_points(points_.depth - 1, points_.events, draw);
  step_ = 0;
  events_.clear();
  priorities_.clear();
  threads_.clear();
}

uint32_t PctScheduler::thread_of(World& world, uint32_t index) {
  const Choice& choice = world.enabled()[index];
  const int where = choice.is_fault() ? kFaults : place_of(choice.kind, world.offer(index));
  const auto [known, is_new] = threads_.emplace(where, priorities_.size());
  if (is_new) priorities_.add([this](uint64_t n) { return rng().below(n); });
  return known->second;
}

bool PctScheduler::arrive(const Arrival& at) {
  World& world = at.world;
  events_.arrive(world);
  thread_at_.clear();
  const uint32_t count = static_cast<uint32_t>(world.enabled().size());
  for (uint32_t i = 0; i < count; ++i) thread_at_.push_back(thread_of(world, i));
  return true;
}

void PctScheduler::take(World& world, uint32_t index) {
  events_.take(world, index);
  ++step_;
  most_steps_ = std::max(most_steps_, step_);
}

uint32_t PctScheduler::pick(World& world) {
  if (ends(world, events_.enabled().size())) return kEnd;
  const auto first = [this] {
    return *std::min_element(thread_at_.begin(), thread_at_.end(),
                             [this](uint32_t a, uint32_t b) { return priorities_.before(a, b); });
  };
  for (uint32_t i = 0; i < lowered_at_.size(); ++i) {
    if (lowered_at_[i] == step_) priorities_.lower(first(), i);
  }
  // Which of its events the thread takes: any.
  const uint32_t thread = first();
  std::vector<uint32_t> events;
  for (uint32_t i = 0; i < thread_at_.size(); ++i) {
    const uint32_t event = events_.event_at(i);
    const bool known = std::find(events.begin(), events.end(), event) != events.end();
    if (thread_at_[i] == thread && !known) events.push_back(event);
  }
  const uint32_t event = events[rng().below(events.size())];
  // Not a fault that is an alternative of it: that is another thread's.
  std::vector<uint32_t> actions;
  for (uint32_t i = 0; i < thread_at_.size(); ++i) {
    if (thread_at_[i] == thread && events_.event_at(i) == event) actions.push_back(i);
  }
  return actions[rng().below(actions.size())];
}

std::vector<std::string> PctScheduler::notes() const {
  std::string note = "bugs of depth " + grouped(points_.depth) + " among " +
                     grouped(points_.events) + " steps a run";
  if (points_.tried_runs > 0) {
    note += " (the most of " + grouped(points_.tried_runs) + " random runs)";
  }
  if (most_steps_ > points_.events) {
    note += "; the longest run had " + grouped(most_steps_) + " (see --events)";
  }
  return {note};
}

Strategy pct_strategy() {
  Strategy strategy = with_change_points(
      sampler("pct", "random priorities of nodes, with change points (see --bug-depth)"));
  strategy.schedule = [](const Options& options,
                         World& world) -> Result<std::unique_ptr<Scheduler>> {
    const ChangePoints points = change_points(options, world, false);
    return std::unique_ptr<Scheduler>(std::make_unique<PctScheduler>(options.seed, points));
  };
  return strategy;
}

}  // namespace ordeal::explore
