#include "explore/run/runs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "explore/run/driver.h"
#include "explore/run/run_map.h"
#include "explore/run/run_memory.h"
#include "explore/store/visited.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/failures.h"

namespace ordeal::explore {
namespace {

// Judges every state and keeps count.
class RunJudge : public RunObserver {
 public:
  RunJudge(World& world, const Scheduler& scheduler, const Options& options, Pace& pace)
      : scheduler_(scheduler),
        options_(options),
        pace_(pace),
        is_value_(world.is_value()),
        judges_steps_(any_on_steps(world.properties())) {
    out_.stored_states = true;  // for counting distinct states
    out_.reached_depth.assign(world.properties().size(), -1);
    for (const Property& property : world.properties()) shown_.push_back({property.name});
    shown_in_.resize(shown_.size());
  }

  bool arrive(const Arrival& at) override {
    ++out_.states;
    out_.depth = std::max(out_.depth, static_cast<uint32_t>(at.path.choices.size()));
    if (at.is_new) ++out_.distinct_states;
    // Equal states are judged alike.
    if (at.is_new || !is_value_) {
      judge(at);
    } else if (!violating_.empty()) {
      const auto known = violating_.find(at.fingerprint);
      if (known != violating_.end()) {
        for (const uint32_t property : known->second) show(property);
      }
    }
    const bool enough =
        at.world.trouble() != nullptr || (!out_.findings.empty() && !options_.keep_going);
    return !enough && may_go_on();
  }

  void step(const StepTaken& taken) override {
    ++out_.transitions;
    out_.steps.add(taken.sort);
    if (!judges_steps_ || taken.failed) return;
    judgement_.clear();
    taken.world.judge_step(judgement_);
    if (taken.world.trouble() != nullptr) return trouble(taken.world, taken.path, true);
    for (uint32_t property : judgement_.violated) found(property, taken.path);
  }

  void leave(const Arrival& at) override {
    judgement_.clear();
    at.world.judge(false, judgement_);
    if (at.world.trouble() != nullptr) return;  // likewise
    for (uint32_t property : judgement_.violated) found(property, at.path);
  }

  void end(World& world, const ShortForm& path, RunEnd how) override {
    if (how == RunEnd::kTrouble) trouble(world, path, false);
    if (how == RunEnd::kFailed) {
      found(kNoFailure, path, options_.keep_going ? failure_kind(world, path) : 0);
    }
    shows_ = false;
  }

  Exploration& out() { return out_; }
  // The properties that some run violates, in their order.
  std::vector<ShownProperty> shown() const {
    std::vector<ShownProperty> out;
    for (const ShownProperty& one : shown_) {
      if (one.runs > 0) out.push_back(one);
    }
    return out;
  }

 private:
  void judge(const Arrival& at) {
    const bool terminal = may_end(at.world);
    if (at.world.trouble() != nullptr) return;  // told at the end of the run
    if (terminal && at.is_new) ++out_.terminal_states;
    judgement_.clear();
    at.world.judge(terminal, judgement_);
    if (at.world.trouble() != nullptr) return;
    if (!judgement_.violated.empty() && is_value_) {
      violating_[at.fingerprint] = judgement_.violated;
    }
    for (uint32_t property : judgement_.violated) found(property, at.path);
    for (uint32_t property : judgement_.reached) {
      int64_t& known = out_.reached_depth[property];
      const int64_t depth = static_cast<int64_t>(at.path.choices.size());
      if (known < 0 || depth < known) known = depth;
    }
  }

  void trouble(World& world, const ShortForm& path, bool on_step) {
    if (out_.trouble) return;
    Finding& first = out_.trouble.emplace();
    first.trouble = *world.trouble();
    first.path = path;
    first.on_step = on_step;
    first.run = out_.runs;
    first.by = scheduler_.member();
  }

  void found(uint32_t property, const ShortForm& path, uint64_t failure = 0) {
    if (Finding* first = out_.found(property, failure)) {
      first->path = path;
      first->by = scheduler_.member();
      first->fails = property == kNoFailure;
    }
    show(property);
  }

