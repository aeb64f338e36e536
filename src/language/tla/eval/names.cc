// Names, definitions and calls.
#include "base/text.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

namespace {

class Call final : public BuiltinCall {
 public:
  Call(Machine& m, std::span<const Value> arguments) : machine_(m) {
    heap_ = &m.heap();
    host_ = &m.host();
    arguments_ = arguments;
  }
  uint32_t level() const override { return machine_.level; }
  Value call(size_t which, std::span<const Value> arguments) override {
    const Value operation = arguments_[which];
    if (!operation.is_pending()) fail("an operator was expected, not " + describe(operation));
    return tla::call(machine_, *static_cast<const Closure*>(operation.what()), arguments);
  }

 private:
  Machine& machine_;
};

bool may_keep(const Machine& m, const Node& node) {
  if (!node.pure || node.level >= Level::kAction) return false;
  return !m.starting || node.level == Level::kConstant;
}

Value delay(Machine& m, Frame* f, const Node& node) {
  auto* const thunk = static_cast<Thunk*>(m.heap().allocate(sizeof(Thunk)));
  thunk->kind = Pending::Kind::kThunk;
  thunk->node = &node;
  thunk->frame = f;
  thunk->now = m.now;
  thunk->keeps = may_keep(m, node);
  thunk->value = Value();
  return Value::pending(thunk);
}

Value make_closure(Machine& m, const Operator* op, Frame* up, const Builtin* builtin) {
  auto* const closure = static_cast<Closure*>(m.heap().allocate(sizeof(Closure)));
  closure->kind = Pending::Kind::kClosure;
  closure->op = op;
  closure->up = up;
  closure->builtin = builtin;
  return Value::pending(closure);
}

// What an argument is, where that is known without doing more than has been done; "": it is not.
std::string known_argument(Machine& m, Value slot) {
  constexpr size_t kWidth = 60;
  if (!slot.defined()) return "";
  if (slot.is_pending()) {
    const Thunk* const thunk = thunk_of(slot);
    if (thunk == nullptr || thunk->now != m.now || !thunk->value.defined()) return "";
    slot = thunk->value;
  }
  return cut_to(to_text(slot), kWidth);
}

// The innermost calls are told with their arguments; of those further out the last few.
[[noreturn]] void rethrow_from(Machine& m, EvalError& error, const Operator& op, Frame* frame,
                               const Place& place) {
  constexpr size_t kWithArguments = 8;
  constexpr size_t kFarthest = 8;
  ++error.depth;
  if (!error.placed) {
    error.placed = true;
    error.place = place;
  }
  std::string name = op.name;
  std::string arguments;
  if (error.calls.size() < kWithArguments && frame != nullptr) {
    for (uint32_t i = 0; i < op.param_names.size(); ++i) {
      const std::string value = known_argument(m, frame->slot(i));
      if (value.empty()) continue;
      arguments += (arguments.empty() ? "" : ", ") + op.param_names[i] + " = " + value;
    }
  }
  if (!arguments.empty()) name += "(" + arguments + ")";
  error.calls.emplace_back(std::move(name), place);
  if (error.calls.size() > kWithArguments + kFarthest) {
    error.calls.erase(error.calls.begin() + kWithArguments);
  }
  throw;
}

}  // namespace

void Node::fail_here(std::string message) const {
  throw EvalError{.message = std::move(message), .placed = true, .place = place};
}

bool Node::truth(Machine& m, Frame* f) const {
  const Value value = eval(m, f);
  if (!value.is_bool()) fail_here("TRUE or FALSE was expected here, not " + describe(value));
  return value.truth();
}

bool Node::act(Machine& m, Frame* f, const Continuation& k) const {
  return truth(m, f) ? k.go(m) : true;
}

bool Node::has_member(Machine& m, Frame* f, Value element) const {
  const Value set = value_of(*this, m, f);
  if (element.is_small() && set.is(ObjectKind::kInterval)) {
    return element.number() >= set.object()->low && element.number() <= set.object()->high();
  }
  return placed(*this, [&] { return contains(m.heap(), set, element); });
}

Value Node::passed(Machine& m, Frame* f, bool) const { return delay(m, f, *this); }

