#include <algorithm>
#include <compare>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/mutant.h"
#include "ordeal/value.h"

namespace ordeal::value {

// Box and value in one allocation: states hold many small ones.
Any Any::allocate(const Type& type) {
  size_t align = std::max(type.align(), alignof(Box));
  size_t offset = (sizeof(Box) + align - 1) / align * align;
  void* memory = ::operator new(offset + type.size(), std::align_val_t(align));
  Any any;
  any.box_ = ::new (memory) Box();
  any.box_->type = &type;
  any.box_->data = static_cast<char*>(memory) + offset;
  return any;
}

void Any::destroy(Box* box) {
  const Type& type = *box->type;
  if (box->live) type.destroy(box->data);
  size_t align = std::max(type.align(), alignof(Box));
  box->~Box();
  ::operator delete(static_cast<void*>(box), std::align_val_t(align));
}

uint64_t Any::digest() const {
  if (box_ == nullptr) return 0;
  const uint64_t known = box_->digest.load(std::memory_order_relaxed);
  if (known != 0) return known;
  uint64_t d = combine(box_->type->name_hash_, box_->type->hash(box_->data));
  if (d == 0) d = 1;
  box_->digest.store(d, std::memory_order_relaxed);
  return d;
}

uint64_t Any::identity() const {
  return mutant(Mutant::kShortNamesAreTypes) ? box_->type->name_hash_ : box_->type->identity();
}

uint64_t Any::hash() const { return box_ == nullptr ? 0 : combine(digest(), identity()); }

uint64_t Any::second_hash() const {
  return box_ == nullptr ? 0 : combine(box_->type->second_hash(box_->data), identity());
}

uint64_t Any::hash_as(Naming& naming) const {
  return box_ == nullptr ? 0 : combine(box_->type->hash_as(box_->data, naming), identity());
}

uint64_t Any::bytes_once() const {
  if (box_ == nullptr || box_->counted.load(std::memory_order_relaxed) ||
      box_->counted.exchange(true, std::memory_order_relaxed)) {
    return 0;
  }
  const Type& type = *box_->type;
  return ordeal::detail::allocated(sizeof(Box) + type.size()) + type.owned_bytes(box_->data);
}

bool Any::equal(const Any& other) const {
  if (box_ == other.box_) return true;
  if (box_ == nullptr || other.box_ == nullptr) return false;
  if (!box_->type->same_as(*other.box_->type)) return false;
  return box_->type->equal(box_->data, other.box_->data);
}

std::strong_ordering Any::compare(const Any& other) const {
  if (box_ == other.box_) return std::strong_ordering::equal;
  if (box_ == nullptr || other.box_ == nullptr) {
    return (box_ != nullptr) <=> (other.box_ != nullptr);
  }
  const Type& a = *box_->type;
  const Type& b = *other.box_->type;
  if (!a.same_as(b)) {
    if (auto order = a.name() <=> b.name(); order != 0) return order;
    if (auto order = a.id().symbol() <=> b.id().symbol(); order != 0) return order;
    // Two types that no linker knows: any order will do that does not call them equal.
    return std::compare_three_way()(&a, &b);
  }
  return a.compare(box_->data, other.box_->data);
}

Any Any::renamed(const Renaming& renaming) const {
  if (box_ == nullptr || !box_->type->holds_names_) return *this;
  Any copy = box_->type->copy_any(box_->data);
  copy.box_->type->rename(copy.box_->data, renaming);
  return copy;
}

Any Type::new_any() const {
  Any any = Any::allocate(*this);
  default_construct(any.box_->data);
  any.box_->live = true;
  return any;
}

Any Type::copy_any(const void* object) const {
  Any any = Any::allocate(*this);
  copy_construct(any.box_->data, object);
  any.box_->live = true;
  return any;
}

Any Type::read_any(std::string_view& bytes, const void* like) const {
  Any any = like == nullptr ? new_any() : copy_any(like);
  if (!read(bytes, any.box_->data)) return {};
  return any;
}

Result<Any> Type::any_from_tree(const Tree& tree) const {
  Any any = new_any();
  Result<void> loaded = from_tree(tree, any.box_->data);
  if (!loaded) return loaded.error();
  return any;
}

void write_any(const Any& any, std::string& bytes) {
  const uint64_t identity = any.empty() ? 0 : any.type()->identity();
  write(identity, bytes);
  if (!any.empty()) any.type()->write(any.data(), bytes);
}

bool read_any(std::string_view& bytes, Any& out, const Any& like) {
  uint64_t identity = 0;
  if (!read(bytes, identity)) return false;
  out = {};
  if (identity == 0) return like.empty();
  if (!like.empty() && like.type()->identity() != identity) return false;
  const Type* type = like.empty() ? find_type(identity) : like.type();
  if (type == nullptr) return false;
  out = type->read_any(bytes, like.data());
  return !out.empty();
}

}  // namespace ordeal::value
