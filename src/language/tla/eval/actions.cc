// Formulas about two states.
#include <algorithm>

#include "language/tla/eval/nodes.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

namespace {

// Evaluates in the successor.
class InNext {
 public:
  explicit InNext(Machine& m) : m_(m), now_(m.now), next_(m.next) {
    m.now = m.next;
    m.next = nullptr;
  }
  ~InNext() {
    m_.now = now_;
    m_.next = next_;
  }
  InNext(const InNext&) = delete;
  InNext& operator=(const InNext&) = delete;

 private:
  Machine& m_;
  Value* now_;
  Value* next_;
};

struct Found final : Continuation {
  bool go(Machine&) const override {
    found = true;
    return false;
  }
  mutable bool found = false;
};

}  // namespace

Value PrimeNode::eval(Machine& m, Frame* f) const {
  if (m.next == nullptr) fail_here("there is no next state here that a prime could mean");
  if (plain != nullptr) {
    const Value value = m.next[plain->index];
    if (!value.defined()) fail_here("variable " + plain->name + "' is used before it has a value");
    return value;
  }
  if (mutant(TlaMutant::kPrimeOfVariables)) return child->eval(m, f);
  const InNext in_next(m);
  return child->eval(m, f);
}

void PrimeNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

Value UnchangedNode::eval(Machine& m, Frame* f) const {
  const Value before = child->eval(m, f);
  if (m.next == nullptr) fail_here("there is no next state here that UNCHANGED could mean");
  const InNext in_next(m);
  const Value after = child->eval(m, f);
  return Value::boolean(equal(m.heap(), before, after));
}

bool UnchangedNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (m.next == nullptr) fail_here("there is no next state here that UNCHANGED could mean");
  if (variables.empty()) return child->act_unchanged(m, f, k);
  // Almost always all of them are still without a value.
  for (size_t i = 0; i < variables.size(); ++i) {
    if (m.next[variables[i]].defined()) return child->act_unchanged(m, f, k);
  }
  for (const uint32_t variable : variables) m.next[variable] = m.now[variable];
  const bool more = k.go(m);
  for (const uint32_t variable : variables) m.next[variable] = Value();
  return more;
}

void UnchangedNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

bool is_enabled(Machine& m, Frame* f, const Node& action) {
  struct Back {
    Machine& m;
    Value *next, *looked_for;
    bool naming, starting;
    ~Back() {
      m.next = next;
      m.looked_for = looked_for;
      m.naming = naming;
      m.starting = starting;
    }
  } back{m, m.next, m.looked_for, m.naming, m.starting};
  const size_t size = m.variables() + m.substituted;
  m.next = static_cast<Value*>(m.heap().allocate((size + 1) * sizeof(Value)));
  for (size_t i = 0; i < size; ++i) m.next[i] = Value();
  if (mutant(TlaMutant::kEnabledSeesStep) && back.next != nullptr) {
    for (size_t i = 0; i < m.variables(); ++i) m.next[i] = back.next[i];
  }
  m.looked_for = m.next;
  m.naming = false;
  m.starting = false;
  const Found found;
  action.act(m, f, found);
  return found.found;
}

Value EnabledNode::eval(Machine& m, Frame* f) const {
  return Value::boolean(is_enabled(m, f, *child));
}

void EnabledNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

bool BoxNode::changes(Machine& m, Frame* f) const {
  if (m.next == nullptr) fail_here("there is no next state here that [A]_v could mean");
  if (mutant(TlaMutant::kSubscriptForgotten) && !is_box && m.next != m.looked_for) return true;
  if (mutant(TlaMutant::kEnabledStandsStill) && m.next == m.looked_for) return true;
  bool all_known = !variables.empty();
  for (const uint32_t variable : variables) {
    if (!m.next[variable].defined()) return true;
    all_known = all_known && m.now[variable].defined();
    if (all_known && !equal(m.heap(), m.now[variable], m.next[variable])) return true;
  }
  if (all_known) return false;
  return changes(m, f, *subscript);
}

