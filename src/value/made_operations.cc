// Objects of types that were made at run time come and go.
#include "value/made_operations.h"

#include <new>

namespace ordeal::detail {

using value::Type;

void MadeOperations::default_construct(void* to, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kRecord:
      return construct_parts(type.parts(), to);
    case Shape::kEnum:
      ::new (to) int32_t(0);
      return;
    case Shape::kVariant:
      type.parts()[0].type->default_construct(to);
      type.tag(to) = 0;
      return;
    case Shape::kOptional:
      type.tag(to) = 0;
      return;
    default:
      ::new (to) RawItems();
  }
}

void MadeOperations::copy_construct(void* to, const void* from, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      ::new (to) int32_t(number(from));
      return;
    case Shape::kRecord:
      return copy_parts(type.parts(), to, from);
    case Shape::kVariant:
    case Shape::kOptional:
      if (const Type* content = type.held(from)) content->copy_construct(to, from);
      type.tag(to) = type.tag(from);
      return;
    default:
      ::new (to) RawItems(type.copy(items(from)));
  }
}

void MadeOperations::move_construct(void* to, void* from, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      ::new (to) int32_t(number(from));
      return;
    case Shape::kRecord:
      return move_parts(type.parts(), to, from);
    case Shape::kVariant:
    case Shape::kOptional:
      if (const Type* content = type.held(from)) content->move_construct(to, from);
      type.tag(to) = type.tag(from);
      return;
    default:
      ::new (to) RawItems(items(from));
      items(from) = RawItems();
  }
}

void MadeOperations::destroy(void* object, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      return;
    case Shape::kRecord:
      return destroy_parts(type.parts(), object);
    case Shape::kVariant:
    case Shape::kOptional:
      if (const Type* content = type.held(object)) content->destroy(object);
      return;
    default:
      type.clear(items(object));
  }
}

void MadeType::give_operations() {
  default_construct_ = &MadeOperations::default_construct;
  copy_construct_ = &MadeOperations::copy_construct;
  move_construct_ = &MadeOperations::move_construct;
  destroy_ = &MadeOperations::destroy;
  equal_ = &MadeOperations::equal;
  compare_ = &MadeOperations::compare;
  hash_into_ = &MadeOperations::hash_into;
  hash_as_into_ = &MadeOperations::hash_as_into;
  owned_bytes_ = &MadeOperations::owned_bytes;
  rename_ = &MadeOperations::rename;
  write_ = &MadeOperations::write;
  read_ = &MadeOperations::read;
  tree_ = &MadeOperations::tree;
  load_ = &MadeOperations::load;
}

}  // namespace ordeal::detail
