#include "value/made_type.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "value/made_parts.h"

namespace ordeal::detail {
namespace {

size_t rounded(size_t size, size_t align) { return (size + align - 1) / align * align; }

const char* word_for(Shape shape) {
  switch (shape) {
    case Shape::kRecord:
      return "record";
    case Shape::kEnum:
      return "enumeration";
    case Shape::kVariant:
      return "variant";
    case Shape::kOptional:
      return "optional";
    case Shape::kSet:
      return "set";
    case Shape::kMap:
      return "map";
    default:
      return "list";
  }
}

bool is_container(Shape shape) {
  return shape == Shape::kList || shape == Shape::kSet || shape == Shape::kMap;
}

}  // namespace

MadeType::MadeType(Shape shape, std::string full_name, std::vector<Part> parts)
    : parts_(std::move(parts)) {
  shape_ = shape;
  for (const Part& part : parts_) {
    if (part.type == nullptr) continue;
    holds_names_ = holds_names_ || part.type->holds_names();
    if (part.type->is_made()) depth_ = std::max(depth_, of(*part.type).depth_ + 1);
    const bool is_unit = part.type->shape() == Shape::kUnit;
    is_nullable_ = is_nullable_ || (shape == Shape::kVariant && is_unit);
  }
  is_nullable_ = is_nullable_ || shape == Shape::kOptional;
  is_signed_ = shape == Shape::kEnum;
  if (shape == Shape::kVariant) {
    const auto sharing = [&](const Part& part) {
      return std::count_if(parts_.begin(), parts_.end(), [&](const Part& other) {
        return other.type->name() == part.type->name();
      });
    };
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      part.name = part.type->name();
      const bool has_form =
          part.type->shape() == Shape::kRecord || part.type->shape() == Shape::kUnit;
      part.stands_alone = has_form && sharing(part) == 1;
      if (sharing(part) > 1) part.name += "#" + std::to_string(i);
    }
  }
  lay_out();
  name_it(std::move(full_name));
  give_operations();
}

// As a compiler does it.
void MadeType::lay_out() {
  if (shape_ == Shape::kEnum) {
    size_ = align_ = sizeof(int32_t);
    is_flat_ = true;
    return;
  }
  size_t end = 0;
  size_t flat = 0;
  size_t largest = 0;
  size_t align = 1;
  bool all_flat = true;
  for (Part& part : parts_) {
    const bool apart = shape_ != Shape::kVariant;
    part.offset = apart ? rounded(end, part.type->align()) : 0;
    end = part.offset + part.type->size();
    largest = std::max(largest, end);
    align = std::max(align, part.type->align());
    flat += part.type->size();
    all_flat = all_flat && part.type->is_flat();
  }
  if (is_container(shape_)) {
    stride_ = rounded(end, align);
    item_align_ = align;
    size_ = sizeof(RawItems);
    align_ = alignof(RawItems);
  } else if (shape_ == Shape::kRecord) {
    align_ = align;
    size_ = std::max(rounded(end, align), align);
    is_flat_ = all_flat && flat == size_;
  } else {
    tag_ = rounded(largest, alignof(uint32_t));
    align_ = std::max(align, alignof(uint32_t));
    size_ = rounded(tag_ + sizeof(uint32_t), align_);
  }
}

// Linkers know nothing of it: its name begins as none of theirs does. Parts stand there by their
// numbers, so that it stays short.
void MadeType::name_it(std::string full_name) {
  spelled_ = std::move(full_name);
  symbol_ = "{" + std::string(word_for(shape_)) + " " + spelled_ + "(";
  bool local = false;
  for (const Part& part : parts_) {
    symbol_ += part.name;
    if (part.type != nullptr) {
      symbol_ += ":" + std::to_string(part.type->identity());
      local = local || part.type->id().symbol().find("_GLOBAL__N_") != std::string_view::npos;
    }
    symbol_ += ",";
  }
  symbol_ += local ? ") _GLOBAL__N_}" : ")}";
  own_ = {nullptr, symbol_, spelled_};
  id_ = TypeId(own_);
  name_ = short_name(spelled_);
  identity_ = value::hash(symbol_);
  name_hash_ = value::hash(std::string(name_));
}

const MadeType::Part* MadeType::find(std::string_view name) const {
  const auto at = std::find_if(parts_.begin(), parts_.end(),
                               [&](const Part& part) { return part.name == name; });
  return at == parts_.end() ? nullptr : &*at;
}

void MadeType::reserve(RawItems& items, size_t count) const {
  if (count <= items.capacity) return;
  const size_t capacity = std::max(count, 2 * items.capacity);
  auto* data = static_cast<char*>(::operator new(capacity* stride_, std::align_val_t(item_align_)));
  for (size_t i = 0; i < items.size; ++i) {
    move_parts(parts_, data + i * stride_, item(items, i));
    destroy_parts(parts_, item(items, i));
  }
  if (items.data != nullptr) ::operator delete(items.data, std::align_val_t(item_align_));
  items.data = data;
  items.capacity = capacity;
}

void MadeType::relocate(RawItems& items, size_t to, size_t from) const {
  move_parts(parts_, item(items, to), item(items, from));
  destroy_parts(parts_, item(items, from));
}

char* MadeType::open(RawItems& items, size_t index) const {
  reserve(items, items.size + 1);
  for (size_t i = items.size; i > index; --i) relocate(items, i, i - 1);
  ++items.size;
  return item(items, index);
}

void MadeType::close(RawItems& items, size_t index) const {
  for (size_t i = index + 1; i < items.size; ++i) relocate(items, i - 1, i);
  --items.size;
}

char* MadeType::insert(RawItems& items, size_t index) const {
  char* const there = open(items, index);
  try {
    construct_parts(parts_, there);
  } catch (...) {
    close(items, index);
    throw;
  }
  return there;
}

void MadeType::erase(RawItems& items, size_t index) const {
  destroy_parts(parts_, item(items, index));
  close(items, index);
}

void MadeType::clear(RawItems& items) const {
  for (size_t i = 0; i < items.size; ++i) destroy_parts(parts_, item(items, i));
  if (items.data != nullptr) ::operator delete(items.data, std::align_val_t(item_align_));
  items = RawItems();
}

RawItems MadeType::copy(const RawItems& items) const {
  RawItems out;
  reserve(out, items.size);
  try {
    for (; out.size < items.size; ++out.size) {
      copy_parts(parts_, item(out, out.size), item(items, out.size));
    }
  } catch (...) {
    clear(out);
    throw;
  }
  return out;
}

void MadeType::hold(void* object, uint32_t tag) const {
  const value::Type* const next = held_as(tag);
  // Made before what is there goes: it may fail.
  const value::Any fresh = next == nullptr ? value::Any() : next->new_any();
  if (const value::Type* content = held(object)) content->destroy(object);
  if (next != nullptr) next->move_construct(object, const_cast<void*>(fresh.data()));
  this->tag(object) = tag;
}

MadeType::Found MadeType::find(const RawItems& items, const void* key) const {
  size_t low = 0;
  size_t high = items.size;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const std::strong_ordering order = parts_[0].type->compare(item(items, middle), key);
    if (order == 0) return {middle, true};
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return {low, false};
}

}  // namespace ordeal::detail
