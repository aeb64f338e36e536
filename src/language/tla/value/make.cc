#include <algorithm>

#include "language/tla/value/inner.h"
#include "language/tla/value/mutant.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {

void fail(std::string message) {
  EvalError error;
  error.message = std::move(message);
  throw error;
}

namespace {

struct EmptyObjects {
  Object set;
  Object tuple;
  EmptyObjects() {
    set.kind = ObjectKind::kSet;
    tuple.kind = ObjectKind::kTuple;
    for (Object* const object : {&set, &tuple}) {
      object->pooled = true;
      const auto kind = static_cast<uint64_t>(object->kind);
      object->hash = combine(0x6a09e667f3bcc908ULL, kind);
      object->second = combine(0xbb67ae8584caa73bULL, kind);
    }
  }
};

const EmptyObjects& empty_objects() {
  static const EmptyObjects objects;
  return objects;
}

uint32_t checked_size(size_t size) {
  if (size > UINT32_MAX) fail("a value has more than 4294967295 parts");
  return static_cast<uint32_t>(size);
}

Object* make_with_items(Heap& heap, ObjectKind kind, std::span<const Value> items) {
  Object* const object = make_object(heap, kind, checked_size(items.size()));
  if (!items.empty()) {
    std::memcpy(static_cast<void*>(object->data()), items.data(), items.size_bytes());
  }
  return object;
}

// The fields of a record in order, and what belongs to each. Few: sorted by insertion.
const Object* sort_fields(Heap& heap, std::span<const Value> names, std::span<const Value> items,
                          Value* sorted_items) {
  Object* const keys = make_object(heap, ObjectKind::kSet, checked_size(names.size()));
  Value* const sorted = keys->data();
  for (size_t i = 0; i < names.size(); ++i) {
    size_t at = i;
    for (; at > 0; --at) {
      const int order = compare_atoms(sorted[at - 1].atom(), names[i].atom());
      if (order < 0) break;
      if (order == 0) fail("the field " + atom_text(names[i].atom()) + " comes twice in a record");
      sorted[at] = sorted[at - 1];
      sorted_items[at] = sorted_items[at - 1];
    }
    sorted[at] = names[i];
    sorted_items[at] = items[i];
  }
  return keys;
}

}  // namespace

const Object* empty_set_object() { return &empty_objects().set; }
const Object* empty_tuple_object() { return &empty_objects().tuple; }
Value empty_set() { return Value::of(empty_set_object()); }

Object* make_object(Heap& heap, ObjectKind kind, uint32_t size) {
  void* const memory = heap.allocate(sizeof(Object) + size_t{size} * sizeof(Value));
  auto* const object = new (memory) Object;
  object->kind = kind;
  object->size = size;
  return object;
}

Value make_sorted_set(Heap& heap, std::span<const Value> elements) {
  if (elements.empty()) return empty_set();
  return Value::of(make_with_items(heap, ObjectKind::kSet, elements));
}

Value make_set(Heap& heap, std::span<Value> elements) {
  const size_t count = elements.size();
  if (count < 2) return make_sorted_set(heap, elements);
  const auto all = [&](auto holds) { return std::all_of(elements.begin(), elements.end(), holds); };
  if (all([](Value value) { return value.is_small(); })) {
    const auto before = [](Value a, Value b) { return a.number() < b.number(); };
    if (!std::is_sorted(elements.begin(), elements.end(), before)) {
      std::sort(elements.begin(), elements.end(), before);
    }
  } else {
    // What can be written out is, once, instead of for every comparison.
    for (Value& element : elements) {
      if (element.is_object() && !is_normal(element.object()) &&
          (element.is(ObjectKind::kLambda) || is_enumerable(element))) {
        element = normal(heap, element);
      }
    }
    const auto before = [&](Value a, Value b) { return compare(heap, a, b) < 0; };
    if (count <= 16) {
      for (size_t i = 1; i < count; ++i) {
        const Value element = elements[i];
        size_t at = i;
        for (; at > 0 && before(element, elements[at - 1]); --at) elements[at] = elements[at - 1];
        elements[at] = element;
      }
    } else if (!std::is_sorted(elements.begin(), elements.end(), before)) {
      std::sort(elements.begin(), elements.end(), before);
    }
  }
  const auto end = std::unique(elements.begin(), elements.end(),
                               [&](Value a, Value b) { return compare(heap, a, b) == 0; });
  const auto unique = static_cast<size_t>(end - elements.begin());
  if (unique > limit()) check_limit(uint64_t{unique}, "a set");
  return make_sorted_set(heap, elements.first(unique));
}

