// Lists, records, EXCEPT, CASE, what binds names: the forms of expressions that have a shape of
// their own.
#include <algorithm>
#include <set>
#include <string>

#include "language/tla/compile/compiler.h"
#include "language/tla/compile/expr_compiler.h"

namespace ordeal::tla {

NodeRef ExprCompiler::temporal(const Expr& expr, std::string what, const Environment& names) {
  auto node = std::make_unique<TemporalNode>();
  node->what = std::move(what);
  for (const ExprRef& child : expr.children) node->items.push_back(compile(*child, names));
  std::vector<NodeRef*> children;
  for (NodeRef& item : node->items) children.push_back(&item);
  return seal(std::move(node), expr.place, children, {}, Level::kTemporal);
}

NodeRef ExprCompiler::fairness(const Expr& expr, std::string what, const Environment& names) {
  auto node = std::make_unique<TemporalNode>();
  node->what = std::move(what);
  ++primed_;  // whether it is enabled is asked, too
  node->items.push_back(box(expr, *expr.children[1], *expr.children[0], false, names));
  --primed_;
  std::vector<NodeRef*> children{&node->items[0]};
  return seal(std::move(node), expr.place, children, {}, Level::kTemporal);
}

NodeRef ExprCompiler::box(const Expr& expr, const Expr& action, const Expr& subscript, bool is_box,
                          const Environment& names) {
  auto node = std::make_unique<BoxNode>();
  node->is_box = is_box;
  node->action = compile(action, names);
  ++primed_;
  node->subscript = compile(subscript, names);
  --primed_;
  if (!flatten_variables(*node->subscript, node->variables)) node->variables.clear();
  node->branches = true;
  std::vector<NodeRef*> children{&node->action, &node->subscript};
  return seal(std::move(node), expr.place, children, {}, Level::kAction);
}

NodeRef ExprCompiler::list(const Expr& expr, const Environment& names) {
  auto node = std::make_unique<ListNode>();
  node->is_and = expr.kind == ExprKind::kConjunction;
  std::vector<NodeRef*> children;
  for (const ExprRef& child : expr.children) {
    // Lists within lists of the same kind are one: a /\ b /\ c.
    NodeRef item = compile(*child, names);
    auto* const inner = dynamic_cast<ListNode*>(item.get());
    if (inner != nullptr && inner->is_and == node->is_and && !child->parenthesised &&
        !child->by_list) {
      for (NodeRef& part : inner->items) node->items.push_back(std::move(part));
    } else {
      node->items.push_back(std::move(item));
    }
  }
  int first_action = -1;
  for (size_t i = 0; i < node->items.size(); ++i) {
    const Node& item = *node->items[i];
    children.push_back(&node->items[i]);
    node->branches = node->branches || item.branches;
    if (item.level != Level::kAction) continue;
    // What says which action it is: a choice among actions, or one that has a name.
    if (item.branches && node->spine < 0 && dynamic_cast<const LocalNode*>(&item) == nullptr) {
      node->spine = static_cast<int>(i);
    }
    if (first_action < 0 && dynamic_cast<const CallNode*>(&item) != nullptr) {
      first_action = static_cast<int>(i);
    }
  }
  if (node->spine < 0) node->spine = first_action;
  node->spine_is_call =
      node->spine >= 0 &&
      dynamic_cast<const CallNode*>(node->items[static_cast<size_t>(node->spine)].get()) != nullptr;
  if (!node->is_and) node->branches = true;
  return seal(std::move(node), expr.place, children);
}

NodeRef ExprCompiler::record(const Expr& expr, const Environment& names) {
  auto node = std::make_unique<RecordNode>();
  node->is_set = expr.kind == ExprKind::kRecordSet;
  std::vector<size_t> order(expr.names.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return expr.names[a] < expr.names[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && expr.names[order[i]] == expr.names[order[i - 1]]) {
      c_.modules_.fail_at(expr.name_places[order[i]],
                          "field " + expr.names[order[i]] + " comes twice");
    }
    node->names.push_back(string_value(expr.names[order[i]]));
    node->items.push_back(compile(*expr.children[order[i]], names));
  }
  // As long as the process, of each thread: there are as many as specifications write.
  static thread_local Heap& keys = *new Heap;
  node->keys = make_sorted_set(keys, node->names).object();
  std::vector<NodeRef*> children;
  for (NodeRef& item : node->items) children.push_back(&item);
  return seal(std::move(node), expr.place, children);
}

NodeRef ExprCompiler::except(const Expr& expr, const Environment& names) {
  auto node = std::make_unique<ExceptNode>();
  node->function = compile(*expr.children[0], names);
  std::vector<uint32_t> bound;
  for (const ExceptUpdate& update : expr.updates) {
    ExceptNode::Update& out = node->updates.emplace_back();
    for (const ExceptStep& step : update.path) {
      ExceptNode::Step& to = out.path.emplace_back();
      if (step.is_field) {
        to.field = string_value(step.field);
      } else {
        for (const ExprRef& index : step.indices) to.indices.push_back(compile(*index, names));
      }
    }
    out.at_slot = layout_.slots++;
    bound.push_back(out.at_slot);
    Environment* const inner = c_.modules_.new_environment();
    inner->up = &names;
    inner->module = names.module;
    inner->layout = &layout_;
    Binding at;
    at.name = "@";
    at.layout = &layout_;
    at.slot = out.at_slot;
    inner->bindings.push_back(std::move(at));
    out.value = compile(*update.value, *inner);
  }
  std::vector<NodeRef*> children{&node->function};
  for (ExceptNode::Update& update : node->updates) {
    for (ExceptNode::Step& step : update.path) {
      for (NodeRef& index : step.indices) children.push_back(&index);
    }
    children.push_back(&update.value);
  }
  return seal(std::move(node), expr.place, children, bound);
}

NodeRef ExprCompiler::case_of(const Expr& expr, const Environment& names) {
  auto node = std::make_unique<CaseNode>();
  const size_t arms = expr.children.size() / 2;
  for (size_t i = 0; i < arms; ++i) {
    NodeRef test = compile(*expr.children[2 * i], names);
    NodeRef value = compile(*expr.children[2 * i + 1], names);
    node->branches = node->branches || value->branches;
    node->arms.emplace_back(std::move(test), std::move(value));
  }
  if (expr.children.size() % 2 == 1) {
    node->other = compile(*expr.children.back(), names);
    node->branches = node->branches || node->other->branches;
  }
  std::vector<NodeRef*> children;
  for (auto& [test, value] : node->arms) {
    children.push_back(&test);
    children.push_back(&value);
  }
  if (node->other) children.push_back(&node->other);
  return seal(std::move(node), expr.place, children);
}

std::vector<BoundSet> ExprCompiler::bounds(const std::vector<Bound>& from, const Environment& names,
                                           Environment& inner) {
  std::vector<BoundSet> out;
  for (const Bound& bound : from) {
    BoundSet& to = out.emplace_back();
    to.is_tuple = bound.is_tuple;
    to.names = bound.names;
    to.set = compile(*bound.set, names);
    for (const std::string& name : bound.names) {
      to.slots.push_back(layout_.slots++);
      Binding binding;
      binding.name = name;
      binding.layout = &layout_;
      binding.slot = to.slots.back();
      inner.bindings.push_back(std::move(binding));
    }
  }
  return out;
}

namespace {

Environment* within(Modules& modules, const Environment& names, Layout& layout) {
  Environment* const inner = modules.new_environment();
  inner->up = &names;
  inner->module = names.module;
  inner->layout = &layout;
  return inner;
}

bool is_unbounded(const Expr& expr) {
  for (const Bound& bound : expr.bounds) {
    if (bound.set == nullptr) return true;
  }
  return false;
}

}  // namespace

NodeRef ExprCompiler::quantifier(const Expr& expr, const Environment& names) {
  if (is_unbounded(expr)) {
    const std::string what = expr.kind == ExprKind::kChoose   ? "CHOOSE x : …"
                             : expr.kind == ExprKind::kForAll ? "\\A x : …"
                                                              : "\\E x : …";
    return refused(expr, what +
                             " without \\in ranges over everything there is and cannot be "
                             "evaluated: say in which set, or replace the definition in the "
                             "configuration");
  }
  Environment* const inner = within(c_.modules_, names, layout_);
  if (expr.kind == ExprKind::kChoose) {
    auto node = std::make_unique<ChooseNode>();
    std::vector<BoundSet> sets = bounds(expr.bounds, names, *inner);
    node->bound = std::move(sets[0]);
    node->body = compile(*expr.children[0], *inner);
    std::vector<NodeRef*> children{&node->bound.set, &node->body};
    const std::vector<uint32_t> bound = node->bound.slots;
    return seal(std::move(node), expr.place, children, bound);
  }
  auto node = std::make_unique<QuantifierNode>();
  node->which = expr.kind == ExprKind::kForAll ? Quantifier::kForAll : Quantifier::kExists;
  node->bounds = bounds(expr.bounds, names, *inner);
  node->body = compile(*expr.children[0], *inner);
  node->branches = node->which == Quantifier::kExists || node->body->branches;
  std::vector<NodeRef*> children{&node->body};
  for (BoundSet& bound : node->bounds) children.push_back(&bound.set);
  const std::vector<uint32_t> bound = slots_of(node->bounds);
  return seal(std::move(node), expr.place, children, bound);
}

NodeRef ExprCompiler::lambda_set(const Expr& expr, const Environment& names) {
  Environment* const inner = within(c_.modules_, names, layout_);
  if (is_unbounded(expr)) return refused(expr, "every name needs a set here");
  if (expr.kind == ExprKind::kFilter) {
    auto node = std::make_unique<FilterNode>();
    std::vector<BoundSet> sets = bounds(expr.bounds, names, *inner);
    node->bound = std::move(sets[0]);
    node->body = compile(*expr.children[0], *inner);
    std::vector<NodeRef*> children{&node->bound.set, &node->body};
    const std::vector<uint32_t> bound = node->bound.slots;
    return seal(std::move(node), expr.place, children, bound);
  }
  const auto finish = [&](auto node) {
    node->bounds = bounds(expr.bounds, names, *inner);
    node->body = compile(*expr.children[0], *inner);
    std::vector<NodeRef*> children{&node->body};
    for (BoundSet& bound : node->bounds) children.push_back(&bound.set);
    const std::vector<uint32_t> bound = slots_of(node->bounds);
    return seal(std::move(node), expr.place, children, bound);
  };
  if (expr.kind == ExprKind::kMap) return finish(std::make_unique<MapNode>());
  return finish(std::make_unique<FunctionNode>());
}

NodeRef ExprCompiler::compile_function(const Unit& unit, const Environment& names,
                                       const std::string& name) {
  // Its arguments lie in a frame of their own, so that it can call itself.
  auto node = std::make_unique<FunctionNode>();
  node->is_recursive = true;
  node->name = name;
  node->layout.up = &layout_;
  Environment* const inner = within(c_.modules_, names, node->layout);
  ExprCompiler within_function(c_, node->layout);
  for (const Bound& bound : unit.bounds) {
    BoundSet& to = node->bounds.emplace_back();
    to.is_tuple = bound.is_tuple;
    to.names = bound.names;
    if (bound.set == nullptr) c_.modules_.fail_at(unit.place, "every argument needs a set");
    to.set = compile(*bound.set, names);
    for (const std::string& argument : bound.names) {
      to.slots.push_back(node->layout.slots++);
      Binding binding;
      binding.name = argument;
      binding.layout = &node->layout;
      binding.slot = to.slots.back();
      inner->bindings.push_back(std::move(binding));
    }
  }
  node->body = within_function.compile(*unit.body, *inner);
  node->body = within_function.hoist(std::move(node->body));
  node->place = unit.place;
  node->number = c_.nodes_++;
  node->level = node->body->level;
  node->pure = node->body->pure;
  node->outer = node->body->outer;
  node->branches = node->body->branches;  // where it is applied
  for (BoundSet& bound : node->bounds) {
    node->level = std::max(node->level, bound.set->level);
    node->pure = node->pure && bound.set->pure;
    node->outer = node->outer || bound.set->outer;
    node->free.insert(node->free.end(), bound.set->free.begin(), bound.set->free.end());
  }
  return node;
}

NodeRef ExprCompiler::let(const Expr& expr, const Environment& names) {
  auto node = std::make_unique<LetNode>();
  Environment* const inner = within(c_.modules_, names, layout_);
  std::vector<uint32_t> bound;
  std::set<std::string> recursive;
  for (const Unit& unit : expr.units) {
    if (unit.kind == UnitKind::kRecursive) {
      for (const Param& param : unit.params) recursive.insert(param.name);
    }
  }
  // Operators with parameters can be named by all that follows, and by themselves.
  for (const Unit& unit : expr.units) {
    if (unit.kind == UnitKind::kRecursive) continue;
    Binding binding;
    binding.name = unit.name;
    binding.layout = &layout_;
    if (unit.kind == UnitKind::kInstance) {
      ModuleScope& scope =
          c_.modules_.instantiate(unit, *inner, unit.name.empty() ? "" : unit.name + "!");
      if (unit.name.empty()) {
        for (const auto& [name, symbol] : scope.names) {
          if (symbol->local || symbol->definition == nullptr) continue;
          Binding imported;
          imported.kind = Binding::Kind::kDefinition;
          imported.name = name;
          imported.layout = &layout_;
          imported.definition = symbol->definition;
          inner->bindings.push_back(std::move(imported));
        }
        continue;
      }
      binding.kind = Binding::Kind::kInstance;
      binding.instance = &scope;
      inner->bindings.push_back(std::move(binding));
      continue;
    }
    const bool is_operator = unit.kind == UnitKind::kOperator;
    if (is_operator && (!unit.params.empty() || recursive.contains(unit.name))) {
      binding.kind = Binding::Kind::kDefinition;
      binding.definition = c_.modules_.define(unit, *inner, "");
      binding.definition->recursive = recursive.contains(unit.name);
      inner->bindings.push_back(std::move(binding));
      continue;
    }
    binding.slot = layout_.slots++;
    bound.push_back(binding.slot);
    LetNode::Definition definition;
    definition.slot = binding.slot;
    if (is_operator) {
      definition.node = compile(*unit.body, *inner);
      binding.let_value = definition.node.get();
      inner->bindings.push_back(std::move(binding));
    } else {
      // A function may name itself.
      binding.is_running = true;
      inner->bindings.push_back(std::move(binding));
      definition.node = compile_function(unit, *inner, unit.name);
      inner->bindings.back().is_running = false;
      inner->bindings.back().let_value = definition.node.get();
    }
    node->definitions.push_back(std::move(definition));
  }
  node->body = compile(*expr.children[0], *inner);
  node->branches = node->body->branches;
  std::vector<NodeRef*> children{&node->body};
  for (LetNode::Definition& definition : node->definitions) children.push_back(&definition.node);
  // What names a definition takes its level from it, so that the level of the whole is right even
  // if the children that are hoisted are others than those that names were compiled with.
  return seal(std::move(node), expr.place, children, bound);
}

}  // namespace ordeal::tla
