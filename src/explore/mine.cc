#include "explore/mine.h"

#include <algorithm>
#include <memory>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/text.h"
#include "explore/prepare.h"
#include "explore/run/driver.h"
#include "explore/run/runs.h"
#include "explore/store/visited.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/failures.h"
#include "explore/strategy/findings.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kNever = ~uint64_t{0};
constexpr uint64_t kMostTried = 2'000;  // predicates with numbers, of all families together

std::string call_words(const std::string& name, const std::vector<int64_t>& arguments) {
  if (arguments.empty()) return name;
  std::vector<std::string> words;
  for (const int64_t argument : arguments) words.push_back(std::to_string(argument));
  return name + "(" + ordeal::join(words, ", ") + ")";
}

struct Candidate {
  Goal goal;
  bool is_kin = false;  // of a family that the target is of
  bool at_start = false;
  std::vector<uint64_t> first = {};  // for each run that came to the target; kNever
  uint64_t others = 0;

  double mean() const {
    double sum = 0;
    for (const uint64_t one : first) sum += static_cast<double>(one);
    return first.empty() ? 0 : sum / static_cast<double>(first.size());
  }
};

// Every family with all numbers from 0 to `numbers`, families in their order, smaller ones first.
std::vector<Candidate> candidates(const Steering& steering, const Goal& target, uint32_t numbers) {
  std::vector<Candidate> out;
  for (const PredicateFamily& family : steering.predicates) {
    const bool is_kin = std::any_of(
        target.parts.begin(), target.parts.end(),
        [&](const std::string& part) { return parse_predicate(part)->name == family.name; });
    std::vector<int64_t> arguments(family.arguments, 0);
    for (;;) {
      out.push_back({.goal = goal_of(call_words(family.name, arguments)), .is_kin = is_kin});
      size_t at = arguments.size();
      while (at > 0 && arguments[at - 1] == numbers) arguments[--at] = 0;
      if (at == 0) break;
      ++arguments[at - 1];
    }
  }
  return out;
}

// "P(1)", "P(2)" of "P(3)", by the last argument; none where there is no such form.
std::vector<Goal> smaller_forms(const Goal& target) {
  std::vector<Goal> out;
  if (target.parts.size() != 1) return out;
  const PredicateCall call = *parse_predicate(target.parts[0]);
  if (call.arguments.empty()) return out;
  std::vector<int64_t> arguments = call.arguments;
  for (int64_t n = 1; n < call.arguments.back(); ++n) {
    arguments.back() = n;
    out.push_back(goal_of(call_words(call.name, arguments)));
  }
  return out;
}

// Ends every run where it comes to the target.
class TargetWatch : public RunObserver {
 public:
  explicit TargetWatch(const Goal& target) : target_(target) {}

  // A run may end before it arrives anywhere: outside of the constraint.
  void begin_run() { reached_ = false; }
  bool arrive(const Arrival& at) override {
    reached_ = is_reached(at.world, target_);
    return !reached_;
  }
  void step(const StepTaken&) override { ++steps_; }

  bool reached() const { return reached_; }
  uint64_t steps() const { return steps_; }

 private:
  const Goal& target_;
  bool reached_ = false;
  uint64_t steps_ = 0;
};

class Mining {
 public:
  Mining(World& world, Scheduler& scheduler, const Options& options, const MiningSettings& settings,
         Goal target, std::vector<Candidate> tried)
      : world_(world),
        scheduler_(scheduler),
        options_(options),
        settings_(settings),
        target_(std::move(target)),
        tried_(std::move(tried)),
        watch_(target_),
        driver_(world, scheduler, {&watch_},
                {options.max_depth > 0 ? options.max_depth : kDefaultRunDepth,
                 options.guide ? &*options.guide : nullptr, &visited_}),
        pace_(options) {}

