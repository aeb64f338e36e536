// Equality, order, hash and renaming, derived from the shape of a type. A user's own operator== or
// operator< plays no part here.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/detail/hash.h"
#include "ordeal/detail/shape.h"

namespace ordeal::value {

// Which Tag a Name has, at run time.
using NameTag = const char*;
template <class Tag>
NameTag name_tag() {
  static const char tag = 0;
  return &tag;
}

// Where each node goes: node i becomes to[i]; ids outside the vector stay. A permutation of the
// nodes, where it is to be undone. The names of each tag likewise.
struct Renaming {
  struct Names {
    NameTag tag = nullptr;
    std::vector<uint32_t> to;
  };
  std::vector<int> to;
  std::vector<Names> names = {};

  NodeId operator()(NodeId id) const {
    if (id.value < 0 || static_cast<size_t>(id.value) >= to.size()) return id;
    return NodeId(to[static_cast<size_t>(id.value)]);
  }
  template <class Tag>
  Name<Tag> operator()(Name<Tag> name) const {
    for (const Names& renamed : names) {
      if (renamed.tag != name_tag<Tag>() || name.value >= renamed.to.size()) continue;
      return Name<Tag>(renamed.to[name.value]);
    }
    return name;
  }
};

// What nodes and names count as while a value is hashed; see hash_as().
class Naming {
 public:
  virtual ~Naming() = default;
  virtual uint64_t node(NodeId id) = 0;
  virtual uint64_t name(NameTag tag, uint32_t value) = 0;
};

}  // namespace ordeal::value

namespace ordeal::detail {

// The content of a real is its bits: 0.0 and -0.0 are two values, and so are two NaNs, because a
// program can tell them apart. Ordered as the numbers are, -0.0 before 0.0, NaNs at the ends.
uint64_t ordered_bits(double d);
uint64_t ordered_bits(float f);

template <class T>
bool equal_bytes(const T& a, const T& b) {
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
}

// vector<bool> hands out proxies; everything below wants a real bool.
template <class T>
inline constexpr bool kIsBitVector = false;
template <class A>
inline constexpr bool kIsBitVector<std::vector<bool, A>> = true;

template <class T>
bool same_content(const T& a, const T& b) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return false;  // require_value has said why not
  } else if constexpr (kFlat<T>) {
    return equal_bytes(a, b);
  } else if constexpr (kS == Shape::kReal) {
    return ordered_bits(a) == ordered_bits(b);
  } else if constexpr (kS == Shape::kText || kIsBitVector<T>) {
    return a == b;
  } else if constexpr (kS == Shape::kUnit) {
    return true;
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    if (!a || !b) return !a && !b;
    if (&*a == &*b) return true;  // a shared one, most often
    return same_content(*a, *b);
  } else if constexpr (kS == Shape::kVariant) {
    if (a.index() != b.index()) return false;
    bool same = true;
    with_index<std::variant_size_v<T>>(
        a.index(), [&]<size_t kI>(std::integral_constant<size_t, kI>) {
          same = same_content(*std::get_if<kI>(&a), *std::get_if<kI>(&b));
        });
    return same;
  } else if constexpr (kS == Shape::kTuple) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return (same_content(std::get<I>(a), std::get<I>(b)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    return with_fields(a, [&](const auto&... x) {
      return with_fields(b, [&](const auto&... y) { return (same_content(x, y) && ...); });
    });
  } else {
    if (a.size() != b.size()) return false;
    auto other = b.begin();
    for (const auto& element : a) {
      if constexpr (kS == Shape::kMap) {
        if (!same_content(element.first, other->first) ||
            !same_content(element.second, other->second)) {
          return false;
        }
      } else {
        if (!same_content(element, *other)) return false;
      }
      ++other;
    }
    return true;
  }
}

