// Parts of definitions by their positions: Inv!2, P!(x), F(3)!1!<<.
#include "base/text.h"
#include "language/tla/compile/expr_compiler.h"

namespace ordeal::tla {

namespace {

// The operand at a position from 1 on; null: there is none, or none that can be named.
const Expr* operand_at(const Expr& expr, size_t position) {
  switch (expr.kind) {
    case ExprKind::kConjunction:
    case ExprKind::kDisjunction:
      // Of a /\ b /\ c the first operand is a /\ b, which is no part of the tree.
      if (!expr.by_list && expr.children.size() > 2) {
        return position == 2 ? expr.children.back().get() : nullptr;
      }
      break;
    case ExprKind::kApply:
    case ExprKind::kSet:
    case ExprKind::kTuple:
    case ExprKind::kRecord:
    case ExprKind::kRecordSet:
    case ExprKind::kFunctionSet:
    case ExprKind::kIf:
      break;
    case ExprKind::kFunctionApply:
      if (expr.children.size() != 2) return nullptr;
      break;
    case ExprKind::kForAll:
    case ExprKind::kExists:
    case ExprKind::kChoose:
    case ExprKind::kFilter:
    case ExprKind::kMap:
    case ExprKind::kFunction:
      return position <= expr.bounds.size() ? expr.bounds[position - 1].set.get() : nullptr;
    default:
      return nullptr;
  }
  return position >= 1 && position <= expr.children.size() ? expr.children[position - 1].get()
                                                           : nullptr;
}

size_t position_of(const std::string& text) {
  if (text == "<<") return 1;
  if (text == ">>") return 2;
  size_t out = 0;
  for (const char c : text) {
    constexpr size_t kMost = 1'000'000;
    if (c < '0' || c > '9' || out > kMost) return 0;
    out = out * 10 + static_cast<size_t>(c - '0');
  }
  return out;
}

// Definitions, and assumptions and theorems that have a name: `QuorumNonEmpty!:`.
bool has_parts(const Unit& unit) {
  return unit.body != nullptr &&
         (unit.kind == UnitKind::kOperator || unit.kind == UnitKind::kAssumption ||
          unit.kind == UnitKind::kTheorem);
}

}  // namespace

NodeRef ExprCompiler::part_of(const Expr& expr, const Environment& names) {
  const Found found = find(expr, names);
  Definition* definition = nullptr;
  if (found.binding != nullptr) {
    definition = found.binding->definition;
  } else if (found.symbol != nullptr && found.symbol->kind == Symbol::Kind::kOperator) {
    definition = found.symbol->definition;
  }
  if (found.binding == nullptr && found.symbol == nullptr) {
    fail_undefined(expr, expr.name_place, names);
  }
  if (definition == nullptr || definition->unit == nullptr || !has_parts(*definition->unit) ||
      definition->home->layout != nullptr || !found.instances.empty()) {
    c_.modules_.fail_at(expr.place,
                        "only of definitions of a module, without instances that have parameters, "
                        "can a part be named by its position");
  }
  const Unit& unit = *definition->unit;
  if (unit.params.size() != expr.children.size()) {
    c_.modules_.fail_at(expr.place, unit.name + " has " + std::to_string(unit.params.size()) +
                                        " parameters, not " + std::to_string(expr.children.size()));
  }
  auto let = std::make_unique<LetNode>();
  std::vector<uint32_t> bound;
  const Environment* inner = definition->home;
  const auto bind = [&](const std::vector<std::string>& to, const std::vector<ExprRef>& values) {
    Environment* const more = c_.modules_.new_environment();
    more->up = inner;
    more->module = definition->home->module;
    more->layout = &layout_;
    for (size_t i = 0; i < to.size(); ++i) {
      LetNode::Definition& value = let->definitions.emplace_back();
      value.slot = layout_.slots++;
      value.node = compile(*values[i], names);
      bound.push_back(value.slot);
      Binding binding;
      binding.name = to[i];
      binding.layout = &layout_;
      binding.slot = value.slot;
      binding.let_value = value.node.get();
      more->bindings.push_back(std::move(binding));
    }
    inner = more;
  };
  std::vector<std::string> params;
  for (const Param& param : unit.params) {
    if (param.arity > 0) {
      c_.modules_.fail_at(expr.place, unit.name +
                                          " has an operator as a parameter: its parts cannot be "
                                          "named");
    }
    params.push_back(param.name);
  }
  bind(params, expr.children);
  const Expr* at = unit.body.get();
  for (const Selector& selector : expr.selectors) {
    if (selector.text == ":") continue;
    if (selector.text == "(") {
      std::vector<std::string> to;
      for (const Bound& one : at->bounds) {
        to.insert(to.end(), one.names.begin(), one.names.end());
      }
      if (to.empty() || to.size() != selector.arguments.size()) {
        c_.modules_.fail_at(selector.place, "here " + std::to_string(to.size()) +
                                                " names are bound, and " +
                                                std::to_string(selector.arguments.size()) +
                                                " values are given for them");
      }
      bind(to, selector.arguments);
      at = at->children[0].get();
      continue;
    }
    const Expr* const next = operand_at(*at, position_of(selector.text));
    if (next == nullptr) {
      c_.modules_.fail_at(selector.place,
                          "there is no part !" + selector.text +
                              " that can be named here: positions of operands can, and values "
                              "for what a quantifier binds");
    }
    at = next;
  }
  let->body = compile(*at, *inner);
  let->branches = let->body->branches;
  std::vector<NodeRef*> children{&let->body};
  for (LetNode::Definition& value : let->definitions) children.push_back(&value.node);
  return seal(std::move(let), expr.place, children, bound);
}

}  // namespace ordeal::tla
