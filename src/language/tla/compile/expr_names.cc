// Operators and names within expressions.
#include <algorithm>

#include "base/text.h"
#include "language/tla/compile/expr_compiler.h"

namespace ordeal::tla {

namespace {

const Builtin* language_operator(const std::string& name, size_t params) {
  for (const Builtin& builtin : language_operators()) {
    if (builtin.name == name && builtin.params.size() == params) return &builtin;
  }
  return nullptr;
}

Symbol* in_module(const ModuleScope* module, const std::string& name) {
  while (module != nullptr) {
    const auto known = module->names.find(name);
    if (known != module->names.end()) return known->second;
    // A module within a module sees what is declared around it.
    const ModuleScope* const around = module->around;
    if (around == nullptr || module->module == nullptr) return nullptr;
    const auto inner = around->inner.find(module->module->name);
    if (inner == around->inner.end() || inner->second != module->module) return nullptr;
    module = around;
  }
  return nullptr;
}

Symbol* replaced(Symbol* symbol) {
  for (int i = 0; symbol != nullptr && symbol->replaced_by != nullptr && i < 100; ++i) {
    symbol = symbol->replaced_by;
  }
  return symbol;
}

// Whether it is a variable, through definitions.
bool is_variable(const Node& node) {
  const auto* const call = dynamic_cast<const CallNode*>(&node);
  if (call == nullptr) return dynamic_cast<const VariableNode*>(&node) != nullptr;
  return call->arguments.empty() && call->instances.empty() && call->op->body != nullptr &&
         is_variable(*call->op->body);
}

std::string counted(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

uint32_t ExprCompiler::hops_to(const Layout* layout, const Place& place) const {
  uint32_t hops = 0;
  for (const Layout* here = &layout_; here != nullptr; here = here->up, ++hops) {
    if (here == layout) return hops;
  }
  c_.modules_.fail_at(place, "what this name refers to cannot be reached from here");
}

ExprCompiler::Found ExprCompiler::find(const Expr& expr, const Environment& names) {
  Found found;
  found.names = &names;
  const ModuleScope* scope = nullptr;
  for (const Qualifier& qualifier : expr.qualifiers) {
    ModuleScope* next = nullptr;
    if (scope == nullptr) {
      const Binding* const binding = names.find(qualifier.name);
      if (binding != nullptr && binding->kind == Binding::Kind::kInstance) {
        next = binding->instance;
      }
    }
    if (next == nullptr) {
      const Symbol* const symbol =
          in_module(scope == nullptr ? names.module : scope, qualifier.name);
      if (symbol == nullptr || symbol->kind != Symbol::Kind::kInstance) {
        std::vector<std::string> instances;
        for (const auto& [name, other] : (scope == nullptr ? names.module : scope)->names) {
          if (other->kind == Symbol::Kind::kInstance) instances.push_back(name);
        }
        c_.modules_.fail_at(qualifier.place, "there is no instance called " + qualifier.name +
                                                 did_you_mean(qualifier.name, instances));
      }
      next = symbol->instance;
    }
    if (next->param_names.size() != qualifier.arguments.size()) {
      c_.modules_.fail_at(qualifier.place, "instance " + qualifier.name + " has " +
                                               counted(next->param_names.size(), "parameter") +
                                               ", not " +
                                               std::to_string(qualifier.arguments.size()));
    }
    if (next->params != nullptr) found.instances.emplace_back(next->params, &qualifier.arguments);
    scope = next;
  }
  if (scope != nullptr) {
    found.symbol = in_module(scope, expr.text);
    if (found.symbol == nullptr || found.symbol->local) {
      std::vector<std::string> known;
      for (const auto& [name, symbol] : scope->names) known.push_back(name);
      c_.modules_.fail_at(expr.name_place, "there is no " + expr.text + " in this instance" +
                                               did_you_mean(expr.text, known));
    }
    found.symbol = replaced(found.symbol);
    return found;
  }
  found.binding = names.find(expr.text);
  if (found.binding == nullptr) found.symbol = replaced(in_module(names.module, expr.text));
  return found;
}

NodeRef ExprCompiler::apply(const Expr& expr, const Environment& names) {
  if (!expr.selectors.empty()) return part_of(expr, names);
  if (expr.qualifiers.empty()) {
    if (NodeRef node = known_operator(expr, names)) return node;
  }
  const Found found = find(expr, names);
  if (found.binding == nullptr && found.symbol == nullptr) {
    if (const Builtin* language = language_operator(expr.text, expr.children.size())) {
      return builtin(expr, *language, names);
    }
    fail_undefined(expr, expr.name_place, names);
  }
  return apply_found(expr, found, names);
}

// With the module to extend, where it is an operator of the library, or the nearest name there is.
void ExprCompiler::fail_undefined(const Expr& expr, const Place& place, const Environment& names) {
  std::string hint;
  for (const std::string_view name : library_modules()) {
    for (const Builtin& builtin : library_module(name)->builtins) {
      if (hint.empty() && builtin.name == expr.text) {
        hint = ": it is an operator of module " + std::string(name) + ", say EXTENDS " +
               std::string(name);
      }
    }
  }
  if (hint.empty()) hint = did_you_mean(expr.text, c_.modules_.names_like(names, expr.text));
  c_.modules_.fail_at(place, expr.text + " is not defined" + hint);
}

NodeRef ExprCompiler::apply_found(const Expr& expr, const Found& found, const Environment& names) {
  if (found.binding == nullptr) return symbol(expr, *found.symbol, found, names);
  const Binding& binding = *found.binding;
  switch (binding.kind) {
    case Binding::Kind::kSlot:
      if (!expr.children.empty()) {
        c_.modules_.fail_at(expr.place, expr.text +
                                            " is a value: it has no parameters. A function is "
                                            "applied with brackets, " +
                                            expr.text + "[…]");
      }
      return local(expr, binding, names);
    case Binding::Kind::kOperatorSlot: {
      if (binding.arity != expr.children.size()) {
        c_.modules_.fail_at(expr.place, expr.text + " has " + counted(binding.arity, "parameter") +
                                            ", not " + std::to_string(expr.children.size()));
      }
      auto node = std::make_unique<CallLocalNode>();
      node->hops = hops_to(binding.layout, expr.place);
      node->slot = binding.slot;
      node->branches = true;
      if (node->hops == 0) {
        node->free.push_back(binding.slot);
      } else {
        node->outer = true;
      }
      arguments(expr, std::vector<uint8_t>(binding.arity, 0), names, node->arguments);
      std::vector<NodeRef*> children;
      for (Argument& argument : node->arguments) {
        if (argument.node) children.push_back(&argument.node);
      }
      return seal(std::move(node), expr.place, children);
    }
    case Binding::Kind::kDefinition:
      return call(expr, *binding.definition, found, names);
    case Binding::Kind::kInstance:
      c_.modules_.fail_at(
          expr.place, expr.text + " is an instance: name what is meant of it, " + expr.text + "!…");
  }
  return nullptr;
}

NodeRef ExprCompiler::local(const Expr& expr, const Binding& binding, const Environment& names) {
  auto node =
      std::make_unique<LocalNode>(hops_to(binding.layout, expr.place), binding.slot, binding.name);
  if (node->hops == 0) {
    node->free.push_back(binding.slot);
  } else {
    node->outer = true;
  }
  if (binding.param_of != nullptr) {
    node->branches = true;  // what is passed may be an action
    if (primed_ > 0) binding.param_of->primes_params = true;
  }
  node->branches = node->branches || binding.is_running;
  if (binding.let_value != nullptr) {
    node->level = binding.let_value->level;
    node->pure = binding.let_value->pure;
    node->settled = binding.let_value->settled;
    node->branches = binding.let_value->branches;
    if (primed_ > 0) {
      // What LET defines may mention parameters: which ones is not followed up.
      for (const Environment* here = &names; here != nullptr; here = here->up) {
        for (const Binding& other : here->bindings) {
          if (other.param_of != nullptr) other.param_of->primes_params = true;
        }
      }
    }
  }
  return seal(std::move(node), expr.place, {});
}

NodeRef ExprCompiler::symbol(const Expr& expr, Symbol& symbol, const Found& found,
                             const Environment& names) {
  if (symbol.value.defined()) {
    if (!expr.children.empty()) {
      c_.modules_.fail_at(expr.place, symbol.name +
                                          " has a value in the configuration and no "
                                          "parameters");
    }
    return seal(std::make_unique<LiteralNode>(symbol.value), expr.place, {});
  }
  if (!symbol.table.empty()) return table(expr, symbol, names);
  switch (symbol.kind) {
    case Symbol::Kind::kConstant:
      return refused(expr, "constant " + symbol.name +
                               " has no value: give it one in the "
                               "configuration, CONSTANT " +
                               symbol.name + " = …");
    case Symbol::Kind::kVariable: {
      if (!expr.children.empty()) {
        c_.modules_.fail_at(expr.place, expr.text +
                                            " is a variable: it has no parameters. A "
                                            "function is applied with brackets, " +
                                            expr.text + "[…]");
      }
      return seal(std::make_unique<VariableNode>(symbol.variable, symbol.name), expr.place, {}, {},
                  Level::kState);
    }
    case Symbol::Kind::kOperator:
      return call(expr, *symbol.definition, found, names);
    case Symbol::Kind::kBuiltin:
      return builtin(expr, *symbol.builtin, names);
    case Symbol::Kind::kInstance:
      c_.modules_.fail_at(
          expr.place, expr.text + " is an instance: name what is meant of it, " + expr.text + "!…");
    case Symbol::Kind::kSubstituted:
      return substituted(expr, symbol, names);
  }
  return nullptr;
}

NodeRef ExprCompiler::table(const Expr& expr, const Symbol& symbol, const Environment& names) {
  if (expr.children.size() != symbol.arity) {
    c_.modules_.fail_at(expr.place, symbol.name + " has " + counted(symbol.arity, "parameter") +
                                        ", not " + std::to_string(expr.children.size()));
  }
  auto node = std::make_unique<TableNode>();
  node->name = symbol.name;
  node->rows = symbol.table;
  std::vector<NodeRef*> children;
  for (const ExprRef& child : expr.children) node->arguments.push_back(compile(*child, names));
  for (NodeRef& argument : node->arguments) children.push_back(&argument);
  return seal(std::move(node), expr.place, children);
}

NodeRef ExprCompiler::substituted(const Expr& expr, const Symbol& symbol,
                                  const Environment& names) {
  const Expr& with = *symbol.substitute.expr;
  const Environment& there = *symbol.substitute.names;
  if (expr.children.empty()) {
    NodeRef child = compile(with, there);
    if (!symbol.of_variable || is_variable(*child)) return child;
    const auto number = static_cast<uint32_t>(c_.substituted_.size());
    auto node = std::make_unique<SubstitutedNode>(
        symbol.name, c_.substituted_.emplace(&symbol, number).first->second);
    node->branches = child->branches;
    node->child = std::move(child);
    std::vector<NodeRef*> children{&node->child};
    return seal(std::move(node), expr.place, children, {}, Level::kState);
  }
  if (with.kind == ExprKind::kLambda) {
    return call(expr, *c_.modules_.add_lambda(with, there), {}, names);
  }
  if (with.kind != ExprKind::kApply || !with.children.empty()) {
    c_.modules_.fail_at(with.place,
                        symbol.name + " has parameters: an operator must take its place");
  }
  const Found found = find(with, there);
  if (found.binding == nullptr && found.symbol == nullptr) {
    if (const Builtin* language = language_operator(with.text, expr.children.size())) {
      return builtin(expr, *language, names);
    }
    fail_undefined(with, with.place, there);
  }
  return apply_found(expr, found, names);
}

NodeRef ExprCompiler::call(const Expr& expr, Definition& definition, const Found& found,
                           const Environment& names) {
  const bool running = definition.stage == Definition::Stage::kCompiling;
  const bool is_function =
      definition.unit != nullptr && definition.unit->kind == UnitKind::kFunction;
  if (running && !definition.recursive && !is_function) {
    c_.modules_.fail_at(expr.place, definition.op.name +
                                        " is used in its own definition: say "
                                        "RECURSIVE " +
                                        definition.op.name + " before it");
  }
  const Operator& op = c_.compiled(definition);
  if (op.param_names.size() != expr.children.size()) {
    c_.modules_.fail_at(expr.place, op.name + " has " +
                                        counted(op.param_names.size(), "parameter") + ", not " +
                                        std::to_string(expr.children.size()));
  }
  auto node = std::make_unique<CallNode>();
  node->op = &op;
  node->level = op.level;
  node->pure = op.pure;
  node->branches = op.branches;
  node->settled = definition.stage == Definition::Stage::kDone;
  const Layout* base = definition.home->layout;
  if (!found.instances.empty()) base = found.instances.front().first->up;
  std::vector<NodeRef*> children;
  for (const auto& [layout, given] : found.instances) {
    CallNode::Instance& instance = node->instances.emplace_back();
    instance.layout = layout;
    ++primed_;
    for (const ExprRef& argument : *given) {
      instance.arguments.push_back(this->argument(*argument, 0, names));
    }
    --primed_;
  }
  if (base != nullptr) {
    node->has_home = true;
    node->hops = hops_to(base, expr.place);
    node->outer = true;
  }
  const bool by_name = op.primes_params || running;
  primed_ += by_name;
  arguments(expr, op.param_arities, names, node->arguments);
  primed_ -= by_name;
  for (CallNode::Instance& instance : node->instances) {
    for (Argument& argument : instance.arguments) {
      if (argument.node) children.push_back(&argument.node);
    }
  }
  for (Argument& argument : node->arguments) {
    if (argument.node) {
      children.push_back(&argument.node);
      continue;
    }
    if (argument.op != nullptr) {
      node->level = std::max(node->level, argument.op->level);
      node->pure = node->pure && argument.op->pure;
    }
    node->outer = node->outer || argument.builtin == nullptr;
  }
  return seal(std::move(node), expr.place, children);
}

void ExprCompiler::arguments(const Expr& call, const std::vector<uint8_t>& arities,
                             const Environment& names, std::vector<Argument>& out) {
  for (size_t i = 0; i < call.children.size(); ++i) {
    out.push_back(argument(*call.children[i], arities[i], names));
  }
}

Argument ExprCompiler::argument(const Expr& expr, uint32_t arity, const Environment& names) {
  Argument out;
  if (arity == 0) {
    out.node = compile(expr, names);
    return out;
  }
  const auto definition = [&](Definition& known) {
    out.op = &c_.compiled(known);
    if (out.op->param_names.size() != arity) {
      c_.modules_.fail_at(expr.place, "an operator with " + counted(arity, "parameter") +
                                          " is wanted here; " + out.op->name + " has " +
                                          std::to_string(out.op->param_names.size()));
    }
    if (known.home->layout != nullptr) out.hops = hops_to(known.home->layout, expr.place);
    return std::move(out);
  };
  if (expr.kind == ExprKind::kLambda) return definition(*c_.modules_.add_lambda(expr, names));
  if (expr.kind != ExprKind::kApply || !expr.children.empty() || !expr.selectors.empty()) {
    c_.modules_.fail_at(expr.place, "an operator with " + counted(arity, "parameter") +
                                        " is wanted here: its name, or a LAMBDA");
  }
  const Found found = find(expr, names);
  if (found.binding != nullptr) {
    if (found.binding->kind == Binding::Kind::kDefinition) {
      return definition(*found.binding->definition);
    }
    if (found.binding->kind == Binding::Kind::kOperatorSlot) {
      if (found.binding->arity != arity) {
        c_.modules_.fail_at(expr.place, expr.text + " has " +
                                            counted(found.binding->arity, "parameter") + ", not " +
                                            std::to_string(arity));
      }
      out.slot = static_cast<int>(found.binding->slot);
      out.hops = hops_to(found.binding->layout, expr.place);
      return out;
    }
    c_.modules_.fail_at(expr.place, expr.text + " is a value; an operator with " +
                                        counted(arity, "parameter") + " is wanted here");
  }
  if (found.symbol == nullptr) {
    out.builtin = language_operator(expr.text, arity);
    if (out.builtin != nullptr) return out;
    fail_undefined(expr, expr.place, names);
  }
  if (!found.instances.empty()) {
    c_.modules_.fail_at(expr.place,
                        "operators of instances with parameters cannot be arguments: "
                        "write a LAMBDA");
  }
  const Symbol& symbol = *found.symbol;
  if (symbol.kind == Symbol::Kind::kOperator) return definition(*symbol.definition);
  if (symbol.kind == Symbol::Kind::kBuiltin && symbol.builtin->params.size() == arity) {
    out.builtin = symbol.builtin;
    return out;
  }
  if (symbol.kind == Symbol::Kind::kSubstituted) {
    return argument(*symbol.substitute.expr, arity, *symbol.substitute.names);
  }
  c_.modules_.fail_at(expr.place,
                      expr.text + " is no operator with " + counted(arity, "parameter"));
}

NodeRef ExprCompiler::builtin(const Expr& expr, const Builtin& builtin, const Environment& names) {
  if (builtin.params.size() != expr.children.size()) {
    c_.modules_.fail_at(expr.place, expr.text + " has " +
                                        counted(builtin.params.size(), "parameter") + ", not " +
                                        std::to_string(expr.children.size()));
  }
  static const std::map<std::string, Arithmetic> kArithmetic = {
      {"+", Arithmetic::kAdd},     {"-", Arithmetic::kSubtract},
      {"<", Arithmetic::kLess},    {"<=", Arithmetic::kLessEqual},
      {">", Arithmetic::kGreater}, {">=", Arithmetic::kGreaterEqual}};
  const auto arithmetic = kArithmetic.find(std::string(builtin.name));
  if (arithmetic != kArithmetic.end() && builtin.params == "00") {
    auto node = std::make_unique<ArithmeticNode>();
    node->what = arithmetic->second;
    node->builtin = &builtin;
    node->left = compile(*expr.children[0], names);
    node->right = compile(*expr.children[1], names);
    std::vector<NodeRef*> children{&node->left, &node->right};
    return seal(std::move(node), expr.place, children);
  }
  const bool assigns = builtin.name == "\\subseteq";
  std::unique_ptr<BuiltinNode> node =
      assigns ? std::make_unique<SubsetEqNode>() : std::make_unique<BuiltinNode>();
  node->builtin = &builtin;
  node->pure = builtin.pure;
  std::vector<uint8_t> arities;
  for (const char c : builtin.params) arities.push_back(static_cast<uint8_t>(c - '0'));
  arguments(expr, arities, names, node->arguments);
  // As with \in: what is passed for a parameter may be a variable with its prime.
  node->branches = assigns && node->arguments[0].node->branches;
  std::vector<NodeRef*> children;
  for (Argument& argument : node->arguments) {
    if (argument.node) {
      children.push_back(&argument.node);
    } else {
      if (argument.op != nullptr) {
        node->level = std::max(node->level, argument.op->level);
        node->pure = node->pure && argument.op->pure;
      }
      node->outer = node->outer || argument.builtin == nullptr;
    }
  }
  return seal(std::move(node), expr.place, children);
}

}  // namespace ordeal::tla
