// Looking at values of run time, and changing them. A slip throws: nothing is taken for what it is
// not.
#include <cstring>
#include <limits>

#include "ordeal/dynamic.h"
#include "value/made_operations.h"

namespace ordeal::dynamic {
namespace {

using detail::items;
using detail::MadeType;
using detail::Shape;

// "a Vote", "an optional<int>".
std::string one(const std::string& what) {
  const bool is_vowel = std::string_view("aeioAEIO").find(what[0]) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + what;
}

[[noreturn]] void slip(const Type& type, const std::string& what) {
  throw Slip(one(type.full_name()) + what);
}

const MadeType& made_as(const Type& type, Shape shape, const char* what) {
  if (type.is_made() && type.shape() == shape) return MadeType::of(type);
  slip(type, " was taken for " + one(what) + " of run time");
}

const MadeType& container(const Type& type) {
  if (type.is_made() && (type.shape() == Shape::kList || type.shape() == Shape::kSet ||
                         type.shape() == Shape::kMap)) {
    return MadeType::of(type);
  }
  slip(type, " was taken for a list, set or map of run time");
}

const MadeType& keyed(const Type& type) {
  if (type.shape() == Shape::kList) slip(type, " has no keys");
  return container(type);
}

const MadeType& alternatives(const Type& type) { return made_as(type, Shape::kVariant, "variant"); }

void require_key(const Type& type, const MadeType& container, const Type& given) {
  const Type& key = *container.parts()[0].type;
  if (!key.same_as(given)) {
    slip(type,
         " was asked for " + one(given.full_name()) + ", and its keys are " + key.full_name());
  }
}

void require_same(const Type& type, const Type& given) {
  if (!type.same_as(given)) slip(type, " cannot become " + one(given.full_name()));
}

size_t checked(const Type& type, size_t index, size_t size) {
  if (index < size) return index;
  slip(type, " has " + std::to_string(size) + " elements, and number " + std::to_string(index) +
                 " was asked for");
}

bool is_number(const Type& type) {
  return type.shape() == Shape::kInteger || type.shape() == Shape::kEnum;
}

template <class Signed, class Unsigned>
int64_t read_as(const Type& type, const void* data) {
  if (type.is_signed()) return *static_cast<const Signed*>(data);
  const Unsigned number = *static_cast<const Unsigned*>(data);
  if (static_cast<uint64_t>(number) > uint64_t{std::numeric_limits<int64_t>::max()}) {
    slip(type, " holds " + std::to_string(number) + ", which is too large for an int64");
  }
  return static_cast<int64_t>(number);
}

template <class Signed, class Unsigned>
void write_as(const Type& type, void* data, int64_t number) {
  const bool fits =
      type.is_signed() ? std::in_range<Signed>(number) : std::in_range<Unsigned>(number);
  if (!fits) slip(type, " cannot hold " + std::to_string(number));
  *static_cast<Unsigned*>(data) = static_cast<Unsigned>(number);
}

// There comes what is in an Any that nobody else has.
void replace(const Type& type, void* object, const Any& by) {
  type.destroy(object);
  type.move_construct(object, const_cast<void*>(by.data()));
}

}  // namespace

ConstRef::ConstRef(const Any& any) : type_(any.type()), data_(const_cast<void*>(any.data())) {
  if (any.empty()) throw Slip("an empty value was looked at");
}

void ConstRef::refuse(const Type& asked) const {
  slip(*type_, " was taken for " + one(asked.full_name()));
}

void ConstRef::refuse(const Place& place) const {
  slip(*type_, " was asked for a field of " +
                   (place.record_ == nullptr ? "no record" : place.record_->full_name()));
}

ConstRef ConstRef::inside(std::string_view field) const {
  const MadeType& record = made_as(*type_, Shape::kRecord, "record");
  const MadeType::Part* part = record.find(field);
  if (part == nullptr) {
    std::string known;
    for (const auto& one : record.parts()) known += (known.empty() ? "" : ", ") + one.name;
    slip(*type_, " has no field " + std::string(field) + "; its fields are " +
                     (known.empty() ? "none" : known));
  }
  return {*part->type, static_cast<const char*>(data_) + part->offset};
}

int64_t ConstRef::integer() const {
  if (!is_number(*type_)) slip(*type_, " was taken for an integer");
  switch (type_->size()) {
    case 1:
      return read_as<int8_t, uint8_t>(*type_, data_);
    case 2:
      return read_as<int16_t, uint16_t>(*type_, data_);
    case 4:
      return read_as<int32_t, uint32_t>(*type_, data_);
    default:
      return read_as<int64_t, uint64_t>(*type_, data_);
  }
}

void Ref::set_integer(int64_t number) const {
  if (!is_number(*type_)) slip(*type_, " was taken for an integer");
  if (type_->is_made()) {
    const size_t known = MadeType::of(*type_).parts().size();
    if (number < 0 || static_cast<uint64_t>(number) >= known) {
      slip(*type_, " has no enumerator number " + std::to_string(number));
    }
  }
  switch (type_->size()) {
    case 1:
      return write_as<int8_t, uint8_t>(*type_, data_, number);
    case 2:
      return write_as<int16_t, uint16_t>(*type_, data_, number);
    case 4:
      return write_as<int32_t, uint32_t>(*type_, data_, number);
    default:
      return write_as<int64_t, uint64_t>(*type_, data_, number);
  }
}

std::string ConstRef::enumerator() const {
  if (type_->shape() != Shape::kEnum) slip(*type_, " was taken for an enumeration");
  if (!type_->is_made()) return tree().text;
  return MadeType::of(*type_).parts()[static_cast<size_t>(integer())].name;
}

void Ref::set_enumerator(std::string_view name) const {
  const MadeType& type = made_as(*type_, Shape::kEnum, "enumeration");
  const MadeType::Part* part = type.find(name);
  if (part == nullptr) slip(*type_, " has no enumerator " + std::string(name));
  set_integer(part - type.parts().data());
}

size_t ConstRef::size() const {
  static_cast<void>(container(*type_));
  return items(data_).size;
}

ConstRef ConstRef::at(size_t index) const {
  const MadeType& type = container(*type_);
  const char* const item = type.item(items(data_), checked(*type_, index, items(data_).size));
  const MadeType::Part& part = type.parts().back();
  return {*part.type, item + part.offset};
}

ConstRef ConstRef::key(size_t index) const {
  const MadeType& type = keyed(*type_);
  return {*type.parts()[0].type,
          type.item(items(data_), checked(*type_, index, items(data_).size))};
}

std::optional<ConstRef> ConstRef::find(ConstRef key) const {
  const MadeType& type = keyed(*type_);
  require_key(*type_, type, key.type());
  const MadeType::Found found = type.find(items(data_), key.data());
  if (!found.there) return std::nullopt;
  return at(found.index);
}

std::optional<ConstRef> ConstRef::content() const {
  const MadeType& type = made_as(*type_, Shape::kOptional, "optional");
  const Type* const held = type.held(data_);
  return held == nullptr ? std::nullopt : std::optional(ConstRef(*held, data_));
}

size_t ConstRef::alternative() const {
  return alternatives(*type_).tag(static_cast<const void*>(data_));
}

ConstRef ConstRef::held() const { return {*alternatives(*type_).held(data_), data_}; }

void Ref::assign(ConstRef from) const {
  require_same(*type_, from.type());
  if (type_->is_flat()) {
    std::memmove(data_, from.data(), type_->size());
  } else {
    replace(*type_, data_, from.any());  // it may be a part of what it is assigned to
  }
}

Ref Ref::at(size_t index) const {
  if (type_->shape() == Shape::kSet) slip(*type_, " keeps its elements as they are");
  return writable(ConstRef::at(index));
}

Ref Ref::append() const {
  const MadeType& type = made_as(*type_, Shape::kList, "list");
  return {*type.parts()[0].type, type.insert(items(data_), items(data_).size)};
}

void Ref::append(ConstRef element) const {
  const MadeType& type = made_as(*type_, Shape::kList, "list");
  require_same(*type.parts()[0].type, element.type());
  const Any copy = element.any();  // it may be of this list, whose elements move
  append().assign(ConstRef(copy));
}

void Ref::erase_at(size_t index) const {
  const MadeType& type = made_as(*type_, Shape::kList, "list");
  type.erase(items(data_), checked(*type_, index, items(data_).size));
}

bool Ref::insert(ConstRef element) const {
  const MadeType& type = made_as(*type_, Shape::kSet, "set");
  require_key(*type_, type, element.type());
  const MadeType::Found found = type.find(items(data_), element.data());
  if (found.there) return false;
  const Any copy = element.any();
  replace(element.type(), type.insert(items(data_), found.index), copy);
  return true;
}

Ref Ref::entry(ConstRef key) const {
  const MadeType& type = made_as(*type_, Shape::kMap, "map");
  require_key(*type_, type, key.type());
  const MadeType::Found found = type.find(items(data_), key.data());
  if (!found.there) {
    const Any copy = key.any();
    replace(key.type(), type.insert(items(data_), found.index), copy);
  }
  return at(found.index);
}

bool Ref::erase(ConstRef key) const {
  const MadeType& type = keyed(*type_);
  require_key(*type_, type, key.type());
  const MadeType::Found found = type.find(items(data_), key.data());
  if (found.there) type.erase(items(data_), found.index);
  return found.there;
}

void Ref::clear() const { container(*type_).clear(items(data_)); }

Ref Ref::engage() const {
  const MadeType& type = made_as(*type_, Shape::kOptional, "optional");
  if (type.held(data_) == nullptr) type.hold(data_, 1);
  return {*type.held(data_), data_};
}

void Ref::reset() const { made_as(*type_, Shape::kOptional, "optional").hold(data_, 0); }

Ref Ref::become(size_t alternative) const {
  const MadeType& type = alternatives(*type_);
  if (alternative >= type.parts().size()) {
    slip(*type_, " has no alternative number " + std::to_string(alternative));
  }
  type.hold(data_, static_cast<uint32_t>(alternative));
  return {*type.held(data_), data_};
}

Value::Value(const Type* type) {
  if (type == nullptr) throw Slip("a value of a type that is null was asked for");
  own_ = type->new_any();
}

}  // namespace ordeal::dynamic
