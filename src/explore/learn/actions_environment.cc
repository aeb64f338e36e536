// The finest environment: the world's own actions, in states that look like the colours of all
// nodes, node by node.
#include "base/hash.h"
#include "explore/learn/environment.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kEndsHere = 0x656e6473'68657265ULL;  // the key of ending the run

class ActionsEnvironment : public Environment {
 public:
  explicit ActionsEnvironment(uint32_t colouring) : colouring_(colouring) {}

  uint64_t look(World& world, std::vector<uint64_t>& actions) override {
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    for (uint32_t i = 0; i < count; ++i) actions.push_back(world.key(i));
    // Where nothing has to happen any more, the end is one more alternative.
    if (count > 0 && may_end(world)) actions.push_back(kEndsHere);
    colours_.clear();
    world.colours(colouring_, colours_);
    uint64_t state = 0;
    for (const uint64_t colour : colours_) state = combine(state, colour);
    return state;
  }

  void take(World& world, uint32_t action, Rng&) override {
    step_ = action == world.enabled().size() ? kEnd : action;
  }

  uint32_t next(World&, Rng&) override {
    const uint32_t step = step_;
    step_ = kDone;
    return step;
  }

 private:
  const uint32_t colouring_;
  std::vector<uint64_t> colours_;
  uint32_t step_ = kDone;
};

}  // namespace

EnvironmentKind actions_environment() {
  EnvironmentKind kind;
  kind.name = "actions";
  kind.what = "the world's own actions, one at a time";
  kind.make = [](const Options&, World&,
                 uint32_t colouring) -> Result<std::unique_ptr<Environment>> {
    return std::unique_ptr<Environment>(std::make_unique<ActionsEnvironment>(colouring));
  };
  return kind;
}

}  // namespace ordeal::explore