Value make_tuple(Heap& heap, std::span<const Value> items) {
  if (items.empty()) return Value::of(empty_tuple_object());
  return Value::of(make_with_items(heap, ObjectKind::kTuple, items));
}

bool is_counting(const Object* set) {
  if (set->size == 0) return true;
  const Value last = set->item(set->size - 1);
  return same(set->item(0), Value::small(1)) && same(last, Value::small(set->size));
}

Value make_function(Heap& heap, const Object* keys, std::span<const Value> items) {
  if (is_counting(keys) && !mutant(TlaMutant::kSequencesStay)) return make_tuple(heap, items);
  Object* const object = make_with_items(heap, ObjectKind::kFunction, items);
  object->keys = keys;
  return Value::of(object);
}

Value make_record(Heap& heap, std::span<const Value> names, std::span<const Value> items) {
  if (names.empty()) return make_tuple(heap, {});
  Object* const object = make_object(heap, ObjectKind::kFunction, checked_size(names.size()));
  object->keys = sort_fields(heap, names, items, object->data());
  return Value::of(object);
}

Value make_interval(Heap& heap, Value low, Value high) {
  const int64_t from = to_int64(low, "the low end of an interval");
  const int64_t to = to_int64(high, "the high end of an interval");
  if (from > to) return empty_set();
  void* const memory = heap.allocate(sizeof(Object) + sizeof(Value));
  auto* const object = new (memory) Object;
  object->kind = ObjectKind::kInterval;
  object->low = from;
  std::memcpy(static_cast<void*>(object->data()), &to, sizeof to);
  return Value::of(object);
}

Value make_infinite(Infinite which) {
  static const std::array<Object, 5> all = [] {
    std::array<Object, 5> made{};
    for (size_t i = 0; i < made.size(); ++i) {
      made[i].kind = ObjectKind::kInfinite;
      made[i].infinite = static_cast<Infinite>(i);
    }
    return made;
  }();
  return Value::of(&all[static_cast<size_t>(which)]);
}

Value make_lazy_set(Heap& heap, ObjectKind kind, Value first, Value second) {
  const Value items[] = {first, second};
  return Value::of(make_with_items(heap, kind, std::span(items).first(second.defined() ? 2 : 1)));
}

Value make_record_set(Heap& heap, std::span<const Value> names, std::span<const Value> sets) {
  Object* const object = make_object(heap, ObjectKind::kRecordSet, checked_size(names.size()));
  object->keys = sort_fields(heap, names, sets, object->data());
  return Value::of(object);
}

Value make_product(Heap& heap, std::span<const Value> sets) {
  return Value::of(make_with_items(heap, ObjectKind::kProduct, sets));
}

Value make_filter(Heap& heap, Value base, const Callable* test) {
  Object* const object = make_with_items(heap, ObjectKind::kFilter, std::span(&base, 1));
  object->callable = test;
  return Value::of(object);
}

Value make_lambda(Heap& heap, Value domain, const Callable* function) {
  Object* const object = make_with_items(heap, ObjectKind::kLambda, std::span(&domain, 1));
  object->callable = function;
  return Value::of(object);
}

}  // namespace ordeal::tla
