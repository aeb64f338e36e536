// The serialised form: fixed-width little-endian scalars, lengths as varints, fields in order,
// without names. Reading trusts nothing: every length is checked against the bytes that are left.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ordeal/detail/content.h"

namespace ordeal::detail {

// How deep values may nest when they are read from bytes or JSON: hostile input must not be able
// to exhaust the stack.
inline constexpr int kMaxDepth = 1000;

inline void write_raw(const void* data, size_t size, std::string& out) {
  out.append(static_cast<const char*>(data), size);
}

inline void write_length(uint64_t n, std::string& out) {
  while (n >= 0x80) {
    out.push_back(static_cast<char>(n | 0x80));
    n >>= 7;
  }
  out.push_back(static_cast<char>(n));
}

inline bool read_raw(std::string_view& in, void* out, size_t size) {
  if (in.size() < size) return false;
  std::memcpy(out, in.data(), size);
  in.remove_prefix(size);
  return true;
}

inline bool read_length(std::string_view& in, uint64_t& n) {
  n = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (in.empty()) return false;
    auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    if (shift == 63 && byte > 1) return false;
    n |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return byte != 0 || shift == 0;  // one form per number
  }
  return false;
}

inline bool read_flag(std::string_view& in, bool& flag) {
  unsigned char byte = 0;
  if (!read_raw(in, &byte, 1) || byte > 1) return false;
  flag = byte == 1;
  return true;
}

template <class T>
void write_content(const T& v, std::string& out);

// An element of a container takes at least one byte, so that a length can be checked against the
// bytes that are left.
template <class T>
void write_element(const T& v, std::string& out) {
  size_t before = out.size();
  write_content(v, out);
  if (out.size() == before) out.push_back('\0');
}

// Integers, and arrays of them: one copy.
template <class T>
constexpr bool is_raw() {
  if constexpr (kShape<T> == Shape::kArray) {
    return std::tuple_size_v<T> != 0 && is_raw<typename T::value_type>();
  } else {
    return kShape<T> == Shape::kInteger || kShape<T> == Shape::kCharacter;
  }
}

template <class T>
void write_content(const T& v, std::string& out) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return;  // require_value has said why not
  } else if constexpr (is_raw<T>() || kS == Shape::kEnum) {
    write_raw(&v, sizeof(T), out);
  } else if constexpr (kS == Shape::kBoolean) {
    out.push_back(v ? 1 : 0);
  } else if constexpr (kS == Shape::kNode || kS == Shape::kName) {
    write_raw(&v.value, sizeof(v.value), out);
  } else if constexpr (kS == Shape::kReal) {
    write_raw(&v, sizeof(T), out);
  } else if constexpr (kS == Shape::kText) {
    write_length(v.size(), out);
    out += v;
  } else if constexpr (kS == Shape::kUnit) {
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    out.push_back(v ? 1 : 0);
    if (v) write_content(*v, out);
  } else if constexpr (kS == Shape::kVariant) {
    write_length(v.index(), out);
    with_index<std::variant_size_v<T>>(v.index(),
                                       [&]<size_t kI>(std::integral_constant<size_t, kI>) {
                                         write_content(*std::get_if<kI>(&v), out);
                                       });
  } else if constexpr (kS == Shape::kTuple) {
    [&]<size_t... I>(std::index_sequence<I...>) { (write_content(std::get<I>(v), out), ...); }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    with_fields(v, [&](const auto&... field) { (write_content(field, out), ...); });
  } else if constexpr (kS == Shape::kArray) {
    for (const auto& element : v) write_content(element, out);
  } else {
    write_length(v.size(), out);
    if constexpr (kIsBitVector<T>) {
      for (bool bit : v) out.push_back(bit ? 1 : 0);
    } else if constexpr (kIsVector<T> && is_raw<typename T::value_type>()) {
      write_raw(v.data(), v.size() * sizeof(typename T::value_type), out);
    } else if constexpr (kS == Shape::kMap) {
      for (const auto& [key, value] : v) {
        write_element(key, out);
        write_content(value, out);
      }
    } else {
      for (const auto& element : v) write_element(element, out);
    }
  }
}

class Depth {
 public:
  explicit Depth(int& depth) : depth_(depth) { ++depth_; }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  bool too_deep() const { return depth_ > kMaxDepth; }

 private:
  int& depth_;
};

template <class T>
bool read_content(std::string_view& in, T& v, int& depth);

template <class T>
bool read_element(std::string_view& in, T& v, int& depth) {
  size_t before = in.size();
  if (!read_content(in, v, depth)) return false;
  if (in.size() != before) return true;
  if (in.empty() || in.front() != '\0') return false;
  in.remove_prefix(1);
  return true;
}

