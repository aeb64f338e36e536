// Functions applied and changed.
#include <algorithm>

#include "language/tla/value/inner.h"

namespace ordeal::tla {
namespace {

[[noreturn]] void fail_to_apply(const Object* function, Value argument) {
  const std::string text = short_text(Value::of(function));
  if (function->kind == ObjectKind::kTuple && function->size == 0) {
    fail("the empty function <<>> is applied to " + short_text(argument));
  }
  if (function->kind == ObjectKind::kTuple) {
    fail(short_text(argument) + " is not in the domain 1.." + std::to_string(function->size) +
         " of " + text);
  }
  if (argument.is_string() && function->keys->item(0).is_string()) {
    fail("the record " + text + " has no field " + atom_text(argument.atom()));
  }
  fail(short_text(argument) + " is not in the domain " + short_text(Value::of(function->keys)) +
       " of " + text);
}

}  // namespace

uint32_t find_index(Heap& heap, const Object* function, Value argument) {
  if (function->kind == ObjectKind::kTuple) {
    if (!argument.is_small()) return function->size;
    const int64_t number = argument.number();
    return number >= 1 && number <= function->size ? static_cast<uint32_t>(number - 1)
                                                   : function->size;
  }
  const Object* const keys = function->keys;
  const Value* const items = keys->items().data();
  const uint32_t size = keys->size;
  if (size <= 8) {
    for (uint32_t i = 0; i < size; ++i) {
      if (same(items[i], argument)) return i;
    }
    // Only objects can be equal without being the same word; other types lie outside.
    if (!argument.is_object()) return size;
    for (uint32_t i = 0; i < size; ++i) {
      if (items[i].is_object() && equal(heap, items[i], argument)) return i;
    }
    return size;
  }
  const SetPlace place = find_place(heap, keys, argument);
  return place.found ? place.at : size;
}

Value find_item(Heap& heap, const Object* function, Value argument) {
  const uint32_t at = find_index(heap, function, argument);
  return at < function->size ? function->item(at) : Value();
}

Value apply(Heap& heap, Value function, Value argument) {
  if (!is_function(function)) {
    fail(describe(function) + " is applied to " + short_text(argument) + ", but is no function");
  }
  const Object* object = function.object();
  if (object->kind == ObjectKind::kLambda) {
    if (object->normal == nullptr) {
      if (!contains(heap, object->item(0), argument)) {
        fail(short_text(argument) + " is not in the domain " + short_text(object->item(0)) +
             " of a function");
      }
      return object->callable->call(argument);
    }
    object = object->normal;
  }
  const uint32_t at = find_index(heap, object, argument);
  if (at >= object->size) fail_to_apply(object, argument);
  return object->item(at);
}

Value domain(Heap& heap, Value function) {
  if (!is_function(function)) {
    fail("DOMAIN needs a function, but here is " + describe(function));
  }
  const Object* const object = function.object();
  if (object->kind == ObjectKind::kLambda) return object->item(0);
  if (object->kind == ObjectKind::kFunction) return Value::of(object->keys);
  return make_interval(heap, Value::small(1), Value::small(object->size));
}

Value except(Heap& heap, Value function, Value argument, Value value) {
  if (!is_function(function)) {
    fail("EXCEPT needs a function, but here is " + describe(function));
  }
  const Object* const object = normal_function(heap, function);
  const uint32_t at = find_index(heap, object, argument);
  if (at >= object->size) return function;
  if (same(object->item(at), value)) return Value::of(object);
  Object* const out = make_object(heap, object->kind, object->size);
  out->keys = object->keys;
  std::copy_n(object->items().data(), object->size, out->data());
  out->data()[at] = value;
  return Value::of(out);
}

}  // namespace ordeal::tla
