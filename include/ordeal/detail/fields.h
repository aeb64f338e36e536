// The fields of a type: a plain aggregate's are found by the compiler, any other class names them
// once with ORDEAL_FIELDS. Everything the value layer does to a record starts from with_fields().
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ordeal/detail/names.h"

// Inside a class that is no plain aggregate (it has constructors, private members or a base), or
// not all of whose fields are content: names those that are, in the order in which they are
// declared. `ORDEAL_FIELDS()` says that nothing is content.
//
// Every other field is a constant, and named as such:
//
//   class Server {
//     int term_ = 0;
//     int quorum_;  // the same for all servers, for ever
//     ORDEAL_FIELDS(term_);
//     ORDEAL_CONSTANTS(quorum_);
//   };
//
// Constants are copied, but neither shown nor compared: two nodes that differ in one are the same
// to a search. What a handler writes into one is lost; checks find that out when they run. A field
// that is named in neither list is refused by the compiler, as far as it shows in the size of the
// class.
#define ORDEAL_FIELDS(...)                                                      \
  friend struct ::ordeal::detail::FieldAccess;                                  \
  template <class OrdealVisitor>                                                \
  constexpr decltype(auto) ordeal_fields(OrdealVisitor&& visitor) {             \
    return visitor(__VA_ARGS__);                                                \
  }                                                                             \
  template <class OrdealVisitor>                                                \
  constexpr decltype(auto) ordeal_fields(OrdealVisitor&& visitor) const {       \
    return visitor(__VA_ARGS__);                                                \
  }                                                                             \
  static constexpr const char* ordeal_field_names() { return "" #__VA_ARGS__; } \
  auto ordeal_self() const->decltype(*this)

#define ORDEAL_CONSTANTS(...)                                                \
  template <class OrdealVisitor>                                             \
  constexpr decltype(auto) ordeal_constants(OrdealVisitor&& visitor) const { \
    return visitor(__VA_ARGS__);                                             \
  }                                                                          \
  friend struct ::ordeal::detail::FieldAccess

namespace ordeal::detail {

template <class... T>
struct TypeList {
  static constexpr size_t kSize = sizeof...(T);
};

struct CollectTypes {
  template <class... F>
  constexpr TypeList<std::remove_cv_t<F>...> operator()(F&...) const {
    return {};
  }
};

// The friend of every described class, so that ORDEAL_FIELDS may stand in its private part.
struct FieldAccess {
  // A class derived from a described one inherits the members of ORDEAL_FIELDS, but they describe
  // the base only; hence the look at ordeal_self.
  template <class T>
  static constexpr bool described() {
    if constexpr (requires(const T& t) { t.ordeal_self(); }) {
      return std::same_as<decltype(std::declval<const T&>().ordeal_self()), const T&>;
    } else {
      return false;
    }
  }
  template <class T>
  static constexpr bool inherited() {
    return requires(const T& t) { t.ordeal_self(); }
    &&!described<T>();
  }
  template <class T, class F>
  static constexpr decltype(auto) visit(T& object, F&& f) {
    return object.ordeal_fields(std::forward<F>(f));
  }
  template <class T>
  static constexpr std::string_view names() {
    return T::ordeal_field_names();
  }
  template <class T>
  static constexpr auto constants(const T& object) {
    if constexpr (requires { object.ordeal_constants(CollectTypes()); }) {
      return object.ordeal_constants(CollectTypes());
    } else {
      return TypeList<>();
    }
  }

  // Whether T has something of that name that is no function: a field, a type, an enumerator.
#define ORDEAL_DETAIL_OTHER(NAME)                                     \
  template <class T>                                                  \
  static constexpr bool is_other_##NAME() {                           \
    return requires { typename T::NAME; }                             \
    || requires { requires !std::is_function_v<decltype(T::NAME)>; }; \
  }
  ORDEAL_DETAIL_OTHER(start)
  ORDEAL_DETAIL_OTHER(on)
  ORDEAL_DETAIL_OTHER(request)
  ORDEAL_DETAIL_OTHER(timer)
  ORDEAL_DETAIL_OTHER(crashed)
  ORDEAL_DETAIL_OTHER(restored)
  ORDEAL_DETAIL_OTHER(recover)
#undef ORDEAL_DETAIL_OTHER
};

template <class T>
inline constexpr bool kDescribed = FieldAccess::described<T>();

// Converts to whatever a field of Owner needs; only ever used unevaluated.
template <class Owner>
struct AnyField {
  template <class U>
  requires(!std::same_as<U, Owner>) operator U() const noexcept { __builtin_unreachable(); }
};

template <class Derived>
struct AnyBase {
  template <class U>
  requires(std::is_base_of_v<U, Derived> && !std::same_as<U, Derived>) operator U() const noexcept {
    __builtin_unreachable();
  }
};

template <class T, size_t>
using AnyFieldOf = AnyField<T>;

template <class T, size_t... I>
constexpr bool takes_fields(std::index_sequence<I...>) {
  return requires { T{AnyFieldOf<T, I>{}...}; };
}

inline constexpr size_t kMaxFields = 32;

template <class T, size_t N = 0>
constexpr size_t count_fields() {
  static_assert(
      N <= kMaxFields,
      "ordeal: a plain aggregate may have up to 32 fields, none of them a reference (which "
      "has an identity, no content); describe a larger one with "
      "ORDEAL_FIELDS(a, b, c)");
  if constexpr (N > kMaxFields) {
    return 0;
  } else if constexpr (takes_fields<T>(std::make_index_sequence<N>()) &&
                       !takes_fields<T>(std::make_index_sequence<N + 1>())) {
    return N;
  } else {
    return count_fields<T, N + 1>();
  }
}

template <class T>
constexpr bool has_base() {
  return requires { T{AnyBase<T>{}}; };
}

#define ORDEAL_DETAIL_FIRST_8 a0, a1, a2, a3, a4, a5, a6, a7
#define ORDEAL_DETAIL_FIRST_16 ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11, a12, a13, a14, a15
#define ORDEAL_DETAIL_FIRST_24 ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19, a20, a21, a22, a23
#define ORDEAL_DETAIL_SPREAD(count, ...)                                                        \
  else if constexpr (kCount == count) {                                                         \
    auto& [__VA_ARGS__] = object; /* Fails for C arrays (use std::array) and for bit fields. */ \
    return f(__VA_ARGS__);                                                                      \
  }

// Calls f with all fields of a plain aggregate.
template <class T, class F>
constexpr decltype(auto) spread(T& object, F&& f) {
  using Plain = std::remove_const_t<T>;
  static_assert(!has_base<Plain>(),
                "ordeal: an aggregate with a base class needs ORDEAL_FIELDS(...) to say which "
                "fields are its content");
  constexpr size_t kCount = count_fields<Plain>();
  if constexpr (kCount == 0) {
    return f();
  }
  // clang-format off
ORDEAL_DETAIL_SPREAD(1, a0)
ORDEAL_DETAIL_SPREAD(2, a0, a1)
ORDEAL_DETAIL_SPREAD(3, a0, a1, a2)
ORDEAL_DETAIL_SPREAD(4, a0, a1, a2, a3)
ORDEAL_DETAIL_SPREAD(5, a0, a1, a2, a3, a4)
ORDEAL_DETAIL_SPREAD(6, a0, a1, a2, a3, a4, a5)
ORDEAL_DETAIL_SPREAD(7, a0, a1, a2, a3, a4, a5, a6)
ORDEAL_DETAIL_SPREAD(8, a0, a1, a2, a3, a4, a5, a6, a7)
ORDEAL_DETAIL_SPREAD(9, ORDEAL_DETAIL_FIRST_8, a8)
ORDEAL_DETAIL_SPREAD(10, ORDEAL_DETAIL_FIRST_8, a8, a9)
ORDEAL_DETAIL_SPREAD(11, ORDEAL_DETAIL_FIRST_8, a8, a9, a10)
ORDEAL_DETAIL_SPREAD(12, ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11)
ORDEAL_DETAIL_SPREAD(13, ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11, a12)
ORDEAL_DETAIL_SPREAD(14, ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11, a12, a13)
ORDEAL_DETAIL_SPREAD(15, ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11, a12, a13, a14)
ORDEAL_DETAIL_SPREAD(16, ORDEAL_DETAIL_FIRST_8, a8, a9, a10, a11, a12, a13, a14, a15)
ORDEAL_DETAIL_SPREAD(17, ORDEAL_DETAIL_FIRST_16, a16)
ORDEAL_DETAIL_SPREAD(18, ORDEAL_DETAIL_FIRST_16, a16, a17)
ORDEAL_DETAIL_SPREAD(19, ORDEAL_DETAIL_FIRST_16, a16, a17, a18)
ORDEAL_DETAIL_SPREAD(20, ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19)
ORDEAL_DETAIL_SPREAD(21, ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19, a20)
ORDEAL_DETAIL_SPREAD(22, ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19, a20, a21)
ORDEAL_DETAIL_SPREAD(23, ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19, a20, a21, a22)
ORDEAL_DETAIL_SPREAD(24, ORDEAL_DETAIL_FIRST_16, a16, a17, a18, a19, a20, a21, a22, a23)
ORDEAL_DETAIL_SPREAD(25, ORDEAL_DETAIL_FIRST_24, a24)
ORDEAL_DETAIL_SPREAD(26, ORDEAL_DETAIL_FIRST_24, a24, a25)
ORDEAL_DETAIL_SPREAD(27, ORDEAL_DETAIL_FIRST_24, a24, a25, a26)
ORDEAL_DETAIL_SPREAD(28, ORDEAL_DETAIL_FIRST_24, a24, a25, a26, a27)
ORDEAL_DETAIL_SPREAD(29, ORDEAL_DETAIL_FIRST_24, a24, a25, a26, a27, a28)
ORDEAL_DETAIL_SPREAD(30, ORDEAL_DETAIL_FIRST_24, a24, a25, a26, a27, a28, a29)
ORDEAL_DETAIL_SPREAD(31, ORDEAL_DETAIL_FIRST_24, a24, a25, a26, a27, a28, a29, a30)
ORDEAL_DETAIL_SPREAD(32, ORDEAL_DETAIL_FIRST_24, a24, a25, a26, a27, a28, a29, a30, a31)
  // clang-format on
}
#undef ORDEAL_DETAIL_SPREAD
#undef ORDEAL_DETAIL_FIRST_8
#undef ORDEAL_DETAIL_FIRST_16
#undef ORDEAL_DETAIL_FIRST_24

template <class T, class F>
constexpr decltype(auto) with_fields(T& object, F&& f) {
  if constexpr (kDescribed<std::remove_const_t<T>>) {
    return FieldAccess::visit(object, std::forward<F>(f));
  } else {
    return spread(object, std::forward<F>(f));
  }
}

// TypeList of the fields' types.
template <class T>
using FieldTypes = decltype(with_fields(std::declval<T&>(), CollectTypes()));

// What a class with these fields and no others takes, where they are declared in this order.
template <class... F>
constexpr size_t laid_out(size_t align, TypeList<F...>) {
  size_t end = 0;
  const auto up_to = [&](size_t multiple) { end = (end + multiple - 1) / multiple * multiple; };
  ((up_to(alignof(F)), end += std::is_empty_v<F> ? 0 : sizeof(F)), ...);
  up_to(align);
  return end == 0 ? align : end;
}

// What constants can add to that, wherever they stand between the fields.
template <class... C>
constexpr size_t at_most(size_t align, TypeList<C...>) {
  return ((sizeof(C) + alignof(C) + align - 2) + ... + 0);
}

// Whether all fields of a described class are named, as far as it shows: its size is not more than
// theirs. Tables of virtual functions take room, too; those who have one are not asked.
template <class T>
constexpr bool names_all_fields() {
  if constexpr (std::is_polymorphic_v<T>) {
    return true;
  } else {
    using Constants = decltype(FieldAccess::constants(std::declval<const T&>()));
    return sizeof(T) <= laid_out(alignof(T), FieldTypes<T>()) + at_most(alignof(T), Constants());
  }
}

template <class T>
inline constexpr size_t kFieldCount = FieldTypes<T>::kSize;

#if defined(__GNUC__) && !defined(__clang__)
// An object that is never constructed: only the addresses of its fields are formed, and the
// compiler prints those with the field's name.
template <class T>
struct Phantom {
  union Storage {
    char none;
    T object;
    constexpr Storage() : none() {}
    constexpr ~Storage() {}
  };
  static constexpr Storage storage{};
};

template <size_t I, class First, class... Rest>
constexpr auto nth_address(First& first, Rest&... rest) {
  if constexpr (I == 0) {
    return &first;
  } else {
    return nth_address<I - 1>(rest...);
  }
}

template <class T, size_t I>
constexpr auto phantom_field() {
  return spread(Phantom<T>::storage.object,
                [](auto&... field) { return nth_address<I>(field...); });
}

template <auto kField>
constexpr const char* signature_of_field() {
  return __PRETTY_FUNCTION__;
}
#endif

template <class T>
using FieldNames = std::array<std::string_view, kFieldCount<T>>;

// "f0", "f1", ...: for a compiler that cannot tell.
inline constexpr std::string_view kNumbered[] = {
    "f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",  "f7",  "f8",  "f9",  "f10",
    "f11", "f12", "f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20", "f21",
    "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31"};

template <class T, size_t I>
constexpr std::string_view aggregate_field_name() {
#if defined(__GNUC__) && !defined(__clang__)
  std::string_view s = signature_of_field<phantom_field<T, I>()>();
  while (!s.empty() && !is_word(s.back())) s.remove_suffix(1);
  s = trailing_name(s);
  if (!s.empty()) return s;
#endif
  return kNumbered[I];
}

// "a, b, c" as ORDEAL_FIELDS was given it.
template <class T>
constexpr FieldNames<T> described_field_names() {
  FieldNames<T> names{};
  std::string_view all = FieldAccess::names<T>();
  for (size_t i = 0; i < names.size(); ++i) {
    size_t comma = all.find(',');
    std::string_view name = all.substr(0, comma);
    while (!name.empty() && !is_word(name.back())) name.remove_suffix(1);
    names[i] = trailing_name(name);
    // Members are often spelled term_; the underscore says "private", which a reader need not know.
    if (names[i].size() > 1 && names[i].back() == '_') names[i].remove_suffix(1);
    all.remove_prefix(comma == std::string_view::npos ? all.size() : comma + 1);
  }
  return names;
}

template <class T>
constexpr FieldNames<T> make_field_names() {
  if constexpr (kDescribed<T>) {
    return described_field_names<T>();
  } else {
    return []<size_t... I>(std::index_sequence<I...>) {
      return FieldNames<T>{aggregate_field_name<T, I>()...};
    }
    (std::make_index_sequence<kFieldCount<T>>());
  }
}

template <class T>
inline constexpr FieldNames<T> kFieldNames = make_field_names<T>();

}  // namespace ordeal::detail
