// The learners once more, as the thesis prints them: tables of tables, whole episodes as lists of
// steps, nothing packed. Written from the text (algorithms 2, 3 and 4), not from the engine.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ordeal::oracle::learning {

// s, a, s', and the actions of s'; p and p' of waypoints.
struct NaiveStep {
  int state = 0;
  int action = 0;
  int next = 0;
  std::vector<int> actions_of_next = {};
  int predicate = 0;
  int next_predicate = 0;
};

struct NaiveTable {
  float initial = 0;
  std::map<std::pair<int, int>, float> q = {};
  std::map<std::pair<int, int>, int> visits = {};

  float at(int state, int action) const {
    const auto known = q.find({state, action});
    return known == q.end() ? initial : known->second;
  }
  double best(int state, const std::vector<int>& actions) const {
    double out = actions.empty() ? 0 : at(state, actions[0]);
    for (const int action : actions) out = std::max<double>(out, at(state, action));
    return out;
  }
  void move(int state, int action, double alpha, double goal) {
    q[{state, action}] = static_cast<float>((1 - alpha) * at(state, action) + alpha * goal);
  }
};

// Algorithm 2, processEpisode.
inline void naive_bonus_max(const std::vector<NaiveStep>& trace, double alpha, double gamma,
                            NaiveTable& table) {
  for (size_t i = trace.size(); i >= 1; --i) {
    const NaiveStep& step = trace[i - 1];
    const int t = ++table.visits[{step.state, step.action}];
    const double r = 1.0 / t;
    if (i < trace.size()) {
      table.move(step.state, step.action, alpha,
                 std::max(r, gamma * table.best(step.next, step.actions_of_next)));
    } else {
      table.move(step.state, step.action, alpha, std::max(r, 0.0));
    }
  }
}

// Algorithm 4, with the prose where they contradict each other: going back pays nothing; a target
// that the last step reaches counts; a final reward that was never set is 0.
inline void naive_waypoint(const std::vector<NaiveStep>& trace, int targets, double alpha,
                           double gamma, double reward, std::map<int, NaiveTable>& tables) {
  int reached_step = 0;  // the step that the target is active in, from 1 on
  for (size_t i = 1; i <= trace.size() && reached_step == 0; ++i) {
    if (trace[i - 1].predicate == targets) reached_step = static_cast<int>(i);
  }
  const bool by_last =
      reached_step == 0 && !trace.empty() && trace.back().next_predicate == targets;
  if (by_last) reached_step = static_cast<int>(trace.size()) + 1;
  for (size_t i = trace.size(); i >= 1; --i) {
    const NaiveStep& step = trace[i - 1];
    NaiveTable& table = tables.try_emplace(step.predicate, NaiveTable{1}).first->second;
    const int t = ++table.visits[{step.state, step.action}];
    const double exploration = 1.0 / t;
    if (step.predicate == step.next_predicate || step.predicate == targets) {
      const double ahead =
          i < trace.size() ? gamma * table.best(step.next, step.actions_of_next) : 0;
      table.move(step.state, step.action, alpha, std::max(exploration, ahead));
      continue;
    }
    double gain = 0;
    if (step.next_predicate > step.predicate) {
      double final_reward = 0;
      if (reached_step > 0) {
        final_reward = reward;
        for (int d = reached_step - static_cast<int>(i) - 1; d > 0; --d) final_reward *= gamma;
      }
      gain = reward + final_reward;
    }
    table.move(step.state, step.action, alpha, std::max(exploration, gamma * gain));
  }
}

}  // namespace ordeal::oracle::learning
