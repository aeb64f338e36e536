// What can be wrong with learners, each as a function that tells the first problem it sees, or "":
// for tests, and for those that break the engine on purpose (tests/oracle/mutants).
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/learn/agent.h"
#include "explore/learn/environment.h"
#include "explore/learn/partitions.h"
#include "ordeal/system.h"
#include "tests/oracle/learning/naive.h"

namespace ordeal::oracle::learning {

using explore::AgentSettings;
using explore::Episode;
using explore::QTable;

// An episode through a few states with a few actions each, in both forms. Waypoints rise and fall,
// but the target stays, as the scheduler keeps it.
struct RandomEpisode {
  Episode episode;
  std::vector<NaiveStep> steps;
};

inline uint64_t key_of_action(int action) { return 1000 + static_cast<uint64_t>(action); }
inline uint64_t key_of_state(int state) { return 1 + static_cast<uint64_t>(state); }
inline std::vector<int> actions_of(int state) {
  std::vector<int> out;
  for (int action = 0; action <= state % 3; ++action) out.push_back(action);
  return out;
}

inline RandomEpisode random_episode(Rng& rng, uint32_t targets, double reward = 0) {
  RandomEpisode out;
  const size_t length = 1 + rng.below(8);
  bool arrived = false;
  std::vector<int> states;
  for (size_t i = 0; i <= length; ++i) {
    Episode::Moment moment;
    states.push_back(static_cast<int>(rng.below(5)));
    const std::vector<int> actions = actions_of(states.back());
    moment.state = key_of_state(states.back());
    moment.predicate = arrived ? targets : static_cast<uint32_t>(rng.below(targets + 1));
    arrived = targets > 0 && moment.predicate == targets;
    if (i > 0 && moment.predicate > out.episode.moments.back().predicate) moment.pays = reward;
    moment.first = static_cast<uint32_t>(out.episode.actions.size());
    moment.count = static_cast<uint32_t>(actions.size());
    for (const int action : actions) out.episode.actions.push_back(key_of_action(action));
    if (i < length) moment.picked = static_cast<uint32_t>(rng.below(actions.size()));
    out.episode.moments.push_back(moment);
  }
  for (size_t i = 0; i < length; ++i) {
    const auto& now = out.episode.moments[i];
    const auto& next = out.episode.moments[i + 1];
    out.steps.push_back({states[i], actions_of(states[i])[now.picked], states[i + 1],
                         actions_of(states[i + 1]), static_cast<int>(now.predicate),
                         static_cast<int>(next.predicate)});
  }
  return out;
}

inline std::string problem_with_table(const QTable& table, int part, const NaiveTable& naive,
                                      const std::string& where) {
  for (int state = 0; state < 5; ++state) {
    for (const int action : actions_of(state)) {
      const uint64_t key = explore::pair_key(static_cast<uint64_t>(part), key_of_state(state),
                                             key_of_action(action));
      if (table.value(key) == naive.at(state, action)) continue;
      return fmt::format("{}: of state {} and action {} of table {} it holds {}, by the thesis {}",
                         where, state, action, part, table.value(key), naive.at(state, action));
    }
  }
  return "";
}

inline std::string problem_with_bonus_max(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; ++seed) {
    Rng rng(seed);
    AgentSettings settings;
    settings.alpha = 0.05 * static_cast<double>(1 + rng.below(19));
    settings.gamma = 0.05 * static_cast<double>(1 + rng.below(19));
    settings.most_entries = 1000;
    const auto agent = explore::bonus_max_agent(settings);
    NaiveTable naive{1};
    for (int i = 0; i < 20; ++i) {
      const RandomEpisode random = random_episode(rng, 0);
      agent->learn_episode(random.episode);
      naive_bonus_max(random.steps, settings.alpha, settings.gamma, naive);
      const std::string where = fmt::format("bonusmax, seed {}, episode {}", seed, i);
      const std::string problem = problem_with_table(*agent->table(), 0, naive, where);
      if (!problem.empty()) return problem;
    }
  }
  return "";
}

inline std::string problem_with_waypoints(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; ++seed) {
    Rng rng(seed);
    AgentSettings settings;
    settings.alpha = 0.05 * static_cast<double>(1 + rng.below(19));
    settings.gamma = 0.05 * static_cast<double>(1 + rng.below(19));
    settings.reward = static_cast<double>(1 + rng.below(3));
    settings.target = static_cast<uint32_t>(1 + rng.below(3));
    settings.most_entries = 1000;
    const auto agent = explore::waypoint_agent(settings);
    std::map<int, NaiveTable> naive;
    for (int i = 0; i < 20; ++i) {
      const RandomEpisode random = random_episode(rng, settings.target, settings.reward);
      agent->learn_episode(random.episode);
      naive_waypoint(random.steps, static_cast<int>(settings.target), settings.alpha,
                     settings.gamma, settings.reward, naive);
      const std::string where = fmt::format("waypoint, seed {}, episode {}", seed, i);
      for (const auto& [part, table] : naive) {
        const std::string problem = problem_with_table(*agent->table(), part, table, where);
        if (!problem.empty()) return problem;
      }
    }
  }
  return "";
}

// --- Partitions ----------------------------------------------------------------------------------

struct Gossip {
  int hop = 0;
};
// Tells everybody what it hears, so that there is always something on its way.
struct Gossiper {
  using Messages = Types<Gossip>;
  int heard = 0;
  ORDEAL_FIELDS(heard);
  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.broadcast(Gossip{});
  }
  void on(Context& ctx, NodeId, const Gossip& gossip) {
    heard = (heard + 1) % 3;
    ctx.broadcast(Gossip{(gossip.hop + 1) % 3});
  }
};

inline System gossip(int nodes) {
  System system;
  system.add<Gossiper>(nodes);
  return system;
}

// Every division of four nodes, each from the start: nothing may go from one block to another.
inline std::string problem_with_blocks() {
  constexpr int kNodes = 4;
  const System system = gossip(kNodes);
  const std::unique_ptr<World> world = system.world();
  Options options;
  const auto made = explore::identities_environment().make(options, *world, 0);
  if (!made) return made.error().message;
  explore::Environment& environment = **made;
  const std::vector<explore::Blocks>& ways = explore::all_divisions(kNodes);
  for (uint32_t way = 0; way < ways.size(); ++way) {
    if (!world->reset(0)) return "the gossipers do not start";
    Rng rng(way);
    environment.begin(*world);
    std::vector<uint64_t> actions;
    environment.look(*world, actions);
    // To stay comes first, then the divisions in their order.
    environment.take(*world, 1 + way, rng);
    for (int step = 0; step < 200; ++step) {
      if (world->enabled().empty()) break;
      const uint32_t next = environment.next(*world, rng);
      if (next == explore::Environment::kDone) break;
      const Offer offer = world->offer(next);
      const auto from = static_cast<size_t>(offer.from - 1);
      const auto to = static_cast<size_t>(offer.node - 1);
      if (offer.kind == ActionKind::kDeliver && ways[way][from] != ways[way][to]) {
        return fmt::format("a message from {} to {} crosses division {}", offer.from.value,
                           offer.node.value, way);
      }
      if (!world->apply(next)) return "a gossiper fails";
    }
  }
  return "";
}

}  // namespace ordeal::oracle::learning
