// Machine: a property of runs, as a state machine over events.
//
//   Machine machine("waiting");
//   machine.on("waiting", elected(), "led")
//          .on("led", is_send() && is_message<Vote>(), "again")
//          .on("again", elected(), Machine::kSuccess)
//          .on("again", !holds("one leader"), Machine::kFailure);
//
// Of the transitions that leave a state, in the order in which they were declared, the first whose
// condition is true of the event is taken; at most one per event. Every event is shown to the
// machine before the filters see it. A run whose machine is in a success state at its end has
// succeeded; one that reaches a failure state ends there and has failed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/condition.h"

namespace ordeal {

class Machine {
 public:
  static constexpr const char* kSuccess = "success";
  static constexpr const char* kFailure = "failure";

  enum class Kind : uint8_t { kPlain, kSuccess, kFailure };
  struct State {
    std::string name;
    Kind kind = Kind::kPlain;
  };
  struct Transition {
    uint32_t from = 0;
    uint32_t to = 0;
    Condition condition;
    Where where;
  };

  // The start state has number 0. The states named "success" and "failure" are what they say.
  explicit Machine(std::string start, Where where = Where::current());

  Machine& on(const std::string& from, Condition condition, const std::string& to,
              Where where = Where::current());
  // More states that mean success or failure; created where they do not exist yet.
  Machine& success(const std::string& state);
  Machine& failure(const std::string& state);

  const std::vector<State>& states() const { return states_; }
  const std::vector<Transition>& transitions() const { return transitions_; }
  const Where& where() const { return where_; }
  // -1: there is none of that name.
  int find(const std::string& state) const;

 private:
  uint32_t number_of(const std::string& state);
  std::vector<State> states_;
  std::vector<Transition> transitions_;
  Where where_;
};

}  // namespace ordeal
