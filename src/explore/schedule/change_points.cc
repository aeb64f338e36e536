// What pct and pctcp share: how deep bugs are, and how long runs.
#include <algorithm>

#include "base/text.h"
#include "explore/run/driver.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kTriedRuns = 20;
constexpr uint64_t kTrial = 0x747269616c;  // so that trials draw other numbers than runs

StrategyOption depth_of_bugs() {
  StrategyOption option;
  option.name = "bug-depth";
  option.field = "bug_depth";
  option.noun = "a bug depth";
  option.value = "D";
  option.what = "look for bugs that show when D events come in a certain order";
  option.fallback = "3";
  option.least = 1;
  option.kept_in(&Options::bug_depth);
  return option;
}

StrategyOption most_events() {
  StrategyOption option;
  option.name = "events";
  option.field = "max_events";
  option.noun = "a bound on events";
  option.value = "N";
  option.what = "a run has at most N steps or events (default: as the longest of " +
                std::to_string(kTriedRuns) + " random runs)";
  option.least = 1;
  option.kept_in(&Options::max_events);
  return option;
}

uint32_t depth_in(const Options& options) {
  return static_cast<uint32_t>(number_of(depth_of_bugs(), options));
}

Result<void> accept_change_points(const Options& options) {
  const uint32_t depth = depth_in(options);
  if (options.max_events == 0 || options.max_events + 1 >= depth) return {};
  return Error{"bugs of depth " + grouped(depth) + " need " + grouped(depth - 1) +
               " change points, but a run has at most " + grouped(options.max_events) + " events"};
}

// How long runs are.
class RunLengths : public RunObserver {
 public:
  void begin() { events_.clear(); }
  bool arrive(const Arrival& at) override {
    events_.arrive(at.world);
    return true;
  }
  void take(World& world, uint32_t index) override { events_.take(world, index); }
  void end(World& world, const ShortForm& path, RunEnd how) override {
    if (how == RunEnd::kOutside) events_.arrive(world);  // what waits there counts, too
    most_.steps = std::max<uint64_t>(most_.steps, path.choices.size());
    most_.events = std::max<uint64_t>(most_.events, events_.size());
  }
  const Lengths& most() const { return most_; }

 private:
  PendingEvents events_;
  Lengths most_;
};

}  // namespace

Lengths try_runs(World& world, const Options& options, uint64_t runs) {
  const uint32_t initials = std::max<uint32_t>(1, world.initial_count());
  RandomScheduler scheduler(combine(options.seed, kTrial));
  RunLengths lengths;
  Driver driver(world, scheduler, {&lengths},
                {.max_depth = options.max_depth > 0 ? options.max_depth : kDefaultRunDepth});
  for (uint64_t run = 0; run < runs; ++run) {
    lengths.begin();
    if (!driver.run(*scheduler.begin(run, initials))) break;
  }
  return lengths.most();
}

ChangePoints change_points(const Options& options, World& world, bool by_events) {
  ChangePoints points;
  points.depth = depth_in(options);
  points.events = options.max_events;
  if (points.events > 0) return points;
  const Lengths lengths = try_runs(world, options, kTriedRuns);
  points.events = by_events ? lengths.events : lengths.steps;
  points.tried_runs = kTriedRuns;
  return points;
}

Strategy with_change_points(Strategy strategy) {
  strategy.options = {depth_of_bugs(), most_events()};
  strategy.accepts = accept_change_points;
  strategy.tries_first = [](const Options& options) {
    return options.max_events > 0 ? 0 : kTriedRuns;
  };
  return strategy;
}

}  // namespace ordeal::explore
