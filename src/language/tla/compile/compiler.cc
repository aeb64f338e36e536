#include "language/tla/compile/compiler.h"

#include <algorithm>
#include <set>

#include "language/tla/compile/expr_compiler.h"

namespace ordeal::tla {

namespace {

bool draws_at_random(std::string_view builtin) {
  static const std::set<std::string_view> kDraws = {"RandomElement", "RandomSubset",
                                                    "RandomSetOfSubsets", "RandomSubsetSet"};
  return kDraws.contains(builtin);
}

// Whether all that it says differently each time is drawn at random.
bool only_draws(const Node& node, std::set<const Node*>& seen) {
  if (node.pure || !seen.insert(&node).second) return true;
  if (dynamic_cast<const RefusedNode*>(&node) != nullptr) return false;
  if (const auto* call = dynamic_cast<const BuiltinNode*>(&node);
      call != nullptr && !call->builtin->pure && !draws_at_random(call->builtin->name)) {
    return false;
  }
  if (const auto* call = dynamic_cast<const CallNode*>(&node);
      call != nullptr && !call->op->pure &&
      (call->op->body == nullptr || !only_draws(*call->op->body, seen))) {
    return false;
  }
  std::vector<const Node*> children;
  node.children(children);
  return std::all_of(children.begin(), children.end(), [&](const Node* child) {
    return child == nullptr || only_draws(*child, seen);
  });
}

}  // namespace

const Operator& Compiler::compiled(Definition& definition) {
  Operator& op = definition.op;
  if (definition.stage != Definition::Stage::kUntouched) return op;
  definition.stage = Definition::Stage::kCompiling;
  // Until it is known better: what refers to itself may be anything.
  const bool is_function =
      definition.unit != nullptr && definition.unit->kind == UnitKind::kFunction;
  op.level = is_function ? Level::kConstant : Level::kState;
  op.branches = !is_function;
  Environment* const names = modules_.new_environment();
  names->up = definition.home;
  names->module = definition.home->module;
  names->layout = &op.layout;
  for (size_t i = 0; i < op.param_names.size(); ++i) {
    Binding binding;
    binding.kind = op.param_arities[i] == 0 ? Binding::Kind::kSlot : Binding::Kind::kOperatorSlot;
    binding.name = op.param_names[i];
    binding.layout = &op.layout;
    binding.slot = op.layout.slots++;
    binding.arity = op.param_arities[i];
    binding.param_of = &op;
    names->bindings.push_back(std::move(binding));
  }
  ExprCompiler compiler(*this, op.layout);
  NodeRef body =
      is_function ? compiler.compile_function(*definition.unit, *names, op.name)
                  : compiler.compile(definition.unit != nullptr ? *definition.unit->body
                                                                : *definition.lambda->children[0],
                                     *names);
  op.level = definition.recursive ? std::max(Level::kState, body->level) : body->level;
  op.pure = body->pure;
  op.branches = body->branches;
  const bool alone = op.param_names.empty() && definition.home->layout == nullptr;
  if (alone && op.level == Level::kConstant && op.pure && !definition.recursive) {
    op.constant = static_cast<int>(constants_++);
  } else if (std::set<const Node*> seen; alone && op.level == Level::kConstant &&
                                         !definition.recursive && only_draws(*body, seen)) {
    op.constant = static_cast<int>(constants_++);
    drawn_.push_back(&op);
  } else if (!op.param_names.empty()) {
    body = compiler.hoist(std::move(body));
  }
  definition.body = std::move(body);
  op.body = definition.body.get();
  definition.stage = Definition::Stage::kDone;
  return op;
}

Compiler::Closed Compiler::compile_closed(const Expr& expr, const Environment& names) {
  Closed out;
  out.layout = std::make_unique<Layout>();
  Environment* const here = modules_.new_environment();
  here->up = &names;
  here->module = names.module;
  here->layout = out.layout.get();
  ExprCompiler compiler(*this, *out.layout);
  out.node = compiler.compile(expr, *here);
  return out;
}

const Operator* Compiler::find(const std::string& name) { return find(name, 0); }

const Operator* Compiler::find(const std::string& name, size_t params) {
  const auto known = modules_.root().names.find(name);
  if (known == modules_.root().names.end()) return nullptr;
  Symbol* symbol = known->second;
  for (int i = 0; symbol->replaced_by != nullptr && i < 100; ++i) symbol = symbol->replaced_by;
  if (symbol->definition == nullptr || symbol->arity != params) return nullptr;
  return &compiled(*symbol->definition);
}

void ExprCompiler::seal_node(Node& node, const Place& place, const std::vector<NodeRef*>& children,
                             const std::vector<uint32_t>& bound, Level least) {
  node.place = place;
  node.number = c_.nodes_++;
  node.level = std::max(node.level, least);
  for (const NodeRef* child : children) {
    node.level = std::max(node.level, (*child)->level);
    node.pure = node.pure && (*child)->pure;
    node.settled = node.settled && (*child)->settled;
    node.outer = node.outer || (*child)->outer;
    for (const uint32_t slot : (*child)->free) {
      if (std::find(bound.begin(), bound.end(), slot) == bound.end() &&
          std::find(node.free.begin(), node.free.end(), slot) == node.free.end()) {
        node.free.push_back(slot);
      }
    }
  }
  const bool constant = node.level == Level::kConstant && node.free.empty() && !node.outer &&
                        node.pure && node.settled;
  if (!constant) {
    for (NodeRef* child : children) *child = hoist(std::move(*child));
  }
}

NodeRef ExprCompiler::hoist(NodeRef node) {
  // What may be true in several ways is counted so often: it is gone through each time.
  if (node->branches) return node;
  if (node->level != Level::kConstant || !node->free.empty() || node->outer || !node->pure ||
      !node->settled) {
    return node;
  }
  if (dynamic_cast<const LiteralNode*>(node.get()) != nullptr ||
      dynamic_cast<const ConstantNode*>(node.get()) != nullptr ||
      dynamic_cast<const RefusedNode*>(node.get()) != nullptr) {
    return node;
  }
  if (const auto* call = dynamic_cast<const CallNode*>(node.get())) {
    if (call->op->constant >= 0) return node;
  }
  auto out = std::make_unique<ConstantNode>();
  out->place = node->place;
  out->number = c_.nodes_++;
  out->constant = c_.constants_++;
  out->layout = &layout_;
  out->child = std::move(node);
  return out;
}

std::vector<uint32_t> ExprCompiler::slots_of(const std::vector<BoundSet>& bounds) const {
  std::vector<uint32_t> out;
  for (const BoundSet& bound : bounds)
    out.insert(out.end(), bound.slots.begin(), bound.slots.end());
  return out;
}

NodeRef ExprCompiler::refused(const Expr& expr, std::string why) {
  auto node = std::make_unique<RefusedNode>();
  node->why = std::move(why);
  node->pure = false;
  return seal(std::move(node), expr.place, {});
}

NodeRef ExprCompiler::compile(const Expr& expr, const Environment& names) {
  const auto literal = [&](Value value) {
    return seal(std::make_unique<LiteralNode>(value), expr.place, {});
  };
  switch (expr.kind) {
    case ExprKind::kNumber: {
      static Heap numbers;  // as long as the process: there are as many as specifications write
      if (expr.text.find('.') != std::string::npos) {
        return refused(expr, "numbers with a fraction have no values here: " + expr.text);
      }
      const std::string& text = expr.text;
      int base = 10;
      std::string digits = text;
      if (text.size() > 1 && text[0] == '\\') {
        base = text[1] == 'b' || text[1] == 'B' ? 2 : text[1] == 'o' || text[1] == 'O' ? 8 : 16;
        digits = text.substr(2);
      }
      BigInt number = 0;
      for (const char c : digits) {
        const int digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        number = number * base + digit;
      }
      return literal(integer(numbers, number));
    }
    case ExprKind::kString:
      return literal(string_value(expr.text));
    case ExprKind::kAt: {
      const Binding* const at = names.find("@");
      if (at == nullptr) c_.modules_.fail_at(expr.place, "@ has a meaning within EXCEPT only");
      return local(expr, *at, names);
    }
    case ExprKind::kApply:
      return apply(expr, names);
    case ExprKind::kConjunction:
    case ExprKind::kDisjunction:
      return list(expr, names);
    case ExprKind::kSet:
    case ExprKind::kTuple: {
      auto node = std::make_unique<CollectNode>();
      node->is_set = expr.kind == ExprKind::kSet;
      std::vector<NodeRef*> children;
      for (const ExprRef& child : expr.children) node->items.push_back(compile(*child, names));
      for (NodeRef& item : node->items) children.push_back(&item);
      return seal(std::move(node), expr.place, children);
    }
    case ExprKind::kRecord:
    case ExprKind::kRecordSet:
      return record(expr, names);
    case ExprKind::kFunctionSet: {
      auto node = std::make_unique<FunctionSetNode>();
      node->from = compile(*expr.children[0], names);
      node->to = compile(*expr.children[1], names);
      std::vector<NodeRef*> children{&node->from, &node->to};
      return seal(std::move(node), expr.place, children);
    }
    case ExprKind::kFunctionApply: {
      auto node = std::make_unique<ApplyNode>();
      node->function = compile(*expr.children[0], names);
      std::vector<NodeRef*> children;
      for (size_t i = 1; i < expr.children.size(); ++i) {
        node->arguments.push_back(compile(*expr.children[i], names));
      }
      children.push_back(&node->function);
      for (NodeRef& argument : node->arguments) children.push_back(&argument);
      return seal(std::move(node), expr.place, children);
    }
    case ExprKind::kField: {
      auto node = std::make_unique<FieldNode>();
      node->record = compile(*expr.children[0], names);
      node->name = string_value(expr.text);
      std::vector<NodeRef*> children{&node->record};
      return seal(std::move(node), expr.place, children);
    }
    case ExprKind::kExcept:
      return except(expr, names);
    case ExprKind::kFilter:
    case ExprKind::kMap:
    case ExprKind::kFunction:
      return lambda_set(expr, names);
    case ExprKind::kChoose:
    case ExprKind::kForAll:
    case ExprKind::kExists:
      return quantifier(expr, names);
    case ExprKind::kTemporalForAll:
    case ExprKind::kTemporalExists: {
      auto node = std::make_unique<TemporalNode>();
      node->what = expr.kind == ExprKind::kTemporalForAll ? "\\AA" : "\\EE";
      return seal(std::move(node), expr.place, {}, {}, Level::kTemporal);
    }
    case ExprKind::kIf: {
      auto node = std::make_unique<IfNode>();
      node->test = compile(*expr.children[0], names);
      node->then = compile(*expr.children[1], names);
      node->otherwise = compile(*expr.children[2], names);
      node->branches = node->then->branches || node->otherwise->branches;
      std::vector<NodeRef*> children{&node->test, &node->then, &node->otherwise};
      return seal(std::move(node), expr.place, children);
    }
    case ExprKind::kCase:
      return case_of(expr, names);
    case ExprKind::kLet:
      return let(expr, names);
    case ExprKind::kLambda:
      c_.modules_.fail_at(expr.place,
                          "a LAMBDA is an operator: it can be an argument, not a value");
    case ExprKind::kBoxAction:
    case ExprKind::kAngleAction: {
      auto node = std::make_unique<BoxNode>();
      node->is_box = expr.kind == ExprKind::kBoxAction;
      node->action = compile(*expr.children[0], names);
      ++primed_;
      node->subscript = compile(*expr.children[1], names);
      --primed_;
      node->branches = true;
      std::vector<NodeRef*> children{&node->action, &node->subscript};
      return seal(std::move(node), expr.place, children, {}, Level::kAction);
    }
    case ExprKind::kWeakFairness:
      return temporal(expr, "WF", names);
    case ExprKind::kStrongFairness:
      return temporal(expr, "SF", names);
  }
  return nullptr;
}

NodeRef ExprCompiler::temporal(const Expr& expr, std::string what, const Environment& names) {
  auto node = std::make_unique<TemporalNode>();
  node->what = std::move(what);
  for (const ExprRef& child : expr.children) node->items.push_back(compile(*child, names));
  std::vector<NodeRef*> children;
  for (NodeRef& item : node->items) children.push_back(&item);
  return seal(std::move(node), expr.place, children, {}, Level::kTemporal);
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
  static Heap keys;  // as many as specifications write
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
      inner->bindings.push_back(std::move(binding));
      definition.node = compile_function(unit, *inner, unit.name);
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
