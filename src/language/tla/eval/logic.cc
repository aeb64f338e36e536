// Formulas: conjunction, disjunction, choice by conditions, equality, membership, comparison.
#include "language/tla/eval/bindings.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

bool ListNode::truth(Machine& m, Frame* f) const {
  for (const NodeRef& item : items) {
    if (item->truth(m, f) != is_and) return !is_and;
  }
  return is_and;
}

Value ListNode::eval(Machine& m, Frame* f) const { return Value::boolean(truth(m, f)); }

bool ListNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (is_and) return act_from(m, f, 0, m.naming, k);
  for (const NodeRef& item : items) {
    if (!item->act(m, f, k)) return false;
  }
  return true;
}

bool ListNode::act_from(Machine& m, Frame* f, size_t item, bool naming,
                        const Continuation& k) const {
  struct Rest final : Continuation {
    Rest(const ListNode& list, Frame* f, size_t item, bool naming, const Continuation& k)
        : list(list), f(f), item(item), naming(naming), k(k) {}
    bool go(Machine& m) const override {
      const bool before = m.naming;
      const bool more = list.act_from(m, f, item, naming, k);
      m.naming = before;
      return more;
    }
    const ListNode& list;
    Frame* f;
    size_t item;
    bool naming;
    const Continuation& k;
  };
  for (; item < items.size(); ++item) {
    const Node& node = *items[item];
    const bool branches = node.branches && !mutant(TlaMutant::kDisjunctionOnce);
    const bool is_test = !branches && !m.starting && node.level < Level::kAction;
    if (is_test || (item > 0 && m.is_complete() && !mutant(TlaMutant::kCompleteBranches))) {
      if (!node.truth(m, f)) return true;
      continue;
    }
    const bool before = m.naming;
    // An action that has a name keeps it where it calls what helps it: `Send(m)` among its
    // conjuncts.
    m.naming = naming && static_cast<int>(item) == spine && (!spine_is_call || !m.has_name());
    const bool more = item + 1 == items.size()
                          ? node.act(m, f, k)
                          : node.act(m, f, Rest(*this, f, item + 1, naming, k));
    m.naming = before;
    return more;
  }
  return k.go(m);
}

void ListNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& item : items) out.push_back(item.get());
}

Value NotNode::eval(Machine& m, Frame* f) const { return Value::boolean(!child->truth(m, f)); }
void NotNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

Value ImpliesNode::eval(Machine& m, Frame* f) const {
  return Value::boolean(!left->truth(m, f) || right->truth(m, f));
}

bool ImpliesNode::act(Machine& m, Frame* f, const Continuation& k) const {
  return left->truth(m, f) ? right->act(m, f, k) : k.go(m);
}

void ImpliesNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

Value EquivalentNode::eval(Machine& m, Frame* f) const {
  return Value::boolean(left->truth(m, f) == right->truth(m, f));
}

void EquivalentNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

Value IfNode::eval(Machine& m, Frame* f) const {
  return test->truth(m, f) ? then->eval(m, f) : otherwise->eval(m, f);
}

bool IfNode::truth(Machine& m, Frame* f) const {
  return test->truth(m, f) ? then->truth(m, f) : otherwise->truth(m, f);
}

bool IfNode::act(Machine& m, Frame* f, const Continuation& k) const {
  return test->truth(m, f) ? then->act(m, f, k) : otherwise->act(m, f, k);
}

bool IfNode::has_member(Machine& m, Frame* f, Value element) const {
  return test->truth(m, f) ? then->has_member(m, f, element) : otherwise->has_member(m, f, element);
}

void IfNode::children(std::vector<const Node*>& out) const {
  out.push_back(test.get());
  out.push_back(then.get());
  out.push_back(otherwise.get());
}

const Node* CaseNode::pick(Machine& m, Frame* f) const {
  for (const auto& [test, value] : arms) {
    if (test->truth(m, f)) return value.get();
  }
  if (other) return other.get();
  fail_here("no condition of this CASE is true, and it has no OTHER");
}

Value CaseNode::eval(Machine& m, Frame* f) const { return pick(m, f)->eval(m, f); }

bool CaseNode::act(Machine& m, Frame* f, const Continuation& k) const {
  return pick(m, f)->act(m, f, k);
}

