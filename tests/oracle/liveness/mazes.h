// Small graphs with everything that matters to runs: steps of three colours, faults, states outside
// of the constraint, several places to begin, fairness of all kinds; and formulas about them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/model.h"

namespace ordeal::oracle::liveness {

struct Passage {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t colour = 0;
  bool fault = false;
};

// What is owed to the passages of a colour: together, or to each by itself.
struct ColourFairness {
  uint32_t colour = 0;
  Owed owed = Owed::kNothing;
};

struct Maze {
  struct State {
    uint32_t room = 0;
  };
  struct Action {
    uint32_t passage = 0;
    uint32_t colour = 0;
  };

  uint32_t rooms = 1;
  std::vector<Passage> passages = {};
  std::vector<uint32_t> begins = {0};
  std::vector<bool> inside = {};                // by room
  std::vector<std::vector<bool>> in_room = {};  // atoms of states, by atom and room
  std::vector<std::vector<bool>> in_step = {};  // atoms of steps, by atom and passage
  std::vector<ColourFairness> together = {};
  Owed each = Owed::kNothing;  // to every colour by itself, as duties
  bool stutters = false;
  Formula assumed = {};  // these two with atoms as numbered above
  Formula claim = {};
  bool is_eventually = false;  // the claim is <> of atom 0, by Model::eventually

  std::vector<State> initial() const {
    std::vector<State> out;
    for (const uint32_t room : begins) out.push_back({room});
    return out;
  }
  void actions(const State& state, std::vector<Action>& out) const {
    for (uint32_t i = 0; i < passages.size(); ++i) {
      if (passages[i].from == state.room) out.push_back({i, passages[i].colour});
    }
  }
  std::optional<State> next(const State&, const Action& action) const {
    return State{passages[action.passage].to};
  }
  std::vector<DescribedKind> kinds() const {
    return {{.name = "walk"}, {.name = "fall", .fault = true}};
  }
  Doing doing(const State&, const Action& action) const {
    return {passages[action.passage].fault ? "fall" : "walk", -1, -1,
            std::to_string(action.passage)};
  }
};

inline Formula random_formula(Rng& random, uint32_t depth, uint32_t rooms, uint32_t steps) {
  const auto part = [&] { return random_formula(random, depth - 1, rooms, steps); };
  if (depth == 0 || random.below(6) == 0) {
    if (steps > 0 && random.below(4) == 0) {
      return formula::step(static_cast<uint32_t>(random.below(steps)));
    }
    return formula::state(static_cast<uint32_t>(random.below(rooms)));
  }
  switch (random.below(6)) {
    case 0:
      return formula::negation(part());
    case 1:
      return formula::all({part(), part()});
    case 2:
      return formula::any({part(), part()});
    case 3:
    case 4:
      return formula::always(part());
    default:
      return formula::eventually(part());
  }
}

inline Maze random_maze(uint64_t seed) {
  Rng random(seed);
  const auto one_in = [&](uint64_t n) { return random.below(n) == 0; };
  const auto owed = [&] { return one_in(2) ? Owed::kWeakly : Owed::kStrongly; };
  Maze out;
  out.rooms = 1 + static_cast<uint32_t>(random.below(7));
  const uint64_t passages = random.below(out.rooms * 2 + 3);
  for (uint64_t i = 0; i < passages; ++i) {
    out.passages.push_back({static_cast<uint32_t>(random.below(out.rooms)),
                            static_cast<uint32_t>(random.below(out.rooms)),
                            static_cast<uint32_t>(random.below(3)), one_in(6)});
  }
  out.begins = {0};
  if (one_in(3)) out.begins.push_back(static_cast<uint32_t>(random.below(out.rooms)));
  out.inside.assign(out.rooms, true);
  if (one_in(4)) out.inside[random.below(out.rooms)] = false;
  if (!out.inside[0]) out.inside[0] = true;
  for (uint32_t atom = 0; atom < 3; ++atom) {
    std::vector<bool> row;
    for (uint32_t i = 0; i < out.rooms; ++i) row.push_back(random.below(5) < 2 + atom / 2);
    out.in_room.push_back(std::move(row));
  }
  for (uint32_t atom = 0; atom < 2; ++atom) {
    std::vector<bool> row;
    for (uint64_t i = 0; i < passages; ++i) row.push_back(one_in(2));
    out.in_step.push_back(std::move(row));
  }
  for (uint32_t colour = 0; colour < 3; ++colour) {
    if (one_in(3)) out.together.push_back({colour, owed()});
  }
  if (one_in(3)) out.each = owed();
  out.stutters = one_in(4);
  if (one_in(5)) out.assumed = random_formula(random, 2, 3, 2);
  out.is_eventually = one_in(5);
  switch (out.is_eventually ? 0 : random.below(6)) {
    case 0:
      out.claim = formula::eventually(formula::state(0));
      break;
    case 1:
      out.claim = formula::leads_to(formula::state(1), formula::state(0));
      break;
    case 2:
      out.claim = formula::always(formula::eventually(formula::state(1)));
      break;
    case 3:
      out.claim = formula::eventually(formula::always(formula::state(2)));
      break;
    default:
      // What steps are is not the same once a run stays: only of rooms.
      out.claim = random_formula(random, 3, 3, out.stutters ? 0 : 2);
  }
  if (out.stutters) out.assumed = one_in(4) ? random_formula(random, 2, 3, 0) : Formula();
  return out;
}

// The maze as a model that can be checked.
inline Model<Maze> model_of(const Maze& maze) {
  Model<Maze> model(maze);
  std::vector<Formula> rooms;
  std::vector<Formula> steps;
  for (const std::vector<bool>& row : maze.in_room) {
    rooms.push_back(model.atom([row](const Maze::State& state) { return bool(row[state.room]); }));
  }
  for (const std::vector<bool>& row : maze.in_step) {
    steps.push_back(
        model.step_atom([row](const Maze::State&, const Maze::Action& action, const Maze::State&) {
          return bool(row[action.passage]);
        }));
  }
  const auto translated = [&](const auto& self, const Formula& formula) -> Formula {
    if (formula.is == Formula::Is::kState) return rooms[formula.atom];
    if (formula.is == Formula::Is::kStep) return steps[formula.atom];
    Formula out = formula;
    for (Formula& part : out.parts) part = self(self, part);
    return out;
  };
  if (maze.is_eventually) {
    const std::vector<bool> row = maze.in_room[0];
    model.eventually("claim", [row](const Maze::State& state) { return bool(row[state.room]); });
  } else {
    model.claim("claim", translated(translated, maze.claim));
  }
  if (maze.assumed != Formula()) model.assume(translated(translated, maze.assumed), "assumed");
  for (const ColourFairness& fair : maze.together) {
    model.fair(
        "colour " + std::to_string(fair.colour), fair.owed,
        [colour = fair.colour](const Maze::Action& action) { return action.colour == colour; });
  }
  if (maze.each != Owed::kNothing) {
    model.fair_each(maze.each, [](const Maze::Action& action) { return action.colour; });
  }
  if (std::find(maze.inside.begin(), maze.inside.end(), false) != maze.inside.end()) {
    model.within(
        [inside = maze.inside](const Maze::State& state) { return bool(inside[state.room]); });
  }
  model.stutters(maze.stutters);
  return model;
}

}  // namespace ordeal::oracle::liveness
