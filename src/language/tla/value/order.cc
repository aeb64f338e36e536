// Equality, order and hashes.
#include "language/tla/value/inner.h"
#include "language/tla/value/mutant.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {

thread_local uint32_t Depth::depth_ = 0;

void Depth::too_deep() {
  --depth_;
  fail("a value is nested more than " + std::to_string(kMaxDepth) + " deep");
}

namespace {

// Values of different types cannot be compared; model values are apart.
enum class Type : uint8_t { kInteger, kBoolean, kString, kModel, kSet, kFunction, kNone };

Type type_of(Value value) {
  if (value.is_small()) return Type::kInteger;
  if (value.is_bool()) return Type::kBoolean;
  if (value.is_string()) return Type::kString;
  if (value.is_model()) return Type::kModel;
  if (!value.is_object()) return Type::kNone;
  switch (value.object()->kind) {
    case ObjectKind::kBig:
      return Type::kInteger;
    case ObjectKind::kTuple:
    case ObjectKind::kFunction:
    case ObjectKind::kLambda:
      return Type::kFunction;
    default:
      return Type::kSet;
  }
}

[[noreturn]] void fail_to_compare(Value a, Value b) {
  fail(describe(a) + " and " + describe(b) + " cannot be compared: " + type_name(a) + " and " +
       type_name(b));
}

// Two different values of which at least one is a model value: they differ, if they may be
// compared.
void check_models(Value a, Value b) {
  const char one = a.is_model() ? atom_info(a.atom()).type : '\0';
  const char other = b.is_model() ? atom_info(b.atom()).type : '\0';
  if (one == '\0' && other == '\0') return;
  if (a.is_model() && b.is_model()) {
    if (one == other || one == '\0' || other == '\0') return;
    fail("the model values " + atom_text(a.atom()) + " and " + atom_text(b.atom()) +
         " cannot be compared: they have the types " + one + " and " + other);
  }
  const Value model = a.is_model() ? a : b;
  const Value value = a.is_model() ? b : a;
  fail("the model value " + atom_text(model.atom()) + " has the type " +
       (a.is_model() ? one : other) + " and cannot be compared with " + describe(value));
}

const uint64_t* limbs_of(const Object* object) {
  return reinterpret_cast<const uint64_t*>(object + 1);
}

int compare_magnitudes(const Object* a, const Object* b) {
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  for (uint32_t i = a->size; i-- > 0;) {
    const uint64_t one = limbs_of(a)[i];
    const uint64_t other = limbs_of(b)[i];
    if (one != other) return one < other ? -1 : 1;
  }
  return 0;
}

// At least one of them is big: further from 0 than every small one.
int compare_integers(Value a, Value b) {
  if (a.is_small()) return b.object()->negative ? 1 : -1;
  if (b.is_small()) return a.object()->negative ? -1 : 1;
  if (a.object()->negative != b.object()->negative) return a.object()->negative ? -1 : 1;
  const int order = compare_magnitudes(a.object(), b.object());
  return a.object()->negative ? -order : order;
}

Value key_of(const Object* function, uint32_t at) {
  return function->kind == ObjectKind::kTuple ? Value::small(int64_t{at} + 1)
                                              : function->keys->item(at);
}

bool same_keys(const Object* a, const Object* b) {
  if (a->kind != b->kind) return false;
  return a->kind == ObjectKind::kTuple || a->keys == b->keys;
}

bool equal_items(Heap& heap, const Object* a, const Object* b) {
  for (uint32_t i = 0; i < a->size; ++i) {
    if (!equal(heap, a->item(i), b->item(i))) return false;
  }
  return true;
}

bool equal_functions(Heap& heap, const Object* a, const Object* b) {
  if (a->size != b->size) return false;
  if (!same_keys(a, b)) {
    for (uint32_t i = 0; i < a->size; ++i) {
      if (!equal(heap, key_of(a, i), key_of(b, i))) return false;
    }
  }
  return equal_items(heap, a, b);
}

bool equal_sets(Heap& heap, const Object* a, const Object* b) {
  if (a->size != b->size) return false;
  return equal_items(heap, a, b);
}

// What can be said of sets without writing them out. Infinite ones that are not of the same make
// cannot be compared at all.
bool equal_lazy_sets(Heap& heap, Value a, Value b) {
  const Object* const one = a.object();
  const Object* const other = b.object();
  if (one->kind == other->kind) {
    switch (one->kind) {
      case ObjectKind::kInterval:
        return one->low == other->low && one->high() == other->high();
      case ObjectKind::kInfinite:
        return one->infinite == other->infinite;
      case ObjectKind::kSubset:
      case ObjectKind::kSequences:
        return equal(heap, one->item(0), other->item(0));
      default:
        break;
    }
  }
  // Finite and infinite ones differ, if anything is known of what is in them.
  if (is_enumerable(a) != is_enumerable(b)) {
    const Value infinite = is_enumerable(a) ? b : a;
    const ObjectKind kind = infinite.object()->kind;
    if (kind == ObjectKind::kInfinite || kind == ObjectKind::kCup) return false;
  }
  return equal_sets(heap, normal_set(heap, a), normal_set(heap, b));
}

int compare_items(Heap& heap, const Object* a, const Object* b) {
  for (uint32_t i = 0; i < a->size; ++i) {
    if (const int order = compare(heap, a->item(i), b->item(i)); order != 0) return order;
  }
  return 0;
}

int compare_sets(Heap& heap, Value a, Value b) {
  const bool one = is_enumerable(a);
  const bool other = is_enumerable(b);
  if (one && other) {
    const Object* const x = normal_set(heap, a);
    const Object* const y = normal_set(heap, b);
    if (x == y) return 0;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    if (mutant(TlaMutant::kSetsByFirst) && x->size > 0) {
      return compare(heap, x->item(0), y->item(0));
    }
    return compare_items(heap, x, y);
  }
  if (one != other) return one ? -1 : 1;
  // Infinite sets have an order as far as they have an equality.
  const Object* const x = a.object();
  const Object* const y = b.object();
  if (x->kind == ObjectKind::kInfinite && y->kind == ObjectKind::kInfinite) {
    return static_cast<int>(x->infinite) - static_cast<int>(y->infinite);
  }
  if (x->kind == y->kind && (x->kind == ObjectKind::kSubset || x->kind == ObjectKind::kSequences)) {
    return compare(heap, x->item(0), y->item(0));
  }
  fail("the infinite sets " + short_text(a) + " and " + short_text(b) + " cannot be compared");
}

int compare_functions(Heap& heap, const Object* a, const Object* b) {
  if (a == b) return 0;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  if (!same_keys(a, b)) {
    for (uint32_t i = 0; i < a->size; ++i) {
      if (const int order = compare(heap, key_of(a, i), key_of(b, i)); order != 0) return order;
    }
  }
  return compare_items(heap, a, b);
}

uint64_t hash_items(Heap& heap, detail::Hasher& hasher, const Object* object) {
  const size_t parts = object->size - (mutant(TlaMutant::kHashForgets) ? 1 : 0);
  for (const Value item : object->items().first(parts)) {
    hasher.word(item.is_object() ? hash(heap, item) : hash_word(item));
  }
  return hasher.finish();
}

}  // namespace

