// Sets and functions written out, and how large they would be.
#include <algorithm>
#include <atomic>

#include "language/tla/value/inner.h"

namespace ordeal::tla {
namespace {

std::atomic<uint64_t> g_limit{1000000};

// 2^40, 123, or a power of ten below it.
std::string count_text(const BigInt& count) {
  if (count > (BigInt(1) << 20) && (count & (count - 1)) == 0) {
    return "2^" + std::to_string(msb(count));
  }
  const std::string digits = count.str();
  if (digits.size() <= 20) return digits;
  return "more than 10^" + std::to_string(digits.size() - 1);
}

constexpr uint64_t kMostBits = 1 << 20;

BigInt power(const BigInt& base, const BigInt& exponent) {
  if (base <= 1) return exponent == 0 ? BigInt(1) : base;
  if (exponent * (msb(base) + 1) > kMostBits) {
    fail("a number of elements has more than " + std::to_string(kMostBits) + " bits");
  }
  return pow(base, static_cast<unsigned>(exponent));
}

uint64_t count_filtered(Heap& heap, Value set) {
  uint64_t count = 0;
  Elements elements(heap, set);
  for (Value element; elements.next(element);) ++count;
  return count;
}

const Object* write_out_set(Heap& heap, const Object* set) {
  const Value value = Value::of(set);
  if (!is_enumerable(value)) fail("the set " + short_text(value) + " is infinite");
  size_t expected = 16;
  if (set->kind != ObjectKind::kFilter) {
    const BigInt count = cardinality(heap, value);
    if (count > limit()) check_limit(count, "the set " + short_text(value));
    expected = std::max<size_t>(static_cast<size_t>(count), 1);
  }
  Buffer buffer(heap, expected);
  Elements elements(heap, value);
  for (Value element; elements.next(element);) {
    buffer.push(element);
    if (buffer.size() > limit()) check_limit(uint64_t{buffer.size()}, "a set");
  }
  return make_sorted_set(heap, buffer.values()).object();
}

const Object* write_out_function(Heap& heap, const Object* function) {
  const Value base = function->item(0);
  if (!is_set(base)) fail("the domain of a function must be a set, but is " + describe(base));
  if (!is_enumerable(base)) {
    fail("a function over the infinite set " + short_text(base) + " cannot be written out");
  }
  const Object* const keys = normal_set(heap, base);
  Buffer items(heap, keys->size + 1);
  for (const Value key : keys->items()) items.push(function->callable->call(key));
  return make_function(heap, keys, items.values()).object();
}

Value deep(Heap& heap, Value value);

// The items in normal form; `object` itself where they are already.
Value deep_items(Heap& heap, const Object* object) {
  const Depth depth;
  Value* changed = nullptr;
  for (uint32_t i = 0; i < object->size; ++i) {
    const Value item = object->item(i);
    const Value made = deep(heap, item);
    if (changed == nullptr && !same(item, made)) {
      changed = static_cast<Value*>(heap.allocate(object->size * sizeof(Value)));
      std::copy(object->items().begin(), object->items().end(), changed);
    }
    if (changed != nullptr) changed[i] = made;
  }
  const Object* keys = nullptr;
  if (object->kind == ObjectKind::kFunction) {
    keys = deep_items(heap, object->keys).object();
    if (changed == nullptr && keys == object->keys) return Value::of(object);
  } else if (changed == nullptr) {
    return Value::of(object);
  }
  Object* const out = make_object(heap, object->kind, object->size);
  out->keys = keys;
  out->hash = known_hash(object);
  std::copy_n(changed != nullptr ? changed : object->items().data(), object->size, out->data());
  return Value::of(out);
}

Value deep(Heap& heap, Value value) {
  if (!value.is_object() || value.object()->pooled) return value;
  const Object* const object = normal(heap, value).object();
  return object->kind == ObjectKind::kBig ? value : deep_items(heap, object);
}

}  // namespace

void set_limit(uint64_t elements) { g_limit.store(elements, std::memory_order_relaxed); }
uint64_t limit() { return g_limit.load(std::memory_order_relaxed); }

void check_limit(const BigInt& size, std::string_view what) {
  if (size <= limit()) return;
  fail(std::string(what) + " would have " + count_text(size) + " elements: more than " +
       std::to_string(limit()) + " are not written out");
}

void check_limit(uint64_t size, std::string_view what) { check_limit(BigInt(size), what); }

Value inner::normal_lazy(Heap& heap, const Object* object) {
  if (object->normal != nullptr) return Value::of(object->normal);
  const Depth depth;
  const Object* const made = object->kind == ObjectKind::kLambda ? write_out_function(heap, object)
                                                                 : write_out_set(heap, object);
  if (heap.owns(object)) object->normal = made;
  return Value::of(made);
}

const Object* normal_set(Heap& heap, Value set) {
  if (set.is(ObjectKind::kSet)) return set.object();
  if (!is_set(set)) fail("a set is needed, but here is " + describe(set));
  return normal(heap, set).object();
}

const Object* normal_function(Heap& heap, Value function) {
  if (!is_function(function)) fail("a function is needed, but here is " + describe(function));
  return normal(heap, function).object();
}

Value deep_normal(Heap& heap, Value value) { return deep(heap, value); }

bool is_enumerable(Value set) {
  if (!is_set(set)) return false;
  const Object* const object = set.object();
  if (object->kind == ObjectKind::kSet || object->kind == ObjectKind::kInterval) return true;
  if (object->normal != nullptr) return true;
  const auto all = [&] {
    const std::span<const Value> sets = object->items();
    // What is no set is found, and named, when the elements are asked for.
    return std::all_of(sets.begin(), sets.end(),
                       [](Value one) { return !is_set(one) || is_enumerable(one); });
  };
  switch (object->kind) {
    case ObjectKind::kSubset:
    case ObjectKind::kFunctionSet:
    case ObjectKind::kRecordSet:
    case ObjectKind::kProduct:
    case ObjectKind::kFilter: {
      const Depth depth;
      return all();
    }
    default:
      return false;
  }
}

BigInt cardinality(Heap& heap, Value set) {
  if (!is_set(set)) fail(describe(set) + " is no set: it has no elements");
  const Object* const object = set.object();
  if (object->kind == ObjectKind::kSet) return object->size;
  if (object->kind != ObjectKind::kInterval && object->normal != nullptr) {
    return object->normal->size;
  }
  if (!is_enumerable(set)) fail("the set " + short_text(set) + " is infinite");
  const Depth depth;
  switch (object->kind) {
    case ObjectKind::kInterval:
      return BigInt(object->high()) - object->low + 1;
    case ObjectKind::kSubset:
      return power(2, cardinality(heap, object->item(0)));
    case ObjectKind::kFunctionSet:
      return power(cardinality(heap, object->item(1)), cardinality(heap, object->item(0)));
    case ObjectKind::kRecordSet:
    case ObjectKind::kProduct: {
      BigInt product = 1;
      for (const Value one : object->items()) product *= cardinality(heap, one);
      return product;
    }
    default:
      return count_filtered(heap, set);
  }
}

Value cardinality_value(Heap& heap, Value set) {
  if (set.is(ObjectKind::kSet)) return Value::small(set.object()->size);
  return integer(heap, cardinality(heap, set));
}

}  // namespace ordeal::tla
