// Monitor: a scenario at work on a system. It sees the events of every step, moves the property
// machine, lets filters react, and says which of the system's actions the strategy may pick from.
//
// It changes nothing itself: what it remembers is in a ScenarioContext, what it wants of the system
// comes out as amendments. The product of a system with it is in product.h (runs) and
// product_space.h (states).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutant.h"
#include "ordeal/scenario.h"
#include "ordeal/world.h"
#include "system/scenario/cards.h"
#include "system/scenario/evaluator.h"
#include "system/scenario/places.h"
#include "system/scenario/script_line.h"
#include "world/type_names.h"

namespace ordeal::monitor {

// How often what happened.
struct Tally {
  std::vector<uint64_t> fired;    // by filter: events it had
  std::vector<uint64_t> in_vain;  // by filter: what it wanted to happen and was not possible
  std::vector<uint64_t> taken;    // by transition of the machine

  void add(const Tally& other);
};

// What a run has come to.
struct Standing {
  Machine::Kind kind = Machine::Kind::kPlain;  // of the state of the machine
  std::string state;                           // its name
  uint32_t lost_line = 0;                      // of the script, from 1; 0: none
};

// The system in the state it is in now, filters or not.
class Surroundings : public Inside {
 public:
  virtual const std::vector<Choice>& enabled() = 0;
  virtual Offer offer(uint32_t index) = 0;
  virtual Action action(uint32_t index) = 0;
  virtual void on_its_way(std::vector<Event>& out) = 0;
};

class Monitor {
 public:
  // REQUIRES: the scenario is valid for the subject.
  static Result<std::shared_ptr<const Monitor>> make(const Scenario& scenario,
                                                     const Checkable& subject);

  const Scenario::Declaration& scenario() const { return scenario_; }
  // Its name, and a number that another declaration under this name would not have, as far as it
  // can be written down: functions are known by their names only.
  std::string identity() const;
  const Lexicon& lexicon() const { return lexicon_; }
  const std::vector<Cards>& cards() const { return cards_; }
  bool is_value() const { return is_value_; }
  const TypeNames& names() const { return names_; }
  Tally new_tally() const;

  // An Error where the system has fewer initial states.
  static Result<void> has_start(uint32_t initial, uint32_t count);

  // One step of the monitor, or the beginning of a run. In this order: begin() or take(), then the
  // system takes the step, then observe(), then the system is amended, then settle().
  ScenarioContext begin(uint32_t draw) const;
  // The strategy has picked what visible() offered: an action of that kind, about that.
  void take(ScenarioContext& context, ActionKind kind, const Offer& offer) const;
  // `story`, if given, gets a line for everything that was done.
  void observe(ScenarioContext& context, std::span<const Event> events, Evaluator& evaluator,
               Surroundings& system, std::vector<Amendment>& changes, Tally& tally,
               std::vector<std::string>* story = nullptr) const;
  void settle(ScenarioContext& context, Surroundings& system, Tally& tally) const;

  // The indexes of those enabled actions that the strategy may pick from, in their order.
  void visible(const ScenarioContext& context, Surroundings& system,
               std::vector<uint32_t>& out) const;
  // What visible() offers must happen: it keeps the run alive, also where it is a fault.
  bool is_forced(const ScenarioContext& context) const {
    return !mutant(Mutant::kForcedIsIdle) &&
           (!context.next_.empty() || context.script_ < scenario_.script.size());
  }
  // Whether the run ends here, whatever is enabled: in a failure, at a line of the script that is
  // not possible, or after as many steps as it has.
  bool has_failed(const ScenarioContext& context) const;
  bool is_over(const ScenarioContext& context) const {
    return context.lost_line_ > 0 ||
           (scenario_.ends_after > 0 && context.steps_ >= scenario_.ends_after);
  }
  // What the run has come to, for Verdicts.
  Standing standing(const ScenarioContext& context, uint32_t machine) const {
    return {kind_of(machine), name_of(machine), context.lost_line_};
  }
  // The state of the machine when the run ends here: it sees one last event. `tally`, if given,
  // counts what it takes.
  uint32_t machine_at_end(const ScenarioContext& context, Evaluator& evaluator, Inside& inside,
                          Tally* tally = nullptr) const;
  Machine::Kind kind_of(uint32_t machine_state) const;
  std::string name_of(uint32_t machine_state) const;

  static uint64_t hash(const ScenarioContext& context) { return context.hash(1); }
  static uint64_t second_hash(const ScenarioContext& context) { return context.hash(2); }
  static uint64_t digest(const ScenarioContext& context) { return context.digest(); }
  static uint64_t owned_bytes(const ScenarioContext& context) { return context.owned_bytes(); }
  static void write(const ScenarioContext& context, std::string& bytes) { context.write(bytes); }
  // False: these are no bytes of a context of this scenario.
  bool read(std::string_view& bytes, ScenarioContext& context) const {
    if (!context.read(bytes) || context.draw_ >= cards_.size()) return false;
    context.cards_ = &cards_[context.draw_];
    return true;
  }
  value::Tree tree(const ScenarioContext& context) const;  // for people

 private:
  Monitor(const Scenario& scenario, const Checkable& subject, std::vector<Cards> cards);

  void move_machine(ScenarioContext& context, const Event& event, Evaluator& evaluator,
                    Inside& inside, Tally& tally, std::vector<std::string>* story) const;
  // What filters want of the system, and where what they speak of is.
  struct Changes {
    Places places;
    std::vector<Amendment> to_pending;
    std::vector<Amendment> added;  // behind everything else
  };
  void filter(ScenarioContext& context, const Event& event, size_t number, Evaluator& evaluator,
              Inside& inside, Changes& changes, Tally& tally,
              std::vector<std::string>* story) const;
  void grant(ScenarioContext& context, const Event& event, size_t number, uint32_t filter,
             Changes& changes, Tally& tally) const;
  void decide_fate(ScenarioContext& context, const Event& event, size_t number, uint32_t filter,
                   Changes& changes, Tally& tally) const;
  // Messages of that link have moved up, or have one more before them.
  void shift_queue(ScenarioContext& context, ActionKind kind, const Offer& offer) const;
  bool is_queued(const Offer& offer) const {
    return cast_.ordered && offer.kind == ActionKind::kDeliver && !mutant(Mutant::kHeldByContent);
  }
  bool stops_time(const Event& event, ScenarioContext::Fate fate) const;
  void forget_what_is_gone(ScenarioContext& context, Surroundings& system) const;
  bool handles(NodeId node, const value::Any& message) const;
  bool is_hidden(const ScenarioContext& context, const Offer& offer, Surroundings& system) const;
  bool allows_fault(Surroundings& system, uint32_t index) const;
  bool allows_crash_within(Surroundings& system, uint32_t index) const;
  // The enabled action that line number `line` of the script is; -1: none.
  int find_scripted(const ScenarioContext& context, Surroundings& system, uint32_t line) const;
  // Delays get shorter by so many steps.
  static void wait(ScenarioContext& context, uint32_t steps);
  bool wait_for_delayed(ScenarioContext& context, Surroundings& system) const;

  const Scenario::Declaration scenario_;
  const Lexicon lexicon_;
  std::vector<ScriptLine> script_;
  const Cast cast_;
  const TypeNames names_;
  const std::vector<Cards> cards_;
  const bool is_value_;
};

}  // namespace ordeal::monitor