  // This run shows a violation, whether or not earlier ones did.
  void show(uint32_t property) {
    if (std::exchange(shown_in_[property], out_.runs) != out_.runs) {
      ShownProperty& shown = shown_[property];
      shown.runs = ++out_.violating_runs_of[property];
      if (shown.runs == 1) {
        shown.first_run = out_.runs;
        shown.first_step = out_.transitions;
      }
    }
    if (std::exchange(shows_, true)) return;
    if (++out_.violating_runs > 1) return;
    out_.first_violating_run = out_.runs;
    out_.first_violating_step = out_.transitions;
  }

  // A run may be long: now and then it is asked whether there is time for the rest of it.
  bool may_go_on() {
    if (out_.transitions % 1024 != 0 || out_.transitions == 0) return true;
    const std::optional<Bound> stop = pace_.look(out_, scheduler_.waiting(), scheduler_.bytes());
    if (stop) out_.bound(*stop);
    return !stop;
  }

  const Scheduler& scheduler_;
  const Options& options_;
  Pace& pace_;
  const bool is_value_;
  const bool judges_steps_;
  Judgement judgement_;
  bool shows_ = false;                                   // this run
  std::vector<ShownProperty> shown_;                     // by property
  std::vector<uint64_t> shown_in_;                       // the last run that showed it
  std::map<uint64_t, std::vector<uint32_t>> violating_;  // fingerprints, and what they violate
  Exploration out_;
};

// What runs cover, of strategies that do not count it themselves.
class RunCoverage : public RunObserver {
 public:
  RunCoverage(World& world, const Options& options, const Exploration& so_far) : so_far_(so_far) {
    const auto measure = measure_option().get(options);
    const auto target = target_option().get(options);
    is_asked_ = measure || target;
    if (!is_asked_) return;
    const Result<uint32_t> colouring = world.colouring(measure.value_or(kDefaultColouring));
    if (!colouring) {
      error_ = colouring.error().message;
      return;
    }
    if (target) {
      target_ = goal_of(*target);
      if (const auto known = bind(world, *target_); !known) error_ = known.error().message;
    }
    coverage_.count(*colouring, target_ ? &*target_ : nullptr);
  }

  bool is_asked() const { return is_asked_; }
  const std::string& error() const { return error_; }
  uint64_t bytes() const { return coverage_.bytes(); }

  bool arrive(const Arrival& at) override {
    coverage_.see(at.world, so_far_.transitions, so_far_.runs);
    return true;
  }

  void end(World&, const ShortForm&, RunEnd) override { coverage_.begin_run(); }

  Learning learning() const {
    Learning out;
    out.episodes = so_far_.runs;
    out.steps = so_far_.transitions;
    out.coverage = coverage_.covered();
    if (target_) {
      out.target = target_->text;
      out.target_coverage = coverage_.covered_in_target();
      out.target_episodes = coverage_.runs_in_target();
    }
    out.curve = coverage_.curve(out.steps, out.episodes);
    return out;
  }

 private:
  const Exploration& so_far_;
  bool is_asked_ = false;
  std::string error_;
  std::optional<Goal> target_;
  AbstractCoverage coverage_;
};

class ScheduledRuns {
 public:
  ScheduledRuns(Scheduler& scheduler, World& world, const Options& options, RunCounts* counts)
      : world_(world),
        scheduler_(scheduler),
        options_(options),
        told_(counts),
        pace_(options, world.properties()),
        visited_(std::make_unique<VisitedSet>()),
        memory_(world, *visited_, pace_.max_bytes()),
        judge_(world, scheduler, options, pace_),
        out_(judge_.out()),
        coverage_(world, options, judge_.out()),
        map_(world, counts == nullptr ? "" : counts->map, counts == nullptr ? "" : counts->measure),
        counts_(coverage_.is_asked() && !scheduler.learning()),
        max_depth_(options.max_depth > 0 ? options.max_depth : kDefaultRunDepth),
        driver_(world, scheduler, observers(),
                {max_depth_, options.guide ? &*options.guide : nullptr, visited_.get()}) {
    out_.exhaustive = scheduler.covers_everything();
    const bool is_endless = !out_.exhaustive && scheduler.covers().empty();
    most_runs_ = options.max_runs == 0 && is_endless ? kDefaultRandomRuns : options.max_runs;
  }

