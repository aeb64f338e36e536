// A compiled expression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/eval/machine.h"

namespace ordeal::tla {

// What an expression can depend on.
enum class Level : uint8_t { kConstant, kState, kAction, kTemporal };

class Node {
 public:
  virtual ~Node() = default;
  Place place;
  uint32_t number = 0;  // of all nodes of the program
  Level level = Level::kConstant;
  // Names of frames that it uses and does not bind: slots of the innermost frame, and whether
  // there are others.
  std::vector<uint32_t> free;
  bool outer = false;
  bool pure = true;       // says the same each time
  bool settled = true;    // false: within an operator that is being compiled, and refers to it
  bool branches = false;  // may say yes in more than one way: \/ or \E at a place of actions
  // What is looked up and not worked out: most of what is evaluated. See value_of().
  enum class Leaf : uint8_t { kNone, kLiteral, kVariable, kSlot, kConstant };
  Leaf leaf = Leaf::kNone;
  uint32_t leaf_at = 0;  // the number of the variable, of the slot or of the constant
  Value leaf_value{};    // kLiteral

  virtual Value eval(Machine& m, Frame* f) const = 0;
  // Of formulas. Fails where the value is no boolean.
  virtual bool truth(Machine& m, Frame* f) const;
  // As a part of Next (or Init): for each way in which it is true, gives variables their values
  // and goes on with `k`. False: enough.
  virtual bool act(Machine& m, Frame* f, const Continuation& k) const;
  // Whether the value lies in the set that this is, without writing it out.
  virtual bool has_member(Machine& m, Frame* f, Value element) const;
  // The variable that this is, through parameters and definitions; -1: it is none.
  virtual int variable(Machine& m, Frame* f) const {
    (void)m, (void)f;
    return -1;
  }
  // The variable that this is with a prime; -1: it is none.
  virtual int primed_variable(Machine& m, Frame* f) const {
    (void)m, (void)f;
    return -1;
  }
  // As UNCHANGED of this.
  virtual bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const;
  // This as an argument: its value where that is at hand, else to be evaluated when it is needed.
  // By name: a prime may stand over the parameter, so a variable has to stay one.
  virtual Value passed(Machine& m, Frame* f, bool by_name) const;
  virtual void children(std::vector<const Node*>& out) const { (void)out; }

  [[noreturn]] void fail_here(std::string message) const;
};
using NodeRef = std::unique_ptr<Node>;

// node.eval(m, f), without a virtual call where there is something to be looked up.
inline Value value_of(const Node& node, Machine& m, Frame* f) {
  Value known;
  switch (node.leaf) {
    case Node::Leaf::kLiteral:
      return node.leaf_value;
    case Node::Leaf::kVariable:
      if (m.now != nullptr) known = m.now[node.leaf_at];
      break;
    case Node::Leaf::kSlot:
      known = f->slot(node.leaf_at);
      if (known.is_pending()) known = Value();
      break;
    case Node::Leaf::kConstant:
      known = m.constant(node.leaf_at);
      break;
    case Node::Leaf::kNone:
      break;
  }
  return known.defined() ? known : node.eval(m, f);
}

// The slots of a kind of frame, and the kind of frame around it.
struct Layout {
  Layout* up = nullptr;
  uint32_t slots = 0;
};

// A definition: what calls refer to.
struct Operator {
  std::string name;  // as people call it: "Next", "Votes!Init"
  std::vector<std::string> param_names;
  std::vector<uint8_t> param_arities;
  Layout layout;  // of its frame: parameters first
  const Node* body = nullptr;
  Place place;
  Level level = Level::kConstant;
  bool pure = true;
  bool branches = false;
  // A parameter stands under a prime, ENABLED or UNCHANGED: arguments are passed by name.
  bool primes_params = false;
  int constant = -1;  // number of its value, of definitions without parameters
};

// Places errors that have none yet.
template <class F>
auto placed(const Node& node, F&& run) {
  try {
    return run();
  } catch (EvalError& error) {
    if (!error.placed) {
      error.placed = true;
      error.place = node.place;
    }
    throw;
  }
}

}  // namespace ordeal::tla