void CaseNode::children(std::vector<const Node*>& out) const {
  for (const auto& [test, value] : arms) {
    out.push_back(test.get());
    out.push_back(value.get());
  }
  if (other) out.push_back(other.get());
}

namespace {

// The variable that `x'` (in Next) or `x` (in Init) may give its value here; null: none, or it has
// one already.
Value* unassigned(Machine& m, Frame* f, const Node& left) {
  int variable = -1;
  Value* values = nullptr;
  if (m.starting) {
    values = m.now;
    variable = left.variable(m, f);
  } else if (m.next != nullptr) {
    values = m.next;
    variable = left.primed_variable(m, f);
  }
  if (variable < 0) return nullptr;
  if (values[variable].defined() && !mutant(TlaMutant::kAssignedTwice)) return nullptr;
  return &values[variable];
}

}  // namespace

bool EqualNode::truth(Machine& m, Frame* f) const {
  const Value a = value_of(*left, m, f);
  const Value b = value_of(*right, m, f);
  if (same(a, b)) return !negated;
  return placed(*this, [&] { return equal(m.heap(), a, b) != negated; });
}

Value EqualNode::eval(Machine& m, Frame* f) const { return Value::boolean(truth(m, f)); }

bool EqualNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (!negated) {
    if (Value* target = unassigned(m, f, *left)) {
      *target = value_of(*right, m, f);
      const bool more = k.go(m);
      *target = Value();
      return more;
    }
  }
  return truth(m, f) ? k.go(m) : true;
}

void EqualNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

bool MemberNode::truth(Machine& m, Frame* f) const {
  const Value element = value_of(*left, m, f);
  return right->has_member(m, f, element) != negated;
}

Value MemberNode::eval(Machine& m, Frame* f) const { return Value::boolean(truth(m, f)); }

bool MemberNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (!negated) {
    if (Value* target = unassigned(m, f, *left)) {
      const Value set = right->eval(m, f);
      if (!is_set(set) || !is_enumerable(set)) {
        right->fail_here(
            "a variable can be given the elements of a set that can be enumerated, not " +
            describe(set));
      }
      return for_each_element(m, set, [&](Value element) {
        *target = element;
        const bool more = k.go(m);
        *target = Value();
        return more;
      });
    }
  }
  return truth(m, f) ? k.go(m) : true;
}

void MemberNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

bool SubsetEqNode::act(Machine& m, Frame* f, const Continuation& k) const {
  Value* const target = unassigned(m, f, *arguments[0].node);
  if (target == nullptr) return Node::act(m, f, k);
  const Node& right = *arguments[1].node;
  const Value set = right.eval(m, f);
  if (!is_set(set) || !is_enumerable(set)) {
    right.fail_here("a variable can be given the subsets of a set that can be enumerated, not of " +
                    describe(set));
  }
  return for_each_element(m, make_lazy_set(m.heap(), ObjectKind::kSubset, set), [&](Value subset) {
    *target = subset;
    const bool more = k.go(m);
    *target = Value();
    return more;
  });
}

Value ArithmeticNode::eval(Machine& m, Frame* f) const {
  const Value a = value_of(*left, m, f);
  const Value b = value_of(*right, m, f);
  if (a.is_small() && b.is_small()) {
    switch (what) {
      case Arithmetic::kAdd:
      case Arithmetic::kSubtract: {
        const int64_t sum =
            what == Arithmetic::kAdd ? a.number() + b.number() : a.number() - b.number();
        return Value::fits(sum) ? Value::small(sum) : integer(m.heap(), sum);
      }
      case Arithmetic::kLess:
        return Value::boolean(a.number() < b.number());
      case Arithmetic::kLessEqual:
        return Value::boolean(a.number() <= b.number());
      case Arithmetic::kGreater:
        return Value::boolean(a.number() > b.number());
      case Arithmetic::kGreaterEqual:
        return Value::boolean(a.number() >= b.number());
    }
  }
  const Value values[] = {a, b};
  return placed(*this, [&] {
    return call(m, {{Pending::Kind::kClosure}, nullptr, nullptr, builtin}, values);
  });
}

void ArithmeticNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

