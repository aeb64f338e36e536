// Values of types that were made at run time as bytes.
#include "value/made_operations.h"

namespace ordeal::detail {

using value::Type;

namespace {

bool read_items(std::string_view& in, RawItems& all, const MadeType& type) {
  uint64_t count = 0;
  if (!read_length(in, count) || count > in.size()) return false;
  for (uint64_t i = 0; i < count; ++i) {
    char* const item = type.insert(all, all.size);
    const size_t before = in.size();
    if (!type.parts()[0].type->read(in, item)) return false;
    if (in.size() == before) {
      if (in.empty() || in.front() != '\0') return false;
      in.remove_prefix(1);
    }
    if (type.shape() == Shape::kList) continue;
    // Only the order in which it was written is accepted, and no key twice.
    if (i > 0 && type.parts()[0].type->compare(type.item(all, i - 1), item) >= 0) return false;
    if (type.shape() != Shape::kMap) continue;
    if (!type.parts()[1].type->read(in, item + type.parts()[1].offset)) return false;
  }
  return true;
}

}  // namespace

void MadeOperations::write(const void* object, std::string& out, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      return write_raw(object, sizeof(int32_t), out);
    case Shape::kRecord:
      for (const auto& part : type.parts()) part.type->write(at(object, part.offset), out);
      return;
    case Shape::kOptional:
      out.push_back(type.tag(object) == 0 ? 0 : 1);
      break;
    case Shape::kVariant:
      write_length(type.tag(object), out);
      break;
    default: {
      const RawItems& all = items(object);
      write_length(all.size, out);
      for (size_t i = 0; i < all.size; ++i) {
        const size_t before = out.size();
        type.parts()[0].type->write(type.item(all, i), out);
        if (out.size() == before) out.push_back('\0');  // as write_element() does
        if (type.shape() != Shape::kMap) continue;
        type.parts()[1].type->write(type.item(all, i) + type.parts()[1].offset, out);
      }
      return;
    }
  }
  if (const Type* content = type.held(object)) content->write(object, out);
}

bool MadeOperations::read(std::string_view& in, void* object, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum: {
      int32_t read = 0;
      if (!read_raw(in, &read, sizeof read) || read < 0 ||
          static_cast<size_t>(read) >= type.parts().size()) {
        return false;
      }
      number(object) = read;
      return true;
    }
    case Shape::kRecord:
      for (const auto& part : type.parts()) {
        if (!part.type->read(in, at(object, part.offset))) return false;
      }
      return true;
    case Shape::kOptional: {
      bool present = false;
      if (!read_flag(in, present)) return false;
      type.hold(object, present ? 1 : 0);
      break;
    }
    case Shape::kVariant: {
      uint64_t index = 0;
      if (!read_length(in, index) || index >= type.parts().size()) return false;
      type.hold(object, static_cast<uint32_t>(index));
      break;
    }
    default:
      type.clear(items(object));
      return whole(read_items(in, items(object), type), items(object), type);
  }
  const Type* content = type.held(object);
  return content == nullptr || content->read(in, object);
}

}  // namespace ordeal::detail