  Result<Mined> run() {
    if (auto known = bind(world_, target_); !known) return known.error();
    for (Candidate& one : tried_) {
      if (auto known = bind(world_, one.goal); !known) return known.error();
    }
    out_.tried = tried_.size();
    if (auto done = make_runs(); !done) return done.error();
    for (const ShortForm& path : others_) {
      if (auto followed = follow(path, false); !followed) return followed.error();
    }
    out_.others = others_.size();
    out_.reached = ways_.size();
    for (const ShortForm& path : ways_) {
      if (auto followed = follow(path, true); !followed) return followed.error();
    }
    if (out_.reached > 0) {
      choose();
    } else if (auto graded = grade(); !graded) {
      return graded.error();
    }
    return std::move(out_);
  }

 private:
  Result<void> make_runs() {
    const uint32_t initials = std::max<uint32_t>(1, world_.initial_count());
    while (ways_.size() < settings_.enough) {
      progress_.runs = out_.runs;
      progress_.transitions = watch_.steps();
      out_.stopped = pace_.look(progress_, 0, visited_.bytes() + scheduler_.bytes(), true);
      if (!out_.stopped && out_.runs >= options_.max_runs) {
        out_.stopped = {Bound::Kind::kRuns, options_.max_runs};
      }
      if (out_.stopped) break;
      const std::optional<uint32_t> initial = scheduler_.begin(out_.runs, initials);
      if (!initial) {
        out_.stopped = {.kind = Bound::Kind::kPart, .text = scheduler_.covers()};
        break;
      }
      watch_.begin_run();
      const Result<RunEnd> end = driver_.run(*initial);
      if (!end) return end.error();
      ++out_.runs;
      const ShortForm& path = driver_.path();
      if (*end == RunEnd::kTrouble) {
        return Error{"run " + std::to_string(out_.runs) + ": " + *world_.trouble() + in_run(path)};
      }
      if (watch_.reached() && path.choices.empty()) {
        return Error{"the target " + target_.text + " holds where runs begin: no way leads to it"};
      }
      if (watch_.reached()) {
        ways_.push_back(path);
      } else if (*end != RunEnd::kFailed && *end != RunEnd::kOutside &&
                 others_.size() < settings_.enough) {
        others_.push_back(path);
      }
    }
    out_.steps = watch_.steps();
    return {};
  }

  // The run once more, state by state: when what held first.
  Result<void> follow(const ShortForm& path, bool is_way) {
    if (auto started = world_.reset(path.initial); !started) return started;
    std::vector<uint64_t> first(tried_.size(), kNever);
    for (size_t step = 0;; ++step) {
      for (size_t i = 0; i < tried_.size(); ++i) {
        if (first[i] != kNever || !is_reached(world_, tried_[i].goal)) continue;
        first[i] = step;
      }
      if (step == path.choices.size()) break;
      if (path.choices[step] >= world_.enabled().size() || !world_.apply(path.choices[step])) {
        return Error{"the subject does not do the same again, at step " + std::to_string(step + 1)};
      }
    }
    for (size_t i = 0; i < tried_.size(); ++i) {
      tried_[i].at_start = tried_[i].at_start || first[i] == 0;
      if (is_way) tried_[i].first.push_back(first[i]);
      if (!is_way && first[i] != kNever) ++tried_[i].others;
    }
    if (is_way) lengths_.push_back(path.choices.size());
    return {};
  }

  bool is_on_every_way(const Candidate& one) const {
    for (size_t run = 0; run < lengths_.size(); ++run) {
      const bool was_so = one.first[run] < lengths_[run];
      if (mutant(Mutant::kSomeWays) && was_so) return true;
      if (!mutant(Mutant::kSomeWays) && !was_so) return false;
    }
    return !mutant(Mutant::kSomeWays);
  }

  // Whether they first hold in the same state, in more than half of the runs.
  static bool come_together(const Candidate& a, const Candidate& b) {
    size_t together = 0;
    for (size_t run = 0; run < a.first.size(); ++run) together += a.first[run] == b.first[run];
    return 2 * together > a.first.size();
  }

