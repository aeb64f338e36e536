#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/mutant.h"
#include "explore/learn/agent.h"
#include "explore/learn/exact_math.h"

namespace ordeal::explore {
namespace {

// Draws any of the actions.
class UniformAgent : public Agent {
 public:
  uint32_t pick(const Episode& episode, Rng& rng) override {
    return static_cast<uint32_t>(rng.below(episode.moments.back().count));
  }
};

// Q(s, a) moves towards `goal` by a share.
void move_towards(QTable::Entry& entry, double share, double goal) {
  entry.value = static_cast<float>((1 - share) * entry.value + share * goal);
}

// Algorithm 2: what is new is worth 1, and less each time; the best of what an action leads to
// counts, not the sum of it.
class BonusMaxAgent : public Agent {
 public:
  explicit BonusMaxAgent(const AgentSettings& settings)
      : settings_(settings), table_(1, settings.most_entries) {}

  uint32_t pick(const Episode& episode, Rng& rng) override {
    return epsilon_greedy_pick(table_, 0, episode, settings_.epsilon, rng);
  }
  void learn_episode(const Episode& episode) override {
    const size_t steps = episode.steps();
    for (size_t i = steps; i-- > 0;) {
      const double ahead =
          i + 1 < steps ? settings_.gamma * best_value(table_, 0, episode, i + 1) : 0;
      QTable::Entry* entry =
          table_.put(pair_key(0, episode.moments[i].state, episode.picked_at(i)));
      if (entry == nullptr) continue;
      ++entry->visits;
      const double bonus = 1.0 / entry->visits;
      move_towards(*entry, settings_.alpha,
                   mutant(Mutant::kBonusAdds) ? bonus + ahead : std::max(bonus, ahead));
    }
  }
  const QTable* table() const override { return &table_; }
  QTable* table() override { return &table_; }

 private:
  const AgentSettings settings_;
  QTable table_;
};

// Algorithms 3 and 4: a table for every waypoint, or for every state of a reward machine. Which one
// is active, that the target stays so once it was reached, and which step pays what, is the
// scheduler's to say (Moment). Where waypoints are graded, there is a table for every distance,
// too, and being near is a promise: what a step is worth has the promise of the state it leads to
// in it, and that of its own state taken out again.
class WaypointAgent : public Agent {
 public:
  explicit WaypointAgent(const AgentSettings& settings)
      : settings_(settings), table_(1, settings.most_entries) {}

  uint32_t pick(const Episode& episode, Rng& rng) override {
    return epsilon_greedy_pick(table_, part_of(episode.moments.back()), episode, settings_.epsilon,
                               rng);
  }

  void learn_episode(const Episode& episode) override {
    const size_t steps = episode.steps();
    const uint32_t target = settings_.target;
    // The first moment at the target, the one after the last step included.
    size_t arrived = 0;
    while (arrived <= steps && episode.moments[arrived].predicate != target) ++arrived;
    const bool reached = arrived <= steps;
    for (size_t i = steps; i-- > 0;) {
      const Episode::Moment& now = episode.moments[i];
      const Episode::Moment& next = episode.moments[i + 1];
      const double paid = mutant(Mutant::kGoingBackPays) ? settings_.reward : next.pays;
      double ahead = 0;
      if (now.predicate == next.predicate || now.predicate == target) {
        if (i + 1 < steps) {
          ahead = settings_.gamma *
                  (best_value(table_, part_of(next), episode, i + 1) + promise_of(next));
        }
      } else if (paid > 0) {
        double reward = paid;
        if (reached && arrived > i) {
          reward += power(settings_.gamma, arrived - i - 1) * settings_.reward;
        }
        ahead = settings_.gamma * reward;
      }
      QTable::Entry* entry = table_.put(pair_key(part_of(now), now.state, episode.picked_at(i)));
      if (entry == nullptr) continue;
      ++entry->visits;
      const double taken_back = mutant(Mutant::kPromiseKept) ? 0 : promise_of(now);
      move_towards(*entry, settings_.alpha, std::max(1.0 / entry->visits, ahead) - taken_back);
    }
  }
  const QTable* table() const override { return &table_; }
  QTable* table() override { return &table_; }

