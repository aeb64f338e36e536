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
#include "monitor/cards.h"
#include "monitor/judge.h"
#include "ordeal/scenario.h"
#include "ordeal/world.h"

namespace ordeal::monitor {

// How often what happened.
struct Tally {
  std::vector<uint64_t> fired;    // by filter: events it had
  std::vector<uint64_t> in_vain;  // by filter: what it wanted to happen and was not possible
  std::vector<uint64_t> taken;    // by transition of the machine

  void add(const Tally& other);
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
  const Lexicon& lexicon() const { return lexicon_; }
  const std::vector<Cards>& cards() const { return cards_; }
  bool is_value() const { return is_value_; }
  Tally new_tally() const;

  // One step of the monitor, or the beginning of a run. In this order: begin() or take(), then the
  // system takes the step, then observe(), then the system is amended, then settle().
  ScenarioContext begin(uint32_t draw) const;
  // The strategy has picked what visible() offered.
  void take(ScenarioContext& context) const;
  // `story`, if given, gets a line for everything that was done.
  void observe(ScenarioContext& context, std::span<const Event> events, Judge& judge,
               Inside& inside, std::vector<Amendment>& changes, Tally& tally,
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
  // Whether the run ends here, whatever is enabled.
  bool has_failed(const ScenarioContext& context) const;
  // The state of the machine when the run ends here: it sees one last event. `tally`, if given,
  // counts what it takes.
  uint32_t machine_at_end(const ScenarioContext& context, Judge& judge, Inside& inside,
                          Tally* tally = nullptr) const;
  Machine::Kind kind_of(uint32_t machine_state) const;
  std::string name_of(uint32_t machine_state) const;

  static uint64_t hash(const ScenarioContext& context) { return context.hash(1); }
  static uint64_t second_hash(const ScenarioContext& context) { return context.hash(2); }
  static uint64_t owned_bytes(const ScenarioContext& context) { return context.owned_bytes(); }
  value::Tree tree(const ScenarioContext& context) const;  // for people

 private:
  Monitor(const Scenario& scenario, const Checkable& subject, std::vector<Cards> cards);

  void move_machine(ScenarioContext& context, const Event& event, Judge& judge, Inside& inside,
                    Tally& tally, std::vector<std::string>* story) const;
  void filter(ScenarioContext& context, const Event& event, Judge& judge, Inside& inside,
              std::vector<Amendment>& changes, Tally& tally, std::vector<std::string>* story) const;
  void grant(ScenarioContext& context, const Event& event, uint32_t filter,
             std::vector<Amendment>& changes, Tally& tally) const;
  void decide_fate(ScenarioContext& context, const Event& event, uint32_t filter,
                   std::vector<Amendment>& changes, Tally& tally) const;
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
  const Cast cast_;
  const std::vector<Cards> cards_;
  const bool is_value_;
};

}  // namespace ordeal::monitor
