// The kinds of compiled expressions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "language/tla/eval/node.h"

namespace ordeal::tla {

#define ORDEAL_TLA_EVAL Value eval(Machine& m, Frame* f) const override
#define ORDEAL_TLA_TRUTH bool truth(Machine& m, Frame* f) const override
#define ORDEAL_TLA_ACT bool act(Machine& m, Frame* f, const Continuation& k) const override
#define ORDEAL_TLA_CHILDREN void children(std::vector<const Node*>& out) const override

// --- Names ---------------------------------------------------------------------------------------
struct LiteralNode final : Node {
  explicit LiteralNode(Value value) : value(value) {
    leaf = Leaf::kLiteral;
    leaf_value = value;
  }
  Value value;
  ORDEAL_TLA_EVAL;
  Value passed(Machine&, Frame*, bool) const override { return value; }
};

struct VariableNode final : Node {
  explicit VariableNode(uint32_t index, std::string name) : index(index), name(std::move(name)) {
    leaf = Leaf::kVariable;
    leaf_at = index;
  }
  uint32_t index;
  std::string name;
  ORDEAL_TLA_EVAL;
  int variable(Machine&, Frame*) const override { return static_cast<int>(index); }
  Value passed(Machine& m, Frame* f, bool by_name) const override;
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override;
};

// A variable of an instance with the expression that stands for it. Whether an action of the
// instance is enabled is a question about the instance's variables: there it is one that may have
// any next value, whatever the expression could come to.
struct SubstitutedNode final : Node {
  SubstitutedNode(std::string name, uint32_t number) : name(std::move(name)), number(number) {}
  std::string name;
  uint32_t number;  // of all of them
  NodeRef child;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  int variable(Machine& m, Frame* f) const override;
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override;
  bool has_member(Machine& m, Frame* f, Value element) const override;
  // Whether that state is one that ENABLED looks for.
  bool is_itself_in(const Machine& m, const Value* state) const;
};

// A slot of a frame: a parameter, a bound variable, a definition of LET.
struct LocalNode final : Node {
  LocalNode(uint32_t hops, uint32_t slot, std::string name)
      : hops(hops), slot(slot), name(std::move(name)) {
    if (hops == 0) leaf = Leaf::kSlot;
    leaf_at = slot;
  }
  uint32_t hops;
  uint32_t slot;
  std::string name;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  int variable(Machine& m, Frame* f) const override;
  int primed_variable(Machine& m, Frame* f) const override;
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override;
  Value passed(Machine&, Frame* f, bool) const override { return at(f); }
  Value& at(Frame* f) const {
    for (uint32_t i = 0; i < hops; ++i) f = f->up;
    return f->slot(slot);
  }
};

struct Argument {
  NodeRef node;                  // a value
  const Operator* op = nullptr;  // or an operator: defined so many frames up,
  uint32_t hops = 0;
  const Builtin* builtin = nullptr;  // or builtin,
  int slot = -1;                     // or a parameter that is one, in that slot
};

// An operator with its arguments.
struct CallNode final : Node {
  const Operator* op = nullptr;
  uint32_t hops = 0;      // to the frame that it is defined in
  bool has_home = false;  // false: it is defined in no frame
  // Of parametrised instances: frames that are made around it, the outermost first.
  struct Instance {
    const Layout* layout = nullptr;
    std::vector<Argument> arguments;
  };
  std::vector<Instance> instances;
  std::vector<Argument> arguments;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  int variable(Machine& m, Frame* f) const override;
  int primed_variable(Machine& m, Frame* f) const override;
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override;
  bool has_member(Machine& m, Frame* f, Value element) const override;
  Frame* enter(Machine& m, Frame* f) const;
};

// A parameter that is an operator, with arguments.
struct CallLocalNode final : Node {
  uint32_t hops = 0;
  uint32_t slot = 0;
  std::vector<Argument> arguments;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  const Closure& closure(Frame* f) const;
  // REQUIRES: it stands for a definition.
  Frame* enter(Machine& m, Frame* f, const Closure& operation) const;
};

// A value that does not depend on the state: computed once.
struct ConstantNode final : Node {
  uint32_t constant = 0;
  const Layout* layout = nullptr;  // of the frame that its own names lie in
  NodeRef child;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct LetNode final : Node {
  struct Definition {
    uint32_t slot;
    NodeRef node;
  };
  std::vector<Definition> definitions;  // those without parameters
  NodeRef body;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
  void bind(Machine& m, Frame* f) const;
};

struct BuiltinNode : Node {
  const Builtin* builtin = nullptr;
  std::vector<Argument> arguments;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct SubsetEqNode final : BuiltinNode {  // gives a variable its value, as \in SUBSET would
  ORDEAL_TLA_ACT;
};

// A constant with parameters whose values the configuration lists: Op(1, "a") = 7.
struct TableNode final : Node {
  std::string name;
  std::vector<std::pair<std::vector<Value>, Value>> rows;
  std::vector<NodeRef> arguments;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

// --- Logic ---------------------------------------------------------------------------------------
struct ListNode final : Node {  // conjunctions and disjunctions
  bool is_and = true;
  int spine = -1;              // of conjunctions: the item that says which action it is
  bool spine_is_call = false;  // … a definition: an action that has a name already keeps it
  std::vector<NodeRef> items;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  bool act_from(Machine& m, Frame* f, size_t item, bool naming, const Continuation& k) const;
};

struct NotNode final : Node {
  NodeRef child;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct ImpliesNode final : Node {
  NodeRef left, right;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

struct EquivalentNode final : Node {
  NodeRef left, right;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct IfNode final : Node {
  NodeRef test, then, otherwise;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct CaseNode final : Node {
  std::vector<std::pair<NodeRef, NodeRef>> arms;
  NodeRef other;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
  const Node* pick(Machine& m, Frame* f) const;
};

struct EqualNode final : Node {  // = and /=
  bool negated = false;
  NodeRef left, right;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

struct MemberNode final : Node {  // \in and \notin
  bool negated = false;
  NodeRef left, right;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

enum class Arithmetic : uint8_t { kAdd, kSubtract, kLess, kLessEqual, kGreater, kGreaterEqual };

struct ArithmeticNode final : Node {
  Arithmetic what = Arithmetic::kAdd;
  NodeRef left, right;
  const Builtin* builtin = nullptr;  // what is done with numbers that are not small, or no numbers
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

// --- Sets, functions, quantifiers ----------------------------------------------------------------
struct BoundSet {
  std::vector<uint32_t> slots;
  std::vector<std::string> names;
  bool is_tuple = false;
  NodeRef set;
};

enum class Quantifier : uint8_t { kForAll, kExists };

struct QuantifierNode final : Node {
  Quantifier which = Quantifier::kExists;
  std::vector<BoundSet> bounds;
  NodeRef body;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_TRUTH;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

struct ChooseNode final : Node {
  BoundSet bound;
  NodeRef body;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct CollectNode final : Node {  // {e1, …} and <<e1, …>>
  bool is_set = true;
  std::vector<NodeRef> items;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct RecordNode final : Node {  // [a |-> e, …], and [a : S, …]
  bool is_set = false;
  std::vector<Value> names;    // sorted
  std::vector<NodeRef> items;  // in the order of the names
  const Object* keys = nullptr;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct FunctionSetNode final : Node {
  NodeRef from, to;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct SubsetNode final : Node {
  NodeRef child;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct ProductNode final : Node {
  std::vector<NodeRef> items;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct CupNode final : Node {
  NodeRef left, right;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct FilterNode final : Node {
  BoundSet bound;
  NodeRef body;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  bool has_member(Machine& m, Frame* f, Value element) const override;
};

struct MapNode final : Node {
  std::vector<BoundSet> bounds;
  NodeRef body;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct FunctionNode final : Node {
  std::vector<BoundSet> bounds;
  NodeRef body;
  // f[x \in S] == e: computed when it is applied, in a frame of its own.
  bool is_recursive = false;
  Layout layout;  // of that frame
  std::string name;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  Value domain(Machine& m, Frame* f) const;
};

struct ApplyNode final : Node {
  NodeRef function;
  std::vector<NodeRef> arguments;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  // A recursive function that nobody has written out so far is entered, so that each way in which
  // its body is true counts.
  bool act(Machine& m, Frame* f, const Continuation& k) const override;
};

struct FieldNode final : Node {
  NodeRef record;
  Value name;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

struct ExceptNode final : Node {
  struct Step {
    Value field;                   // defined: !.field
    std::vector<NodeRef> indices;  // ![e1, …]
  };
  struct Update {
    std::vector<Step> path;
    uint32_t at_slot = 0;  // what @ means
    bool uses_at = false;
    NodeRef value;
  };
  NodeRef function;
  std::vector<Update> updates;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
  Value changed(Machine& m, Frame* f, Value old, const Update& update, size_t step) const;
};

// --- Actions -------------------------------------------------------------------------------------
struct PrimeNode final : Node {
  explicit PrimeNode(NodeRef primed)
      : child(std::move(primed)), plain(dynamic_cast<const VariableNode*>(child.get())) {}
  NodeRef child;
  const VariableNode* plain;  // where the child is a variable
  ORDEAL_TLA_EVAL;
  int primed_variable(Machine& m, Frame* f) const override { return child->variable(m, f); }
  ORDEAL_TLA_CHILDREN;
};

struct UnchangedNode final : Node {
  NodeRef child;
  std::vector<uint32_t> variables;  // where it is known which they are
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

struct EnabledNode final : Node {
  NodeRef child;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};
// Whether some step that the action allows begins in the state at hand.
bool is_enabled(Machine& m, Frame* f, const Node& action);

struct BoxNode final : Node {  // [A]_v and <<A>>_v
  bool is_box = true;
  NodeRef action;
  NodeRef subscript;
  std::vector<uint32_t> variables;  // that the subscript is a tuple of, where that is known
  // Whether the step changes the subscript. A variable of it that has no value yet may be anything.
  bool changes(Machine& m, Frame* f) const;
  static bool changes(Machine& m, Frame* f, const Node& what);
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

// A \cdot B: a step of A and then one of B, by way of a state that is never seen.
struct ComposedNode final : Node {
  NodeRef first, second;
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_ACT;
  ORDEAL_TLA_CHILDREN;
};

// A formula about whole behaviours: it is taken apart, never evaluated.
struct TemporalNode final : Node {
  std::string what;            // "[]", "<>", "~>", "WF", "SF", "\\AA", "\\EE", "-+->"
  std::vector<NodeRef> items;  // of WF_v(A) and SF_v(A): <<A>>_v alone
  ORDEAL_TLA_EVAL;
  ORDEAL_TLA_CHILDREN;
};

// What is refused when it is reached and not before: an unbounded quantifier, say.
struct RefusedNode final : Node {
  std::string why;
  ORDEAL_TLA_EVAL;
};

#undef ORDEAL_TLA_EVAL
#undef ORDEAL_TLA_TRUTH
#undef ORDEAL_TLA_ACT
#undef ORDEAL_TLA_CHILDREN

// What waits in a slot to be evaluated; null: it holds a value, or an operator.
inline const Thunk* thunk_of(Value slot) {
  if (!slot.is_pending()) return nullptr;
  const auto* const pending = static_cast<const Pending*>(slot.what());
  return pending->kind == Pending::Kind::kThunk ? static_cast<const Thunk*>(pending) : nullptr;
}

// An argument as it is passed: a value where that costs nothing, else a Thunk or a Closure.
Value pass(Machine& m, Frame* f, const Argument& argument, bool by_name);
void pass_children(const std::vector<Argument>& arguments, std::vector<const Node*>& out);
Value call(Machine& m, const Closure& closure, std::span<const Value> arguments);

}  // namespace ordeal::tla
