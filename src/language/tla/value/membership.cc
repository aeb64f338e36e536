// What is in a set, asked without writing the set out.
#include <algorithm>

#include "language/tla/value/inner.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {
namespace {

[[noreturn]] void fail_to_ask(Value element, const char* wanted, Value set) {
  fail(std::string("only ") + wanted + " can be in " + short_text(set) + ", but " +
       short_text(element) + " is " + type_name(element));
}

// Up to so many words are compared one by one.
constexpr uint32_t kScanned = 8;

bool interval_contains(const Object* set, Value element) {
  const int64_t high = set->high() - (mutant(TlaMutant::kIntervalHalfOpen) ? 1 : 0);
  if (element.is_small()) return element.number() >= set->low && element.number() <= high;
  if (element.is_model()) return false;
  if (!element.is_integer()) fail_to_ask(element, "integers", Value::of(set));
  const BigInt number = big(element);
  return number >= set->low && number <= set->high();
}

bool infinite_contains(const Object* set, Value element) {
  const bool model = element.is_model();
  switch (set->infinite) {
    case Infinite::kNaturals:
      if (element.is_small()) return element.number() >= 0;
      if (element.is_integer()) return !element.object()->negative;
      if (!model) fail_to_ask(element, "integers", Value::of(set));
      return false;
    case Infinite::kIntegers:
    case Infinite::kReals:
      if (element.is_integer()) return true;
      if (!model) fail_to_ask(element, "integers", Value::of(set));
      return false;
    case Infinite::kStrings:
      if (element.is_string()) return true;
      if (!model) fail_to_ask(element, "strings", Value::of(set));
      return false;
    case Infinite::kAnything:
      return true;
  }
  return false;
}

// Whether `keys`, the domain of a function, is the domain of a function set.
bool is_domain(Heap& heap, const Object* function, Value domain) {
  if (!is_enumerable(domain)) return false;
  const Object* const set = domain.object();
  if (set->kind == ObjectKind::kInterval) {
    const uint64_t size = static_cast<uint64_t>(set->high()) - static_cast<uint64_t>(set->low) + 1;
    if (size != function->size) return false;
    if (function->kind == ObjectKind::kTuple) return set->low == 1;
  }
  if (function->kind == ObjectKind::kFunction) {
    return equal(heap, Value::of(function->keys), domain);
  }
  const Object* const wanted = normal_set(heap, domain);
  if (wanted->size != function->size) return false;
  for (uint32_t i = 0; i < wanted->size; ++i) {
    if (!equal(heap, wanted->item(i), Value::small(int64_t{i} + 1))) return false;
  }
  return true;
}

bool choices_contain(Heap& heap, std::span<const Value> sets, const Object* function) {
  for (uint32_t i = 0; i < function->size; ++i) {
    if (!contains(heap, sets[i], function->item(i))) return false;
  }
  return true;
}

bool all_in(Heap& heap, Value set, const Object* function) {
  return std::all_of(function->items().begin(), function->items().end(),
                     [&](Value item) { return contains(heap, set, item); });
}

bool function_set_contains(Heap& heap, const Object* set, Value element) {
  if (element.is_model()) return false;
  if (!is_function(element)) fail_to_ask(element, "functions", Value::of(set));
  if (element.is(ObjectKind::kLambda) && !is_enumerable(domain(heap, element))) return false;
  const Object* const function = normal_function(heap, element);
  switch (set->kind) {
    case ObjectKind::kFunctionSet:
      return is_domain(heap, function, set->item(0)) && all_in(heap, set->item(1), function);
    case ObjectKind::kRecordSet:
      if (function->size != set->size) return false;
      if (function->size == 0) return true;
      if (function->kind == ObjectKind::kTuple) return false;
      if (function->keys != set->keys &&
          !equal(heap, Value::of(function->keys), Value::of(set->keys))) {
        return false;
      }
      return choices_contain(heap, set->items(), function);
    case ObjectKind::kProduct:
      return function->kind == ObjectKind::kTuple && function->size == set->size &&
             choices_contain(heap, set->items(), function);
    default:  // kSequences
      return function->kind == ObjectKind::kTuple && all_in(heap, set->item(0), function);
  }
}

bool sorted_contains(Heap& heap, const Object* set, Value element) {
  // Strings are equal if they are the same word, and what they can be in one set with needs no
  // comparison that could fail.
  constexpr uint32_t kFewStrings = 48;
  if (element.is_string() && set->size > 0 && set->size <= kFewStrings &&
      set->item(0).is_string()) {
    const std::span<const Value> items = set->items();
    return std::any_of(items.begin(), items.end(), [&](Value item) { return same(item, element); });
  }
  return find_place(heap, set, element).found;
}

// Whether one of the sets of a set that cannot be written out has the element.
bool union_contains(Heap& heap, const Object* set, Value element) {
  const Value base = set->item(0);
  if (base.is(ObjectKind::kSubset)) return contains(heap, base.object()->item(0), element);
  if (!is_enumerable(base)) {
    fail("whether " + short_text(element) + " is in " + short_text(Value::of(set)) +
         " cannot be known: " + short_text(base) + " is infinite");
  }
  Elements elements(heap, base);
  for (Value one; elements.next(one);) {
    if (contains(heap, one, element)) return true;
  }
  return false;
}

}  // namespace