namespace {

// All ways at once, as conjuncts: \A x \in S : A.
struct AllOf final : Continuation {
  AllOf(const QuantifierNode& node, Frame* f, std::span<const std::vector<Value>> ways,
        bool is_first, const Continuation& k)
      : node(node), f(f), ways(ways), is_first(is_first), k(k) {}
  bool go(Machine& m) const override {
    if (ways.empty()) return k.go(m);
    const bool is_test = !is_first && m.is_complete();
    // The body is entered again for the next way before it is done with this one: what looks for
    // another witness afterwards needs its own names back.
    std::vector<Value> before;
    size_t at = 0;
    for (const BoundSet& bound : node.bounds) {
      for (const uint32_t slot : bound.slots) {
        before.push_back(f->slot(slot));
        f->slot(slot) = ways.front()[at++];
      }
    }
    const AllOf rest(node, f, ways.subspan(1), false, k);
    const bool more = !is_test                 ? node.body->act(m, f, rest)
                      : node.body->truth(m, f) ? rest.go(m)
                                               : true;
    at = 0;
    for (const BoundSet& bound : node.bounds) {
      for (const uint32_t slot : bound.slots) f->slot(slot) = before[at++];
    }
    return more;
  }
  const QuantifierNode& node;
  Frame* f;
  std::span<const std::vector<Value>> ways;
  bool is_first;
  const Continuation& k;
};

}  // namespace

bool QuantifierNode::truth(Machine& m, Frame* f) const {
  const bool looked_for = which == Quantifier::kExists;
  const BoundValues values(m, f, bounds);
  if (mutant(TlaMutant::kForAllStops) && !looked_for) {
    bool is = true;
    values.each(m, f, [&] { return is = body->truth(m, f), false; });
    return is;
  }
  const bool all_others = values.each(m, f, [&] { return body->truth(m, f) != looked_for; });
  return all_others ? !looked_for : looked_for;
}

Value QuantifierNode::eval(Machine& m, Frame* f) const { return Value::boolean(truth(m, f)); }

bool QuantifierNode::act(Machine& m, Frame* f, const Continuation& k) const {
  const BoundValues values(m, f, bounds);
  if (which == Quantifier::kForAll) {
    std::vector<std::vector<Value>> ways;
    values.each(m, f, [&] {
      std::vector<Value>& way = ways.emplace_back();
      for (const BoundSet& bound : bounds) {
        for (const uint32_t slot : bound.slots) way.push_back(f->slot(slot));
      }
      return true;
    });
    const bool naming = m.naming;
    m.naming = false;
    const bool more = AllOf(*this, f, ways, true, k).go(m);
    m.naming = naming;
    return more;
  }
  const bool naming = m.naming;
  const size_t before = m.witnesses.size();
  const bool more = values.each(m, f, [&] {
    if (naming) {
      for (const BoundSet& bound : bounds) {
        for (size_t i = 0; i < bound.slots.size(); ++i) {
          m.witnesses.push_back({&bound.names[i], f->slot(bound.slots[i])});
        }
      }
    }
    const bool goes_on = body->act(m, f, k);
    m.witnesses.resize(before);
    return goes_on && !mutant(TlaMutant::kFirstWitness);
  });
  return more || mutant(TlaMutant::kFirstWitness);
}

void QuantifierNode::children(std::vector<const Node*>& out) const {
  children_of(bounds, out);
  out.push_back(body.get());
}

Value ChooseNode::eval(Machine& m, Frame* f) const {
  const Value set = bound.set->eval(m, f);
  if (!is_set(set) || !is_enumerable(set)) {
    bound.set->fail_here("CHOOSE needs a set that can be enumerated, not " + describe(set));
  }
  Value chosen;
  for_each_element(m, set, [&](Value element) {
    placed(*this, [&] { bind(m, f, bound, 0, element); });
    if (!body->truth(m, f)) return true;
    chosen = element;
    return mutant(TlaMutant::kChooseLast);
  });
  if (!chosen.defined()) {
    fail_here("CHOOSE found no element of " + describe(set) + " for which this is true");
  }
  return chosen;
}

void ChooseNode::children(std::vector<const Node*>& out) const {
  out.push_back(bound.set.get());
  out.push_back(body.get());
}

}  // namespace ordeal::tla
