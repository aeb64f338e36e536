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
