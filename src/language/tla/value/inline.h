// What value.h declares and nearly every expression needs: the cases that take a few instructions.
#pragma once

#include "language/tla/value/value.h"

namespace ordeal::tla {

namespace inner {

Value normal_lazy(Heap& heap, const Object* object);
bool equal_apart(Heap& heap, Value a, Value b);
int compare_apart(Heap& heap, Value a, Value b);

}  // namespace inner

inline bool is_set(Value value) {
  if (!value.is_object()) return false;
  const ObjectKind kind = value.object()->kind;
  return kind == ObjectKind::kSet || (kind >= ObjectKind::kInterval && kind <= ObjectKind::kBigCup);
}

inline bool is_function(Value value) {
  if (!value.is_object()) return false;
  const ObjectKind kind = value.object()->kind;
  return kind == ObjectKind::kTuple || kind == ObjectKind::kFunction || kind == ObjectKind::kLambda;
}

// What a function that is written out has at an argument, where a few comparisons of words tell.
// Undefined: not found so.
inline Value item_at_hand(Value function, Value argument) {
  constexpr uint32_t kFewKeys = 8;
  if (!function.is_object()) return Value();
  const Object* const object = function.object();
  if (object->kind == ObjectKind::kTuple) {
    const bool inside = argument.is_small() && argument.number() >= 1 &&
                        argument.number() <= static_cast<int64_t>(object->size);
    return inside ? object->item(static_cast<uint32_t>(argument.number() - 1)) : Value();
  }
  if (object->kind != ObjectKind::kFunction || object->size > kFewKeys) return Value();
  const Object* const keys = object->keys;
  for (uint32_t i = 0; i < object->size; ++i) {
    if (same(keys->item(i), argument)) return object->item(i);
  }
  return Value();
}

inline Value normal(Heap& heap, Value value) {
  if (!value.is_object() || is_normal(value.object())) return value;
  return inner::normal_lazy(heap, value.object());
}

inline bool equal(Heap& heap, Value a, Value b) {
  if (same(a, b)) return true;
  if (a.is_small() && b.is_small()) return false;
  if (a.is_string() && b.is_string()) return false;
  return inner::equal_apart(heap, a, b);
}

inline int compare(Heap& heap, Value a, Value b) {
  if (same(a, b)) return 0;
  if (a.is_small() && b.is_small()) return a.number() < b.number() ? -1 : 1;
  return inner::compare_apart(heap, a, b);
}

}  // namespace ordeal::tla
