// The world's own actions, in states that look like what has happened: the causal order of the last
// steps. Two runs that differ in the order of independent steps alone look the same everywhere.
#include "base/hash.h"
#include "explore/learn/causal_order.h"
#include "explore/learn/environment.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kRunEndsHere = 0x656e6473'68657265ULL;  // the key of ending the run

class CausesEnvironment : public Environment {
 public:
  CausesEnvironment(uint32_t colouring, uint32_t depth, bool with_colours)
      : colouring_(colouring), with_colours_(with_colours), order_(depth) {}

  void begin(World&) override { order_.clear(); }

  uint64_t look(World& world, std::vector<uint64_t>& actions) override {
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    for (uint32_t i = 0; i < count; ++i) actions.push_back(world.key(i));
    if (count > 0 && may_end(world)) actions.push_back(kRunEndsHere);
    uint64_t state = order_.summary();
    if (!with_colours_) return state;
    colours_.clear();
    world.colours(colouring_, colours_);
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

  void step(World& world, uint32_t index) override {
    world.footprint(index, touched_);
    order_.add(world.key(index), touched_);
  }

  uint64_t bytes() const override { return order_.bytes(); }

 private:
  const uint32_t colouring_;
  const bool with_colours_;
  CausalOrder order_;
  Footprint touched_;
  std::vector<uint64_t> colours_;
  uint32_t step_ = kDone;
};

const StrategyOption& depth_option() {
  static const StrategyOption one = StrategyOption::number(
      "causes", "a number of layers",
      "how much a learner sees of each of the last steps: it and its causes, in so many layers; 0: "
      "all of them",
      "2", 0, 1000);
  return one;
}

const StrategyOption& beside_option() {
  static const StrategyOption one = [] {
    StrategyOption out = StrategyOption::make(
        StrategyOption::Kind::kWord, "beside", "what is seen beside causes", "WHAT",
        "what a learner sees beside the causes of the last steps: nothing, or colours", "nothing");
    out.words = {"nothing", "colours"};
    return out;
  }();
  return one;
}

}  // namespace

EnvironmentKind causes_environment() {
  EnvironmentKind kind;
  kind.name = "causes";
  kind.what =
      "the world's own actions, in states that look like the causal order of the last steps";
  kind.options = {depth_option(), beside_option()};
  kind.make = [](const Options& options, World&,
                 uint32_t colouring) -> Result<std::unique_ptr<Environment>> {
    return std::unique_ptr<Environment>(std::make_unique<CausesEnvironment>(
        colouring, static_cast<uint32_t>(number_of(depth_option(), options)),
        text_of(beside_option(), options) == "colours"));
  };
  return kind;
}

}  // namespace ordeal::explore
