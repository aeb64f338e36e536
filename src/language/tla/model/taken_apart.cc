// What SPECIFICATION and PROPERTY come to: initial states, steps, what is so in every state or of
// every step, and what is said of whole behaviours.
#include <algorithm>

#include "language/tla/eval/bindings.h"
#include "language/tla/model/specification.h"
#include "language/tla/model/temporal_parts.h"

namespace ordeal::tla {

namespace {

// What [] is of, and where its names have values, behind definitions without arguments.
Part inside_of(const Node& node, const Part& around) {
  Part out = around;
  out.node = &node;
  while (const CallNode* call = plain_call(*out.node)) {
    if (out.node->level <= Level::kState) break;
    out = {call->op->body, &call->op->layout, around.name, {}};
  }
  return out;
}

bool is_box(const Node& node) {
  const auto* const box = dynamic_cast<const BoxNode*>(&node);
  return box != nullptr && box->is_box;
}

}  // namespace

void Specification::take_specification(const Part& part) {
  const Node& node = *part.node;
  if (const auto* list = dynamic_cast<const ListNode*>(&node);
      list != nullptr && list->is_and && node.level == Level::kTemporal) {
    for (const NodeRef& item : list->items)
      take_specification({item.get(), part.layout, part.name});
    return;
  }
  if (const CallNode* call = plain_call(node); call != nullptr && node.level == Level::kTemporal) {
    take_specification({call->op->body, &call->op->layout, call->op->name});
    return;
  }
  if (node.level <= Level::kState) {
    init.push_back(part);
    return;
  }
  const auto* const temporal = dynamic_cast<const TemporalNode*>(&node);
  if (temporal != nullptr && temporal->what == "[]" &&
      temporal->items[0]->level < Level::kTemporal) {
    const Part inside = inside_of(*temporal->items[0], part);
    if (!is_box(*inside.node)) {
      modules_->fail_at(node.place, "in a specification, [] must be followed by [Next]_vars");
    }
    if (next.node != nullptr) {
      modules_->fail_at(node.place,
                        "a specification has one next-state relation; this is a second");
    }
    const Node* const action = static_cast<const BoxNode*>(inside.node)->action.get();
    const CallNode* const named = plain_call(*action);
    next = {action, inside.layout, named != nullptr ? named->op->name : part.name};
    return;
  }
  if (node.level == Level::kAction) {
    modules_->fail_at(node.place, "an action stands outside of [][…]_vars in the specification");
  }
  // Fairness says what happens in the end; what can happen at all does not depend on it.
  assumed.push_back(part);
}

namespace {

// What is said of one element after the other is one property.
void add_to(std::vector<Invariant>& list, const std::string& name, Part part) {
  const bool is_bound = std::any_of(part.way.begin(), part.way.end(), [](const Into& step) {
    return step.kind == Into::Kind::kBind;
  });
  for (Invariant& known : list) {
    const bool same =
        known.name == name && known.part.node == part.node && known.part.layout == part.layout;
    if (!same || (!is_bound && !part.way.empty())) continue;
    // A definition without parameters says the same of every element.
    if (is_bound) known.others.push_back(std::move(part));
    return;
  }
  list.push_back({name, std::move(part)});
}

}  // namespace

bool Specification::take_each(const std::string& name, const Part& part,
                              const QuantifierNode& node) {
  for (const BoundSet& bound : node.bounds) {
    if (bound.set->level != Level::kConstant || !bound.set->pure) return false;
  }
  if (elements_ == nullptr) {
    elements_ = std::make_unique<Machine>(variables().size(), compiler_->constants(), *host_);
  }
  Machine& m = *elements_;
  constexpr size_t kMost = 1000;
  std::vector<Part> elements;
  try {
    prepare(m);
    Frame* const f = part.frame(m);
    const BoundValues values(m, f, node.bounds);
    values.check_walks(m);
    const bool few = values.each(m, f, [&] {
      Part& element =
          elements.emplace_back(Part{node.body.get(), part.layout, part.name, part.way});
      Into step{Into::Kind::kBind, &node, {}};
      for (const BoundSet& bound : node.bounds) {
        for (const uint32_t slot : bound.slots) {
          step.bound.emplace_back(slot, deep_normal(m.heap(), f->slot(slot)));
        }
      }
      element.way.push_back(std::move(step));
      return elements.size() < kMost;
    });
    if (!few || elements.empty()) return false;
  } catch (const EvalError&) {
    return false;  // told of where it is read as a formula about behaviours
  }
  for (const Part& element : elements) take_property(name, element);
  return true;
}

void Specification::take_property(const std::string& name, const Part& part) {
  const Node& node = *part.node;
  const auto with = [&](const Node* inner, Into step) {
    Part out{inner, part.layout, part.name, part.way};
    out.way.push_back(std::move(step));
    take_property(name, out);
  };
  if (node.level <= Level::kState) {
    add_to(initially, name, part);
    return;
  }
  if (const auto* list = dynamic_cast<const ListNode*>(&node); list != nullptr && list->is_and) {
    for (const NodeRef& item : list->items)
      take_property(name, {item.get(), part.layout, part.name, part.way});
    return;
  }
  if (const CallNode* call = plain_call(node)) {
    take_property(name, {call->op->body, &call->op->layout, call->op->name});
    return;
  }
  if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
    return with(let->body.get(), {Into::Kind::kLet, let, {}});
  }
  if (const auto* all = dynamic_cast<const QuantifierNode*>(&node);
      all != nullptr && all->which == Quantifier::kForAll && take_each(name, part, *all)) {
    return;
  }
  const auto* const always = dynamic_cast<const TemporalNode*>(&node);
  if (always != nullptr && always->what == "[]") {
    Part inside = inside_of(*always->items[0], part);
    inside.name = name;
    if (inside.node->level <= Level::kState) {
      add_to(invariants, name, inside);
      return;
    }
    if (is_box(*inside.node)) {
      add_to(action_properties, name, inside);
      return;
    }
  }
  add_to(temporal, name, part);
}

}  // namespace ordeal::tla