bool Node::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  const Value before = eval(m, f);
  Value* const now = m.now;
  Value* const next = m.next;
  m.now = next;
  m.next = nullptr;
  Value after;
  try {
    after = eval(m, f);
  } catch (...) {
    m.now = now;
    m.next = next;
    throw;
  }
  m.now = now;
  m.next = next;
  return equal(m.heap(), before, after) ? k.go(m) : true;
}

Value pass(Machine& m, Frame* f, const Argument& argument, bool by_name) {
  if (argument.node) return argument.node->passed(m, f, by_name);
  for (uint32_t i = 0; i < argument.hops; ++i) f = f->up;
  if (argument.slot >= 0) return f->slot(static_cast<uint32_t>(argument.slot));
  return make_closure(m, argument.op, f, argument.builtin);
}

void pass_children(const std::vector<Argument>& arguments, std::vector<const Node*>& out) {
  for (const Argument& argument : arguments) {
    if (argument.node) out.push_back(argument.node.get());
  }
}

Value call(Machine& m, const Closure& closure, std::span<const Value> arguments) {
  if (closure.builtin != nullptr) {
    std::vector<Value> values(arguments.begin(), arguments.end());
    for (Value& value : values) {
      if (value.is_pending() && thunk_of(value) != nullptr) value = force(m, value);
    }
    Call call(m, values);
    return closure.builtin->run(call);
  }
  m.enter();
  Frame* const frame = m.frame(closure.up, closure.op->layout.slots);
  for (size_t i = 0; i < arguments.size(); ++i)
    frame->slot(static_cast<uint32_t>(i)) = arguments[i];
  return closure.op->body->eval(m, frame);
}

Value LiteralNode::eval(Machine&, Frame*) const { return value; }

Value VariableNode::eval(Machine& m, Frame*) const {
  if (m.now == nullptr) fail_here("there is no state here for variable " + name);
  const Value value = m.now[index];
  if (!value.defined()) fail_here("variable " + name + " is used before it has a value");
  return value;
}

Value VariableNode::passed(Machine& m, Frame* f, bool by_name) const {
  const Value value = by_name || m.now == nullptr ? Value() : m.now[index];
  return value.defined() ? value : delay(m, f, *this);
}

bool VariableNode::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  if (m.next == nullptr) fail_here("UNCHANGED makes no sense here: there is no next state");
  Value& after = m.next[index];
  const Value before = eval(m, f);
  if (after.defined() && !mutant(TlaMutant::kUnchangedTrusted)) {
    return equal(m.heap(), before, after) ? k.go(m) : true;
  }
  after = before;
  const bool more = k.go(m);
  after = Value();
  return more;
}

bool SubstitutedNode::is_itself_in(const Machine& m, const Value* state) const {
  return state != nullptr && state == m.looked_for && number < m.substituted &&
         !mutant(TlaMutant::kInstancesNotAsked);
}

Value SubstitutedNode::eval(Machine& m, Frame* f) const {
  if (!is_itself_in(m, m.now)) return child->eval(m, f);
  const Value value = m.now[m.variables() + number];
  if (!value.defined()) fail_here("variable " + name + "' is used before it has a value");
  return value;
}

int SubstitutedNode::variable(Machine& m, Frame* f) const {
  if (!is_itself_in(m, m.next)) return child->variable(m, f);
  return static_cast<int>(m.variables() + number);
}

bool SubstitutedNode::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  if (!is_itself_in(m, m.next)) return child->act_unchanged(m, f, k);
  Value& after = m.next[m.variables() + number];
  const Value before = child->eval(m, f);
  if (after.defined()) return equal(m.heap(), before, after) ? k.go(m) : true;
  after = before;
  const bool more = k.go(m);
  after = Value();
  return more;
}

bool SubstitutedNode::has_member(Machine& m, Frame* f, Value element) const {
  return is_itself_in(m, m.now) ? Node::has_member(m, f, element)
                                : child->has_member(m, f, element);
}

void SubstitutedNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

Value LocalNode::eval(Machine& m, Frame* f) const {
  Value& value = at(f);
  if (!value.is_pending()) return value;
  m.enter();
  return force(m, value);
}

