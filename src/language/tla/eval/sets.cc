// Sets, tuples, records and functions being made.
#include "base/text.h"
#include "language/tla/eval/bindings.h"
#include "language/tla/eval/items.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

void fail_to_go_through(Heap& heap, Value set) {
  const std::string size = cardinality(heap, set).str();
  const std::string shown =
      size.size() <= 30 ? size
                        : size.substr(0, 3) + "… (" + std::to_string(size.size()) + " digits)";
  fail(describe(set) + " has " + shown + " elements: more than " +
       std::to_string(kMostGoneThrough) + " are not gone through");
}

void check_walk(Heap& heap, Value set) {
  if (set.is(ObjectKind::kSet)) return;
  if (set.is(ObjectKind::kSubset)) {
    constexpr uint32_t kFew = 29;  // 2^29 are gone through
    const Value base = set.object()->item(0);
    if (base.is(ObjectKind::kSet) && base.object()->size <= kFew) return;
  }
  if (set.is(ObjectKind::kFilter)) return check_walk(heap, set.object()->item(0));
  if (is_enumerable(set) && cardinality(heap, set) > kMostGoneThrough)
    fail_to_go_through(heap, set);
}

namespace {

// The frames around what is computed after the names in them may have got other values are copied.
// What is not evaluated yet goes on with the copies; arguments that callers passed, whose frames
// are not among them, are evaluated now.
class FrameCopies {
 public:
  FrameCopies(Machine& m, Frame* f) : m_(m) {
    for (; f != nullptr; f = f->up) copies_.emplace_back(f, m.frame(nullptr, f->size));
    for (size_t i = 0; i < copies_.size(); ++i) {
      auto& [from, to] = copies_[i];
      to->up = i + 1 < copies_.size() ? copies_[i + 1].second : nullptr;
      for (uint32_t slot = 0; slot < from->size; ++slot) to->slot(slot) = copy(from->slot(slot));
    }
  }
  Frame* innermost() const { return copies_.empty() ? nullptr : copies_.front().second; }

 private:
  Value copy(Value& slot) {
    if (!slot.is_pending()) return slot;
    const auto* const pending = static_cast<const Pending*>(slot.what());
    if (pending->kind != Pending::Kind::kThunk) return slot;
    const Thunk& thunk = *static_cast<const Thunk*>(pending);
    for (const auto& [from, to] : copies_) {
      if (from != thunk.frame) continue;
      auto* const out = static_cast<Thunk*>(m_.heap().allocate(sizeof(Thunk)));
      *out = thunk;
      out->frame = to;
      return Value::pending(out);
    }
    if (!thunk.keeps) return slot;
    try {
      return force(m_, slot);
    } catch (const EvalError&) {
      return slot;  // an error if it is ever needed
    }
  }

  Machine& m_;
  std::vector<std::pair<Frame*, Frame*>> copies_;
};

Frame* copy_of(Machine& m, Frame* f) {
  return mutant(TlaMutant::kFrameShared) ? f : FrameCopies(m, f).innermost();
}

template <class T, class... Arguments>
const T* make_callable(Machine& m, Arguments&&... arguments) {
  return new (m.heap().allocate(sizeof(T))) T(std::forward<Arguments>(arguments)...);
}

struct FilterTest final : Callable {
  FilterTest(Machine& m, const FilterNode& node, Frame* f) : m(m), node(node), f(f) {}
  Value call(Value element) const override {
    bind(m, f, node.bound, 0, element);
    return node.body->eval(m, f);
  }
  Machine& m;
  const FilterNode& node;
  Frame* f;
};

// [x \in S |-> e] where S cannot be written out.
struct EndlessFunction final : Callable {
  EndlessFunction(Machine& m, const FunctionNode& node, Frame* f) : m(m), node(node), f(f) {}
  Value call(Value argument) const override {
    bind_arguments(m, node, f, argument);
    return node.body->eval(m, f);
  }
  static void bind_arguments(Machine& m, const FunctionNode& node, Frame* f, Value argument) {
    if (node.bounds.size() == 1 && (node.bounds[0].is_tuple || node.bounds[0].slots.size() == 1)) {
      bind(m, f, node.bounds[0], 0, argument);
      return;
    }
    const Object* const tuple = normal_function(m.heap(), argument);
    uint32_t at = 0;
    for (const BoundSet& bound : node.bounds) {
      if (bound.is_tuple) {
        bind(m, f, bound, 0, tuple->item(at++));
      } else {
        for (size_t i = 0; i < bound.slots.size(); ++i) bind(m, f, bound, i, tuple->item(at++));
      }
    }
  }
  Machine& m;
  const FunctionNode& node;
  Frame* f;
};

struct RecursiveFunction final : Callable {
  RecursiveFunction(Machine& m, const FunctionNode& node, Frame* up) : m(m), node(node), up(up) {}
  Value call(Value argument) const override {
    m.enter();
    return node.body->eval(m, frame_for(argument));
  }
  Frame* frame_for(Value argument) const {
    Frame* const frame = m.frame(up, node.layout.slots);
    EndlessFunction::bind_arguments(m, node, frame, argument);
    return frame;
  }
  Machine& m;
  const FunctionNode& node;
  Frame* up;
};

}  // namespace

