#include "language/tla/compile/compiler.h"

#include <algorithm>
#include <set>

#include "language/tla/compile/expr_compiler.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

namespace {

bool draws_at_random(std::string_view builtin) {
  static const std::set<std::string_view> kDraws = {"RandomElement", "RandomSubset",
                                                    "RandomSetOfSubsets", "RandomSubsetSet",
                                                    "TestRandomSetOfSubsets"};
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
  op.branches = true;
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

namespace {

// Whether it is the same in every state and for every way to bind names.
bool is_folded(const Node& node) {
  const Level most = mutant(TlaMutant::kStatesFolded) ? Level::kState : Level::kConstant;
  return node.level <= most && node.free.empty() && !node.outer && node.pure && node.settled;
}

}  // namespace

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
  if (!is_folded(node)) {
    for (NodeRef* child : children) *child = hoist(std::move(*child));
  }
}

NodeRef ExprCompiler::hoist(NodeRef node) {
  // What may be true in several ways is counted so often: it is gone through each time.
  if (node->branches) return node;
  if (!is_folded(*node)) return node;
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
  out->leaf = Node::Leaf::kConstant;
  out->leaf_at = out->constant;
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
      // A variable has a function that is written out; what a definition says may be recursive, and
      // so is a function within its own definition.
      node->branches = (node->function->level > Level::kConstant || node->function->branches) &&
                       dynamic_cast<const VariableNode*>(node->function.get()) == nullptr;
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
    case ExprKind::kAngleAction:
      return box(expr, *expr.children[0], *expr.children[1], expr.kind == ExprKind::kBoxAction,
                 names);
    case ExprKind::kWeakFairness:
      return fairness(expr, "WF", names);
    case ExprKind::kStrongFairness:
      return fairness(expr, "SF", names);
  }
  return nullptr;
}

}  // namespace ordeal::tla
