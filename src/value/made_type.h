// MadeType: a type that was put together of others at run time. Its objects lie in memory as those
// of the same type in C++ would, and their hashes, bytes and trees are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/value.h"

namespace ordeal::detail {

// What lists, sets and maps are: items next to each other, of sets and maps in the order of keys.
struct RawItems {
  char* data = nullptr;
  size_t size = 0;
  size_t capacity = 0;
};

class MadeType : public value::Type {
 public:
  struct Part {
    std::string name;                   // of a field, an enumerator, an alternative
    const value::Type* type = nullptr;  // null: an enumerator
    size_t offset = 0;                  // in a record, or in an item of a map
    bool stands_alone = false;          // an alternative whose tree needs no name around it
  };

  // `parts`: the fields; the alternatives; the enumerators; what is in it (of maps key and value).
  // Offsets are worked out here.
  MadeType(Shape shape, std::string full_name, std::vector<Part> parts);
  MadeType(const MadeType&) = delete;
  MadeType& operator=(const MadeType&) = delete;

  // REQUIRES: type.is_made().
  static const MadeType& of(const value::Type& type) { return static_cast<const MadeType&>(type); }

  const std::vector<Part>& parts() const { return parts_; }
  const Part* find(std::string_view name) const;
  // How deeply types that were made are nested in it, itself included.
  int depth() const { return depth_; }

  // --- Lists, sets, maps -------------------------------------------------------------------------
  size_t stride() const { return stride_; }
  char* item(const RawItems& items, size_t index) const { return items.data + index * stride_; }
  void reserve(RawItems& items, size_t count) const;
  // Room for one more in that place, where its parts are to be constructed at once.
  char* open(RawItems& items, size_t index) const;
  // A new item in that place: all parts are new values.
  char* insert(RawItems& items, size_t index) const;
  void erase(RawItems& items, size_t index) const;
  void clear(RawItems& items) const;
  RawItems copy(const RawItems& items) const;
  // Where the key is, or would be, in a set or map.
  struct Found {
    size_t index;
    bool there;
  };
  Found find(const RawItems& items, const void* key) const;

  // --- Optionals and variants --------------------------------------------------------------------
  // The content comes first, then which it is.
  uint32_t& tag(void* object) const {
    return *reinterpret_cast<uint32_t*>(static_cast<char*>(object) + tag_);
  }
  uint32_t tag(const void* object) const {
    return *reinterpret_cast<const uint32_t*>(static_cast<const char*>(object) + tag_);
  }
  // The type of what an optional or a variant holds; null: nothing.
  const value::Type* held(const void* object) const { return held_as(tag(object)); }
  // Holds a new value from now on; of an optional, 0 is nothing.
  void hold(void* object, uint32_t tag) const;

 private:
  void lay_out();
  void name_it(std::string full_name);
  void give_operations();
  const value::Type* held_as(uint32_t tag) const {
    if (shape_ == Shape::kVariant) return parts_[tag].type;
    return tag == 0 ? nullptr : parts_[0].type;
  }
  // The item there is where this one was.
  void relocate(RawItems& items, size_t to, size_t from) const;
  void close(RawItems& items, size_t index) const;

  std::vector<Part> parts_;
  std::string spelled_;
  std::string symbol_;
  TypeIdentity own_;
  size_t stride_ = 0;
  size_t item_align_ = 1;
  size_t tag_ = 0;
  int depth_ = 1;
};

}  // namespace ordeal::detail