  void choose() {
    // Of those that come together, one of the target's own family stays, else the first.
    std::stable_partition(tried_.begin(), tried_.end(),
                          [](const Candidate& one) { return one.is_kin; });
    std::vector<const Candidate*> taken;
    for (const Candidate& one : tried_) {
      if (one.at_start && !mutant(Mutant::kMinedAtStart)) {
        ++out_.at_start;
      } else if (!is_on_every_way(one)) {
        ++out_.not_in_all;
      } else if (out_.others > 0 && 20 * one.others >= 19 * out_.others) {
        ++out_.everywhere;
      } else if (std::any_of(taken.begin(), taken.end(),
                             [&](const Candidate* other) { return come_together(*other, one); })) {
        ++out_.together;
      } else {
        taken.push_back(&one);
      }
    }
    if (taken.size() > settings_.most) {
      // Those stay that the fewest of the other runs came to.
      std::stable_sort(taken.begin(), taken.end(), [](const Candidate* a, const Candidate* b) {
        return a->others < b->others;
      });
      out_.beyond = taken.size() - settings_.most;
      taken.resize(settings_.most);
    }
    std::stable_sort(taken.begin(), taken.end(),
                     [](const Candidate* a, const Candidate* b) { return a->mean() < b->mean(); });
    for (const Candidate* one : taken) {
      out_.waypoints.push_back({one->goal.text, one->mean(), one->others});
    }
    double sum = 0;
    for (const uint64_t length : lengths_) sum += static_cast<double>(length);
    out_.waypoints.push_back({target_.text, sum / static_cast<double>(lengths_.size()), 0});
  }

  // There is nothing to rest on.
  Result<void> grade() {
    out_.is_graded = true;
    std::vector<Candidate> forms;
    for (Goal& goal : smaller_forms(target_)) {
      if (auto known = bind(world_, goal); !known) return known;
      forms.push_back({.goal = std::move(goal)});
    }
    tried_ = std::move(forms);
    for (const ShortForm& path : others_) {
      if (auto followed = follow(path, false); !followed) return followed;
    }
    for (const Candidate& one : tried_) {
      if (!one.at_start) out_.waypoints.push_back({one.goal.text, 0, one.others});
    }
    out_.waypoints.push_back({target_.text, 0, 0});
    return {};
  }

  World& world_;
  Scheduler& scheduler_;
  const Options& options_;
  const MiningSettings& settings_;
  Goal target_;
  std::vector<Candidate> tried_;
  VisitedSet visited_;
  TargetWatch watch_;
  Driver driver_;
  Pace pace_;
  Exploration progress_;
  std::vector<ShortForm> ways_;  // that came to the target
  std::vector<ShortForm> others_;
  std::vector<uint64_t> lengths_;  // of the ways, in steps
  Mined out_;
};

}  // namespace

std::string Mined::list() const {
  std::vector<std::string> names;
  names.reserve(waypoints.size());
  for (const Waypoint& one : waypoints) names.push_back(one.predicate);
  return ordeal::join(names, ", ");
}

Result<Mined> mine_waypoints(const Checkable& subject, const Options& given,
                             const MiningSettings& settings) {
  const Result<Prepared> prepared = explore::prepared(subject, given);
  if (!prepared) return prepared.error();
  const Options& options = prepared->options;
  if (!prepared->strategy->samples()) {
    return Error{"strategy " + options.strategy + " does not pick runs step by step"};
  }
  const Steering steering = subject.steering();
  Goal target = goal_of(settings.target);
  if (auto known = check_goal(target, steering); !known) return known.error();
  std::vector<Candidate> tried = candidates(steering, target, settings.numbers);
  if (tried.size() > kMostTried) {
    return Error{"with numbers up to " + std::to_string(settings.numbers) + " there are " +
                 grouped(tried.size()) + " predicates to try; try at most " + grouped(kMostTried)};
  }
  Result<Mined> mined = Error{};
  const std::string failure = guarded([&] {
    const std::unique_ptr<World> world = subject.world();
    const auto scheduler = prepared->strategy->schedule(options, *world);
    mined = scheduler ? Mining(*world, **scheduler, options, settings, std::move(target),
                               std::move(tried))
                            .run()
                      : scheduler.error();
  });
  if (!failure.empty()) return Error{"a predicate or the subject failed: " + failure};
  return mined;
}

}  // namespace ordeal::explore
