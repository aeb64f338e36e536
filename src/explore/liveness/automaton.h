// Automaton: which runs a formula is true of, as a generalised Büchi automaton whose transitions
// are accepting. Made by a tableau, as far as it is asked for: a state is a set of formulas that
// must be true from there on, and reading a letter (what is true of a state and of the step from
// it) leaves what must be true afterwards. An `eventually` that is put off is noted on the
// transition: a run is accepted if it puts none off for ever.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ordeal/liveness.h"

namespace ordeal::explore {

// A set of small numbers.
class Marks {
 public:
  void add(uint32_t number) {
    if (number / 64 >= words_.size()) words_.resize(number / 64 + 1);
    words_[number / 64] |= uint64_t{1} << number % 64;
  }
  bool has(uint32_t number) const {
    return number / 64 < words_.size() && (words_[number / 64] >> number % 64 & 1) != 0;
  }
  bool is_within(const Marks& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0)) != 0) return false;
    }
    return true;
  }

 private:
  std::vector<uint64_t> words_;
};

class Automaton {
 public:
  using State = uint32_t;
  // Which atoms are true: of the state, of the step.
  struct Letter {
    const std::vector<bool>* state = nullptr;
    const std::vector<bool>* step = nullptr;
  };
  struct Move {
    State to = 0;
    Marks put_off;  // by number of acceptance set
  };

  explicit Automaton(const Formula& formula);

  // Whether no run is accepted, whatever happens in it.
  bool is_empty() const { return empty_; }
  State initial() const { return 0; }
  // Each must be met again and again: by a transition that does not put it off.
  uint32_t acceptance_sets() const { return static_cast<uint32_t>(promises_.size()); }
  uint32_t states() const { return static_cast<uint32_t>(states_.size()); }

  // In a fixed order. May add states.
  std::vector<Move> moves(State from, const Letter& letter);

 private:
  using Node = uint32_t;  // of a formula
  using Set = std::vector<Node>;
  struct Content {
    Formula::Is is = Formula::Is::kTrue;
    bool negated = false;  // of an atom
    uint32_t atom = 0;
    Set parts = {};
    uint32_t promise = 0;  // of kEventually

    auto operator<=>(const Content&) const = default;
  };
  struct Branch {
    Set todo;
    Set next;
    Marks put_off;
  };
  enum class Now : uint8_t { kTrue, kFalse, kLater };

  Node make(Content content);
  Node literal(Formula::Is is, uint32_t atom, bool negated);
  Node join(Formula::Is is, Set parts);
  Node always(Node of);
  Node eventually(Node of);
  Node normal(const Formula& formula, bool negated);
  // What is to be said of the formula by the letter alone.
  Now now(Node node, const Letter& letter) const;
  void expand(Branch branch, const Letter& letter, std::vector<Branch>& out) const;
  State state_of(Set set);

  std::vector<Content> nodes_;
  std::map<Content, Node> known_;
  std::vector<Node> promises_;  // the `eventually` of each acceptance set
  std::vector<Set> states_;
  std::map<Set, State> known_states_;
  bool empty_ = false;
};

}  // namespace ordeal::explore
