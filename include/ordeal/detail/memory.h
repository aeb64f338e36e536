// How much memory a value owns besides its own bytes. For the bound on memory of a search: what is
// counted must follow from what is stored, so it is counted, not asked of the operating system.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "ordeal/detail/shape.h"

namespace ordeal::detail {

// What an allocator takes to hand out so many bytes: a header, rounded up, as in glibc.
constexpr uint64_t allocated(uint64_t bytes) {
  return bytes == 0 ? 0 : std::max<uint64_t>(32, (bytes + 23) / 16 * 16);
}

template <class T>
struct MayOwn : std::bool_constant<kShape<T> == Shape::kText || kShape<T> == Shape::kList ||
                                   kShape<T> == Shape::kSet || kShape<T> == Shape::kMap ||
                                   kShape<T> == Shape::kPointer> {};

// Whether a T may own memory at all; most do not.
template <class T>
inline constexpr bool kOwns = anywhere<MayOwn, T>();

template <class T>
inline constexpr bool kIsShared = false;
template <class T>
inline constexpr bool kIsShared<std::shared_ptr<T>> = true;

template <class T>
inline constexpr bool kIsDeque = false;
template <class T, class A>
inline constexpr bool kIsDeque<std::deque<T, A>> = true;

template <class T>
inline constexpr bool kIsBits = false;
template <class A>
inline constexpr bool kIsBits<std::vector<bool, A>> = true;

template <class T>
uint64_t owned_by(const T& v);

template <class T>
uint64_t owned_by_elements(const T& container) {
  uint64_t sum = 0;
  if constexpr (!kIsBits<T>) {
    if constexpr (kOwns<typename T::value_type>) {
      for (const auto& element : container) sum += owned_by(element);
    }
  }
  return sum;
}

template <class T>
uint64_t owned_by_list(const T& list) {
  if constexpr (kIsBits<T>) {
    return allocated(list.capacity() / 8);
  } else if constexpr (kIsDeque<T>) {
    constexpr size_t kBlock = std::max<size_t>(512, sizeof(typename T::value_type));
    const size_t blocks = list.size() * sizeof(typename T::value_type) / kBlock + 1;
    return blocks * allocated(kBlock) + allocated(std::max<size_t>(8, blocks + 2) * 8);
  } else {
    return allocated(list.capacity() * sizeof(typename T::value_type));
  }
}

template <class T>
uint64_t owned_by_text(const T& text) {
  // A short text lies in the object itself.
  const void* const data = text.data();
  const std::less<const void*> before;
  const bool inside = !before(data, &text) && before(data, &text + 1);
  return inside ? 0 : allocated(text.capacity() + 1);
}

template <class T>
uint64_t owned_by_pointer(const T& pointer) {
  using Target = std::remove_const_t<typename T::element_type>;
  if (!pointer) return 0;
  if constexpr (kIsShared<T>) {
    // What several values share is counted where it was new, and had one owner.
    if (pointer.use_count() > 1) return 0;
    return allocated(sizeof(Target) + 2 * sizeof(void*)) + owned_by<Target>(*pointer);
  } else {
    return allocated(sizeof(Target)) + owned_by<Target>(*pointer);
  }
}

template <class T>
uint64_t owned_by(const T& v) {
  constexpr Shape kS = kShape<T>;
  constexpr size_t kTreeNode = 4 * sizeof(void*);  // of a std::map or std::set
  if constexpr (!kOwns<T>) {
    static_cast<void>(v);
    return 0;
  } else if constexpr (kS == Shape::kText) {
    return owned_by_text(v);
  } else if constexpr (kS == Shape::kOptional) {
    return v ? owned_by(*v) : 0;
  } else if constexpr (kS == Shape::kPointer) {
    return owned_by_pointer(v);
  } else if constexpr (kS == Shape::kVariant) {
    uint64_t sum = 0;
    with_index<std::variant_size_v<T>>(v.index(),
                                       [&]<size_t kI>(std::integral_constant<size_t, kI>) {
                                         sum = owned_by(*std::get_if<kI>(&v));
                                       });
    return sum;
  } else if constexpr (kS == Shape::kTuple) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return (owned_by(std::get<I>(v)) + ... + uint64_t{0});
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    return with_fields(v,
                       [&](const auto&... field) { return (owned_by(field) + ... + uint64_t{0}); });
  } else if constexpr (kS == Shape::kArray) {
    return owned_by_elements(v);
  } else if constexpr (kS == Shape::kSet || kS == Shape::kMap) {
    return v.size() * allocated(kTreeNode + sizeof(typename T::value_type)) + owned_by_elements(v);
  } else {
    return owned_by_list(v) + owned_by_elements(v);
  }
}

}  // namespace ordeal::detail