const char* type_name(Value value) {
  switch (type_of(value)) {
    case Type::kInteger:
      return "an integer";
    case Type::kBoolean:
      return "a boolean";
    case Type::kString:
      return "a string";
    case Type::kModel:
      return "a model value";
    case Type::kSet:
      return "a set";
    case Type::kFunction:
      return "a function";
    case Type::kNone:
      break;
  }
  return "no value";
}

namespace inner {

bool equal_apart(Heap& heap, Value a, Value b) {
  if (a.is_model() || b.is_model()) {
    check_models(a, b);
    return false;
  }
  const Type type = type_of(a);
  if (type != type_of(b)) {
    if (mutant(TlaMutant::kTypesDiffer)) return false;
    fail_to_compare(a, b);
  }
  switch (type) {
    case Type::kInteger:
      return a.is_object() && b.is_object() && compare_integers(a, b) == 0;
    case Type::kSet: {
      // Pooled objects are equal where they are one.
      if (a.object()->pooled && b.object()->pooled) return false;
      const Depth depth;
      if (is_normal(a.object()) && is_normal(b.object())) {
        return equal_sets(heap, a.object(), b.object());
      }
      return equal_lazy_sets(heap, a, b);
    }
    case Type::kFunction: {
      if (a.object()->pooled && b.object()->pooled) return false;
      const Depth depth;
      return equal_functions(heap, normal_function(heap, a), normal_function(heap, b));
    }
    default:
      return false;
  }
}

int compare_apart(Heap& heap, Value a, Value b) {
  if (a.is_model() || b.is_model()) {
    check_models(a, b);
    if (!b.is_model()) return -1;
    if (!a.is_model()) return 1;
    return compare_atoms(a.atom(), b.atom());
  }
  const Type type = type_of(a);
  if (type != type_of(b)) fail_to_compare(a, b);
  switch (type) {
    case Type::kInteger:
      return compare_integers(a, b);
    case Type::kBoolean:
      return a.truth() ? 1 : -1;
    case Type::kString:
      return compare_atoms(a.atom(), b.atom());
    case Type::kSet: {
      const Depth depth;
      return compare_sets(heap, a, b);
    }
    case Type::kFunction: {
      const Depth depth;
      return compare_functions(heap, normal_function(heap, a), normal_function(heap, b));
    }
    default:
      fail("what is no value cannot be compared");
  }
}

}  // namespace inner

uint64_t hash_word(Value value) {
  if (value.is_small()) return mix64(static_cast<uint64_t>(value.number()) + kSmallSeed);
  if (value.is_string()) return atom_hash(value.atom());
  if (value.is_model()) return mix64(atom_hash(value.atom()) + kModelSeed);
  return value.truth() ? 0x3c6ef372fe94f82bULL : 0xa54ff53a5f1d36f1ULL;
}

uint64_t hash_object(Heap& heap, const Object* object) {
  if (const uint64_t known = known_hash(object); known != 0) return known;
  const Depth depth;
  detail::Hasher hasher;
  hasher.word(static_cast<uint64_t>(object->kind) | (uint64_t{object->negative} << 8) |
              (uint64_t{object->size} << 16));
  uint64_t out = 0;
  if (object->kind == ObjectKind::kBig) {
    hasher.bytes(limbs_of(object), object->size * sizeof(uint64_t));
    out = hasher.finish();
  } else {
    if (object->kind == ObjectKind::kFunction) hasher.word(hash_object(heap, object->keys));
    out = hash_items(heap, hasher, object);
  }
  if (out == 0) out = 1;
  std::atomic_ref<uint64_t>(object->hash).store(out, std::memory_order_relaxed);
  return out;
}

uint64_t hash(Heap& heap, Value value) {
  if (!value.is_object()) return hash_word(value);
  return hash_object(heap, normal(heap, value).object());
}

}  // namespace ordeal::tla
