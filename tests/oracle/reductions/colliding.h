// A system whose states share fingerprints, so that only the second half of a wide one tells them
// apart: with 128 bits nothing may be lost.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "tests/oracle/random/extras.h"

namespace ordeal::oracle {

class CollidingExplorer : public Explorer {
 public:
  explicit CollidingExplorer(std::unique_ptr<Explorer> inner) : inner_(std::move(inner)) {}

  static uint64_t shortened(uint64_t fingerprint) { return fingerprint & ~uint64_t{0} << 58; }

  void enumerate(StateRef state, std::vector<Choice>& out) override {
    inner_->enumerate(state, out);
  }
  uint64_t apply(StateRef state, uint64_t, const Choice& choice,
                 std::vector<uint32_t>& out) override {
    return shortened(inner_->apply(state, inner_->fingerprint(state), choice, out));
  }
  bool within(StateRef state) override { return inner_->within(state); }
  void judge(StateRef state, bool terminal, Judgement& out) override {
    inner_->judge(state, terminal, out);
  }
  Outcome explain(StateRef state, bool terminal, uint32_t property) override {
    return inner_->explain(state, terminal, property);
  }
  Action action(StateRef state, const Choice& choice) override {
    return inner_->action(state, choice);
  }
  StepDetail detail(StateRef state, const Choice& choice) override {
    return inner_->detail(state, choice);
  }
  Snapshot observe(StateRef state) override { return inner_->observe(state); }
  uint64_t fingerprint(StateRef state) override { return shortened(inner_->fingerprint(state)); }
  uint64_t second_fingerprint(StateRef state) override { return inner_->second_fingerprint(state); }
  uint64_t key(StateRef state, const Choice& choice) override { return inner_->key(state, choice); }

 private:
  std::unique_ptr<Explorer> inner_;
};

class CollidingSpace : public StateSpace {
 public:
  explicit CollidingSpace(std::shared_ptr<StateSpace> inner) : inner_(std::move(inner)) {}

  const std::vector<Property>& properties() const override { return inner_->properties(); }
  Result<std::vector<Initial>> initial() override {
    auto states = inner_->initial();
    if (!states) return states;
    for (Initial& state : *states) {
      state.fingerprint = CollidingExplorer::shortened(state.fingerprint);
    }
    return states;
  }
  std::unique_ptr<Explorer> explorer() override {
    return std::make_unique<CollidingExplorer>(inner_->explorer());
  }
  SpaceStatistics statistics() const override { return inner_->statistics(); }
  void forget() override { inner_->forget(); }

 private:
  std::shared_ptr<StateSpace> inner_;
};

class Colliding : public Checkable {
 public:
  explicit Colliding(System system) : system_(std::move(system)) {}

  const std::vector<Property>& properties() const override { return system_.properties(); }
  std::shared_ptr<StateSpace> space() const override {
    return std::make_shared<CollidingSpace>(system_.space());
  }
  std::unique_ptr<World> world() const override { return run_world(space()); }
  Result<std::shared_ptr<Symmetry>> symmetry() const override { return system_.symmetry(); }
  bool constrained() const override { return false; }
  Result<void> validate() const override { return system_.validate(); }

 private:
  System system_;
};

// 441 states with at most 64 first fingerprints. Empty: all is well.
inline std::string problem_with_colliding_fingerprints(const std::string& folder) {
  const Colliding system(grid(2, 20));
  for (const bool on_disk : {false, true}) {
    for (const int threads : {1, 2}) {
      Options options;
      options.strategy = "bfs";
      options.threads = threads;
      const Result<Report> narrow = check(system, options);
      options.wide_fingerprints = true;
      if (on_disk) {
        options.spill = folder;
        options.spill_bytes = 1;
      }
      const Result<Report> wide = check(system, options);
      if (!narrow.ok()) return narrow.error().message;
      if (!wide.ok()) return wide.error().message;
      if (narrow->distinct_states > 64) return "the fingerprints do not collide";
      if (wide->distinct_states != 441 || wide->transitions != 840) {
        return "with wide fingerprints a search finds " + std::to_string(wide->distinct_states) +
               " of 441 states and " + std::to_string(wide->transitions) + " of 840 transitions" +
               (on_disk ? ", on disk" : "");
      }
    }
  }
  return "";
}

}  // namespace ordeal::oracle