Value CollectNode::eval(Machine& m, Frame* f) const {
  Items values(m.heap(), items.size());
  for (const NodeRef& item : items) values.push(item->eval(m, f));
  if (!is_set) return tla::make_tuple(m.heap(), values.all());
  return placed(*this, [&] { return make_set(m.heap(), values.all()); });
}

bool CollectNode::has_member(Machine& m, Frame* f, Value element) const {
  if (!is_set) return Node::has_member(m, f, element);
  return placed(*this, [&] {
    for (const NodeRef& item : items) {
      const Value value = item->eval(m, f);
      if (same(value, element) || equal(m.heap(), value, element)) return true;
    }
    return false;
  });
}

bool CollectNode::act_unchanged(Machine& m, Frame* f, const Continuation& k) const {
  if (is_set) return Node::act_unchanged(m, f, k);
  struct Rest final : Continuation {
    Rest(const CollectNode& node, Frame* f, size_t item, const Continuation& k)
        : node(node), f(f), item(item), k(k) {}
    bool go(Machine& m) const override {
      if (item == node.items.size()) return k.go(m);
      return node.items[item]->act_unchanged(m, f, Rest(node, f, item + 1, k));
    }
    const CollectNode& node;
    Frame* f;
    size_t item;
    const Continuation& k;
  };
  return Rest(*this, f, 0, k).go(m);
}

void CollectNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& item : items) out.push_back(item.get());
}

Value RecordNode::eval(Machine& m, Frame* f) const {
  Items values(m.heap(), items.size());
  for (const NodeRef& item : items) values.push(item->eval(m, f));
  if (is_set) return make_record_set(m.heap(), names, values.all());
  return make_function(m.heap(), keys, values.all());
}

bool RecordNode::has_member(Machine& m, Frame* f, Value element) const {
  if (!is_set) return Node::has_member(m, f, element);
  if (!is_function(element)) return Node::has_member(m, f, element);
  const Object* const record = normal_function(m.heap(), element);
  if (record->kind != ObjectKind::kFunction || record->size != items.size()) return false;
  for (uint32_t i = 0; i < record->size; ++i) {
    if (!same(record->keys->item(i), names[i])) return false;
  }
  for (uint32_t i = 0; i < record->size; ++i) {
    if (!items[i]->has_member(m, f, record->item(i))) return false;
  }
  return true;
}

void RecordNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& item : items) out.push_back(item.get());
}

Value FunctionSetNode::eval(Machine& m, Frame* f) const {
  const Value domain = from->eval(m, f);
  const Value range = to->eval(m, f);
  return placed(*this,
                [&] { return make_lazy_set(m.heap(), ObjectKind::kFunctionSet, domain, range); });
}

bool FunctionSetNode::has_member(Machine& m, Frame* f, Value element) const {
  if (!is_function(element)) return Node::has_member(m, f, element);
  const Value domain = value_of(*from, m, f);
  if (element.is(ObjectKind::kLambda)) return Node::has_member(m, f, element);
  return placed(*this, [&] {
    const Object* const function = normal_function(m.heap(), element);
    const bool counts = function->kind == ObjectKind::kTuple && domain.is(ObjectKind::kInterval) &&
                        domain.object()->low == 1 && domain.object()->high() == function->size;
    if (!counts && !equal(m.heap(), tla::domain(m.heap(), Value::of(function)), domain)) {
      return false;
    }
    for (const Value item : function->items()) {
      if (!to->has_member(m, f, item)) return false;
    }
    return true;
  });
}

void FunctionSetNode::children(std::vector<const Node*>& out) const {
  out.push_back(from.get());
  out.push_back(to.get());
}

Value SubsetNode::eval(Machine& m, Frame* f) const {
  const Value base = child->eval(m, f);
  return placed(*this, [&] { return make_lazy_set(m.heap(), ObjectKind::kSubset, base); });
}

bool SubsetNode::has_member(Machine& m, Frame* f, Value element) const {
  if (!is_set(element) || !is_enumerable(element)) return Node::has_member(m, f, element);
  return for_each_element(m, element, [&](Value item) { return child->has_member(m, f, item); });
}

