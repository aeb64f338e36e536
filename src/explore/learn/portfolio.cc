// Portfolio: divides its runs among other strategies by what they bring. docs/reference/learning.md
// defines how.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/rng.h"
#include "base/text.h"
#include "explore/learn/exact_math.h"
#include "explore/strategy/hitting.h"
#include "explore/strategy/scheduler.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

constexpr const char* kName = "portfolio";

const StrategyOption& members_option() {
  static const StrategyOption one = StrategyOption::make(
      StrategyOption::Kind::kText, "members", "names of strategies", "NAMES",
      "whom it divides its runs among, with commas between: strategies that pick runs step by step",
      "random,pct,pos,uniform,bonusmax");
  return one;
}
const StrategyOption& curiosity() {
  static const StrategyOption one = StrategyOption::real(
      "curiosity", "a weight", "how much it counts that a member was not tried for long", "0.5", 0,
      1'000);
  return one;
}
const StrategyOption& recall() {
  static const StrategyOption one = StrategyOption::real(
      "recall", "a factor", "what a run counts for after each run that came after it", "0.995", 0.5,
      1);
  return one;
}

// The strategies that are named. An Error: one is none, or is named twice, or cannot be a member.
Result<std::vector<const Strategy*>> members_in(const Options& options) {
  const std::vector<std::string> eligible =
      strategies_where([](const Strategy& one) { return one.can_be_led() && one.name != kName; });
  std::vector<const Strategy*> out;
  for (const std::string& name : split_predicates(text_of(members_option(), options), ',')) {
    const Strategy* strategy = find_strategy(name);
    const auto refuse = [&](const std::string& what) {
      return Error{"members: " + what + "; there are " + ordeal::join(eligible, ", ")};
    };
    if (strategy == nullptr) {
      return refuse("unknown strategy " + quoted_for_message(name) + did_you_mean(name, eligible));
    }
    if (name == kName) return refuse("a portfolio is no member of one");
    if (!strategy->can_be_led()) return refuse(name + " does not pick runs step by step");
    if (std::find(out.begin(), out.end(), strategy) != out.end()) {
      return refuse(name + " is named twice");
    }
    out.push_back(strategy);
  }
  return out;
}

bool has_option(const Strategy& strategy, const std::string& name) {
  return std::any_of(strategy.options.begin(), strategy.options.end(),
                     [&](const StrategyOption& one) { return one.name == name; });
}

Result<void> check_members(const Options& options) {
  const Result<std::vector<const Strategy*>> members = members_in(options);
  if (!members) return members.error();
  const auto learners = std::count_if(members->begin(), members->end(), [](const Strategy* one) {
    return has_option(*one, "table");
  });
  if (learners > 1 && options.strategy_options.contains("table")) {
    return Error{"a table is of one learner, and several members learn; name one of them only"};
  }
  for (const Strategy* one : *members) {
    if (!one->accepts) continue;
    if (auto accepted = one->accepts(options); !accepted) return accepted;
  }
  return {};
}

// Options that are given and that no member has. No reason to refuse: comparisons give all options
// to everybody whom they may be for.
std::vector<std::string> useless_options(const std::vector<const Strategy*>& members,
                                         const Options& options) {
  std::vector<std::string> out;
  for (const StrategyOption& option : find_strategy(kName)->options) {
    const bool is_own = option.name == members_option().name || option.name == curiosity().name ||
                        option.name == recall().name;
    const bool is_used = std::any_of(members.begin(), members.end(), [&](const Strategy* one) {
      return has_option(*one, option.name);
    });
    if (option.get(options) && !is_own && !is_used) out.push_back("--" + option.name);
  }
  return out;
}

Result<void> settle_members(const Checkable& subject, Options& options) {
  const Result<std::vector<const Strategy*>> members = members_in(options);
  if (!members) return members.error();
  for (const Strategy* one : *members) {
    if (!one->settle) continue;
    if (auto settled = one->settle(subject, options); !settled) return settled;
  }
  return {};
}

class PortfolioScheduler : public Scheduler {
 public:
  PortfolioScheduler(uint64_t seed, double curiosity, double recall,
                     std::vector<std::string> useless)
      : seed_(seed), curiosity_(curiosity), recall_(recall), useless_(std::move(useless)) {}

  void add(const std::string& name, std::unique_ptr<Scheduler> scheduler) {
    members_.push_back({.told = {.strategy = name}, .scheduler = std::move(scheduler)});
  }

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    for (;;) {
      running_ = next(run);
      if (running_ == nullptr) return std::nullopt;
      new_states_ = steps_ = 0;
      // Each counts its own runs: it makes those that it would make alone.
      const uint64_t own = mutant(Mutant::kMemberRunsShared) ? run : running_->told.runs;
      const auto initial = running_->scheduler->begin(own, initials);
      if (initial) return initial;
      running_->is_done = true;
    }
  }

  uint32_t pick(World& world) override { return running_->scheduler->pick(world); }
  bool retraces() const override { return running_->scheduler->retraces(); }
  bool resume(World& world, ShortForm& path) override {
    return running_->scheduler->resume(world, path);
  }

  bool arrive(const Arrival& at) override {
    if (at.is_new) ++new_states_;
    return running_->scheduler->arrive(at);
  }
  void take(World& world, uint32_t index) override { running_->scheduler->take(world, index); }
  void step(const StepTaken& taken) override {
    ++steps_;
    running_->scheduler->step(taken);
  }
  void end(World& world, const ShortForm& path, RunEnd how) override {
    running_->scheduler->end(world, path, how);
    ++running_->told.runs;
    running_->told.steps += steps_;
    running_->told.new_states += new_states_;
    for (Member& member : members_) {
      member.runs *= recall_;
      member.steps *= recall_;
      member.gain *= recall_;
    }
    running_->runs += 1;
    running_->steps += static_cast<double>(std::max<uint64_t>(1, steps_));
    running_->gain += static_cast<double>(new_states_);
    // One that can do no more leaves the rest to the others.
    if (!running_->scheduler->gave_up()) return;
    running_->is_done = true;
    given_up_.push_back(running_->told.strategy);
  }

  // Empty where a member goes on for ever.
  std::string covers() const override {
    const bool goes_on = std::any_of(members_.begin(), members_.end(), [](const Member& member) {
      return !member.is_done && member.scheduler->covers().empty();
    });
    return goes_on ? "" : "all runs that its members have";
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> out;
    for (const Member& member : members_) {
      for (const std::string& note : member.scheduler->notes()) {
        out.push_back(member.told.strategy + ": " + note);
      }
    }
    if (!useless_.empty()) {
      out.push_back("of no use to any of its members: " + enumeration(useless_));
    }
    for (const std::string& name : given_up_) {
      out.push_back(name + ": stopped, " + to_string(*scheduler_of(name).gave_up()));
    }
    return out;
  }

  uint64_t bytes() const override {
    uint64_t sum = 0;
    for (const Member& member : members_) sum += member.scheduler->bytes();
    return sum;
  }

  std::string member() const override { return running_ == nullptr ? "" : running_->told.strategy; }

  std::vector<PortfolioMember> members() const override {
    std::vector<PortfolioMember> out;
    for (const Member& member : members_) {
      out.push_back(member.told);
      out.back().learning = member.scheduler->learning();
    }
    return out;
  }

  Result<void> finish() override {
    for (Member& member : members_) {
      if (auto finished = member.scheduler->finish(); !finished) return finished;
    }
    return {};
  }

 private:
  struct Member {
    PortfolioMember told;
    std::unique_ptr<Scheduler> scheduler;
    bool is_done = false;
    // What counts: of each run less with every run after it.
    double runs = 0;
    double steps = 0;
    double gain = 0;  // new states

    double rate() const { return steps > 0 ? gain / steps : 0; }
  };

  const Scheduler& scheduler_of(const std::string& name) const {
    const auto at = std::find_if(members_.begin(), members_.end(), [&](const Member& member) {
      return member.told.strategy == name;
    });
    assert(at != members_.end());
    return *at->scheduler;
  }

  // Who has the next run: one that had none yet, in their order; else the one with the largest
  // index, drawn among equals. Null: all are done.
  Member* next(uint64_t run) {
    double best_rate = 0;
    double runs = 0;
    for (Member& member : members_) {
      if (member.is_done) continue;
      if (member.told.runs == 0) return &member;
      best_rate = std::max(best_rate, member.rate());
      runs += member.runs;
    }
    std::vector<Member*> best;
    double most = 0;
    for (Member& member : members_) {
      if (member.is_done) continue;
      double share = best_rate > 0 ? member.rate() / best_rate : 0;
      if (mutant(Mutant::kWorstMember)) share = 1 - share;
      const double doubt = std::sqrt(exact_log(std::max(1.0, runs)) / member.runs);
      const double index = share + curiosity_ * doubt;
      if (!best.empty() && index < most) continue;
      if (best.empty() || index > most) best.clear();
      most = index;
      best.push_back(&member);
    }
    if (best.empty()) return nullptr;
    Rng rng(combine(seed_, run));
    return best[best.size() == 1 ? 0 : rng.below(best.size())];
  }

  const uint64_t seed_;
  const double curiosity_;
  const double recall_;
  const std::vector<std::string> useless_;  // options
  std::vector<Member> members_;
  std::vector<std::string> given_up_;
  Member* running_ = nullptr;
  uint64_t new_states_ = 0;  // this run
  uint64_t steps_ = 0;
};

}  // namespace

