// Expressions over a state of a specification, and steps by hand: what the prompt works with.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "language/tla/model/explorer.h"

namespace ordeal::tla {

class Prompt {
 public:
  // In the first initial state, if there are behaviours. An Error: there is none, or it cannot be
  // told.
  static Result<std::unique_ptr<Prompt>> make(std::shared_ptr<Specification> specification);
  // No specification: the modules that are known by themselves.
  static Result<std::unique_ptr<Prompt>> without_specification();

  bool has_state() const { return !states_.empty(); }
  const Specification& specification() const { return *spec_; }
  // Of an expression, in the state if there is one.
  Result<Value> evaluate(const std::string& text);
  // A definition for expressions that come later; the names that are known now.
  Result<std::vector<std::string>> define(const std::string& text) { return spec_->define(text); }

  // REQUIRES (of all that follows): has_state().
  std::string state_text();
  size_t depth() const { return states_.size() - 1; }
  size_t initial_count() const { return initial_.size(); }
  Result<void> reset(size_t initial);
  // The successors, in canonical order: "Send(p = a, v = 1)".
  Result<std::vector<std::string>> next();
  Result<void> take(size_t number);
  Result<void> back();
  // From an initial state, by the numbers of actions.
  Result<void> go(size_t initial, std::span<const uint32_t> choices);

 private:
  Prompt(std::shared_ptr<Specification> specification);
  void load();
  Result<void> list();

  std::shared_ptr<Specification> spec_;
  TlaSpace space_;
  TlaExplorer explorer_;
  Machine machine_;
  Heap scratch_;
  std::vector<Value> now_;
  std::vector<StateSpace::Initial> initial_;
  std::vector<std::vector<uint32_t>> states_;  // on the way, the last is here
  std::vector<Choice> choices_;
};

// "Send(p = a, v = 1)"
std::string step_text(const Action& action);

}  // namespace ordeal::tla