void SubsetNode::children(std::vector<const Node*>& out) const { out.push_back(child.get()); }

Value ProductNode::eval(Machine& m, Frame* f) const {
  Items values(m.heap(), items.size());
  for (const NodeRef& item : items) values.push(item->eval(m, f));
  return placed(*this, [&] { return make_product(m.heap(), values.all()); });
}

void ProductNode::children(std::vector<const Node*>& out) const {
  for (const NodeRef& item : items) out.push_back(item.get());
}

Value CupNode::eval(Machine& m, Frame* f) const {
  const Value a = left->eval(m, f);
  const Value b = right->eval(m, f);
  return placed(*this, [&] { return set_cup(m.heap(), a, b); });
}

bool CupNode::has_member(Machine& m, Frame* f, Value element) const {
  return left->has_member(m, f, element) || right->has_member(m, f, element);
}

void CupNode::children(std::vector<const Node*>& out) const {
  out.push_back(left.get());
  out.push_back(right.get());
}

Value FilterNode::eval(Machine& m, Frame* f) const {
  const Value base = bound.set->eval(m, f);
  if (!is_set(base)) bound.set->fail_here("a set was expected here, not " + describe(base));
  if (!is_enumerable(base)) {
    return make_filter(m.heap(), base, make_callable<FilterTest>(m, m, *this, copy_of(m, f)));
  }
  placed(*this, [&] { check_walk(m.heap(), base); });
  Items kept(m.heap());
  for_each_element(m, base, [&](Value element) {
    placed(*this, [&] { bind(m, f, bound, 0, element); });
    if (body->truth(m, f)) kept.push(element);
    return true;
  });
  return make_sorted_set(m.heap(), kept.all());
}

bool FilterNode::has_member(Machine& m, Frame* f, Value element) const {
  if (!bound.set->has_member(m, f, element)) return false;
  placed(*this, [&] { bind(m, f, bound, 0, element); });
  return body->truth(m, f);
}

void FilterNode::children(std::vector<const Node*>& out) const {
  out.push_back(bound.set.get());
  out.push_back(body.get());
}

Value MapNode::eval(Machine& m, Frame* f) const {
  Items values(m.heap());
  const BoundValues sets(m, f, bounds);
  sets.check_walks(m);
  size_t most = limit();
  sets.each(m, f, [&] {
    values.push(body->eval(m, f));
    if (values.size() > most) {
      // Perhaps most of them are alike; else there are too many.
      const Value unique = placed(*this, [&] { return make_set(m.heap(), values.all()); });
      values.clear();
      for (const Value value : unique.object()->items()) values.push(value);
      most = std::max<size_t>(limit(), 2 * values.size());
    }
    return true;
  });
  return placed(*this, [&] { return make_set(m.heap(), values.all()); });
}

void MapNode::children(std::vector<const Node*>& out) const {
  children_of(bounds, out);
  out.push_back(body.get());
}

Value FunctionNode::domain(Machine& m, Frame* f) const {
  Items sets(m.heap());
  for (const BoundSet& bound : bounds) {
    const Value set = bound.set->eval(m, f);
    if (!is_set(set)) bound.set->fail_here("a set was expected here, not " + describe(set));
    for (size_t i = 0; i < (bound.is_tuple ? 1 : bound.slots.size()); ++i) sets.push(set);
  }
  return sets.size() == 1 ? sets.all()[0] : make_product(m.heap(), sets.all());
}

Value FunctionNode::eval(Machine& m, Frame* f) const {
  if (is_recursive) {
    return make_lambda(m.heap(), domain(m, f),
                       make_callable<RecursiveFunction>(m, m, *this, copy_of(m, f)));
  }
  const Value arguments = domain(m, f);
  if (!is_enumerable(arguments)) {
    return make_lambda(m.heap(), arguments,
                       make_callable<EndlessFunction>(m, m, *this, copy_of(m, f)));
  }
  const Object* const keys = placed(*this, [&] { return normal_set(m.heap(), arguments); });
  Items values(m.heap(), keys->size);
  for (const Value key : keys->items()) {
    EndlessFunction::bind_arguments(m, *this, f, key);
    values.push(body->eval(m, f));
  }
  return make_function(m.heap(), keys, values.all());
}

void FunctionNode::children(std::vector<const Node*>& out) const {
  children_of(bounds, out);
  out.push_back(body.get());
}

