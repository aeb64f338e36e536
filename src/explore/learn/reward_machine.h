// RewardMachine: waypoints as a property machine (ordeal/machine.h) whose conditions are about the
// predicates of the subject. It looks at the state where the learner decides, and takes at most one
// transition there. docs/reference/learning.md defines how it is written and what it pays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/store/visited.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "ordeal/machine.h"
#include "ordeal/scenario_context.h"
#include "ordeal/world.h"
#include "system/scenario/evaluator.h"

namespace ordeal::explore {

const StrategyOption& reward_machine_option();
// The text of the machine in place of its name. An Error: there is no such thing.
Result<void> settle_reward_machine(const Steering& steering, Options& options);
class RewardMachine : private monitor::Inside {
 public:
  // `usual`: what a transition pays that does not say. REQUIRES: validate_reward_machine() is
  // content with the text.
  RewardMachine(const std::string& text, double usual);
  RewardMachine(const RewardMachine&) = delete;
  RewardMachine& operator=(const RewardMachine&) = delete;

  // An Error: the world has no such predicate.
  Result<void> bind(World& world);

  void begin_run();
  // The learner decides here, or would. REQUIRES: bound to this world.
  void look(World& world);

  uint32_t state() const { return state_; }
  double paid() const { return paid_; }  // for the transition of the last look
  // The least distance to a graded condition of a transition that pays. None: there is none.
  std::optional<uint32_t> distance() const { return distance_; }
  uint32_t target() const { return target_; }
  bool succeeded() const { return state_ == target_; }
  bool failed() const { return machine_.states()[state_].kind == Machine::Kind::kFailure; }

  // After look(): what the state looks like, after so many steps of the run, which are `length`
  // steps of the system.
  void reach(uint64_t abstract_state, uint64_t steps, size_t length);
  // `run`: its number, from 1 on.
  void end_run(const ShortForm& path, uint64_t run);

  void tell(Learning& out) const;
  // `run`: what to call one.
  std::vector<std::string> notes(const std::string& run) const;
  uint64_t bytes() const { return ways_.bytes(); }

 private:
  struct Literal {
    uint32_t predicate = 0;  // of predicates_
    bool is_so = true;
  };
  // Beside the machine's own transitions, by number.
  struct Pay {
    double amount = 0;
    bool once = false;
    std::vector<std::vector<Literal>> when = {};
    bool was_paid = false;  // in this run
    bool was_taken = false;
  };
  // Where this run entered a state first.
  struct Entered {
    bool is_so = false;
    uint64_t steps = 0;
    size_t length = 0;
  };

  bool holds(uint32_t property, bool over) override;
  // To the condition of a transition; none: nothing in it is graded.
  std::optional<uint32_t> distance_to(World& world, const Pay& pay) const;
  void look_how_far(World& world);
  void count_steps_to_target();

  Machine machine_;
  std::vector<Pay> pays_;                // by transition
  std::vector<std::string> predicates_;  // that conditions ask for
  std::vector<uint32_t> numbers_;        // … as the world knows them
  std::optional<monitor::Lexicon> lexicon_;
  std::optional<monitor::Evaluator> evaluator_;
  ScenarioContext context_;
  uint32_t target_ = 0;
  std::vector<uint32_t> away_;  // by state: transitions to the target, at least

  // This run.
  World* world_ = nullptr;
  uint32_t state_ = 0;
  double paid_ = 0;
  std::optional<uint32_t> distance_;
  bool is_first_look_ = true;
  bool has_moved_ = false;        // in the last look
  std::vector<Entered> entered_;  // by state

  // All of them.
  std::vector<Learning::MachineState> told_;
  std::vector<Learning::MachineStep> steps_;
  VisitedSet ways_;  // pairs of a state and an abstract state
  bool leaves_at_start_ = false;
  uint64_t runs_ = 0;
  std::optional<ShortForm> closest_;
  uint32_t least_away_ = ~0U;
};

}  // namespace ordeal::explore
