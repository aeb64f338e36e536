// Operators of the language that are more than calls: what the evaluator has a node of its own for.
#include <algorithm>

#include "language/tla/compile/expr_compiler.h"

namespace ordeal::tla {

bool flatten_variables(const Node& node, std::vector<uint32_t>& out) {
  if (const auto* variable = dynamic_cast<const VariableNode*>(&node)) {
    if (std::find(out.begin(), out.end(), variable->index) != out.end()) return false;
    out.push_back(variable->index);
    return true;
  }
  if (const auto* tuple = dynamic_cast<const CollectNode*>(&node); tuple && !tuple->is_set) {
    for (const NodeRef& item : tuple->items) {
      if (!flatten_variables(*item, out)) return false;
    }
    return true;
  }
  if (const auto* call = dynamic_cast<const CallNode*>(&node)) {
    return call->arguments.empty() && call->instances.empty() && call->op->body != nullptr &&
           flatten_variables(*call->op->body, out);
  }
  return false;
}

NodeRef ExprCompiler::known_operator(const Expr& expr, const Environment& names) {
  const std::string& text = expr.text;
  const size_t size = expr.children.size();
  const auto child = [&](size_t at) { return compile(*expr.children[at], names); };
  const auto pair = [&](auto node) {
    node->left = child(0);
    node->right = child(1);
    std::vector<NodeRef*> children{&node->left, &node->right};
    return seal(std::move(node), expr.place, children);
  };
  // What is passed for a parameter may be a variable with its prime, which gets its value here.
  const auto assigning = [&](auto node) {
    node->left = child(0);
    node->right = child(1);
    node->branches = !node->negated && node->left->branches;
    std::vector<NodeRef*> children{&node->left, &node->right};
    return seal(std::move(node), expr.place, children);
  };
  if (size == 0) {
    if (text == "TRUE" || text == "FALSE") {
      return seal(std::make_unique<LiteralNode>(Value::boolean(text == "TRUE")), expr.place, {});
    }
    return nullptr;
  }
  if (size == 1) {
    if (text == "~") {
      auto node = std::make_unique<NotNode>();
      node->child = child(0);
      std::vector<NodeRef*> children{&node->child};
      return seal(std::move(node), expr.place, children);
    }
    if (text == "'") {
      ++primed_;
      NodeRef primed = child(0);
      --primed_;
      auto node = std::make_unique<PrimeNode>(std::move(primed));
      if (node->child->level >= Level::kAction) {
        c_.modules_.fail_at(expr.place, "there is a prime within what is primed");
      }
      std::vector<NodeRef*> children{&node->child};
      return seal(std::move(node), expr.place, children, {}, Level::kAction);
    }
    if (text == "UNCHANGED") {
      auto node = std::make_unique<UnchangedNode>();
      ++primed_;
      node->child = child(0);
      --primed_;
      if (!flatten_variables(*node->child, node->variables)) node->variables.clear();
      std::vector<NodeRef*> children{&node->child};
      return seal(std::move(node), expr.place, children, {}, Level::kAction);
    }
    if (text == "ENABLED") {
      auto node = std::make_unique<EnabledNode>();
      ++primed_;
      node->child = child(0);
      --primed_;
      std::vector<NodeRef*> children{&node->child};
      NodeRef out = seal(std::move(node), expr.place, children);
      out->level = Level::kState;
      return out;
    }
    if (text == "SUBSET") {
      auto node = std::make_unique<SubsetNode>();
      node->child = child(0);
      std::vector<NodeRef*> children{&node->child};
      return seal(std::move(node), expr.place, children);
    }
    if (text == "[]" || text == "<>") return temporal(expr, text, names);
    return nullptr;
  }
  if (text == "\\X") {
    auto node = std::make_unique<ProductNode>();
    std::vector<NodeRef*> children;
    for (size_t i = 0; i < size; ++i) node->items.push_back(child(i));
    for (NodeRef& item : node->items) children.push_back(&item);
    return seal(std::move(node), expr.place, children);
  }
  if (size != 2) return nullptr;
  if (text == "=" || text == "/=") {
    auto node = std::make_unique<EqualNode>();
    node->negated = text == "/=";
    return assigning(std::move(node));
  }
  if (text == "\\in" || text == "\\notin") {
    auto node = std::make_unique<MemberNode>();
    node->negated = text == "\\notin";
    return assigning(std::move(node));
  }
  if (text == "=>") {
    auto node = std::make_unique<ImpliesNode>();
    node->left = child(0);
    node->right = child(1);
    node->branches = node->right->branches;
    std::vector<NodeRef*> children{&node->left, &node->right};
    return seal(std::move(node), expr.place, children);
  }
  if (text == "<=>") return pair(std::make_unique<EquivalentNode>());
  if (text == "\\cup") return pair(std::make_unique<CupNode>());
  if (text == "~>" || text == "-+->") return temporal(expr, text, names);
  if (text == "\\cdot") {
    auto node = std::make_unique<ComposedNode>();
    ++primed_;  // names of variables mean those of another state in the second action
    node->first = child(0);
    node->second = child(1);
    --primed_;
    node->branches = true;
    std::vector<NodeRef*> children{&node->first, &node->second};
    return seal(std::move(node), expr.place, children, {}, Level::kAction);
  }
  return nullptr;
}

}  // namespace ordeal::tla
