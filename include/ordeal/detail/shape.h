// What kind of value a type is, and what follows from that at compile time: whether its bytes are
// its content, whether node ids or names occur in it, whether it can be copied.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ordeal/detail/fields.h"
#include "ordeal/name.h"
#include "ordeal/node_id.h"

namespace ordeal::detail {

enum class Shape {
  kNone,
  kBoolean,
  kCharacter,
  kInteger,
  kEnum,
  kReal,
  kText,
  kNode,
  kName,
  kUnit,
  kOptional,
  kVariant,
  kTuple,
  kArray,
  kList,
  kSet,
  kMap,
  kPointer,
  kRecord,
};

template <class T>
struct Special {
  static constexpr Shape kShape = Shape::kNone;
  using Parts = TypeList<>;
};
template <Shape kIs, class... P>
struct SpecialIs {
  static constexpr Shape kShape = kIs;
  using Parts = TypeList<P...>;  // the types of the values inside
};

template <>
struct Special<std::string> : SpecialIs<Shape::kText> {};
template <>
struct Special<NodeId> : SpecialIs<Shape::kNode> {};
template <class Tag>
struct Special<Name<Tag>> : SpecialIs<Shape::kName> {};
template <>
struct Special<std::monostate> : SpecialIs<Shape::kUnit> {};
template <class T>
struct Special<std::optional<T>> : SpecialIs<Shape::kOptional, T> {};
template <class... T>
struct Special<std::variant<T...>> : SpecialIs<Shape::kVariant, T...> {};
template <class... T>
struct Special<std::tuple<T...>> : SpecialIs<Shape::kTuple, T...> {};
template <class A, class B>
struct Special<std::pair<A, B>> : SpecialIs<Shape::kTuple, A, B> {};
template <class T, size_t N>
struct Special<std::array<T, N>> : SpecialIs<Shape::kArray, T> {};
template <class T, class A>
struct Special<std::vector<T, A>> : SpecialIs<Shape::kList, T> {};
template <class T, class A>
struct Special<std::deque<T, A>> : SpecialIs<Shape::kList, T> {};
template <class T, class C, class A>
struct Special<std::set<T, C, A>> : SpecialIs<Shape::kSet, T> {};
template <class T, class C, class A>
struct Special<std::multiset<T, C, A>> : SpecialIs<Shape::kSet, T> {};
template <class K, class V, class C, class A>
struct Special<std::map<K, V, C, A>> : SpecialIs<Shape::kMap, K, V> {};
template <class K, class V, class C, class A>
struct Special<std::multimap<K, V, C, A>> : SpecialIs<Shape::kMap, K, V> {};
template <class T>
struct Special<std::unique_ptr<T>> : SpecialIs<Shape::kPointer, std::remove_const_t<T>> {};
template <class T>
struct Special<std::shared_ptr<const T>> : SpecialIs<Shape::kPointer, T> {};

template <class T>
constexpr Shape shape_of() {
  if constexpr (Special<T>::kShape != Shape::kNone) {
    return Special<T>::kShape;
  } else if constexpr (std::same_as<T, bool>) {
    return Shape::kBoolean;
  } else if constexpr (std::same_as<T, char>) {
    return Shape::kCharacter;
  } else if constexpr (std::integral<T>) {
    return Shape::kInteger;
  } else if constexpr (std::is_enum_v<T>) {
    return Shape::kEnum;
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    return Shape::kReal;
  } else if constexpr (std::is_class_v<T>) {
    if constexpr (kDescribed<T>) {
      return Shape::kRecord;
    } else if constexpr (FieldAccess::inherited<T>()) {
      return Shape::kNone;
    } else {
      return std::is_aggregate_v<T> ? Shape::kRecord : Shape::kNone;
    }
  } else {
    return Shape::kNone;
  }
}

template <class T>
inline constexpr Shape kShape = shape_of<T>();

template <class T>
inline constexpr bool kSharedMutable = false;
template <class T>
inline constexpr bool kSharedMutable<std::shared_ptr<T>> = !std::is_const_v<T>;

// Every operation on a type starts here, so that a type without content is refused with the reason.
template <class T>
constexpr void require_value() {
  static_assert(!std::is_reference_v<T>,
                "ordeal: a reference has an identity, no content of its own; hold the value itself "
                "or a std::shared_ptr<const T>");
  static_assert(!std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_function_v<T>,
                "ordeal: a raw pointer or function has an identity (an address, different in every "
                "run) and no content; hold the value itself, std::unique_ptr<T>, "
                "std::shared_ptr<const T>, or a NodeId or index that names it");
  static_assert(
      !requires { typename T::hasher; },
      "ordeal: the iteration order of an unordered container is no content (it differs "
      "between equal containers); use std::map or std::set, with ordeal::value::Less if "
      "the key has no operator<");
  static_assert(!kSharedMutable<T>,
                "ordeal: a std::shared_ptr<T> to a mutable object can change behind the state that "
                "holds it; use std::shared_ptr<const T>, std::unique_ptr<T> or the value itself");
  static_assert(!std::is_union_v<T>,
                "ordeal: a union does not say which member is its content; use std::variant");
  static_assert(!std::is_array_v<T>, "ordeal: use std::array instead of a C array");
  static_assert(!std::same_as<T, long double>,
                "ordeal: long double has a different size on every machine; use double");
  static_assert(!(std::is_class_v<T> && FieldAccess::inherited<T>()),
                "ordeal: the base class has ORDEAL_FIELDS but this class does not; name all its "
                "fields with its own ORDEAL_FIELDS(...)");
  if constexpr (kDescribed<T>) {
    static_assert(names_all_fields<T>(),
                  "ordeal: this class has a field that ORDEAL_FIELDS does not name: what a handler "
                  "writes into it is lost. Name all fields, in the order in which they are "
                  "declared; those that never change go into ORDEAL_CONSTANTS(a, b, c)");
  }
  static_assert(
      !std::is_class_v<T> || kShape<T> != Shape::kNone || kSharedMutable<T> ||
          requires { typename T::hasher; },
      "ordeal: this class is no plain aggregate, so its content is not known; add "
      "ORDEAL_FIELDS(a, b, c) to it, or use a type the value layer supports");
}

// Partial specialisation instead of a lambda: these run for every type of every program.
template <class T>
constexpr size_t flat_size();

template <class T>
struct SumFlat;
template <class... T>
struct SumFlat<TypeList<T...>> {
  static constexpr bool kAll = ((flat_size<T>() != 0) && ...);
  static constexpr size_t kSum = (flat_size<T>() + ... + 0);
};

template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;

// sizeof(T) where the bytes of a T are its content (integers, enums, bools and arrays and records
// of these, without padding), else 0. std::tuple is left out: its layout is the library's choice.
template <class T>
constexpr size_t flat_size() {
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kBoolean || kS == Shape::kCharacter || kS == Shape::kInteger ||
                kS == Shape::kEnum || kS == Shape::kNode || kS == Shape::kName) {
    return sizeof(T);
  } else if constexpr (kS == Shape::kArray) {
    using Element = typename T::value_type;
    return flat_size<Element>() == 0 || std::tuple_size_v<T> == 0 ? 0 : sizeof(T);
  } else if constexpr (kIsPair<T>) {
    using Sum = SumFlat<typename Special<T>::Parts>;
    return Sum::kAll && Sum::kSum == sizeof(T) ? sizeof(T) : 0;
  } else if constexpr (kS == Shape::kRecord && std::is_trivially_copyable_v<T>) {
    using Sum = SumFlat<FieldTypes<T>>;
    return Sum::kAll && Sum::kSum == sizeof(T) ? sizeof(T) : 0;
  } else {
    return 0;
  }
}

