#include "explore/learn/reward_machine.h"

#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/text.h"

namespace ordeal::explore {
namespace {

constexpr uint32_t kNoWay = ~0U;

// "LogDiff(1) & !LogDiff(2) | LogDiff(3)", as it is written.
std::string when_text(const RewardStep& step) {
  std::vector<std::string> any;
  for (const auto& all : step.when) {
    std::vector<std::string> parts;
    for (const RewardStep::Literal& one : all) {
      parts.push_back((one.is_so ? "" : "!") + one.predicate);
    }
    any.push_back(ordeal::join(parts, " & "));
  }
  return any.empty() ? "otherwise" : ordeal::join(any, " | ");
}

Condition condition_of(const RewardStep& step) {
  std::optional<Condition> any;
  for (const auto& all : step.when) {
    std::optional<Condition> every;
    for (const RewardStep::Literal& one : all) {
      const Condition asked =
          one.is_so ? ordeal::holds(one.predicate) : !ordeal::holds(one.predicate);
      every = every ? *every && asked : asked;
    }
    any = any ? *any || *every : *every;
  }
  return any ? *any : anything();
}

}  // namespace

const StrategyOption& reward_machine_option() {
  static const StrategyOption one = StrategyOption::make(
      StrategyOption::Kind::kText, "reward-machine", "a reward machine", "NAME",
      "where to, by ways that branch and loop, in place of waypoints: the name of a reward machine "
      "of the subject, or one, as in \"start: LogDiff(1) -> near; near: LogDiff(2) -> success\"");
  return one;
}

Result<void> settle_reward_machine(const Steering& steering, Options& options) {
  const std::optional<std::string> given = reward_machine_option().get(options);
  if (!given) return {};
  std::vector<std::string> names;
  for (const ordeal::RewardMachine& known : steering.machines) {
    names.push_back(known.name);
    if (known.name == *given) {
      reward_machine_option().set(known.text, options);
      return {};
    }
  }
  const bool is_text = given->find_first_of(":;>") != std::string::npos;
  if (is_text) return validate_reward_machine(*given, steering.predicates);
  return Error{"there is no reward machine " + quoted_for_message(*given) +
               did_you_mean(*given, names) + "; " +
               (names.empty()
                    ? "the subject declares none"
                    : (names.size() == 1 ? "there is " : "there are ") + enumeration(names))};
}

RewardMachine::RewardMachine(const std::string& text, double usual)
    : machine_(parse_reward_machine(text)->front().from) {
  const std::vector<RewardStep> steps = *parse_reward_machine(text);
  Scenario::Declaration declared;
  std::vector<Property> asked;
  const auto number_of = [&](const std::string& predicate) {
    const auto at = std::find(predicates_.begin(), predicates_.end(), predicate);
    if (at != predicates_.end()) return static_cast<uint32_t>(at - predicates_.begin());
    predicates_.push_back(predicate);
    asked.push_back({.name = predicate});
    return static_cast<uint32_t>(predicates_.size() - 1);
  };
  for (const RewardStep& step : steps) {
    machine_.on(step.from, condition_of(step), step.to);
    const bool gets_on = step.to != step.from && step.to != Machine::kFailure;
    Pay pay{.amount = step.pays.value_or(gets_on ? usual : 0), .once = step.once};
    for (const auto& all : step.when) {
      pay.when.emplace_back();
      for (const RewardStep::Literal& one : all) {
        pay.when.back().push_back({number_of(one.predicate), one.is_so});
      }
    }
    pays_.push_back(std::move(pay));
    steps_.push_back({.from = step.from, .when = when_text(step), .to = step.to});
  }
  declared.machine.push_back(machine_);
  lexicon_.emplace(declared, asked);
  evaluator_.emplace(*lexicon_);
  target_ = static_cast<uint32_t>(machine_.find(Machine::kSuccess));
  for (const Machine::State& state : machine_.states()) {
    told_.push_back({.reached = {.predicate = state.name}});
  }
  count_steps_to_target();
}

// Backwards from the target, in rounds.
void RewardMachine::count_steps_to_target() {
  away_.assign(machine_.states().size(), kNoWay);
  away_[target_] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Machine::Transition& transition : machine_.transitions()) {
      if (away_[transition.to] == kNoWay) continue;
      const uint32_t away = away_[transition.to] + 1;
      if (away_[transition.from] <= away) continue;
      away_[transition.from] = away;
      changed = true;
    }
  }
}

Result<void> RewardMachine::bind(World& world) {
  world_ = &world;
  numbers_.clear();
  for (const std::string& predicate : predicates_) {
    const Result<uint32_t> number = world.predicate(predicate);
    if (!number) return number.error();
    numbers_.push_back(*number);
  }
  return {};
}

bool RewardMachine::holds(uint32_t property, bool) { return world_->holds(numbers_[property]); }

