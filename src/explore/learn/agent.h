// Agent: a learner. Decides at every moment of an episode which action is taken, and learns from
// what comes of it. docs/reference/learning.md defines each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/rng.h"
#include "explore/learn/episode.h"
#include "explore/learn/q_table.h"

namespace ordeal::explore {

class Agent {
 public:
  virtual ~Agent() = default;

  // Which of the actions of the last moment. REQUIRES: there is one.
  virtual uint32_t pick(const Episode& episode, Rng& rng) = 0;
  // The last step of the episode so far was taken; the moment after it is the last.
  virtual void learn_step(const Episode& episode) { (void)episode; }
  // The episode is over.
  virtual void learn_episode(const Episode& episode) { (void)episode; }

  // What it has learned; null: it learns nothing.
  virtual const QTable* table() const { return nullptr; }
  virtual QTable* table() { return nullptr; }
  // Besides the table.
  virtual uint64_t bytes() const { return 0; }
};

// The numbers that learners have; those that one has no use for are ignored.
struct AgentSettings {
  double alpha = 0;        // how fast values change
  double gamma = 0;        // how far rewards reach
  double epsilon = 0;      // how often an action is drawn
  double reward = 2;       // for a waypoint
  double grade = 0;        // what being near to a graded waypoint promises
  uint32_t target = 0;     // the number of the last waypoint; of the machine's success
  bool by_visits = true;   // what is punished: visits of the state, or every step alike
  double temperature = 1;  // of the softmax
  uint64_t horizon = 25;   // steps of an episode
  uint64_t episodes = 10'000;
  double bonus = 0.5;              // UCBZero's c
  uint64_t states_bound = 10'000;  // … S
  uint64_t actions_bound = 100;    // … A
  uint64_t most_entries = 0;
};

std::unique_ptr<Agent> bonus_max_agent(const AgentSettings& settings);
std::unique_ptr<Agent> waypoint_agent(const AgentSettings& settings);
std::unique_ptr<Agent> neg_rl_agent(const AgentSettings& settings);
std::unique_ptr<Agent> ucb_zero_agent(const AgentSettings& settings);
std::unique_ptr<Agent> epsilon_greedy_agent(const AgentSettings& settings);
std::unique_ptr<Agent> uniform_agent();

// --- What agents share ---------------------------------------------------------------------------

// The key of a pair in a table; `part` tells several tables in one apart.
inline uint64_t pair_key(uint64_t part, uint64_t state, uint64_t action) {
  return combine(combine(state, action), part);
}
// The largest value of the actions of a moment, those that were never taken included.
float best_value(const QTable& table, uint64_t part, const Episode& episode, size_t moment);
// One of the actions of the last moment with the largest value, drawn among equals.
uint32_t greedy_pick(const QTable& table, uint64_t part, const Episode& episode, Rng& rng);
// … with probability 1 - epsilon; else any.
uint32_t epsilon_greedy_pick(const QTable& table, uint64_t part, const Episode& episode,
                             double epsilon, Rng& rng);

}  // namespace ordeal::explore
