#include "explore/scheduler.h"

#include <algorithm>

#include "base/mutant.h"
#include "explore/findings.h"
#include "explore/runs.h"
#include "explore/schedulers.h"

namespace ordeal::explore {
namespace {

constexpr uint32_t kDefaultBugDepth = 3;
constexpr uint32_t kDefaultDelays = 2;
constexpr uint64_t kTriedRuns = 20;
constexpr uint64_t kTrial = 0x747269616c;  // so that trials draw other numbers than runs

Result<ChangePoints> change_points(const Options& options, World& world, bool by_events) {
  ChangePoints points;
  points.depth = options.bug_depth > 0 ? options.bug_depth : kDefaultBugDepth;
  points.events = options.max_events;
  if (points.events == 0) {
    const Lengths lengths = try_runs(world, options, kTriedRuns);
    points.events = by_events ? lengths.events : lengths.steps;
    points.tried_runs = kTriedRuns;
  } else if (points.events + 1 < points.depth) {
    return Error{"bugs of depth " + count_text(points.depth) + " need " +
                 count_text(points.depth - 1) + " change points, but a run has at most " +
                 count_text(points.events) + " events"};
  }
  return points;
}

}  // namespace

bool may_end(World& world) {
  const std::vector<Choice>& enabled = world.enabled();
  return std::none_of(enabled.begin(), enabled.end(),
                      [](const Choice& choice) { return choice.progress; });
}

std::optional<uint32_t> Sampler::begin(uint64_t run, uint32_t initials) {
  if (!mutant(Mutant::kRunsShareDraws)) rng_ = Rng(combine(seed_, run));
  start();
  return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
}

bool Sampler::ends(World& world, size_t others) {
  return may_end(world) && rng_.below(others + 1) == others;
}

uint32_t RandomScheduler::pick(World& world) {
  const size_t count = world.enabled().size();
  const uint64_t picked = rng().below(count + (may_end(world) ? 1 : 0));
  return picked == count ? kEnd : static_cast<uint32_t>(picked);
}

Lengths try_runs(World& world, const Options& options, uint64_t runs) {
  const uint32_t most = options.max_depth > 0 ? options.max_depth : kDefaultRunDepth;
  const uint32_t initials = std::max<uint32_t>(1, world.initial_count());
  RandomScheduler scheduler(combine(options.seed, kTrial));
  PendingEvents events;
  Lengths out;
  for (uint64_t run = 0; run < runs; ++run) {
    if (!world.reset(*scheduler.begin(run, initials))) break;
    events.clear();
    events.arrive(world);
    uint64_t steps = 0;
    while (steps < most && !world.enabled().empty() && world.within()) {
      const uint32_t pick = scheduler.pick(world);
      if (pick == Scheduler::kEnd) break;
      events.take(world, pick);
      ++steps;
      if (!world.apply(pick)) break;
      events.arrive(world);
    }
    out.steps = std::max(out.steps, steps);
    out.events = std::max<uint64_t>(out.events, events.size());
  }
  return out;
}

const std::vector<std::string>& scheduler_names() {
  static const std::vector<std::string> names = {"random", "pct", "pctcp", "pos", "delay"};
  return names;
}

Result<void> check_scheduler_options(const Options& options) {
  const auto only_for = [&](bool asked, const std::string& what,
                            const std::vector<std::string>& which) -> Result<void> {
    const bool fits = std::find(which.begin(), which.end(), options.strategy) != which.end();
    if (!asked || fits) return {};
    std::string names = which.size() == 1 ? "strategy " : "strategies ";
    for (size_t i = 0; i < which.size(); ++i) names += (i > 0 ? " and " : "") + which[i];
    return Error{what + " is for " + names + ", not for " + options.strategy};
  };
  for (const auto& valid :
       {only_for(options.bug_depth > 0, "a bug depth", {"pct", "pctcp"}),
        only_for(options.max_events > 0, "a bound on events", {"pct", "pctcp"}),
        only_for(options.delays.has_value(), "a number of delays", {"delay"})}) {
    if (!valid) return valid.error();
  }
  return {};
}

Result<std::unique_ptr<Scheduler>> make_scheduler(const Options& options, World& world) {
  using Made = std::unique_ptr<Scheduler>;
  const std::string& name = options.strategy;
  if (name == "random") return Made(std::make_unique<RandomScheduler>(options.seed));
  if (name == "pos") return Made(std::make_unique<PosScheduler>(options.seed));
  if (name == "delay") return delay_scheduler(options.delays.value_or(kDefaultDelays));
  if (name == "pct" || name == "pctcp") {
    const Result<ChangePoints> points = change_points(options, world, name == "pctcp");
    if (!points) return points.error();
    if (name == "pct") return Made(std::make_unique<PctScheduler>(options.seed, *points));
    return Made(std::make_unique<PctcpScheduler>(options.seed, *points));
  }
  std::string names;
  for (const std::string& known : scheduler_names()) {
    names += (names.empty() ? "" : ", ") + known;
  }
  return Error{"strategy " + name + " does not pick runs step by step; those that do: " + names};
}

}  // namespace ordeal::explore
