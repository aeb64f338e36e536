// What can be wrong with reward machines and with distances, each as a function that tells the
// first problem it sees, or "".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/learn/reward_machine.h"
#include "ordeal/model.h"
#include "tests/oracle/learning/problems.h"

namespace ordeal::oracle::learning {

// A yard of five times five places, with ways to the right and up, and back.
struct Yard {
  struct State {
    uint8_t x = 0;
    uint8_t y = 0;
  };
  enum class Action : uint8_t { kRight, kLeft, kUp, kDown };

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.x < 4) out.push_back(Action::kRight);
    if (s.x > 0) out.push_back(Action::kLeft);
    if (s.y < 4) out.push_back(Action::kUp);
    if (s.y > 0) out.push_back(Action::kDown);
  }
  std::optional<State> next(const State& s, const Action& action) const {
    State out = s;
    if (action == Action::kRight) ++out.x;
    if (action == Action::kLeft) --out.x;
    if (action == Action::kUp) ++out.y;
    if (action == Action::kDown) --out.y;
    return out;
  }
};

// X(n) and Y(n) are not graded, To(x, y) is.
inline Model<Yard> yard() {
  Model<Yard> model;
  model.predicate("X", "how far to the right (=)",
                  [](int n) { return [n](const Yard::State& s) { return s.x == n; }; });
  model.predicate("Y", "how far up (=)",
                  [](int n) { return [n](const Yard::State& s) { return s.y == n; }; });
  model.graded("To", "in this place", [](int x, int y) {
    return [=](const Yard::State& s) { return std::abs(s.x - x) + std::abs(s.y - y); };
  });
  return model;
}

// Two ways to a corner, one of them with a dead end, and ways back.
inline const std::string kYardMachine =
    "home: X(3) -> right pays 1; home: Y(3) & !X(2) -> up once; right: X(0) -> home pays 0; "
    "right: Y(3) | Y(4) -> corner pays 3; up: X(0) & Y(4) -> failure; up: To(3, 3) -> corner; "
    "corner: To(4, 4) -> success; corner: X(2) -> up once; up: otherwise -> up";

// The same, by hand: where it goes, what that pays, and what it has paid once. -1: it stays.
class NaiveYard {
 public:
  std::string state = "home";
  double paid = 0;

  void look(int x, int y, double usual) {
    paid = 0;
    if (state == "home") {
      if (x == 3) return go("right", 1);
      if (y == 3 && x != 2) return go_once("up", usual, climbed_);
    } else if (state == "right") {
      if (x == 0) return go("home", 0);
      if (y == 3 || y == 4) return go("corner", 3);
    } else if (state == "up") {
      if (x == 0 && y == 4) return go("failure", 0);
      if (x == 3 && y == 3) return go("corner", usual);
    } else if (state == "corner") {
      if (x == 4 && y == 4) return go("success", usual);
      if (x == 2) return go_once("up", usual, fell_);
    }
  }
  // From where it is to the next transition that pays and asks for To.
  std::optional<int> distance(int x, int y) const {
    if (state == "up") return std::abs(x - 3) + std::abs(y - 3);
    if (state == "corner") return std::abs(x - 4) + std::abs(y - 4);
    return std::nullopt;
  }

 private:
  void go(const std::string& to, double pays) {
    state = to;
    paid = pays;
  }
  void go_once(const std::string& to, double pays, bool& done) {
    go(to, done ? 0 : pays);
    done = true;
  }
  bool climbed_ = false;
  bool fell_ = false;
};

