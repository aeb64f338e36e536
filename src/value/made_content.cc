// What values of types that were made at run time contain: comparing, hashing, counting and
// renaming it.
#include <compare>
#include <cstring>
#include <span>

#include "base/mutant.h"
#include "value/made_operations.h"

namespace ordeal::detail {

using value::Naming;
using value::Renaming;
using value::Type;

namespace {

// The parts that tell two values from each other: all.
std::span<const MadeType::Part> telling(const Parts& parts) {
  const bool all_but_one = mutant(Mutant::kLastFieldLeftOut) && parts.size() > 1;
  return {parts.data(), parts.size() - (all_but_one ? 1 : 0)};
}

bool equal_parts(const Parts& parts, const void* a, const void* b) {
  for (const auto& part : telling(parts)) {
    const char* const x = at(a, part.offset);
    const char* const y = at(b, part.offset);
    if (part.type->is_flat() ? std::memcmp(x, y, part.type->size()) != 0
                             : !part.type->equal(x, y)) {
      return false;
    }
  }
  return true;
}

std::strong_ordering compare_parts(const Parts& parts, const void* a, const void* b) {
  for (const auto& part : parts) {
    const auto order = part.type->compare(at(a, part.offset), at(b, part.offset));
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

void hash_parts(const Parts& parts, const void* object, Hasher& hasher) {
  for (const auto& part : telling(parts)) {
    if (part.type->is_flat()) {
      hasher.bytes(at(object, part.offset), part.type->size());
    } else {
      part.type->hash_into(at(object, part.offset), hasher);
    }
  }
}

void hash_parts_as(const Parts& parts, const void* object, value::Naming& naming, Hasher& hasher) {
  for (const auto& part : parts) {
    part.type->hash_as_into(at(object, part.offset), naming, hasher);
  }
}

uint64_t owned_by_parts(const Parts& parts, const void* object) {
  uint64_t sum = 0;
  for (const auto& part : parts) {
    if (!part.type->is_flat()) sum += part.type->owned_bytes(at(object, part.offset));
  }
  return sum;
}

void rename_parts(const Parts& parts, void* object, const value::Renaming& renaming) {
  for (const auto& part : parts) part.type->rename(at(object, part.offset), renaming);
}

}  // namespace

bool MadeOperations::equal(const void* a, const void* b, const Type& t) {
  const MadeType& type = MadeType::of(t);
  if (type.is_flat()) return std::memcmp(a, b, type.size()) == 0;
  switch (type.shape()) {
    case Shape::kRecord:
      return equal_parts(type.parts(), a, b);
    case Shape::kVariant:
    case Shape::kOptional: {
      if (type.tag(a) != type.tag(b)) return false;
      const Type* content = type.held(a);
      return content == nullptr || content->equal(a, b);
    }
    default: {
      const RawItems& x = items(a);
      const RawItems& y = items(b);
      if (x.size != y.size) return false;
      for (size_t i = 0; i < x.size; ++i) {
        if (!equal_parts(type.parts(), type.item(x, i), type.item(y, i))) return false;
      }
      return true;
    }
  }
}

std::strong_ordering MadeOperations::compare(const void* a, const void* b, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      return number(a) <=> number(b);
    case Shape::kRecord:
      return compare_parts(type.parts(), a, b);
    case Shape::kVariant:
    case Shape::kOptional: {
      if (const auto order = type.tag(a) <=> type.tag(b); order != 0) return order;
      const Type* content = type.held(a);
      return content == nullptr ? std::strong_ordering::equal : content->compare(a, b);
    }
    default: {
      const RawItems& x = items(a);
      const RawItems& y = items(b);
      for (size_t i = 0; i < x.size && i < y.size; ++i) {
        const auto order = compare_parts(type.parts(), type.item(x, i), type.item(y, i));
        if (order != 0) return order;
      }
      return x.size <=> y.size;
    }
  }
}

void MadeOperations::hash_into(const void* object, Hasher& hasher, const Type& t) {
  const MadeType& type = MadeType::of(t);
  if (type.is_flat()) return hasher.bytes(object, type.size());
  switch (type.shape()) {
    case Shape::kRecord:
      return hash_parts(type.parts(), object, hasher);
    case Shape::kVariant:
    case Shape::kOptional:
      hasher.word(type.tag(object));
      if (const Type* content = type.held(object)) content->hash_into(object, hasher);
      return;
    default: {
      const RawItems& all = items(object);
      hasher.word(all.size);
      if (type.shape() == Shape::kList && type.parts()[0].type->is_flat()) {
        return hasher.bytes(all.data, all.size * type.stride());
      }
      for (size_t i = 0; i < all.size; ++i) hash_parts(type.parts(), type.item(all, i), hasher);
    }
  }
}

void MadeOperations::hash_as_into(const void* object, Naming& naming, Hasher& hasher,
                                  const Type& t) {
  const MadeType& type = MadeType::of(t);
  if (!type.holds_names()) return hash_into(object, hasher, t);
  switch (type.shape()) {
    case Shape::kRecord:
      return hash_parts_as(type.parts(), object, naming, hasher);
    case Shape::kVariant:
    case Shape::kOptional:
      hasher.word(type.tag(object));
      if (const Type* content = type.held(object)) content->hash_as_into(object, naming, hasher);
      return;
    default: {
      const RawItems& all = items(object);
      hasher.word(all.size);
      uint64_t sum = 0;
      for (size_t i = 0; i < all.size; ++i) {
        if (type.shape() == Shape::kList) {
          hash_parts_as(type.parts(), type.item(all, i), naming, hasher);
        } else {
          Hasher one;
          hash_parts_as(type.parts(), type.item(all, i), naming, one);
          sum += one.finish();
        }
      }
      hasher.word(sum);
    }
  }
}

uint64_t MadeOperations::owned_bytes(const void* object, const Type& t) {
  const MadeType& type = MadeType::of(t);
  if (type.is_flat()) return 0;
  switch (type.shape()) {
    case Shape::kRecord:
      return owned_by_parts(type.parts(), object);
    case Shape::kVariant:
    case Shape::kOptional: {
      const Type* content = type.held(object);
      return content == nullptr ? 0 : content->owned_bytes(object);
    }
    default: {
      const RawItems& all = items(object);
      uint64_t sum = allocated(all.capacity * type.stride());
      for (size_t i = 0; i < all.size; ++i) {
        sum += owned_by_parts(type.parts(), type.item(all, i));
      }
      return sum;
    }
  }
}

void MadeOperations::rename(void* object, const Renaming& renaming, const Type& t) {
  const MadeType& type = MadeType::of(t);
  if (!type.holds_names()) return;
  switch (type.shape()) {
    case Shape::kRecord:
      return rename_parts(type.parts(), object, renaming);
    case Shape::kVariant:
    case Shape::kOptional:
      if (const Type* content = type.held(object)) content->rename(object, renaming);
      return;
    default:
      break;
  }
  if (type.shape() == Shape::kList && mutant(Mutant::kMadeListsNotRenamed)) return;
  RawItems& all = items(object);
  for (size_t i = 0; i < all.size; ++i) {
    rename_parts(type.parts(), type.item(all, i), renaming);
  }
  if (type.shape() == Shape::kList) return;
  // Keys change their place in the order. Of two that have become one, the first stays.
  RawItems sorted;
  type.reserve(sorted, all.size);
  for (size_t i = 0; i < all.size; ++i) {
    char* const item = type.item(all, i);
    const MadeType::Found found = type.find(sorted, item);
    if (found.there) continue;
    move_parts(type.parts(), type.open(sorted, found.index), item);
  }
  type.clear(all);
  all = sorted;
}

}  // namespace ordeal::detail