Strategy portfolio_strategy(const std::vector<Strategy>& others) {
  Strategy strategy =
      sampler(kName, "divides its runs among other strategies, by what they bring (see --members)");
  strategy.runs_by_number = false;
  strategy.options = {members_option(), curiosity(), recall()};
  for (const Strategy& other : others) {
    if (!other.can_be_led() || other.name == kName) continue;
    for (const StrategyOption& option : other.options) {
      if (has_option(strategy, option.name) || option.name == confidence_option().name) continue;
      strategy.options.push_back(option);
    }
  }
  strategy.accepts = check_members;
  strategy.settle = settle_members;
  strategy.tries_first = [](const Options& options) {
    const Result<std::vector<const Strategy*>> members = members_in(options);
    uint64_t sum = 0;
    if (!members) return sum;
    for (const Strategy* one : *members) sum += one->tries_first ? one->tries_first(options) : 0;
    return sum;
  };
  strategy.schedule = [](const Options& options,
                         World& world) -> Result<std::unique_ptr<Scheduler>> {
    const Result<std::vector<const Strategy*>> members = members_in(options);
    if (!members) return members.error();
    auto out = std::make_unique<PortfolioScheduler>(options.seed, real_of(curiosity(), options),
                                                    real_of(recall(), options),
                                                    useless_options(*members, options));
    for (const Strategy* one : *members) {
      Options own = options;
      own.strategy = one->name;
      const auto& make = one->schedule ? one->schedule : one->joins;
      Result<std::unique_ptr<Scheduler>> made = make(own, world);
      if (!made) return Error{"member " + one->name + ": " + made.error().message};
      out->add(one->name, std::move(*made));
    }
    return std::unique_ptr<Scheduler>(std::move(out));
  };
  return strategy;
}

}  // namespace ordeal::explore