template <class T>
inline constexpr bool kFlat = flat_size<T>() != 0;

// Whether some type inside T satisfies a property. `Seen` ends the walk on recursive types.
template <template <class> class Property, class T, class... Seen>
constexpr bool anywhere();

template <template <class> class Property, class List, class... Seen>
struct AnywhereIn;
template <template <class> class Property, class... T, class... Seen>
struct AnywhereIn<Property, TypeList<T...>, Seen...> {
  static constexpr bool kYes = (anywhere<Property, T, Seen...>() || ...);
};

template <template <class> class Property, class T, class... Seen>
constexpr bool anywhere() {
  if constexpr (Property<T>::value) {
    return true;
  } else if constexpr ((std::same_as<T, Seen> || ...)) {
    return false;
  } else if constexpr (kShape<T> == Shape::kRecord) {
    return AnywhereIn<Property, FieldTypes<T>, T, Seen...>::kYes;
  } else {
    return AnywhereIn<Property, typename Special<T>::Parts, T, Seen...>::kYes;
  }
}

// What a renaming changes.
template <class T>
struct IsNamed : std::bool_constant<kShape<T> == Shape::kNode || kShape<T> == Shape::kName> {};
template <class T>
struct IsUncopyable : std::false_type {};
template <class T>
struct IsUncopyable<std::unique_ptr<T>> : std::true_type {};

template <class T>
inline constexpr bool kHoldsNames = anywhere<IsNamed, T>();

// std::is_copy_constructible says yes to a vector of std::unique_ptr; this one does not.
template <class T>
constexpr bool copyable() {
  if constexpr (std::is_copy_constructible_v<T>) {
    return !anywhere<IsUncopyable, T>();
  } else {
    return false;
  }
}

// Calls f with `index` as a compile-time constant below kCount; not at all if it is not below.
template <size_t kCount, class F>
void with_index(size_t index, F&& f) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(((index == I && (f(std::integral_constant<size_t, I>()), true)) || ...));
  }
  (std::make_index_sequence<kCount>());
}

template <class T>
T make() {
  static_assert(std::is_default_constructible_v<T> || std::is_aggregate_v<T>,
                "ordeal: reading a value back needs a default constructor");
  return T{};
}

template <class T>
std::shared_ptr<const T> to_pointer(T&& value, const std::shared_ptr<const T>*) {
  return std::make_shared<const T>(std::move(value));
}
template <class T, class P>
std::unique_ptr<P> to_pointer(T&& value, const std::unique_ptr<P>*) {
  return std::make_unique<P>(std::move(value));
}

}  // namespace ordeal::detail
