// A subject whose traces see less of its states than there is: what looks like a cycle is none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/model.h"

namespace ordeal::oracle::liveness {

struct Stairs {
  struct State {
    uint32_t step = 0;
  };
  struct Action {
    uint32_t to = 0;
  };
  std::vector<State> initial() const { return {{}}; }
  void actions(const State& state, std::vector<Action>& out) const {
    if (state.step < 4) out.push_back({(state.step + 1) % 3});
  }
  std::optional<State> next(const State& state, const Action&) const {
    return State{state.step + 1};
  }
};

class BlurredWorld : public World {
 public:
  explicit BlurredWorld(std::unique_ptr<World> world) : world_(std::move(world)) {}
  const std::vector<Property>& properties() const override { return world_->properties(); }
  Result<void> reset(uint32_t initial) override {
    steps_ = 0;
    return world_->reset(initial);
  }
  uint32_t initial_count() override { return world_->initial_count(); }
  const std::vector<Choice>& enabled() override { return world_->enabled(); }
  Result<void> apply(uint32_t index) override {
    ++steps_;
    return world_->apply(index);
  }
  uint64_t fingerprint() override { return world_->fingerprint(); }
  bool within() override { return world_->within(); }
  void judge(bool terminal, Judgement& out) override { world_->judge(terminal, out); }
  Outcome explain(bool terminal, uint32_t property) override {
    return world_->explain(terminal, property);
  }
  Action action(uint32_t index) override { return world_->action(index); }
  StepDetail detail(uint32_t index) override { return world_->detail(index); }
  void footprint(uint32_t index, Footprint& out) override { world_->footprint(index, out); }
  uint64_t key(uint32_t index) override { return world_->key(index); }
  Snapshot observe() override {
    Snapshot out = world_->observe();
    out.digest = steps_ % 3;
    return out;
  }
  SpaceStatistics statistics() const override { return world_->statistics(); }

 private:
  std::unique_ptr<World> world_;
  uint32_t steps_ = 0;
};

class BlurredStairs : public Model<Stairs> {
 public:
  using Model<Stairs>::Model;
  std::unique_ptr<World> world() const override {
    return std::make_unique<BlurredWorld>(Model<Stairs>::world());
  }
};

// A trace that goes back to where it seems to have been must not replay.
inline std::string problem_with_false_cycle() {
  BlurredStairs stairs;
  stairs.infinitely_often("comes to the top", [](const Stairs::State& s) { return s.step == 4; });
  Result<Trace> trace = record(stairs, {0, {0, 0, 0}}, {});
  if (!trace) return trace.error().message;
  trace->loop_start = 0;
  trace->verdict.property = "comes to the top";
  trace->verdict.kind = "always";
  trace->verdict.step = 3;
  const Result<ReplayResult> again = replay(stairs, *trace);
  if (!again) return again.error().message;
  if (again->reproduced) return "what is no cycle replays as one";
  return "";
}

}  // namespace ordeal::oracle::liveness
