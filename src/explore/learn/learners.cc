// The strategies that learn, and what is common to their options. docs/reference/learning.md
// defines them.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "explore/learn/agent.h"
#include "explore/learn/environment.h"
#include "explore/learn/learning_scheduler.h"
#include "explore/learn/waypoints.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

using Kind = StrategyOption::Kind;

// --- What all of them have -----------------------------------------------------------------------
const StrategyOption& episodes() {
  static const StrategyOption one =
      StrategyOption::number("episodes", "a number of episodes", "how many runs it learns from",
                             "10000", 1, 1'000'000'000);
  return one;
}
const StrategyOption& horizon() {
  static const StrategyOption one = StrategyOption::number(
      "horizon", "a horizon", "how many steps of the learner an episode has", "25", 1, 1'000'000);
  return one;
}
const StrategyOption& environment() {
  static const StrategyOption one = [] {
    StrategyOption out =
        StrategyOption::make(Kind::kWord, "environment", "an environment", "NAME",
                             "what the learner sees and does: partition where there are nodes, "
                             "else actions, unless told");
    for (const EnvironmentKind& kind : all_environments()) out.words.push_back(kind.name);
    return out;
  }();
  return one;
}
const StrategyOption& colouring() {
  static const StrategyOption one =
      StrategyOption::make(Kind::kText, "colouring", "the name of a colouring", "NAME",
                           "what states look like to the learner", kDefaultColouring);
  return one;
}
const StrategyOption& table_file() {
  static const StrategyOption one =
      StrategyOption::make(Kind::kFile, "table", "the name of a file", "FILE",
                           "go on with what was learned before, and leave it there in the end");
  return one;
}
const StrategyOption& table_entries() {
  static const StrategyOption one = StrategyOption::number(
      "table-entries", "a number of entries",
      "at most so many pairs of a state and an action are remembered, 16 bytes each", "20000000", 1,
      1'000'000'000'000);
  return one;
}

// --- What some of them have ----------------------------------------------------------------------
const StrategyOption& alpha() {
  static const StrategyOption one = StrategyOption::real(
      "alpha", "a learning rate", "how fast values change; 0.2, for negrl 0.3", "", 0, 1);
  return one;
}
const StrategyOption& discount() {
  static const StrategyOption one = StrategyOption::real(
      "gamma", "a discount", "what a reward is worth a step before; 0.95, for negrl 0.7", "", 0, 1);
  return one;
}
const StrategyOption& epsilon() {
  static const StrategyOption one =
      StrategyOption::real("epsilon", "a probability",
                           "how often any action is taken instead of the best", "0.05", 0, 1);
  return one;
}
const StrategyOption& reward() {
  static const StrategyOption one =
      StrategyOption::real("reward", "a reward", "for coming to a waypoint", "2", 0, 1'000'000);
  return one;
}
const StrategyOption& grade() {
  static const StrategyOption one =
      StrategyOption::real("grade", "a weight",
                           "what being at a graded waypoint promises, less by gamma for every "
                           "step of distance",
                           "0", 0, 1'000'000);
  return one;
}
const StrategyOption& punishment() {
  static const StrategyOption one = [] {
    StrategyOption out = StrategyOption::make(
        Kind::kWord, "punishment", "a punishment", "KIND",
        "of every step: by the visits of the state it leads to, or constant", "visits");
    out.words = {"visits", "constant"};
    return out;
  }();
  return one;
}
const StrategyOption& temperature() {
  static const StrategyOption one = StrategyOption::real(
      "temperature", "a temperature",
      "how little values matter to the softmax that actions are drawn by", "1", 1e-6, 1e6);
  return one;
}
const StrategyOption& ucb_bonus() {
  static const StrategyOption one = StrategyOption::real(
      "ucb-bonus", "a bonus", "the factor c of its bonus", "0.5", 0, 1'000'000);
  return one;
}
const StrategyOption& ucb_states() {
  static const StrategyOption one = StrategyOption::number(
      "ucb-states", "a number of states", "how many there are at most, as it is told", "10000", 1,
      1'000'000'000'000);
  return one;
}
const StrategyOption& ucb_actions() {
  static const StrategyOption one =
      StrategyOption::number("ucb-actions", "a number of actions",
                             "of a state, at most, as it is told", "100", 1, 1'000'000'000);
  return one;
}

// A bound on runs is one on episodes.
uint64_t episodes_of(const Options& options) {
  const bool is_told = episodes().get(options).has_value();
  return !is_told && options.max_runs > 0 ? options.max_runs : number_of(episodes(), options);
}

double real_or(const StrategyOption& option, const Options& options, double usual) {
  return option.get(options) ? real_of(option, options) : usual;
}

AgentSettings settings_of(const Options& options, double usual_alpha, double usual_gamma) {
  AgentSettings out;
  out.alpha = real_or(alpha(), options, usual_alpha);
  out.gamma = real_or(discount(), options, usual_gamma);
  out.epsilon = real_of(epsilon(), options);
  out.reward = real_of(reward(), options);
  out.grade = real_of(grade(), options);
  out.by_visits = text_of(punishment(), options) == "visits";
  out.temperature = real_of(temperature(), options);
  out.horizon = number_of(horizon(), options);
  out.episodes = episodes_of(options);
  out.bonus = real_of(ucb_bonus(), options);
  out.states_bound = number_of(ucb_states(), options);
  out.actions_bound = number_of(ucb_actions(), options);
  out.most_entries = number_of(table_entries(), options);
  return out;
}

Result<void> settle(const Checkable& subject, Options& options) {
  const Steering steering = subject.steering();
  if (auto known = check_colouring(text_of(colouring(), options), steering); !known) return known;
  if (auto settled = settle_waypoints(steering, options); !settled) return settled;
  if (auto settled = settle_reward_machine(steering, options); !settled) return settled;
  return settle_measuring(steering, options);
}

struct Learner {
  std::string name;
  std::string what;
  std::vector<const StrategyOption*> options;
  std::function<std::unique_ptr<Agent>(const AgentSettings&)> make;
  double alpha = 0.2;
  double gamma = 0.95;
  bool has_waypoints = false;
  bool has_table = true;
};

Result<std::unique_ptr<Scheduler>> schedule(const Learner& learner, const Options& options,
                                            World& world) {
  LearningSetup setup;
  setup.seed = options.seed;
  setup.episodes = episodes_of(options);
  setup.horizon = number_of(horizon(), options);
  setup.colouring = text_of(colouring(), options);
  setup.measured = measure_option().get(options).value_or(setup.colouring);
  setup.reward = real_of(reward(), options);
  const auto machine = reward_machine_option().get(options);
  if (learner.has_waypoints && machine) {
    setup.machine = std::make_shared<RewardMachine>(*machine, setup.reward);
  } else if (learner.has_waypoints) {
    setup.waypoints = waypoints_in(options);
    setup.target = setup.waypoints.back();
  }
  if (const auto given = target_option().get(options)) setup.target = goal_of(*given);
  uint32_t seen = 0;
  if (const auto bound = bind(world, setup, seen); !bound) return bound.error();

  const std::string asked = text_of(environment(), options);
  const std::string name = asked.empty() ? default_environment(world) : asked;
  const EnvironmentKind& kind = *find_environment(name);
  setup.environment = name;
  for (const EnvironmentKind& other : all_environments()) {
    for (const StrategyOption& one : other.options) {
      const bool has = std::any_of(kind.options.begin(), kind.options.end(),
                                   [&](const StrategyOption& own) { return own.name == one.name; });
      if (one.get(options) && !has) {
        return Error{one.noun + " is for another environment than " + name};
      }
    }
  }
  Result<std::unique_ptr<Environment>> made = kind.make(options, world, seen);
  if (!made) return made.error();

  AgentSettings settings = settings_of(options, learner.alpha, learner.gamma);
  settings.target =
      setup.machine ? setup.machine->target() : static_cast<uint32_t>(setup.waypoints.size());
  // What was never tried is worth 1 and what its state promises.
  if (settings.grade > 0 && 1 + settings.grade > settings.gamma * settings.reward) {
    setup.notes.emplace_back(
        "what is near to a waypoint promises more (--grade, and 1 for what was never tried) than "
        "coming there pays (--gamma times --reward): all that is near is tried before");
  }
  std::unique_ptr<Agent> agent = learner.make(settings);
  if (const auto file = table_file().get(options)) {
    setup.table = *file;
    setup.about = learner.name + " in environment " + name + " of " + options.system +
                  ", colouring " + setup.colouring;
    for (const Goal& goal : setup.waypoints) setup.about += ", to " + goal.text;
    if (setup.machine) setup.about += ", by " + *machine;
    if (settings.grade > 0) setup.about += ", by distances";
    if (std::filesystem::exists(*file)) {
      if (auto read = read_table(*file, setup.about, *agent->table()); !read) return read.error();
    } else if (auto writable = check_writable(*file); !writable) {
      return writable.error();  // better now than in the end
    }
  }
  return std::unique_ptr<Scheduler>(
      std::make_unique<LearningScheduler>(std::move(setup), std::move(*made), std::move(agent)));
}

Strategy strategy_of(const Learner& learner) {
  Strategy out = sampler(learner.name, learner.what);
  out.runs_by_number = false;
  out.options = {episodes(),  horizon(),        environment(),
                 colouring(), measure_option(), target_option()};
  if (learner.has_table) {
    out.options.push_back(table_file());
    out.options.push_back(table_entries());
  }
  for (const StrategyOption* one : learner.options) out.options.push_back(*one);
  for (const EnvironmentKind& kind : all_environments()) {
    for (const StrategyOption& one : kind.options) {
      const bool known =
          std::any_of(out.options.begin(), out.options.end(),
                      [&](const StrategyOption& other) { return other.name == one.name; });
      if (!known) out.options.push_back(one);
    }
  }
  if (learner.has_waypoints) {
    out.accepts = [](const Options& options) -> Result<void> {
      const bool has_machine = reward_machine_option().get(options).has_value();
      if (!has_machine) {
        const auto needed = need_waypoints("waypoint", options);
        return needed ? needed : Error{needed.error().message + "; or a reward machine"};
      }
      if (!waypoints_option().get(options)) return {};
      return Error{"waypoints and a reward machine are given: the learner goes by one of them"};
    };
  }
  out.runs_apart = !learner.has_table;
  out.settle = settle;
  out.schedule = [learner](const Options& options, World& world) {
    return schedule(learner, options, world);
  };
  return out;
}

}  // namespace

std::vector<Strategy> learning_strategies() {
  const std::vector<Learner> all = {
      {"bonusmax",
       "learns to come to states that it has seldom been in (BonusMaxRL)",
       {&alpha(), &discount(), &epsilon()},
       bonus_max_agent},
      {"waypoint",
       "learns to come to a target by way of predicates (see --waypoints)",
       {&alpha(), &discount(), &epsilon(), &waypoints_option(), &reward(), &reward_machine_option(),
        &grade()},
       waypoint_agent,
       0.2,
       0.95,
       true},
      {"negrl",
       "learns to keep away from states that it has been in (NegRL, NegRLVisits)",
       {&alpha(), &discount(), &punishment(), &temperature()},
       neg_rl_agent,
       0.3,
       0.7},
      {"ucbzero",
       "learns by optimism about what it has seldom tried (UCBZero)",
       {&ucb_bonus(), &ucb_states(), &ucb_actions()},
       ucb_zero_agent},
      {"egreedy",
       "learns to come to new states by a plain table of values",
       {&alpha(), &discount(), &epsilon()},
       epsilon_greedy_agent},
      {"uniform",
       "any action of the environment, drawn: what learners have to beat",
       {},
       [](const AgentSettings&) { return uniform_agent(); },
       0,
       0,
       false,
       false}};
  std::vector<Strategy> out;
  out.reserve(all.size());
  for (const Learner& learner : all) out.push_back(strategy_of(learner));
  return out;
}

}  // namespace ordeal::explore