bool LocalNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (const Thunk* thunk = thunk_of(at(f))) return thunk->node->act(m, thunk->frame, k);
  return Node::act(m, f, k);
}

int LocalNode::variable(Machine& m, Frame* f) const {
  const Thunk* const thunk = thunk_of(at(f));
  return thunk == nullptr ? -1 : thunk->node->variable(m, thunk->frame);
}

bool LocalNode::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  if (const Thunk* thunk = thunk_of(at(f))) return thunk->node->act_unchanged(m, thunk->frame, k);
  return k.go(m);  // a value does not change
}

int LocalNode::primed_variable(Machine& m, Frame* f) const {
  const Thunk* const thunk = thunk_of(at(f));
  return thunk == nullptr ? -1 : thunk->node->primed_variable(m, thunk->frame);
}

Frame* CallNode::enter(Machine& m, Frame* f) const {
  Frame* home = nullptr;
  if (has_home) {
    home = f;
    for (uint32_t i = 0; i < hops; ++i) home = home->up;
  }
  for (const Instance& instance : instances) {
    Frame* const around = m.frame(home, instance.layout->slots);
    for (size_t i = 0; i < instance.arguments.size(); ++i) {
      around->slot(static_cast<uint32_t>(i)) = pass(m, f, instance.arguments[i], true);
    }
    home = around;
  }
  Frame* const frame = m.frame(home, op->layout.slots);
  for (size_t i = 0; i < arguments.size(); ++i) {
    frame->slot(static_cast<uint32_t>(i)) = pass(m, f, arguments[i], op->primes_params);
  }
  return frame;
}

Value CallNode::eval(Machine& m, Frame* f) const {
  Frame* frame = nullptr;
  try {
    m.enter();
    if (op->constant >= 0) {
      const auto number = static_cast<uint32_t>(op->constant);
      const Value known = m.constant(number);
      if (known.defined()) return known;
      return m.keep_constant(number, m.in_constant_heap([&] {
        return op->body->eval(m, m.frame(nullptr, op->layout.slots));
      }));
    }
    frame = enter(m, f);
    return op->body->eval(m, frame);
  } catch (EvalError& error) {
    rethrow_from(m, error, *op, frame, place);
  }
}

bool CallNode::truth(Machine& m, Frame* f) const {
  if (op->constant >= 0) return Node::truth(m, f);
  Frame* frame = nullptr;
  try {
    m.enter();
    frame = enter(m, f);
    return op->body->truth(m, frame);
  } catch (EvalError& error) {
    rethrow_from(m, error, *op, frame, place);
  }
}

bool CallNode::act(Machine& m, Frame* f, const Continuation& k) const {
  if (!op->branches && level < Level::kAction && !m.starting) return Node::act(m, f, k);
  m.enter();
  Frame* const frame = enter(m, f);
  const Label before = m.label;
  const bool names = m.naming && level == Level::kAction;
  if (names) m.label = {op, frame, static_cast<uint32_t>(m.witnesses.size())};
  try {
    const bool more = op->body->act(m, frame, k);
    m.label = before;
    return more;
  } catch (EvalError& error) {
    rethrow_from(m, error, *op, frame, place);
  }
}

int CallNode::variable(Machine& m, Frame* f) const {
  if (!arguments.empty() || op->constant >= 0) return -1;
  return op->body->variable(m, enter(m, f));
}

int CallNode::primed_variable(Machine& m, Frame* f) const {
  if (!arguments.empty() || op->constant >= 0) return -1;
  return op->body->primed_variable(m, enter(m, f));
}

bool CallNode::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  if (op->constant >= 0) return k.go(m);
  return op->body->act_unchanged(m, enter(m, f), k);
}

bool CallNode::has_member(Machine& m, Frame* f, Value element) const {
  if (op->constant >= 0) return Node::has_member(m, f, element);  // known, and asked often
  Frame* frame = nullptr;
  try {
    m.enter();
    frame = enter(m, f);
    return op->body->has_member(m, frame, element);
  } catch (EvalError& error) {
    rethrow_from(m, error, *op, frame, place);
  }
}

void CallNode::children(std::vector<const Node*>& out) const {
  for (const Instance& instance : instances) pass_children(instance.arguments, out);
  pass_children(arguments, out);
}