SetPlace find_place(Heap& heap, const Object* set, Value value) {
  const Value* const items = set->items().data();
  const uint32_t size = set->size;
  if (size == 0) return {};
  if (size <= kScanned) {
    for (uint32_t i = 0; i < size; ++i) {
      if (same(items[i], value)) return {i, true};
    }
    for (uint32_t i = 0; i < size; ++i) {
      const int order = compare(heap, items[i], value);
      if (order >= 0) return {i, order == 0};
    }
    return {size, false};
  }
  if (value.is_small() && items[0].is_small() && items[size - 1].is_small()) {
    // Words of integers are in the order of the integers. Numbers without gaps are where they are
    // expected.
    const int64_t first = items[0].number();
    const int64_t last = items[size - 1].number();
    if (value.number() < first) return {0, false};
    if (value.number() > last) return {size, false};
    if (last - first == int64_t{size} - 1) {
      return {static_cast<uint32_t>(value.number() - first), true};
    }
    const auto before = [](Value a, Value b) { return a.number() < b.number(); };
    const Value* const at = std::lower_bound(items, items + size, value, before);
    return {static_cast<uint32_t>(at - items), same(*at, value)};
  }
  uint32_t low = 0;
  uint32_t high = size;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order = compare(heap, items[middle], value);
    if (order == 0) return {middle, true};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, false};
}

bool contains(Heap& heap, Value set, Value element) {
  if (!is_set(set)) fail(describe(set) + " is no set: nothing can be in it");
  const Object* const object = set.object();
  switch (object->kind) {
    case ObjectKind::kSet:
      return sorted_contains(heap, object, element);
    case ObjectKind::kInterval:
      return interval_contains(object, element);
    case ObjectKind::kInfinite:
      return infinite_contains(object, element);
    case ObjectKind::kSubset:
      if (element.is_model()) return false;
      if (!is_set(element)) fail_to_ask(element, "sets", set);
      return is_subset(heap, element, object->item(0));
    case ObjectKind::kFunctionSet:
    case ObjectKind::kRecordSet:
    case ObjectKind::kProduct:
    case ObjectKind::kSequences:
      return function_set_contains(heap, object, element);
    case ObjectKind::kCup: {
      const Depth depth;
      return contains(heap, object->item(0), element) || contains(heap, object->item(1), element);
    }
    case ObjectKind::kCap: {
      const Depth depth;
      return contains(heap, object->item(0), element) && contains(heap, object->item(1), element);
    }
    case ObjectKind::kMinus: {
      const Depth depth;
      return contains(heap, object->item(0), element) && !contains(heap, object->item(1), element);
    }
    case ObjectKind::kFilter: {
      const Depth depth;
      if (object->normal != nullptr) return sorted_contains(heap, object->normal, element);
      if (!contains(heap, object->item(0), element)) return false;
      const Value is = object->callable->call(element);
      if (!is.is_bool()) fail("the condition of a set must be a boolean, but is " + describe(is));
      return is.truth();
    }
    case ObjectKind::kBigCup: {
      const Depth depth;
      return union_contains(heap, object, element);
    }
    default:
      return false;
  }
}

bool is_subset(Heap& heap, Value a, Value b) {
  if (!is_set(a)) fail(describe(a) + " is no set: it is no subset of anything");
  if (!is_set(b)) fail(describe(b) + " is no set: it has no subsets");
  if (same(a, b)) return true;
  const Object* const one = a.object();
  const Object* const other = b.object();
  if (one->kind == ObjectKind::kSubset && other->kind == ObjectKind::kSubset) {
    return is_subset(heap, one->item(0), other->item(0));
  }
  if (one->kind == ObjectKind::kInfinite && other->kind == ObjectKind::kInfinite) {
    if (one->infinite == other->infinite || other->infinite == Infinite::kAnything) return true;
    const auto numbers = [](Infinite which) { return which <= Infinite::kReals; };
    return numbers(one->infinite) && numbers(other->infinite) && one->infinite < other->infinite;
  }
  if (!is_enumerable(a)) {
    // A set without an end is in no set that has one.
    if (one->kind == ObjectKind::kInfinite && is_enumerable(b)) return false;
    fail("whether " + short_text(a) + " is a subset of " + short_text(b) +
         " cannot be known: it is infinite");
  }
  if (one->kind == ObjectKind::kInterval && other->kind == ObjectKind::kInterval) {
    return one->low >= other->low && one->high() <= other->high();
  }
  if (one->kind == ObjectKind::kSet && other->kind == ObjectKind::kSet && one->size > other->size) {
    // Only the types are left to look at.
    if (other->size > 0) compare(heap, one->item(one->size - 1), other->item(other->size - 1));
    return false;
  }
  Elements elements(heap, a);
  for (Value element; elements.next(element);) {
    if (!contains(heap, b, element)) return false;
    if (mutant(TlaMutant::kSubsetByFirst)) return true;
  }
  return true;
}

}  // namespace ordeal::tla