  Exploration run() {
    if (counts_) out_.error = coverage_.error();
    if (out_.error.empty()) out_.error = map_.error();
    if (!out_.error.empty()) return std::move(out_);
    const std::string failure = guarded([&] { follow_scheduler(); });
    if (!failure.empty()) break_off(failure, driver_.path(), out_);
    if (const Result<void> left = scheduler_.finish(); !left) {
      out_.notes.push_back(left.error().message);
    }
    if (told_ != nullptr) {
      told_->shown = judge_.shown();
      told_->places = map_.places();
    }
    out_.learning = counts_ ? coverage_.learning() : scheduler_.learning();
    out_.members = scheduler_.members();
    for (std::string& note : scheduler_.notes()) out_.notes.push_back(std::move(note));
    out_.table_bytes = visited_->bytes();
    out_.bytes = memory_.most(scheduler_.bytes());
    return std::move(out_);
  }

 private:
  std::vector<RunObserver*> observers() {
    std::vector<RunObserver*> out = {&judge_};
    if (counts_) out.push_back(&coverage_);
    if (map_.is_asked()) out.push_back(&map_);
    return out;
  }

  void follow_scheduler() {
    const uint32_t initials = std::max<uint32_t>(1, world_.initial_count());
    for (uint64_t run = 0;; ++run) {
      // Where the runs are all that there are, nothing cuts them once none is left.
      std::optional<uint32_t> initial;
      if (out_.exhaustive) {
        initial = scheduler_.begin(run, initials);
        if (!initial || !has_runs_left() || !go_on()) return;
      } else {
        if (!go_on() || !has_runs_left()) return;
        initial = scheduler_.begin(run, initials);
        if (!initial) return out_.bound({.kind = Bound::Kind::kPart, .text = scheduler_.covers()});
      }
      ++out_.runs;
      const Result<RunEnd> end = driver_.run(*initial);
      if (!end) out_.error = end.error().message;
      if (end && map_.is_asked()) out_.error = map_.error();
      if (!out_.error.empty()) return;
      if (*end == RunEnd::kTrouble) {
        out_.bounds = {{Bound::Kind::kTrouble}};
        return;
      }
      if (*end == RunEnd::kDepth) out_.bound({Bound::Kind::kDepth, max_depth_});
      if (const std::optional<Bound> full = scheduler_.gave_up()) return out_.bound(*full);
    }
  }

  bool has_runs_left() {
    if (most_runs_ == 0 || out_.runs < most_runs_) return true;
    out_.bound({Bound::Kind::kRuns, most_runs_});
    return false;
  }

  // Whether to go on with another run.
  bool go_on() {
    if (!out_.findings.empty() && !options_.keep_going) {
      out_.bounds = {{Bound::Kind::kViolation}};
      return false;
    }
    if (options_.max_states > 0 && out_.distinct_states >= options_.max_states) {
      out_.bound({Bound::Kind::kStates, options_.max_states});
      return false;
    }
    if (options_.max_steps > 0 && out_.transitions >= options_.max_steps) {
      out_.bound({Bound::Kind::kSteps, options_.max_steps});
      return false;
    }
    const std::optional<Bound> stop = pace_.look(
        out_, scheduler_.waiting(),
        memory_.look(scheduler_.bytes() + coverage_.bytes() + map_.bytes(), out_.transitions));
    if (stop) out_.bound(*stop);
    return !stop;
  }

  World& world_;
  Scheduler& scheduler_;
  const Options& options_;
  RunCounts* const told_;
  Pace pace_;
  std::unique_ptr<VisitedSet> visited_;
  RunMemory memory_;
  RunJudge judge_;
  Exploration& out_;
  RunCoverage coverage_;
  RunMap map_;
  const bool counts_;  // what is covered
  const uint32_t max_depth_;
  uint64_t most_runs_ = 0;
  Driver driver_;
};

}  // namespace

Exploration explore_by(Scheduler& scheduler, World& world, const Options& options,
                       RunCounts* counts) {
  return std::make_unique<ScheduledRuns>(scheduler, world, options, counts)->run();
}

}  // namespace ordeal::explore