 private:
  static double power(double base, size_t exponent) {
    double out = 1;
    for (size_t i = 0; i < exponent; ++i) out *= base;
    return out;
  }
  // The same in few steps: distances may be large.
  static double large_power(double base, uint32_t exponent) {
    double out = 1;
    for (; exponent > 0; exponent /= 2, base *= base) {
      if (exponent % 2 == 1) out *= base;
    }
    return out;
  }
  uint64_t part_of(const Episode::Moment& moment) const {
    if (settings_.grade == 0 || !moment.distance) return moment.predicate;
    return combine(moment.predicate, uint64_t{*moment.distance} + 1);
  }
  // A function of what is looked up in the table: so it changes no order of the actions of a state.
  double promise_of(const Episode::Moment& moment) const {
    if (settings_.grade == 0 || !moment.distance) return 0;
    const double near = large_power(settings_.gamma, *moment.distance);
    return settings_.grade * (mutant(Mutant::kFarIsNear) ? 1 - near : near);
  }

  const AgentSettings settings_;
  QTable table_;
};

// The textbook's way: the last step is worth its reward and the best of what follows.
void learn_sum(QTable& table, const Episode& episode, double reward,
               const AgentSettings& settings) {
  const size_t i = episode.steps() - 1;
  const double ahead = settings.gamma * best_value(table, 0, episode, i + 1);
  QTable::Entry* entry = table.put(pair_key(0, episode.moments[i].state, episode.picked_at(i)));
  if (entry == nullptr) return;
  ++entry->visits;
  move_towards(*entry, settings.alpha, reward + ahead);
}

// Every step is punished, the more the oftener the state it leads to was visited, or all alike;
// actions are drawn by softmax.
class NegRlAgent : public Agent {
 public:
  explicit NegRlAgent(const AgentSettings& settings)
      : settings_(settings), table_(0, settings.most_entries), visits_(0, settings.most_entries) {}

  uint32_t pick(const Episode& episode, Rng& rng) override {
    const Episode::Moment& now = episode.moments.back();
    weights_.clear();
    double largest = 0;
    for (const uint64_t action : episode.actions_at(episode.moments.size() - 1)) {
      const double value = table_.value(pair_key(0, now.state, action));
      largest = weights_.empty() ? value : std::max(largest, value);
      weights_.push_back(value);
    }
    double sum = 0;
    for (double& weight : weights_) {
      weight = exact_exp((weight - largest) / settings_.temperature);
      sum += weight;
    }
    double left = unit(rng) * sum;
    for (uint32_t i = 0; i + 1 < weights_.size(); ++i) {
      if (left < weights_[i]) return i;
      left -= weights_[i];
    }
    return static_cast<uint32_t>(weights_.size() - 1);
  }

  void learn_step(const Episode& episode) override {
    double reward = -1;
    if (settings_.by_visits) {
      QTable::Entry* seen = visits_.put(mix64(episode.moments.back().state));
      reward = seen == nullptr ? 0 : -static_cast<double>(++seen->visits);
    }
    learn_sum(table_, episode, reward, settings_);
  }
  const QTable* table() const override { return &table_; }
  QTable* table() override { return &table_; }
  uint64_t bytes() const override { return visits_.bytes(); }

 private:
  const AgentSettings settings_;
  QTable table_;
  QTable visits_;
  std::vector<double> weights_;
};

// Zhang, Ma, Singla: Task-agnostic Exploration in Reinforcement Learning (2020), algorithm 1:
// values of every step of the horizon by itself, from optimistic ones down.
class UcbZeroAgent : public Agent {
 public:
  explicit UcbZeroAgent(const AgentSettings& settings)
      : settings_(settings),
        horizon_(static_cast<double>(settings.horizon)),
        table_(static_cast<float>(settings.horizon), settings.most_entries) {
    const double count = horizon_ * static_cast<double>(settings.actions_bound) *
                         static_cast<double>(settings.episodes) *
                         static_cast<double>(settings.states_bound);
    iota_ = exact_log(count);
  }