namespace {

// What computes a function that has not been written out; null: it has, or is none.
const Callable* unwritten_lambda(Value value) {
  if (!is_function(value)) return nullptr;
  const Object* const object = value.object();
  return object->kind == ObjectKind::kLambda && object->normal == nullptr ? object->callable
                                                                          : nullptr;
}

Value argument_of(Machine& m, Frame* f, const std::vector<NodeRef>& arguments) {
  if (arguments.size() == 1) return value_of(*arguments[0], m, f);
  Items values(m.heap(), arguments.size());
  for (const NodeRef& argument : arguments) values.push(argument->eval(m, f));
  return tla::make_tuple(m.heap(), values.all());
}

}  // namespace

Value ApplyNode::eval(Machine& m, Frame* f) const {
  const Value callee = value_of(*function, m, f);
  const Value argument = argument_of(m, f, arguments);
  if (const Value item = item_at_hand(callee, argument); item.defined()) return item;
  return placed(*this, [&] { return apply(m.heap(), callee, argument); });
}

bool ApplyNode::act(Machine& m, Frame* f, const Continuation& k) const {
  const Value callee = function->eval(m, f);
  const Value argument = argument_of(m, f, arguments);
  if (const Callable* const callable = unwritten_lambda(callee); callable != nullptr) {
    const auto* const recursive = dynamic_cast<const RecursiveFunction*>(callable);
    if (recursive != nullptr && contains(m.heap(), callee.object()->item(0), argument)) {
      m.enter();
      return recursive->node.body->act(m, recursive->frame_for(argument), k);
    }
  }
  const Value value = placed(*this, [&] { return apply(m.heap(), callee, argument); });
  if (!value.is_bool()) fail_here("TRUE or FALSE was expected here, not " + describe(value));
  return value.truth() ? k.go(m) : true;
}

void ApplyNode::children(std::vector<const Node*>& out) const {
  out.push_back(function.get());
  for (const NodeRef& argument : arguments) out.push_back(argument.get());
}

Value FieldNode::eval(Machine& m, Frame* f) const {
  const Value value = value_of(*record, m, f);
  if (const Value item = item_at_hand(value, name); item.defined()) return item;
  return placed(*this, [&] {
    if (!is_function(value)) {
      fail("field " + atom_text(name.atom()) + " is asked of " + describe(value) +
           ", which is no record");
    }
    const Object* const object = normal_function(m.heap(), value);
    const Value item = find_item(m.heap(), object, name);
    if (!item.defined()) {
      std::vector<std::string> known;
      const Object* const keys = object->kind == ObjectKind::kFunction ? object->keys : nullptr;
      for (uint32_t i = 0; keys != nullptr && i < keys->size; ++i) {
        if (keys->item(i).is_string()) known.push_back(atom_text(keys->item(i).atom()));
      }
      fail("there is no field " + atom_text(name.atom()) + " in " + describe(value) +
           did_you_mean(atom_text(name.atom()), known));
    }
    return item;
  });
}

void FieldNode::children(std::vector<const Node*>& out) const { out.push_back(record.get()); }

Value ExceptNode::changed(Machine& m, Frame* f, Value old, const Update& update,
                          size_t step) const {
  if (step == update.path.size()) {
    f->slot(update.at_slot) = old;
    return update.value->eval(m, f);
  }
  const Step& here = update.path[step];
  if (!is_function(old)) {
    fail_here("EXCEPT changes functions and records, not " + describe(old));
  }
  const Value key = here.field.defined() ? here.field : argument_of(m, f, here.indices);
  return placed(*this, [&] {
    const Object* const function = normal_function(m.heap(), old);
    const Value item = find_item(m.heap(), function, key);
    if (!item.defined() && mutant(TlaMutant::kExceptFails)) fail("there is nothing to change");
    if (!item.defined()) {
      // As in TLC: what is not there is not changed, but it must be of a type that could be.
      if (function->kind == ObjectKind::kTuple && function->size > 0 && !key.is_integer()) {
        fail("only integers are in the domain of " + describe(Value::of(function)) + ", not " +
             describe(key));
      }
      return old;
    }
    return except(m.heap(), Value::of(function), key, changed(m, f, item, update, step + 1));
  });
}

Value ExceptNode::eval(Machine& m, Frame* f) const {
  Value value = function->eval(m, f);
  for (const Update& update : updates) {
    if (mutant(TlaMutant::kFirstChangeOnly) && &update != &updates.front()) break;
    value = changed(m, f, value, update, 0);
  }
  return value;
}

void ExceptNode::children(std::vector<const Node*>& out) const {
  out.push_back(function.get());
  for (const Update& update : updates) {
    for (const Step& step : update.path) {
      for (const NodeRef& index : step.indices) out.push_back(index.get());
    }
    out.push_back(update.value.get());
  }
}

}  // namespace ordeal::tla
