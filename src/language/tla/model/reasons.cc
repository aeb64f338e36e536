#include "language/tla/model/reasons.h"

#include "base/text.h"
#include "language/tla/eval/bindings.h"
#include "language/tla/eval/nodes.h"

namespace ordeal::tla {

namespace {

std::string cut_value(Value value) {
  constexpr size_t kWidth = 120;
  return cut_to(to_text(value), kWidth);
}

std::string sides(Machine& m, const Node& left, const Node& right, Frame* frame) {
  return "the left side is " + cut_value(left.eval(m, frame)) + ", the right side " +
         cut_value(right.eval(m, frame));
}

// What is compared, where that is all there is to it.
std::string values_of(Machine& m, const Node& node, Frame* frame) {
  if (const auto* equal = dynamic_cast<const EqualNode*>(&node)) {
    return sides(m, *equal->left, *equal->right, frame);
  }
  if (const auto* compared = dynamic_cast<const ArithmeticNode*>(&node)) {
    return sides(m, *compared->left, *compared->right, frame);
  }
  if (const auto* member = dynamic_cast<const MemberNode*>(&node)) {
    return "the left side is " + cut_value(member->left->eval(m, frame));
  }
  return "";
}

class Blame {
 public:
  Blame(Machine& m, Reason& reason) : m_(m), reason_(reason) {}

  void into(const Node& node, Frame* frame) {
    reason_.node = &node;
    if (const auto* list = dynamic_cast<const ListNode*>(&node); list != nullptr && list->is_and) {
      for (const NodeRef& item : list->items) {
        if (!item->truth(m_, frame)) return into(*item, frame);
      }
    } else if (const auto* call = dynamic_cast<const CallNode*>(&node);
               call != nullptr && call->op->body != nullptr && call->op->constant < 0) {
      return into(*call->op->body, call->enter(m_, frame));
    } else if (const auto* box = dynamic_cast<const BoxNode*>(&node);
               box != nullptr && box->is_box) {
      return into(*box->action, frame);
    } else if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
      let->bind(m_, frame);
      return into(*let->body, frame);
    } else if (const auto* implies = dynamic_cast<const ImpliesNode*>(&node)) {
      return into(*implies->right, frame);
    } else if (const auto* test = dynamic_cast<const IfNode*>(&node)) {
      return into(test->test->truth(m_, frame) ? *test->then : *test->otherwise, frame);
    } else if (const auto* all = dynamic_cast<const QuantifierNode*>(&node);
               all != nullptr && all->which == Quantifier::kForAll) {
      return into_counterexample(*all, frame);
    }
    reason_.values = values_of(m_, node, frame);
  }

 private:
  void into_counterexample(const QuantifierNode& all, Frame* frame) {
    const BoundValues values(m_, frame, all.bounds);
    const bool none = values.each(m_, frame, [&] { return all.body->truth(m_, frame); });
    if (none) return;
    for (const BoundSet& bound : all.bounds) {
      for (size_t i = 0; i < bound.slots.size(); ++i) {
        reason_.bindings.push_back(bound.names[i] + " = " + cut_value(frame->slot(bound.slots[i])));
      }
    }
    into(*all.body, frame);
  }

  Machine& m_;
  Reason& reason_;
};

}  // namespace

std::string to_text(const Reason& reason) {
  std::string out = "this is not true";
  if (!reason.bindings.empty()) out += " for " + join(reason.bindings, ", ");
  if (!reason.values.empty()) out += ": " + reason.values;
  return out;
}

Reason reason_of(Machine& m, const Node& formula, Frame* frame) {
  Reason out;
  Blame(m, out).into(formula, frame);
  return out;
}

}  // namespace ordeal::tla
