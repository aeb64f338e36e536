// Evaluator: decides conditions and carries out reactions, for one run or one thread. Holds the
// copies of the user's functions that it calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ordeal/scenario.h"

namespace ordeal::monitor {

// What of the system a condition may ask about, in the state after the step.
class Inside {
 public:
  virtual ~Inside() = default;
  // Property number `property` of the system; an `eventually` only where the run is over.
  virtual bool holds(uint32_t property, bool over) = 0;
};

// What the names in the conditions of a scenario stand for.
class Lexicon {
 public:
  Lexicon(const Scenario::Declaration& scenario, const std::vector<Property>& properties);

  uint32_t property(const Condition& condition) const { return numbers_.at(condition.id()); }
  uint32_t machine_state(const Condition& condition) const { return numbers_.at(condition.id()); }
  // Of a `once`, condition or reaction.
  uint32_t once(const void* id) const { return numbers_.at(id); }
  const std::vector<Condition>& own_conditions() const { return own_conditions_; }
  const std::vector<Reaction>& own_reactions() const { return own_reactions_; }

 private:
  void learn(const Condition& condition, const Scenario::Declaration& scenario,
             const std::vector<Property>& properties);
  void learn(const Reaction& reaction);

  std::unordered_map<const void*, uint32_t> numbers_;
  std::vector<Condition> own_conditions_;  // with a function of the user's
  std::vector<Reaction> own_reactions_;
  uint32_t onces_ = 0;
};

class Evaluator {
 public:
  explicit Evaluator(const Lexicon& lexicon);

  // New copies of functions that remember things between calls.
  void start_afresh();

  // Whether the condition is true of the event; if so, every `once` that made it true is spent.
  bool fires(const Condition& condition, const Event& event, ScenarioContext& context,
             Inside& inside);
  // The first transition of the machine, from number `first` on, that leaves `state` and whose
  // condition is true of the event. None: the machine stays there.
  std::optional<size_t> leaves(const Machine& machine, uint32_t state, size_t first,
                               const Event& event, ScenarioContext& context, Inside& inside);
  // Lets the reaction say what it wishes, in context.wish_.
  void react(const Reaction& reaction, const Event& event, ScenarioContext& context);

 private:
  bool is_true(const Condition& condition, const Event& event, const ScenarioContext& context,
               Inside& inside);
  // These throw a Failure that names the function, where it fails.
  bool own_condition(const Condition& condition, const Event& event,
                     const ScenarioContext& context);
  void own_reaction(const Reaction& reaction, const Event& event, ScenarioContext& context);
  static bool is_spent(const ScenarioContext& context, uint32_t once);
  static void spend(ScenarioContext& context, uint32_t once);

  const Lexicon& lexicon_;
  std::unordered_map<const void*, Condition::Custom> conditions_;
  std::unordered_map<const void*, Reaction::Custom> reactions_;
  std::vector<uint32_t> spending_;  // by the condition at hand, if it is true
};

// Another content at `path` ("ballot.round", "log[2].term"). An Error says what does not fit.
Result<value::Any> with_field(const value::Any& whole, const std::string& path,
                              const value::Tree& content);

}  // namespace ordeal::monitor