  uint32_t pick(const Episode& episode, Rng& rng) override {
    return greedy_pick(table_, episode.moments.size() - 1, episode, rng);
  }
  void learn_step(const Episode& episode) override {
    const size_t i = episode.steps() - 1;
    // Beyond the horizon there is nothing to come.
    const double ahead = i + 1 < settings_.horizon
                             ? std::min<double>(horizon_, best_value(table_, i + 1, episode, i + 1))
                             : 0;
    QTable::Entry* entry = table_.put(pair_key(i, episode.moments[i].state, episode.picked_at(i)));
    if (entry == nullptr) return;
    const double visits = ++entry->visits;
    const double bonus =
        settings_.bonus * std::sqrt(horizon_ * horizon_ * horizon_ * iota_ / visits);
    move_towards(*entry, (horizon_ + 1) / (horizon_ + visits), ahead + 2 * bonus);
  }
  const QTable* table() const override { return &table_; }
  QTable* table() override { return &table_; }

 private:
  const AgentSettings settings_;
  const double horizon_;
  double iota_ = 0;
  QTable table_;
};

// The textbook's: a state that no episode was in before is worth 1, all others nothing, and what an
// action is worth is the sum of it.
class EpsilonGreedyAgent : public Agent {
 public:
  explicit EpsilonGreedyAgent(const AgentSettings& settings)
      : settings_(settings), table_(0, settings.most_entries), known_(0, settings.most_entries) {}

  uint32_t pick(const Episode& episode, Rng& rng) override {
    if (episode.moments.size() == 1) known_.put(mix64(episode.moments[0].state));
    return epsilon_greedy_pick(table_, 0, episode, settings_.epsilon, rng);
  }
  void learn_step(const Episode& episode) override {
    const uint64_t before = known_.size();
    known_.put(mix64(episode.moments.back().state));
    learn_sum(table_, episode, known_.size() > before ? 1 : 0, settings_);
  }
  const QTable* table() const override { return &table_; }
  QTable* table() override { return &table_; }
  uint64_t bytes() const override { return known_.bytes(); }

 private:
  const AgentSettings settings_;
  QTable table_;
  QTable known_;
};

}  // namespace

float best_value(const QTable& table, uint64_t part, const Episode& episode, size_t moment) {
  const std::span<const uint64_t> actions = episode.actions_at(moment);
  if (actions.empty()) return 0;  // nothing comes after it
  float best = table.value(pair_key(part, episode.moments[moment].state, actions[0]));
  for (size_t i = 1; i < actions.size(); ++i) {
    best = std::max(best, table.value(pair_key(part, episode.moments[moment].state, actions[i])));
  }
  return best;
}

uint32_t greedy_pick(const QTable& table, uint64_t part, const Episode& episode, Rng& rng) {
  const size_t now = episode.moments.size() - 1;
  const std::span<const uint64_t> actions = episode.actions_at(now);
  uint32_t best = 0;
  float value = 0;
  uint64_t equals = 0;
  for (uint32_t i = 0; i < actions.size(); ++i) {
    const float one = table.value(pair_key(part, episode.moments[now].state, actions[i]));
    if (equals > 0 && one < value) continue;
    equals = equals > 0 && one == value ? equals + 1 : 1;
    value = one;
    // Each of k equals stays with probability 1/k.
    if (equals == 1 || rng.below(equals) == 0) best = i;
  }
  return best;
}

uint32_t epsilon_greedy_pick(const QTable& table, uint64_t part, const Episode& episode,
                             double epsilon, Rng& rng) {
  if (unit(rng) < epsilon) return static_cast<uint32_t>(rng.below(episode.moments.back().count));
  return greedy_pick(table, part, episode, rng);
}

std::unique_ptr<Agent> bonus_max_agent(const AgentSettings& settings) {
  return std::make_unique<BonusMaxAgent>(settings);
}
std::unique_ptr<Agent> waypoint_agent(const AgentSettings& settings) {
  return std::make_unique<WaypointAgent>(settings);
}
std::unique_ptr<Agent> neg_rl_agent(const AgentSettings& settings) {
  return std::make_unique<NegRlAgent>(settings);
}
std::unique_ptr<Agent> ucb_zero_agent(const AgentSettings& settings) {
  return std::make_unique<UcbZeroAgent>(settings);
}
std::unique_ptr<Agent> epsilon_greedy_agent(const AgentSettings& settings) {
  return std::make_unique<EpsilonGreedyAgent>(settings);
}
std::unique_ptr<Agent> uniform_agent() { return std::make_unique<UniformAgent>(); }

}  // namespace ordeal::explore
