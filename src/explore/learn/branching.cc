// Branching: goes on at random from where runs came to the farthest waypoint. It learns nothing,
// and is what those who learn to come to waypoints have to beat.
#include <algorithm>
#include <cassert>
#include <memory>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/rng.h"
#include "base/text.h"
#include "explore/learn/exact_math.h"
#include "explore/learn/waypoints.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/scheduler.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

const StrategyOption& from_start() {
  static const StrategyOption one =
      StrategyOption::real("from-start", "a probability",
                           "how often a run begins at the start, not at a waypoint", "0.1", 0, 1);
  return one;
}
const StrategyOption& kept_ways() {
  static const StrategyOption one = StrategyOption::number(
      "ways", "a number of ways",
      "at most so many ways to each waypoint are kept, to different states", "10", 1, 1'000'000);
  return one;
}

struct BranchingSetup {
  uint64_t seed = 0;
  double from_start = 0;
  uint64_t most_ways = 0;
  std::string measured = {};
  std::vector<Goal> waypoints = {};
  Goal target = {};
};

Result<uint32_t> bind(World& world, BranchingSetup& setup) {
  Result<uint32_t> measured = world.colouring(setup.measured);
  if (!measured) return measured;
  for (Goal& goal : setup.waypoints) {
    if (const auto known = explore::bind(world, goal); !known) return known.error();
  }
  if (const auto known = explore::bind(world, setup.target); !known) return known.error();
  return measured;
}

