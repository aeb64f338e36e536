// The product of a system with a scenario: a system of its own, whose runs are those that the
// filters allow, with the scenario's verdict among its properties.
//
// An initial state of the product is one of the system's together with one way to draw: number
// `way * (initial states of the system) + initial state`. A step is one action of the system and
// what the filters did about it. Choice indexes count visible actions only.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/world.h"
#include "system/scenario/monitor.h"

namespace ordeal::monitor {

// The properties of the product, and which of the system's they are.
struct Verdicts {
  static constexpr uint32_t kNone = ~0U;

  Verdicts(const Scenario::Declaration& scenario, const std::vector<Property>& system);

  std::vector<Property> properties;
  std::vector<uint32_t> of_system;  // by property of the product; kNone: the scenario's own
  uint32_t never_fails = kNone;     // always: the machine is in no failure state
  uint32_t follows_script = kNone;  // always: every line was possible that may not be left out
  uint32_t succeeds = kNone;        // eventually: in a success state (Expect::always)
  uint32_t never_succeeds = kNone;  // always: in none (Expect::never)
  uint32_t can_succeed = kNone;     // sometimes: in one (Expect::at_least)

  // Adds what the run has come to.
  void judge(const Standing& standing, bool terminal, Judgement& out) const;
  // Adds those of the system's that count.
  void take_over(const Judgement& system, Judgement& out) const;
  Outcome explain(const Standing& standing, uint32_t property) const;

 private:
  std::vector<std::string> script_;
  std::string script_place_;  // "file:line"
};

class MonitoredWorld : public World {
 public:
  // `report`, if given, is told what was counted, in the end.
  MonitoredWorld(std::shared_ptr<const Monitor> monitor, std::unique_ptr<World> system,
                 std::function<void(const Tally&)> report = {});
  ~MonitoredWorld() override;

  const ScenarioContext& context() const { return context_; }
  const Tally& tally() const { return tally_; }
  // As if what was run since then had not been.
  void go_back_to(Tally tally) { tally_ = std::move(tally); }
  // Of the run as it stands; `over`: it ends here. The end is seen once: functions that remember
  // something must not see it again.
  Machine::Kind machine_kind(bool over);
  std::string machine_state(bool over);
  // The run ends here, once and for all: what the machine takes now is counted. Its last state.
  uint32_t finish();

  const std::vector<Property>& properties() const override { return verdicts_.properties; }
  Result<void> reset(uint32_t initial) override;
  uint32_t initial_count() override;
  const std::vector<Choice>& enabled() override;
  Result<void> apply(uint32_t index) override;
  uint64_t fingerprint() override;
  bool within() override { return system_->within(); }
  bool is_value() const override { return monitor_->is_value() && system_->is_value(); }
  bool judges_outside() const override { return system_->judges_outside(); }
  void judge(bool terminal, Judgement& out) override;
  Outcome explain(bool terminal, uint32_t property) override;
  void judge_step(Judgement& out) override;
  Outcome explain_step(uint32_t property) override {
    return system_->explain_step(verdicts_.of_system[property]);
  }
  const std::string* trouble() override { return system_->trouble(); }
  Action action(uint32_t index) override { return system_->action(inner(index)); }
  StepDetail detail(uint32_t index) override {
    tells_ = true;
    return system_->detail(inner(index));
  }
  void footprint(uint32_t index, Footprint& out) override;
  uint64_t key(uint32_t index) override { return system_->key(inner(index)); }
  void after_step(StepDetail& detail) override;
  Snapshot observe() override;
  SpaceStatistics statistics() const override { return system_->statistics(); }
  std::vector<StepSort> sorts() const override { return system_->sorts(); }
  std::vector<KindRef> kinds() const override { return system_->kinds(); }
  void forget() override { system_->forget(); }
  Offer offer(uint32_t index) override { return system_->offer(inner(index)); }
  void events(std::vector<Event>& out) override { system_->events(out); }
  void on_its_way(std::vector<Event>& out) override { system_->on_its_way(out); }
  Result<uint32_t> predicate(const std::string& text) override { return system_->predicate(text); }
  bool holds(uint32_t predicate) override { return system_->holds(predicate); }
  std::optional<uint32_t> distance(uint32_t predicate) override {
    return system_->distance(predicate);
  }
  Result<uint32_t> colouring(const std::string& name) override { return system_->colouring(name); }
  void colours(uint32_t colouring, std::vector<uint64_t>& out) override {
    system_->colours(colouring, out);
  }
  void show_colours(uint32_t colouring, std::vector<value::Tree>& out) override {
    system_->show_colours(colouring, out);
  }

 private:
  class System;
  uint32_t inner(uint32_t index);
  void monitor_events(bool begins);
  uint32_t last_state();
  Standing standing(bool over);
  uint32_t starts();  // initial states of the system that a run may begin in

  std::shared_ptr<const Monitor> monitor_;
  std::unique_ptr<World> system_;
  std::unique_ptr<System> surroundings_;
  Verdicts verdicts_;
  Evaluator evaluator_;
  Tally tally_;
  std::function<void(const Tally&)> report_;
  ScenarioContext context_;
  struct End {
    uint32_t machine;
    Tally tally;
  };
  std::optional<End> end_;  // of the run, if it ends here; once somebody has asked
  std::vector<Choice> enabled_;
  std::vector<uint32_t> visible_;
  bool listed_ = false;
  bool tells_ = false;  // somebody wants to know the next step in words, which take time to make
  // Of the last step.
  std::vector<Event> events_;
  std::vector<Amendment> changes_;
  std::vector<std::string> story_;
};

class Product : public Checkable {
 public:
  // REQUIRES: `subject` outlives it.
  Product(std::shared_ptr<const Monitor> monitor, const Checkable& subject);

  const Monitor& monitor() const { return *monitor_; }
  std::unique_ptr<MonitoredWorld> monitored_world() const;
  // What everything that went through its spaces and worlds has counted so far; not what
  // monitored_world() did, which can be asked itself.
  Tally searched() const;

  const std::vector<Property>& properties() const override { return verdicts_.properties; }
  std::shared_ptr<StateSpace> space() const override;
  std::unique_ptr<World> world() const override;
  bool constrained() const override { return subject_.constrained(); }
  Result<void> validate() const override { return subject_.validate(); }
  Result<std::shared_ptr<Symmetry>> symmetry() const override;
  Cast cast() const override { return subject_.cast(); }
  Steering steering() const override { return subject_.steering(); }
  Result<void> rehearse(uint64_t seed, uint64_t steps) const override {
    return subject_.rehearse(seed, steps);
  }

 private:
  std::shared_ptr<const Monitor> monitor_;
  const Checkable& subject_;
  Verdicts verdicts_;
  struct Searched {
    std::mutex mutex;
    Tally tally;
    void add(const Tally& more);
  };
  std::shared_ptr<Searched> searched_;
};

}  // namespace ordeal::monitor
