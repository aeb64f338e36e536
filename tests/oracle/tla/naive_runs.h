// Whether a specification has a behaviour of some kind, by the definitions: the graph of all states
// is written out, a formula is guessed through it bit by bit, and every way to be fair is tried.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/tla/naive_eval.h"
#include "tests/oracle/tla/random_behaviours.h"

namespace ordeal::oracle::naive {

// What is true in a moment of a behaviour: of a state, and of the step that begins there.
using Moments = std::function<bool(const Behaviour&, size_t from, size_t to)>;

class Runs {
 public:
  // All states that are reached within the constraint. Throws TooMuch beyond `most`.
  Runs(Evaluator& evaluator, const RandomBehaviours& spec, size_t most);

  size_t size() const { return states_.size(); }
  // Whether some fair behaviour violates the formula.
  bool has_violation(const Behaviour& claim);
  // What is wrong with a behaviour that should be fair and violate the formula; "": nothing is. It
  // goes back from its last state to number `loop`, where that state is the same.
  std::string problem_of(const std::vector<State>& states, size_t loop, const Behaviour& claim);

 private:
  struct Fair {
    Behaviour taken;  // <<A>>_v
    bool strong = false;
  };

  size_t number_of(const State& state);
  bool is_true(const Behaviour& leaf, size_t from, size_t to);
  bool is_enabled(const Behaviour& taken, size_t state);
  bool differs(const State& a, const State& b, const std::vector<size_t>& variables) const;
  bool has_fair_run(const Behaviour& formula, const std::vector<const Fair*>& never);
  // Of a behaviour without end, that comes again and again: at its moment number `at`.
  bool holds(const Behaviour& formula, const std::vector<size_t>& word, size_t loop, size_t at);

  Evaluator& naive_;
  const RandomBehaviours& spec_;
  std::vector<State> states_;
  std::vector<size_t> initial_;
  std::vector<std::vector<size_t>> to_;  // itself among them: nothing happens
  std::vector<Fair> fair_;
  std::map<std::pair<std::string, std::pair<size_t, size_t>>, bool> known_;
};

}  // namespace ordeal::oracle::naive