template <class T>
bool read_container(std::string_view& in, T& v, int& depth) {
  uint64_t count = 0;
  v.clear();
  if (!read_length(in, count) || count > in.size()) return false;
  for (uint64_t i = 0; i < count; ++i) {
    if constexpr (kIsBitVector<T>) {
      bool bit = false;
      if (!read_flag(in, bit)) return false;
      v.push_back(bit);
    } else if constexpr (kShape<T> == Shape::kList) {
      // Read before it is stored: a hostile length must not leave room for what never comes.
      auto element = make<typename T::value_type>();
      if (!read_element(in, element, depth)) return false;
      v.push_back(std::move(element));
    } else {
      typename T::iterator at;
      auto key = make<typename T::key_type>();
      if (!read_element(in, key, depth)) return false;
      if constexpr (kShape<T> == Shape::kMap) {
        auto mapped = make<typename T::mapped_type>();
        if (!read_content(in, mapped, depth)) return false;
        at = v.emplace_hint(v.end(), std::move(key), std::move(mapped));
      } else {
        at = v.emplace_hint(v.end(), std::move(key));
      }
      // Only the order in which it was written is accepted, and no key twice.
      if (v.size() != i + 1 || std::next(at) != v.end()) return false;
    }
  }
  return true;
}

template <class T>
bool read_content(std::string_view& in, T& v, int& depth) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  Depth level(depth);
  if (level.too_deep()) return false;
  if constexpr (kS == Shape::kNone) {
    return false;  // require_value has said why not
  } else if constexpr (is_raw<T>()) {
    return read_raw(in, &v, sizeof(T));
  } else if constexpr (kS == Shape::kEnum) {
    std::underlying_type_t<T> number{};
    if constexpr (std::is_same_v<decltype(number), bool>) {
      if (!read_flag(in, number)) return false;
    } else {
      if (!read_raw(in, &number, sizeof(number))) return false;
    }
    v = static_cast<T>(number);
    return true;
  } else if constexpr (kS == Shape::kBoolean) {
    return read_flag(in, v);
  } else if constexpr (kS == Shape::kNode || kS == Shape::kName) {
    return read_raw(in, &v.value, sizeof(v.value));
  } else if constexpr (kS == Shape::kReal) {
    return read_raw(in, &v, sizeof(T));
  } else if constexpr (kS == Shape::kText) {
    uint64_t size = 0;
    if (!read_length(in, size) || size > in.size()) return false;
    v.assign(in.data(), size);
    in.remove_prefix(size);
    return true;
  } else if constexpr (kS == Shape::kUnit) {
    return true;
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    bool present = false;
    v.reset();
    if (!read_flag(in, present)) return false;
    if (!present) return true;
    if constexpr (kS == Shape::kOptional) {
      v.emplace(make<typename T::value_type>());
      return read_content(in, *v, depth);
    } else {
      auto target = make<std::remove_const_t<typename T::element_type>>();
      if (!read_content(in, target, depth)) return false;
      v = to_pointer(std::move(target), &v);
      return true;
    }
  } else if constexpr (kS == Shape::kVariant) {
    uint64_t index = 0;
    if (!read_length(in, index) || index >= std::variant_size_v<T>) return false;
    bool ok = false;
    with_index<std::variant_size_v<T>>(index, [&]<size_t kI>(std::integral_constant<size_t, kI>) {
      ok = read_content(in, v.template emplace<kI>(make<std::variant_alternative_t<kI, T>>()),
                        depth);
    });
    return ok;
  } else if constexpr (kS == Shape::kTuple) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return (read_content(in, std::get<I>(v), depth) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    return with_fields(v, [&](auto&... field) { return (read_content(in, field, depth) && ...); });
  } else if constexpr (kS == Shape::kArray) {
    for (auto& element : v) {
      if (!read_content(in, element, depth)) return false;
    }
    return true;
  } else {
    return read_container(in, v, depth);
  }
}

[[noreturn]] void too_deep();

// Reads what write_content() wrote: a state that came back as another one would be a lie.
template <class T>
void read_back(std::string_view bytes, T& out) {
  int depth = 0;
  if (!read_content(bytes, out, depth) || !bytes.empty()) too_deep();
}

template <class T>
T clone(const T& value) {
  if constexpr (copyable<T>()) {
    return value;
  } else {
    std::string bytes;
    write_content(value, bytes);
    T copy = make<T>();
    read_back(bytes, copy);
    return copy;
  }
}

}  // namespace ordeal::detail
