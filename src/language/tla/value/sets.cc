// Sets from sets. What is small and written out is merged; what is infinite stays as it is asked.
#include <algorithm>

#include "language/tla/value/inner.h"

namespace ordeal::tla {
namespace {

void require_sets(Value a, Value b, const char* what) {
  if (!is_set(a)) {
    fail(std::string("the left side of ") + what + " must be a set, but is " + describe(a));
  }
  if (!is_set(b)) {
    fail(std::string("the right side of ") + what + " must be a set, but is " + describe(b));
  }
}

bool is_empty(Value set) { return set.is(ObjectKind::kSet) && set.object()->size == 0; }

Value with_element(Heap& heap, const Object* set, Value element) {
  const SetPlace place = find_place(heap, set, element);
  if (place.found) return Value::of(set);
  Object* const out = make_object(heap, ObjectKind::kSet, set->size + 1);
  const Value* const items = set->items().data();
  std::copy_n(items, place.at, out->data());
  out->data()[place.at] = element;
  std::copy_n(items + place.at, set->size - place.at, out->data() + place.at + 1);
  if (out->size > limit()) check_limit(uint64_t{out->size}, "a set");
  return Value::of(out);
}

Value without_element(Heap& heap, const Object* set, Value element) {
  const SetPlace place = find_place(heap, set, element);
  if (!place.found) return Value::of(set);
  if (set->size == 1) return empty_set();
  Object* const out = make_object(heap, ObjectKind::kSet, set->size - 1);
  const Value* const items = set->items().data();
  std::copy_n(items, place.at, out->data());
  std::copy_n(items + place.at + 1, set->size - place.at - 1, out->data() + place.at);
  return Value::of(out);
}

// The object was made larger than what came to lie in it.
Value shrink(Object* object, uint32_t size) {
  object->size = size;
  return size == 0 ? empty_set() : Value::of(object);
}

Value merge(Heap& heap, const Object* a, const Object* b) {
  Object* const out = make_object(heap, ObjectKind::kSet, a->size + b->size);
  Value* to = out->data();
  uint32_t i = 0;
  uint32_t j = 0;
  while (i < a->size && j < b->size) {
    const int order = compare(heap, a->item(i), b->item(j));
    *to++ = order <= 0 ? a->item(i) : b->item(j);
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  to = std::copy(a->items().begin() + i, a->items().end(), to);
  to = std::copy(b->items().begin() + j, b->items().end(), to);
  const auto size = static_cast<uint32_t>(to - out->data());
  if (size == a->size) return Value::of(a);
  if (size == b->size) return Value::of(b);
  if (size > limit()) check_limit(uint64_t{size}, "a set");
  return shrink(out, size);
}

// Those of a that are in b, or that are not.
Value select(Heap& heap, Value a, Value b, bool in) {
  const Object* const set = normal_set(heap, a);
  Object* const out = make_object(heap, ObjectKind::kSet, set->size);
  uint32_t size = 0;
  if (b.is(ObjectKind::kSet) && b.object()->size > 8 && set->size > b.object()->size / 8) {
    const Object* const other = b.object();
    uint32_t j = 0;
    for (const Value item : set->items()) {
      int order = 1;
      while (j < other->size && (order = compare(heap, other->item(j), item)) < 0) ++j;
      if ((j < other->size && order == 0) == in) out->data()[size++] = item;
    }
  } else {
    for (const Value item : set->items()) {
      if (contains(heap, b, item) == in) out->data()[size++] = item;
    }
  }
  return size == set->size ? Value::of(set) : shrink(out, size);
}

}  // namespace

Value set_cup(Heap& heap, Value a, Value b) {
  require_sets(a, b, "\\cup");
  if (is_empty(a)) return b;
  if (is_empty(b) || same(a, b)) return a;
  if (!is_enumerable(a) || !is_enumerable(b)) return make_lazy_set(heap, ObjectKind::kCup, a, b);
  const Object* const one = normal_set(heap, a);
  const Object* const other = normal_set(heap, b);
  if (other->size == 1) return with_element(heap, one, other->item(0));
  if (one->size == 1) return with_element(heap, other, one->item(0));
  return merge(heap, one, other);
}

Value set_cap(Heap& heap, Value a, Value b) {
  require_sets(a, b, "\\cap");
  if (is_empty(a) || same(a, b)) return a;
  if (is_empty(b)) return b;
  if (is_enumerable(a)) return select(heap, a, b, true);
  if (is_enumerable(b)) return select(heap, b, a, true);
  return make_lazy_set(heap, ObjectKind::kCap, a, b);
}

Value set_minus(Heap& heap, Value a, Value b) {
  require_sets(a, b, "\\");
  if (is_empty(a) || is_empty(b)) return a;
  if (same(a, b)) return empty_set();
  if (!is_enumerable(a)) return make_lazy_set(heap, ObjectKind::kMinus, a, b);
  if (b.is(ObjectKind::kSet) && b.object()->size == 1) {
    return without_element(heap, normal_set(heap, a), b.object()->item(0));
  }
  return select(heap, a, b, false);
}

Value big_union(Heap& heap, Value sets) {
  if (!is_set(sets)) fail("UNION needs a set of sets, but here is " + describe(sets));
  if (sets.is(ObjectKind::kSubset)) return sets.object()->item(0);
  if (!is_enumerable(sets)) return make_lazy_set(heap, ObjectKind::kBigCup, sets);
  const Object* const all = normal_set(heap, sets);
  bool enumerable = true;
  for (const Value one : all->items()) {
    if (!is_set(one)) fail("UNION needs a set of sets, but " + describe(one) + " is in it");
    enumerable = enumerable && is_enumerable(one);
  }
  if (all->size == 0) return empty_set();
  Value out = all->item(0);
  if (all->size <= 2 || !enumerable) {
    for (uint32_t i = 1; i < all->size; ++i) out = set_cup(heap, out, all->item(i));
    return out;
  }
  Buffer elements(heap, 64);
  for (const Value one : all->items()) elements.push(normal_set(heap, one)->items());
  return make_set(heap, elements.values());
}

}  // namespace ordeal::tla
