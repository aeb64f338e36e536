// What evaluates expressions: the state at hand, the one that is being built, and scratch memory.
//
// A Machine belongs to one thread. Names are slots by the time expressions get here (compile/): a
// frame has one for each parameter and each bound variable of an operator, and knows the frame of
// the operator around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/library/library.h"
#include "language/tla/value/heap.h"
#include "language/tla/value/value.h"

namespace ordeal::tla {

class Machine;
class Node;
struct Operator;

// Slots hold values, or what is not one yet: a Thunk or a Closure (Value::pending()).
struct Frame {
  Frame* up = nullptr;
  uint32_t size = 0;
  Value* slots() { return reinterpret_cast<Value*>(this + 1); }
  Value& slot(uint32_t at) { return slots()[at]; }
};

struct Pending {
  enum class Kind : uint8_t { kThunk, kClosure };
  Kind kind;
};

// An argument or a definition of LET: evaluated when it is needed, at most once in a state. What
// has a prime in it is evaluated each time, because the successor is still being built; `now` is
// the state for which a value that is kept is right.
struct Thunk : Pending {
  const Node* node;
  Frame* frame;
  const Value* now;
  bool keeps;
  Value value;
};

// An operator as an argument.
struct Closure : Pending {
  const Operator* op;  // null: a builtin
  Frame* up;           // the frame that the operator is defined in
  const Builtin* builtin;
};

// What remains to be done once an action has said all that it says: the next conjunct, or telling
// that a successor is complete. False: nobody wants more successors.
class Continuation {
 public:
  virtual bool go(Machine& machine) const = 0;

 protected:
  ~Continuation() = default;
};

// Which named action, with which arguments, makes a successor.
struct Label {
  const Operator* op = nullptr;
  Frame* frame = nullptr;
  uint32_t first_witness = 0;  // in Machine::witnesses, of those chosen within it
};

// A witness of \E on the way from Next to what is done.
struct Witness {
  const std::string* name = nullptr;
  Value value;
};

class Machine {
 public:
  Machine(size_t variables, size_t constants, Host& host);

  Heap& heap() { return *heap_; }
  Frame* frame(Frame* up, uint32_t slots) {
    auto* out = static_cast<Frame*>(heap_->allocate(sizeof(Frame) + slots * sizeof(Value)));
    out->up = up;
    out->size = slots;
    for (uint32_t i = 0; i < slots; ++i) out->slots()[i] = Value();
    return out;
  }

  // The state that names of variables mean, and the one that primed names mean; null: there is none
  // (primes make no sense). Undefined where a variable has no value yet.
  Value* now = nullptr;
  Value* next = nullptr;
  // Of the state at hand, as TLC counts them: initial states have level 1. 0: there is no state.
  uint32_t level = 0;
  // The next state of which ENABLED asks whether there is one; null: nobody asks. Behind the
  // variables it has those of instances that expressions stand for.
  Value* looked_for = nullptr;
  uint32_t substituted = 0;  // how many of these there are
  // Initial states are being built: `x = e` gives an unprimed variable its value.
  bool starting = false;
  // Every variable of the state that is being built has its value: what remains to be said of it is
  // true or not, once.
  bool is_complete() const {
    const Value* const built = starting ? now : next;
    if (built == looked_for && substituted > 0) return false;
    for (size_t i = variables_; i-- > 0;) {
      if (!built[i].defined()) return false;
    }
    return true;
  }
  // Whether what is entered says which action this is.
  bool naming = false;
  const Operator* whole = nullptr;  // Next, which names a step only where nothing else does
  Label label;
  std::vector<Witness> witnesses;
  bool has_name() const { return label.op != nullptr && label.op != whole; }

  Host& host() { return host_; }
  size_t variables() const { return variables_; }

  // Values that do not depend on the state, by number; undefined: not needed so far.
  Value constant(uint32_t number) const { return constants_[number]; }
  Value keep_constant(uint32_t number, Value value);
  // More were compiled since this was made.
  void grow_constants(size_t count) {
    if (count > constants_.size()) constants_.resize(count);
  }
  // Where constants live: for good.
  Heap& constant_heap() { return constant_heap_; }
  // Evaluates with constants' memory as scratch.
  template <class F>
  Value in_constant_heap(F&& evaluate) {
    Heap* const before = heap_;
    heap_ = &constant_heap_;
    struct Back {
      Heap*& heap;
      Heap* before;
      ~Back() { heap = before; }
    } back{heap_, before};
    return evaluate();
  }
  void use(Heap& heap) { heap_ = &heap; }

  // Recursion is bounded by the stack of the thread: a specification that recurses without end
  // gets an error.
  void enter() const {
    const char here = 0;
    if (&here < lowest_) too_deep();
  }
  // The thread that calls is the one that evaluates from now on.
  void settle_on_thread();

  // How often each node was evaluated, by Node::number; null: nobody wants to know.
  std::vector<uint64_t>* counts = nullptr;

 private:
  [[noreturn]] static void too_deep();

  size_t variables_;
  Host& host_;
  Heap scratch_;
  Heap constant_heap_;
  Heap* heap_ = &scratch_;
  std::vector<Value> constants_;
  const char* lowest_ = nullptr;  // of the stack that may be used
};

// REQUIRES: the slot is defined.
Value force(Machine& machine, Value& slot);

}  // namespace ordeal::tla