template <class T>
std::strong_ordering order_content(const T& a, const T& b) {
  using Order = std::strong_ordering;
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return Order::equal;  // require_value has said why not
  } else if constexpr (kS == Shape::kBoolean || kS == Shape::kInteger) {
    return a <=> b;
  } else if constexpr (kS == Shape::kCharacter) {
    return static_cast<unsigned char>(a) <=> static_cast<unsigned char>(b);
  } else if constexpr (kS == Shape::kEnum) {
    using Number = std::underlying_type_t<T>;
    return static_cast<Number>(a) <=> static_cast<Number>(b);
  } else if constexpr (kS == Shape::kNode || kS == Shape::kName) {
    return a.value <=> b.value;
  } else if constexpr (kS == Shape::kReal) {
    return ordered_bits(a) <=> ordered_bits(b);
  } else if constexpr (kS == Shape::kText) {
    return a.compare(b) <=> 0;
  } else if constexpr (kS == Shape::kUnit) {
    return Order::equal;
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    if (!a || !b) return static_cast<bool>(a) <=> static_cast<bool>(b);
    if (&*a == &*b) return Order::equal;
    return order_content(*a, *b);
  } else if constexpr (kS == Shape::kVariant) {
    if (a.index() != b.index()) return a.index() <=> b.index();
    Order order = Order::equal;
    with_index<std::variant_size_v<T>>(
        a.index(), [&]<size_t kI>(std::integral_constant<size_t, kI>) {
          order = order_content(*std::get_if<kI>(&a), *std::get_if<kI>(&b));
        });
    return order;
  } else if constexpr (kS == Shape::kTuple) {
    Order order = Order::equal;
    [&]<size_t... I>(std::index_sequence<I...>) {
      static_cast<void>((((order = order_content(std::get<I>(a), std::get<I>(b))) == 0) && ...));
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
    return order;
  } else if constexpr (kS == Shape::kRecord) {
    Order order = Order::equal;
    with_fields(a, [&](const auto&... x) {
      with_fields(b, [&](const auto&... y) {
        static_cast<void>((((order = order_content(x, y)) == 0) && ...));
      });
    });
    return order;
  } else {
    auto other = b.begin();
    for (auto it = a.begin(); it != a.end(); ++it, ++other) {
      if (other == b.end()) return Order::greater;
      Order order = Order::equal;
      if constexpr (kS == Shape::kMap) {
        order = order_content(it->first, other->first);
        if (order == 0) order = order_content(it->second, other->second);
      } else if constexpr (kIsBitVector<T>) {
        order = static_cast<bool>(*it) <=> static_cast<bool>(*other);
      } else {
        order = order_content(*it, *other);
      }
      if (order != 0) return order;
    }
    return other == b.end() ? Order::equal : Order::less;
  }
}

template <class T>
inline constexpr bool kIsVector = false;
template <class T, class A>
inline constexpr bool kIsVector<std::vector<T, A>> = !std::is_same_v<T, bool>;

template <class T>
void hash_content(const T& v, Hasher& h) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return;  // require_value has said why not
  } else if constexpr (kFlat<T>) {
    h.bytes(static_cast<const void*>(&v), sizeof(T));
  } else if constexpr (kS == Shape::kReal) {
    h.word(ordered_bits(v));
  } else if constexpr (kS == Shape::kText) {
    h.word(v.size());
    h.bytes(v.data(), v.size());
  } else if constexpr (kS == Shape::kUnit) {
    // No content, hence nothing to add; what holds it adds its own presence.
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    h.word(v ? 1 : 0);
    if (v) hash_content(*v, h);
  } else if constexpr (kS == Shape::kVariant) {
    h.word(v.index());
    with_index<std::variant_size_v<T>>(v.index(),
                                       [&]<size_t kI>(std::integral_constant<size_t, kI>) {
                                         hash_content(*std::get_if<kI>(&v), h);
                                       });
  } else if constexpr (kS == Shape::kTuple) {
    [&]<size_t... I>(std::index_sequence<I...>) { (hash_content(std::get<I>(v), h), ...); }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    with_fields(v, [&](const auto&... field) { (hash_content(field, h), ...); });
  } else {
    h.word(v.size());
    if constexpr (kIsBitVector<T>) {
      uint64_t word = 0;
      for (size_t i = 0; i < v.size(); ++i) {
        word |= uint64_t{v[i]} << (i % 64);
        if (i % 64 == 63 || i + 1 == v.size()) h.word(std::exchange(word, 0));
      }
    } else if constexpr (kIsVector<T>) {
      using Element = typename T::value_type;
      require_value<Element>();
      if constexpr (kFlat<Element>) {
        h.bytes(static_cast<const void*>(v.data()), v.size() * sizeof(Element));
      } else {
        for (const auto& element : v) hash_content(element, h);
      }
    } else if constexpr (kS == Shape::kMap) {
      for (const auto& [key, value] : v) {
        hash_content(key, h);
        hash_content(value, h);
      }
    } else {
      for (const auto& element : v) hash_content(element, h);
    }
  }
}

