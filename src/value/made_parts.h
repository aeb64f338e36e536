// The parts of an object, one after the other: the fields of a record, the key and the value in an
// item of a map. Parts whose bytes are their content are not asked.
#pragma once

#include <cstring>
#include <vector>

#include "value/made_type.h"

namespace ordeal::detail {

using Parts = std::vector<MadeType::Part>;

inline const char* at(const void* object, size_t offset) {
  return static_cast<const char*>(object) + offset;
}
inline char* at(void* object, size_t offset) { return static_cast<char*>(object) + offset; }

inline void destroy_parts(const Parts& parts, void* object) {
  for (const auto& part : parts) {
    if (!part.type->is_flat()) part.type->destroy(at(object, part.offset));
  }
}

// All parts of an object, or none where one fails.
template <class Make>
void make_parts(const Parts& parts, void* to, const Make& make) {
  size_t done = 0;
  try {
    for (; done < parts.size(); ++done) make(parts[done], at(to, parts[done].offset));
  } catch (...) {
    while (done-- > 0) parts[done].type->destroy(at(to, parts[done].offset));
    throw;
  }
}

inline void construct_parts(const Parts& parts, void* to) {
  make_parts(parts, to,
             [](const MadeType::Part& part, void* there) { part.type->default_construct(there); });
}

inline void copy_parts(const Parts& parts, void* to, const void* from) {
  make_parts(parts, to, [from](const MadeType::Part& part, void* there) {
    if (part.type->is_flat()) {
      std::memcpy(there, at(from, part.offset), part.type->size());
    } else {
      part.type->copy_construct(there, at(from, part.offset));
    }
  });
}

inline void move_parts(const Parts& parts, void* to, void* from) {
  for (const auto& part : parts) {
    if (part.type->is_flat()) {
      std::memcpy(at(to, part.offset), at(from, part.offset), part.type->size());
    } else {
      part.type->move_construct(at(to, part.offset), at(from, part.offset));
    }
  }
}

}  // namespace ordeal::detail