const Closure& CallLocalNode::closure(Frame* f) const {
  for (uint32_t i = 0; i < hops; ++i) f = f->up;
  const Value value = f->slot(slot);
  if (!value.is_pending()) fail_here("an operator was expected, not " + describe(value));
  const auto* const pending = static_cast<const Pending*>(value.what());
  if (pending->kind != Pending::Kind::kClosure) fail_here("an operator was expected, not a value");
  return *static_cast<const Closure*>(pending);
}

Value CallLocalNode::eval(Machine& m, Frame* f) const {
  const Closure& operation = closure(f);
  std::vector<Value> values;
  values.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    values.push_back(pass(m, f, argument, operation.op != nullptr && operation.op->primes_params));
  }
  return placed(*this, [&] { return call(m, operation, values); });
}

Frame* CallLocalNode::enter(Machine& m, Frame* f, const Closure& operation) const {
  Frame* const frame = m.frame(operation.up, operation.op->layout.slots);
  for (size_t i = 0; i < arguments.size(); ++i) {
    frame->slot(static_cast<uint32_t>(i)) = pass(m, f, arguments[i], operation.op->primes_params);
  }
  return frame;
}

bool CallLocalNode::act(Machine& m, Frame* f, const Continuation& k) const {
  const Closure& operation = closure(f);
  if (operation.op == nullptr) return Node::act(m, f, k);
  m.enter();
  return operation.op->body->act(m, enter(m, f, operation), k);
}

void CallLocalNode::children(std::vector<const Node*>& out) const { pass_children(arguments, out); }

Value ConstantNode::eval(Machine& m, Frame*) const {
  const Value known = m.constant(constant);
  if (known.defined()) return known;
  return m.keep_constant(constant, m.in_constant_heap([&] {
    return child->eval(m, m.frame(nullptr, layout->slots));
  }));
}

void ConstantNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

void LetNode::bind(Machine& m, Frame* f) const {
  for (const Definition& definition : definitions) {
    f->slot(definition.slot) = delay(m, f, *definition.node);
  }
}

Value LetNode::eval(Machine& m, Frame* f) const {
  bind(m, f);
  return body->eval(m, f);
}

bool LetNode::truth(Machine& m, Frame* f) const {
  bind(m, f);
  return body->truth(m, f);
}

bool LetNode::act(Machine& m, Frame* f, const Continuation& k) const {
  bind(m, f);
  return body->act(m, f, k);
}

bool LetNode::has_member(Machine& m, Frame* f, Value element) const {
  bind(m, f);
  return body->has_member(m, f, element);
}

void LetNode::children(std::vector<const Node*>& out) const {
  for (const Definition& definition : definitions) out.push_back(definition.node.get());
  out.push_back(body.get());
}

Value BuiltinNode::eval(Machine& m, Frame* f) const {
  constexpr size_t kFew = 4;
  Value few[kFew];
  std::vector<Value> many;
  if (arguments.size() > kFew) many.resize(arguments.size());
  Value* const values = arguments.size() > kFew ? many.data() : few;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    values[i] = argument.node ? argument.node->eval(m, f) : pass(m, f, argument, false);
  }
  return placed(*this, [&] {
    Call call(m, {values, arguments.size()});
    return builtin->run(call);
  });
}

Value TableNode::eval(Machine& m, Frame* f) const {
  std::vector<Value> values;
  values.reserve(arguments.size());
  for (const NodeRef& argument : arguments) values.push_back(argument->eval(m, f));
  for (const auto& row : rows) {  // clang cannot take parts of it into what follows
    const auto& keys = row.first;
    bool fits = true;
    for (size_t i = 0; i < keys.size() && fits; ++i) {
      fits = placed(*arguments[i], [&] { return equal(m.heap(), keys[i], values[i]); });
    }
    if (fits) return row.second;
  }
  std::string given;
  for (const Value value : values) given += (given.empty() ? "" : ", ") + to_text(value);
  fail_here("the configuration does not say what " + name + "(" + given + ") is");
}

void TableNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& argument : arguments) out.push_back(argument.get());
}

void BuiltinNode::children(std::vector<const Node*>& out) const { pass_children(arguments, out); }

}  // namespace ordeal::tla