template <class Tag>
uint64_t named_as(Name<Tag> name, value::Naming& naming) {
  return naming.name(value::name_tag<Tag>(), name.value);
}

// As hash_content, but a node or name counts as what `naming` says, and elements of sets and maps
// count in any order: where `naming` tells two nodes apart no more, the order of keys does not
// either.
template <class T>
void hash_as(const T& v, value::Naming& naming, Hasher& h) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (!kHoldsNames<T>) {
    static_cast<void>(naming);
    hash_content(v, h);
  } else if constexpr (kS == Shape::kNode) {
    h.word(naming.node(v));
  } else if constexpr (kS == Shape::kName) {
    h.word(named_as(v, naming));
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    h.word(v ? 1 : 0);
    if (v) hash_as(*v, naming, h);
  } else if constexpr (kS == Shape::kVariant) {
    h.word(v.index());
    with_index<std::variant_size_v<T>>(v.index(),
                                       [&]<size_t kI>(std::integral_constant<size_t, kI>) {
                                         hash_as(*std::get_if<kI>(&v), naming, h);
                                       });
  } else if constexpr (kS == Shape::kTuple) {
    [&]<size_t... I>(std::index_sequence<I...>) { (hash_as(std::get<I>(v), naming, h), ...); }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    with_fields(v, [&](const auto&... field) { (hash_as(field, naming, h), ...); });
  } else {
    h.word(v.size());
    uint64_t sum = 0;
    for (const auto& element : v) {
      if constexpr (kS == Shape::kMap || kS == Shape::kSet) {
        Hasher one;
        if constexpr (kS == Shape::kMap) {
          hash_as(element.first, naming, one);
          hash_as(element.second, naming, one);
        } else {
          hash_as(element, naming, one);
        }
        sum += one.finish();
      } else {
        hash_as(element, naming, h);
      }
    }
    h.word(sum);
  }
}

template <class T>
T clone(const T& value);

template <class T>
void rename_content(T& v, const value::Renaming& renaming) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (!kHoldsNames<T>) {
    static_cast<void>(v);
    static_cast<void>(renaming);
  } else if constexpr (kS == Shape::kNode || kS == Shape::kName) {
    v = renaming(v);
  } else if constexpr (kS == Shape::kOptional) {
    if (v) rename_content(*v, renaming);
  } else if constexpr (kS == Shape::kPointer) {
    if (v) {  // a new object: the old one may be shared, or const
      auto copy = clone<std::remove_const_t<typename T::element_type>>(*v);
      rename_content(copy, renaming);
      v = to_pointer(std::move(copy), &v);
    }
  } else if constexpr (kS == Shape::kVariant) {
    with_index<std::variant_size_v<T>>(v.index(),
                                       [&]<size_t kI>(std::integral_constant<size_t, kI>) {
                                         rename_content(*std::get_if<kI>(&v), renaming);
                                       });
  } else if constexpr (kS == Shape::kTuple) {
    [&]<size_t... I>(std::index_sequence<I...>) { (rename_content(std::get<I>(v), renaming), ...); }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kS == Shape::kRecord) {
    with_fields(v, [&](auto&... field) { (rename_content(field, renaming), ...); });
  } else if constexpr (kS == Shape::kSet) {
    T renamed;  // keys change their place in the order
    while (!v.empty()) {
      auto node = v.extract(v.begin());
      rename_content(node.value(), renaming);
      renamed.insert(std::move(node));
    }
    v = std::move(renamed);
  } else if constexpr (kS == Shape::kMap) {
    T renamed;
    while (!v.empty()) {
      auto node = v.extract(v.begin());
      rename_content(node.key(), renaming);
      rename_content(node.mapped(), renaming);
      renamed.insert(std::move(node));
    }
    v = std::move(renamed);
  } else {
    for (auto& element : v) rename_content(element, renaming);
  }
}

}  // namespace ordeal::detail