void RewardMachine::begin_run() {
  if (!mutant(Mutant::kMachineStands)) state_ = 0;
  paid_ = 0;
  distance_.reset();
  is_first_look_ = true;
  has_moved_ = false;
  for (Pay& pay : pays_) pay.was_paid = pay.was_taken = false;
  entered_.assign(machine_.states().size(), {});
}

void RewardMachine::look(World& world) {
  world_ = &world;
  paid_ = 0;
  has_moved_ = is_first_look_;
  const std::optional<size_t> taken =
      evaluator_->leaves(machine_, state_, 0, Event{}, context_, *this);
  if (taken) {
    Pay& pay = pays_[*taken];
    state_ = machine_.transitions()[*taken].to;
    if (machine_.transitions()[*taken].from != state_) has_moved_ = true;
    if (!pay.once || !pay.was_paid || mutant(Mutant::kPaysAgain)) paid_ = pay.amount;
    pay.was_paid = true;
    ++steps_[*taken].times;
    if (!pay.was_taken) ++steps_[*taken].episodes;
    pay.was_taken = true;
    if (is_first_look_ && state_ != 0) leaves_at_start_ = true;
  }
  is_first_look_ = false;
  look_how_far(world);
}

std::optional<uint32_t> RewardMachine::distance_to(World& world, const Pay& pay) const {
  std::optional<uint32_t> least;
  for (const std::vector<Literal>& all : pay.when) {
    uint32_t sum = 0;
    bool is_graded = false;
    for (const Literal& one : all) {
      const uint32_t number = numbers_[one.predicate];
      const std::optional<uint32_t> far = one.is_so ? world.distance(number) : std::nullopt;
      is_graded = is_graded || far;
      sum += far ? *far : world.holds(number) == one.is_so ? 0 : 1;
    }
    if (is_graded && (!least || sum < *least)) least = sum;
  }
  return least;
}

void RewardMachine::look_how_far(World& world) {
  distance_.reset();
  const std::vector<Machine::Transition>& transitions = machine_.transitions();
  for (size_t i = 0; i < transitions.size(); ++i) {
    if (transitions[i].from != state_ || transitions[i].to == state_ || pays_[i].amount <= 0) {
      continue;
    }
    const std::optional<uint32_t> far = distance_to(world, pays_[i]);
    if (!far) continue;
    if (!distance_ || *far < *distance_) distance_ = far;
    std::optional<uint32_t>& least = told_[transitions[i].to].reached.least;
    if (!least || *far < *least) least = far;
  }
}

void RewardMachine::reach(uint64_t abstract_state, uint64_t steps, size_t length) {
  if (!has_moved_) return;
  Learning::MachineState& told = told_[state_];
  ++told.times;
  if (entered_[state_].is_so) return;
  entered_[state_] = {true, steps, length};
  if (ways_.put(combine(abstract_state, state_)).is_new) ++told.reached.ways;
}

void RewardMachine::end_run(const ShortForm& path, uint64_t run) {
  ++runs_;
  uint32_t least = kNoWay;
  for (size_t i = 0; i < entered_.size(); ++i) {
    if (!entered_[i].is_so) continue;
    least = std::min(least, away_[i]);
    Learning::Waypoint& reached = told_[i].reached;
    ++reached.episodes;
    if (reached.least) reached.least = 0;
    if (!reached.first) reached.first = run;
    if (reached.best && reached.best->steps <= entered_[i].steps) continue;
    ShortForm way = path;
    way.choices.resize(std::min(way.choices.size(), entered_[i].length));
    reached.best = {run, entered_[i].steps, std::move(way)};
  }
  if (least >= least_away_) return;
  least_away_ = least;
  closest_ = path;
}

void RewardMachine::tell(Learning& out) const {
  out.machine_states = told_;
  out.machine_steps = steps_;
  out.closest = closest_;
}

std::vector<std::string> RewardMachine::notes(const std::string& run) const {
  std::vector<std::string> out;
  if (leaves_at_start_) {
    out.push_back("the reward machine leaves its first state where runs begin: what leads out of " +
                  machine_.states()[0].name + " leads nowhere");
  }
  if (runs_ == 0 || told_[target_].reached.first) return out;
  std::vector<std::string> never;
  for (size_t i = 0; i < told_.size(); ++i) {
    if (!told_[i].reached.first && i != target_) never.push_back(told_[i].reached.predicate);
  }
  std::vector<std::string> nearest;
  for (size_t i = 0; i < told_.size(); ++i) {
    if (told_[i].reached.first && away_[i] == least_away_) {
      nearest.push_back(told_[i].reached.predicate + " (" +
                        counted(told_[i].reached.episodes, run) + ")");
    }
  }
  out.push_back("no " + run + " came to " + std::string(Machine::kSuccess) +
                " of the reward machine; " +
                (nearest.empty()
                     ? "none came nearer than it begins"
                     : counted(least_away_, "transition") + " before it: " + enumeration(nearest)) +
                (never.empty() ? "" : "; never entered: " + enumeration(never)));
  return out;
}

}  // namespace ordeal::explore