// On random walks, the machine is where the one by hand is, and pays what that does.
inline std::string problem_with_machine(uint64_t walks) {
  const Model<Yard> model = yard();
  const auto world = model.world();
  explore::RewardMachine machine(kYardMachine, 2);
  if (auto bound = machine.bind(*world); !bound) return bound.error().message;
  std::vector<uint32_t> columns;
  std::vector<uint32_t> rows;
  for (int n = 0; n < 5; ++n) {
    columns.push_back(*world->predicate(fmt::format("X({})", n)));
    rows.push_back(*world->predicate(fmt::format("Y({})", n)));
  }
  std::map<uint32_t, std::string> known;
  for (uint64_t walk = 0; walk < walks; ++walk) {
    Rng rng(walk);
    if (!world->reset(0)) return "the yard cannot be entered";
    machine.begin_run();
    NaiveYard naive;
    for (int step = 0; step < 60; ++step) {
      int x = 0;
      int y = 0;
      while (!world->holds(columns[static_cast<size_t>(x)])) ++x;
      while (!world->holds(rows[static_cast<size_t>(y)])) ++y;
      machine.look(*world);
      naive.look(x, y, 2);
      const auto [at, is_new] = known.try_emplace(machine.state(), naive.state);
      const auto far = machine.distance();
      const auto naive_far = naive.distance(x, y);
      const bool same_distance = far.has_value() == naive_far.has_value() &&
                                 (!far || static_cast<int>(*far) == *naive_far);
      if (at->second != naive.state || machine.paid() != naive.paid || !same_distance ||
          machine.failed() != (naive.state == "failure") ||
          machine.succeeded() != (naive.state == "success")) {
        return fmt::format("walk {}, step {}, at {} {}: it is in {} and pays {}, by hand in {}, {}",
                           walk, step, x, y, at->second, machine.paid(), naive.state, naive.paid);
      }
      if (!world->apply(static_cast<uint32_t>(rng.below(world->enabled().size())))) {
        return "a step of the yard fails";
      }
    }
  }
  return "";
}

// --- What the learner makes of them --------------------------------------------------------------

struct NaiveMoment {
  int state = 0;
  int action = 0;                 // that was picked there
  std::vector<int> actions = {};  // that there are
  int machine = 0;
  double pays = 0;
  std::optional<int> distance = {};
};

// Machines and distances, with the values as they are without any promise: a state that is near
// begins with more, and that is all (Wiewiora 2003: shaping by a potential is a matter of where
// values begin). The engine keeps values with the promise taken out.
inline void naive_machine(const std::vector<NaiveMoment>& moments, int target, double alpha,
                          double gamma, double reward, double grade,
                          std::map<std::pair<int, int>, NaiveTable>& tables) {
  const auto table_of = [&](const NaiveMoment& moment) -> NaiveTable& {
    const int distance = moment.distance ? *moment.distance : -1;
    const double promise = moment.distance ? grade * std::pow(gamma, distance) : 0;
    return tables
        .try_emplace({moment.machine, distance}, NaiveTable{static_cast<float>(1 + promise)})
        .first->second;
  };
  const int steps = static_cast<int>(moments.size()) - 1;
  int arrived = -1;
  for (int i = 0; i <= steps && arrived < 0; ++i) {
    if (moments[static_cast<size_t>(i)].machine == target) arrived = i;
  }
  for (int i = steps - 1; i >= 0; --i) {
    const NaiveMoment& now = moments[static_cast<size_t>(i)];
    const NaiveMoment& next = moments[static_cast<size_t>(i) + 1];
    double ahead = 0;
    if (now.machine == next.machine || now.machine == target) {
      if (i + 1 < steps) ahead = gamma * table_of(next).best(next.state, next.actions);
    } else if (next.pays > 0) {
      double last = 0;
      if (arrived > i) {
        last = reward;
        for (int k = i + 1; k < arrived; ++k) last *= gamma;
      }
      ahead = gamma * (next.pays + last);
    }
    NaiveTable& table = table_of(now);
    const int t = ++table.visits[{now.state, now.action}];
    table.move(now.state, now.action, alpha, std::max(1.0 / t, ahead));
  }
}

struct MachineEpisode {
  Episode episode;
  std::vector<NaiveMoment> moments;
};

inline MachineEpisode machine_episode(Rng& rng, uint32_t target, bool is_graded) {
  MachineEpisode out;
  const size_t length = 1 + rng.below(8);
  bool arrived = false;
  for (size_t i = 0; i <= length; ++i) {
    NaiveMoment naive;
    naive.state = static_cast<int>(rng.below(4));
    naive.actions = actions_of(naive.state);
    naive.machine = static_cast<int>(arrived ? target : rng.below(target + 2));
    arrived = arrived || naive.machine == static_cast<int>(target);
    const bool moved = i > 0 && naive.machine != out.moments.back().machine;
    if (moved && rng.below(3) > 0) naive.pays = static_cast<double>(rng.below(4));
    if (is_graded && !arrived && naive.machine != 0)
      naive.distance = static_cast<int>(rng.below(4));
    Episode::Moment moment;
    moment.state = key_of_state(naive.state);
    moment.predicate = static_cast<uint32_t>(naive.machine);
    moment.pays = naive.pays;
    if (naive.distance) moment.distance = static_cast<uint32_t>(*naive.distance);
    moment.first = static_cast<uint32_t>(out.episode.actions.size());
    moment.count = static_cast<uint32_t>(naive.actions.size());
    for (const int action : naive.actions) out.episode.actions.push_back(key_of_action(action));
    if (i < length) {
      moment.picked = static_cast<uint32_t>(rng.below(naive.actions.size()));
      naive.action = naive.actions[moment.picked];
    }
    out.episode.moments.push_back(moment);
    out.moments.push_back(std::move(naive));
  }
  return out;
}