bool BoxNode::changes(Machine& m, Frame* f, const Node& what) {
  // Item by item, as one may change that has no value yet.
  if (const auto* tuple = dynamic_cast<const CollectNode*>(&what); tuple && !tuple->is_set) {
    return std::any_of(tuple->items.begin(), tuple->items.end(),
                       [&](const NodeRef& item) { return changes(m, f, *item); });
  }
  if (const auto* call = dynamic_cast<const CallNode*>(&what);
      call != nullptr && call->op->constant < 0 && call->op->body != nullptr) {
    return changes(m, call->enter(m, f), *call->op->body);
  }
  const int variable = what.variable(m, f);
  if (variable >= 0 && !m.next[variable].defined()) return true;
  const Value before = what.eval(m, f);
  const InNext in_next(m);
  const Value after = what.eval(m, f);
  return !equal(m.heap(), before, after);
}

Value BoxNode::eval(Machine& m, Frame* f) const {
  const bool stutters = !changes(m, f);
  const bool asks = !stutters || mutant(TlaMutant::kStutteringJudged);
  if (is_box) return Value::boolean(!asks || action->truth(m, f));
  return Value::boolean(!stutters && action->truth(m, f));
}

bool BoxNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (is_box) {
    if (!action->act(m, f, k)) return false;
    return subscript->act_unchanged(m, f, k);
  }
  struct Changed final : Continuation {
    Changed(const BoxNode& node, Frame* f, const Continuation& k) : node(node), f(f), k(k) {}
    bool go(Machine& m) const override { return node.changes(m, f) ? k.go(m) : true; }
    const BoxNode& node;
    Frame* f;
    const Continuation& k;
  };
  return action->act(m, f, Changed(*this, f, k));
}

void BoxNode::children(std::vector<const Node*>& out) const {
  out.push_back(action.get());
  out.push_back(subscript.get());
}

Value ComposedNode::eval(Machine& m, Frame* f) const {
  if (m.next == nullptr) fail_here("there is no next state here that \\cdot could lead to");
  const Found found;
  act(m, f, found);
  return Value::boolean(found.found);
}

bool ComposedNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (m.next == nullptr) fail_here("there is no next state here that \\cdot could lead to");
  // What comes after both sees the states that were there before.
  struct After final : Continuation {
    After(Value* now, bool naming, const Continuation& k) : now(now), naming(naming), k(k) {}
    bool go(Machine& m) const override {
      Value* const between = m.now;
      m.now = now;
      m.naming = naming;
      const bool more = k.go(m);
      m.now = between;
      m.naming = false;
      return more;
    }
    Value* now;
    bool naming;
    const Continuation& k;
  };
  struct Second final : Continuation {
    Second(const ComposedNode& node, Frame* f, Value* next, bool naming, const Continuation& k)
        : node(node), f(f), next(next), naming(naming), k(k) {}
    bool go(Machine& m) const override {
      Value* const now = m.now;
      Value* const between = m.next;
      const bool before = m.naming;
      m.now = between;
      m.next = next;
      m.naming = false;
      const bool more = node.second->act(m, f, After(now, naming, k));
      m.now = now;
      m.next = between;
      m.naming = before;
      return more;
    }
    const ComposedNode& node;
    Frame* f;
    Value* next;
    bool naming;
    const Continuation& k;
  };
  Value* const next = m.next;
  m.next = static_cast<Value*>(m.heap().allocate((m.variables() + 1) * sizeof(Value)));
  for (size_t i = 0; i < m.variables(); ++i) m.next[i] = Value();
  struct Back {
    Machine& m;
    Value *now, *next;
    bool naming;
    ~Back() {
      m.now = now;
      m.next = next;
      m.naming = naming;
    }
  } back{m, m.now, next, m.naming};
  return first->act(m, f, Second(*this, f, next, m.naming, k));
}

void ComposedNode::children(std::vector<const Node*>& out) const {
  out.push_back(first.get());
  out.push_back(second.get());
}

Value TemporalNode::eval(Machine&, Frame*) const {
  fail_here("a formula about behaviours (" + what + ") has no value in a single state");
}

void TemporalNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& item : items) out.push_back(item.get());
}

Value RefusedNode::eval(Machine&, Frame*) const { fail_here(why); }

}  // namespace ordeal::tla
