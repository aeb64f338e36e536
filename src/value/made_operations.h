// What types that were made at run time do: word for word what detail/content.h, detail/bytes.h,
// detail/memory.h and detail/reflect.h do for those of the compiler.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "value/made_parts.h"

namespace ordeal::detail {

inline const RawItems& items(const void* object) { return *static_cast<const RawItems*>(object); }
inline RawItems& items(void* object) { return *static_cast<RawItems*>(object); }
// Of enumerations.
inline int32_t& number(void* object) { return *static_cast<int32_t*>(object); }
inline int32_t number(const void* object) { return *static_cast<const int32_t*>(object); }

// What did not come to its end is left empty: half of a set may be out of order.
inline bool whole(bool done, RawItems& all, const MadeType& type) {
  if (!done) type.clear(all);
  return done;
}

// Each gets the type as its last argument, which is a MadeType (value::Type has one of each).
struct MadeOperations {
  using Type = value::Type;

  static void default_construct(void* to, const Type& type);
  static void copy_construct(void* to, const void* from, const Type& type);
  static void move_construct(void* to, void* from, const Type& type);
  static void destroy(void* object, const Type& type);
  // made_content.cc
  static bool equal(const void* a, const void* b, const Type& type);
  static std::strong_ordering compare(const void* a, const void* b, const Type& type);
  static void hash_into(const void* object, Hasher& hasher, const Type& type);
  static void hash_as_into(const void* object, value::Naming& naming, Hasher& hasher,
                           const Type& type);
  static uint64_t owned_bytes(const void* object, const Type& type);
  static void rename(void* object, const value::Renaming& renaming, const Type& type);
  // made_bytes.cc
  static void write(const void* object, std::string& out, const Type& type);
  static bool read(std::string_view& in, void* object, const Type& type);
  // made_tree.cc
  static value::Tree tree(const void* object, const Type& type);
  static bool load(const value::Tree& tree, void* object, Misfit& misfit, const Type& type);
};

}  // namespace ordeal::detail