inline AgentSettings random_settings(Rng& rng) {
  AgentSettings settings;
  settings.alpha = 0.05 * static_cast<double>(1 + rng.below(19));
  settings.gamma = 0.05 * static_cast<double>(1 + rng.below(19));
  settings.reward = static_cast<double>(1 + rng.below(3));
  settings.target = static_cast<uint32_t>(1 + rng.below(3));
  settings.most_entries = 10'000;
  return settings;
}

// With a distance, values are those of the naive form less the promise of their state; without,
// they are the same to the last bit.
inline std::string problem_with_grades(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; ++seed) {
    Rng rng(seed);
    AgentSettings settings = random_settings(rng);
    settings.grade = seed % 2 == 0 ? 0 : 0.5 * static_cast<double>(1 + rng.below(4));
    const auto agent = explore::waypoint_agent(settings);
    std::map<std::pair<int, int>, NaiveTable> naive;
    for (int i = 0; i < 20; ++i) {
      const MachineEpisode random = machine_episode(rng, settings.target, settings.grade > 0);
      agent->learn_episode(random.episode);
      naive_machine(random.moments, static_cast<int>(settings.target), settings.alpha,
                    settings.gamma, settings.reward, settings.grade, naive);
      for (const auto& [part, table] : naive) {
        const auto [machine, distance] = part;
        const double promise =
            distance < 0 ? 0 : settings.grade * std::pow(settings.gamma, distance);
        const uint64_t key = distance < 0 ? static_cast<uint64_t>(machine)
                                          : combine(static_cast<uint64_t>(machine),
                                                    static_cast<uint64_t>(distance) + 1);
        for (const auto& [pair, value] : table.q) {
          const float known = agent->table()->value(
              explore::pair_key(key, key_of_state(pair.first), key_of_action(pair.second)));
          const double far = std::abs(known + promise - value);
          if (settings.grade == 0 ? known == value : far < 1e-4) continue;
          return fmt::format(
              "seed {}, episode {}: of state {} and action {} in {} at distance {} it holds {}, "
              "which promises {}; the naive form {}",
              seed, i, pair.first, pair.second, machine, distance, known, promise, value);
        }
      }
    }
  }
  return "";
}

// A line of waypoints as a machine, whose states have other numbers: every value is the same.
inline std::string problem_with_lines(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; ++seed) {
    Rng rng(seed);
    AgentSettings settings = random_settings(rng);
    const uint32_t count = settings.target;
    const auto line = explore::waypoint_agent(settings);
    AgentSettings other = settings;
    other.target = 1;
    const auto machine = explore::waypoint_agent(other);
    const auto renamed = [&](uint32_t waypoint) {
      return waypoint == 0 ? 0 : count - waypoint + 1;
    };
    for (int i = 0; i < 20; ++i) {
      RandomEpisode random = random_episode(rng, count, settings.reward);
      line->learn_episode(random.episode);
      for (Episode::Moment& moment : random.episode.moments) {
        moment.predicate = renamed(moment.predicate);
      }
      machine->learn_episode(random.episode);
    }
    for (uint32_t waypoint = 0; waypoint <= count; ++waypoint) {
      for (int state = 0; state < 5; ++state) {
        for (const int action : actions_of(state)) {
          const auto value = [&](const explore::Agent& agent, uint32_t part) {
            return agent.table()->value(
                explore::pair_key(part, key_of_state(state), key_of_action(action)));
          };
          if (value(*line, waypoint) == value(*machine, renamed(waypoint))) continue;
          return fmt::format("seed {}: waypoint {} and its state of the machine differ", seed,
                             waypoint);
        }
      }
    }
  }
  return "";
}

}  // namespace ordeal::oracle::learning