class BranchingScheduler : public Scheduler {
 public:
  // REQUIRES: bind() was content with the setup for a world of the same subject.
  explicit BranchingScheduler(BranchingSetup setup)
      : setup_(std::move(setup)), ways_(setup_.waypoints.size()) {
    waypoints_.track(setup_.waypoints);
  }

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    rng_ = Rng(combine(setup_.seed, run));  // a run from the start is one of strategy random
    Rng turn(combine(~setup_.seed, run));
    coverage_.begin_run();
    way_ = nullptr;
    taken_ = 0;
    uint32_t level = known_;
    if (mutant(Mutant::kWaysFromAnywhere) && level > 1 && !ways_[0].empty()) level = 1;
    if (level > 0 && unit(turn) < setup_.from_start) level = 0;
    waypoints_.begin_run(level);
    reached_ = level;
    if (level == 0) return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
    const std::vector<Way>& ways = ways_[level - 1];
    way_ = &ways[turn.below(ways.size())];
    return way_->path.initial;
  }

  // Where the world can begin there. Else the way is gone once more.
  bool resume(World& world, ShortForm& path) override {
    if (way_ == nullptr || !way_->saved || !world.restore(*way_->saved)) return false;
    if (mutant(Mutant::kRestoresStart) && !world.reset(way_->path.initial)) return false;
    path = way_->path;
    taken_ = path.choices.size();
    return true;
  }

  // What it does again was seen when it was done first. The state at its end is told again: what
  // is covered from there on counts from a target on.
  bool retraces() const override { return way_ != nullptr && taken_ < way_->path.choices.size(); }

  bool arrive(const Arrival& at) override {
    if (bound_ != &at.world) {
      bound_ = &at.world;
      const Result<uint32_t> measured = bind(at.world, setup_);
      assert(measured);  // as it was for the world that it was made for
      coverage_.count(*measured, &setup_.target);
      if (runs_ == 0) waypoints_.note_start(at.world, setup_.waypoints);
    }
    const uint64_t state = coverage_.see(at.world, steps_, runs_ + 1);
    const uint32_t highest = waypoints_.highest(at.world, setup_.waypoints);
    waypoints_.reach(highest, state, at.path.choices.size(), at.path.choices.size());
    if (highest > reached_) {
      reached_ = highest;
      keep(highest, at);
    }
    return true;
  }

  uint32_t pick(World& world) override {
    if (retraces()) return way_->path.choices[taken_];
    const size_t count = world.enabled().size();
    const uint64_t picked = rng_.below(count + (may_end(world) ? 1 : 0));
    return picked == count ? kEnd : static_cast<uint32_t>(picked);
  }

  void take(World&, uint32_t) override { ++taken_; }
  void step(const StepTaken&) override { ++steps_; }

  void end(World&, const ShortForm& path, RunEnd) override {
    ++runs_;
    waypoints_.end_run(path, runs_);
    // A way that was found in this run is taken from the next one on: the one that it follows stays
    // where it is until then.
    for (auto& [waypoint, way] : found_) {
      put(std::move(way), ways_[waypoint - 1]);
      known_ = std::max(known_, waypoint);
    }
    found_.clear();
  }

  std::vector<std::string> notes() const override { return waypoints_.notes("run"); }

  uint64_t bytes() const override { return coverage_.bytes() + waypoints_.bytes() + way_bytes_; }

  std::optional<Learning> learning() const override {
    Learning out;
    out.episodes = runs_;
    out.steps = steps_;
    out.coverage = coverage_.covered();
    out.target = setup_.target.text;
    out.target_coverage = coverage_.covered_in_target();
    out.target_episodes = coverage_.runs_in_target();
    out.curve = coverage_.curve(steps_, runs_);
    waypoints_.tell(out);
    return out;
  }

 private:
  struct Way {
    uint64_t state = 0;  // that it leads to
    ShortForm path;
    std::optional<World::Saved> saved;  // the state itself, where the world can begin there

    uint64_t bytes() const {
      return sizeof(Way) + path.choices.size() * sizeof(uint32_t) +
             (saved ? saved->state.size() * sizeof(uint32_t) + saved->content.size() : 0);
    }
  };

  // Where a way to that state belongs: in the place of a longer one to the same state; else behind
  // the others, or, where there are as many as there may be, in the place of the longest. None: it
  // is no shorter.
  std::optional<size_t> place_of(uint64_t state, size_t length,
                                 const std::vector<Way>& ways) const {
    const auto shorter = [](const Way& a, const Way& b) {
      return a.path.choices.size() < b.path.choices.size();
    };
    auto at =
        std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return way.state == state; });
    if (at == ways.end()) {
      if (ways.size() < setup_.most_ways) return ways.size();
      at = std::max_element(ways.begin(), ways.end(), shorter);
    }
    if (at->path.choices.size() <= length && !mutant(Mutant::kLongWaysStay)) return std::nullopt;
    if (at->path.choices.size() >= length && mutant(Mutant::kLongWaysStay)) return std::nullopt;
    return static_cast<size_t>(at - ways.begin());
  }

  void keep(uint32_t waypoint, const Arrival& at) {
    if (!place_of(at.fingerprint, at.path.choices.size(), ways_[waypoint - 1])) return;
    found_.push_back({waypoint, {at.fingerprint, at.path, at.world.save()}});
  }

  void put(Way way, std::vector<Way>& ways) {
    const auto place = place_of(way.state, way.path.choices.size(), ways);
    if (!place) return;
    way_bytes_ += way.bytes();
    if (*place < ways.size()) {
      way_bytes_ -= ways[*place].bytes();
      ways[*place] = std::move(way);
    } else {
      ways.push_back(std::move(way));
    }
  }

  BranchingSetup setup_;
  World* bound_ = nullptr;  // the world that numbers of predicates are of
  Rng rng_{0};

  // This run.
  const Way* way_ = nullptr;  // that it follows first
  size_t taken_ = 0;          // steps, those of the way included
  uint32_t reached_ = 0;      // waypoint
  std::vector<std::pair<uint32_t, Way>> found_;

  // All of them.
  std::vector<std::vector<Way>> ways_;  // to each waypoint
  uint32_t known_ = 0;                  // the farthest waypoint to which there is one
  uint64_t way_bytes_ = 0;
  uint64_t runs_ = 0;
  uint64_t steps_ = 0;
  AbstractCoverage coverage_;
  WaypointTally waypoints_;
};

}  // namespace

Strategy branching_strategy() {
  Strategy strategy = sampler(
      "branching",
      "random runs that go on from where others came to waypoints (see --waypoints): what learning "
      "has to beat");
  strategy.runs_by_number = false;
  strategy.options = {waypoints_option(), from_start(), kept_ways(), measure_option(),
                      target_option()};
  strategy.accepts = [](const Options& options) { return need_waypoints("branching", options); };
  strategy.settle = [](const Checkable& subject, Options& options) -> Result<void> {
    const Steering steering = subject.steering();
    if (auto settled = settle_waypoints(steering, options); !settled) return settled;
    return settle_measuring(steering, options);
  };
  strategy.schedule = [](const Options& options,
                         World& world) -> Result<std::unique_ptr<Scheduler>> {
    BranchingSetup setup;
    setup.seed = options.seed;
    setup.from_start = real_of(from_start(), options);
    setup.most_ways = number_of(kept_ways(), options);
    setup.measured = measure_option().get(options).value_or(kDefaultColouring);
    setup.waypoints = waypoints_in(options);
    const auto target = target_option().get(options);
    setup.target = target ? goal_of(*target) : setup.waypoints.back();
    if (const auto bound = bind(world, setup); !bound) return bound.error();
    return std::unique_ptr<Scheduler>(std::make_unique<BranchingScheduler>(std::move(setup)));
  };
  return strategy;
}

}  // namespace ordeal::explore
