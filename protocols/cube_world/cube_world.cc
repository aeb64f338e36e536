#include "protocols/cube_world/cube_world.h"

#include <memory>
#include <utility>

#include "protocols/common.h"

namespace ordeal::protocols::cube_world {

// Walls, and what would change nothing, are no actions.
void CubeWorld::actions(const State& state, std::vector<Action>& out) const {
  if (state.breadth + 1 < breadth) out.push_back(Action::kUp);
  if (state.breadth > 0) out.push_back(Action::kDown);
  if (state.width > 0) out.push_back(Action::kLeft);
  if (state.width + 1 < width) out.push_back(Action::kRight);
  if (state.depth > 0) out.push_back(Action::kAbove);
  if (state.depth + 1 < depth) out.push_back(Action::kBelow);
  if (is_door(state)) out.push_back(Action::kInto);
  if (state.depth > 0) out.push_back(Action::kResetDepth);
}

std::optional<CubeWorld::State> CubeWorld::next(const State& state, const Action& action) const {
  State to = state;
  switch (action) {
    case Action::kUp:
      ++to.breadth;
      break;
    case Action::kDown:
      --to.breadth;
      break;
    case Action::kLeft:
      --to.width;
      break;
    case Action::kRight:
      ++to.width;
      break;
    case Action::kAbove:
      --to.depth;
      break;
    case Action::kBelow:
      ++to.depth;
      break;
    case Action::kInto:
      to = State{static_cast<uint16_t>(state.cube + 1), 0, 0, 0};
      break;
    case Action::kResetDepth:
      to.depth = 0;
      break;
  }
  return to;
}

Model<CubeWorld> model(const CubeWorld& world) {
  using State = CubeWorld::State;
  Model<CubeWorld> out(world);
  out.always("inside of the cubes", [world](const State& state) {
    return state.cube < world.cubes && state.width < world.width && state.breadth < world.breadth &&
           state.depth < world.depth;
  });
  out.sometimes("the last cube",
                [world](const State& state) { return state.cube + 1 == world.cubes; });
  // [steering]
  out.colour({"top", "without the depth"}, [](const State& state) {
    return std::vector<uint16_t>{state.cube, state.width, state.breadth};
  });
  out.graded("Cube", "it is in this cube, from 0 on (=)", [world](int cube) {
    return [world, cube](const State& state) { return world.steps_to(cube, state); };
  });
  if (world.cubes > 3) {
    out.waypoints("cube-3", "Cube(1), Cube(2), Cube(3)", "through the cubes before it")
        .reward_machine("cubes-to-3",
                        "start: Cube(1) -> one; one: Cube(2) -> two; two: Cube(3) -> success");
  }
  // [/steering]
  return out;
}

Subject subject() {
  return {
      .name = "cube-world",
      .what = "cubes of cells with doors that lead on: what exploring is like (no protocol)",
      .parameters = {{"cubes", "6", "how many cubes", 1, 60},
                     {"width", "10", "of each cube, in cells", 1, 1000},
                     {"breadth", "10", "of each cube", 1, 1000},
                     {"depth", "6", "of each cube", 1, 1000}},
      .bugs = {},
      .build = [](const Arguments& args) -> Result<std::unique_ptr<Checkable>> {
        CubeWorld world;
        world.cubes = static_cast<int>(args.number("cubes"));
        world.width = static_cast<int>(args.number("width"));
        world.breadth = static_cast<int>(args.number("breadth"));
        world.depth = static_cast<int>(args.number("depth"));
        return std::unique_ptr<Checkable>(std::make_unique<Model<CubeWorld>>(model(world)));
      },
  };
}

}  // namespace ordeal::protocols::cube_world
