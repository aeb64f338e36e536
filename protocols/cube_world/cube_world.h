// The cube world of the thesis (4.1.3): cubes of cells in a row, with doors that lead on and never
// back. No protocol, but what exploring one is like, in a form that can be looked at: progress that
// cannot be undone, a way that falls back, and cells that are far away.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "ordeal/model.h"
#include "ordeal/suite.h"

namespace ordeal::protocols::cube_world {

struct CubeWorld {
  struct State {
    uint16_t cube = 0;
    uint16_t width = 0;
    uint16_t breadth = 0;
    uint16_t depth = 0;
  };
  enum class Action : uint8_t {
    kUp,
    kDown,
    kLeft,
    kRight,
    kAbove,
    kBelow,
    kInto,
    kResetDepth,
  };

  // "6 × 10 × 10 × 6": so many cubes, and how large each is.
  int cubes = 6;
  int width = 10;
  int breadth = 10;
  int depth = 6;
  static constexpr int64_t kNever = 1'000'000;

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& state, std::vector<Action>& out) const;
  std::optional<State> next(const State& state, const Action& action) const;

  // In the middle of a cube, at every depth.
  bool is_door(const State& state) const {
    return state.cube + 1 < cubes && state.width == width / 2 && state.breadth == breadth / 2;
  }
  // … to that cube, by way of the doors between; never where it lies behind.
  int64_t steps_to(int cube, const State& state) const {
    if (state.cube >= cube) return state.cube == cube ? 0 : kNever;
    const int here = std::abs(state.width - width / 2) + std::abs(state.breadth - breadth / 2) + 1;
    return here + (cube - state.cube - 1) * (width / 2 + breadth / 2 + 1);
  }
};

Model<CubeWorld> model(const CubeWorld& world);
Subject subject();

}  // namespace ordeal::protocols::cube_world
