// Values to trees and back. Back is forgiving about kinds that JSON cannot tell apart (a set is an
// array there) and strict about everything else: a missing or unknown field is an error.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ordeal/detail/bytes.h"
#include "ordeal/detail/tree.h"

namespace ordeal::detail {

using value::Tree;

// What was wrong and where; the path grows outwards as the reading unwinds.
struct Misfit {
  std::string path;
  std::string message;

  bool expected(std::string_view what, const Tree& found);
  bool say(std::string text);
  bool in_field(std::string_view name);
  bool in_item(std::string_view index_or_key);
  Error error(std::string_view type) const;
};

bool integer_from_tree(const Tree& tree, int64_t low, uint64_t high, bool is_signed, uint64_t& bits,
                       Misfit& misfit);
bool real_from_tree(const Tree& tree, double& out, Misfit& misfit);
// The field's tree in a record, or in the map that JSON without "$type" gives; says what is wrong.
bool check_record(const Tree& tree, std::string_view type, const std::string_view* names,
                  size_t count, const Tree** fields, Misfit& misfit);
// The entries of a map, as key and value pointers: from a map, or from a list of pairs.
bool map_entries(const Tree& tree, std::vector<std::pair<Tree, const Tree*>>& entries,
                 Misfit& misfit);
bool is_sequence(const Tree& tree);

// Whether the tree of a T may be kNull, so that an optional around it must say more.
template <class T>
constexpr bool is_nullable() {
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kVariant) {
    return []<class... A>(TypeList<A...>) {
      return ((kShape<A> == Shape::kUnit) || ...);
    }(typename Special<T>::Parts());
  } else {
    return kS == Shape::kOptional || kS == Shape::kPointer || kS == Shape::kUnit;
  }
}

// How often a type of that name occurs among the alternatives of a variant.
template <class V, class T>
constexpr int name_count() {
  return []<class... A>(TypeList<A...>) {
    return ((short_type_name<A>() == short_type_name<T>() ? 1 : 0) + ...);
  }(typename Special<V>::Parts());
}

// A record with a name of its own among the alternatives stands for itself, and so does the only
// std::monostate; anything else is wrapped in a record whose type name is the alternative's.
template <class V, size_t I>
constexpr bool stands_alone() {
  using A = std::variant_alternative_t<I, V>;
  return (kShape<A> == Shape::kRecord || kShape<A> == Shape::kUnit) && name_count<V, A>() == 1;
}

template <class V, size_t I>
std::string alternative_name() {
  using A = std::variant_alternative_t<I, V>;
  std::string name(short_type_name<A>());
  if (name_count<V, A>() > 1) name += "#" + std::to_string(I);
  return name;
}

template <class T>
Tree to_tree(const T& v) {
  require_value<T>();
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return Tree();  // require_value has said why not
  } else if constexpr (kS == Shape::kBoolean) {
    return Tree::boolean(v);
  } else if constexpr (kS == Shape::kCharacter) {
    return Tree::string(std::string_view(&v, 1));
  } else if constexpr (kS == Shape::kInteger) {
    if constexpr (std::is_signed_v<T>) {
      return Tree::number(v);
    } else {
      return Tree::number_unsigned(v);
    }
  } else if constexpr (kS == Shape::kEnum) {
    std::string_view name = enumerator_name(v);
    if (!name.empty()) return Tree::enumerator(name);
    using Number = std::underlying_type_t<T>;
    if constexpr (std::is_signed_v<Number>) {
      return Tree::number(static_cast<Number>(v));
    } else {
      return Tree::number_unsigned(static_cast<Number>(v));
    }
  } else if constexpr (kS == Shape::kReal) {
    return Tree::number_real(v);
  } else if constexpr (kS == Shape::kText) {
    return Tree::string(v);
  } else if constexpr (kS == Shape::kNode) {
    return Tree::node(v);
  } else if constexpr (kS == Shape::kName) {
    return Tree::number_unsigned(v.value);
  } else if constexpr (kS == Shape::kUnit) {
    return Tree();
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    if (!v) return Tree();
    if constexpr (is_nullable<std::remove_cvref_t<decltype(*v)>>()) {
      Tree some = Tree::of(Tree::Kind::kList);
      some.items.push_back(to_tree(*v));
      return some;
    } else {
      return to_tree(*v);
    }
  } else if constexpr (kS == Shape::kVariant) {
    Tree tree;
    with_index<std::variant_size_v<T>>(v.index(), [&]<size_t J>(std::integral_constant<size_t, J>) {
      tree = to_tree(*std::get_if<J>(&v));
      if constexpr (!stands_alone<T, J>()) {
        Tree wrapped = Tree::record(alternative_name<T, J>());
        wrapped.add("", std::move(tree));
        tree = std::move(wrapped);
      }
    });
    return tree;
  } else if constexpr (kS == Shape::kTuple) {
    Tree tree = Tree::of(Tree::Kind::kTuple);
    [&]<size_t... I>(std::index_sequence<I...>) {
      (tree.items.push_back(to_tree(std::get<I>(v))), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
    return tree;
  } else if constexpr (kS == Shape::kRecord) {
    Tree tree = Tree::record(short_type_name<T>());
    with_fields(v, [&](const auto&... field) {
      [[maybe_unused]] size_t i = 0;
      (tree.add(kFieldNames<T>[i++], to_tree(field)), ...);
    });
    return tree;
  } else if constexpr (kS == Shape::kMap) {
    Tree tree = Tree::of(Tree::Kind::kMap);
    for (const auto& [key, value] : v) {
      tree.items.push_back(to_tree(key));
      tree.items.push_back(to_tree(value));
    }
    return tree;
  } else if constexpr (kIsBitVector<T>) {
    Tree tree = Tree::of(Tree::Kind::kList);
    for (bool bit : v) tree.items.push_back(Tree::boolean(bit));
    return tree;
  } else {
    Tree tree = Tree::of(kS == Shape::kSet ? Tree::Kind::kSet : Tree::Kind::kList);
    for (const auto& element : v) tree.items.push_back(to_tree(element));
    return tree;
  }
}

template <class T>
bool load(const Tree& tree, T& v, Misfit& misfit);

template <class T>
bool load_item(const Tree& tree, size_t index, T& v, Misfit& misfit) {
  return load(tree, v, misfit) || misfit.in_item(std::to_string(index));
}

template <class T>
bool load_integer(const Tree& tree, T& v, Misfit& misfit) {
  uint64_t bits = 0;
  using Limits = std::numeric_limits<T>;
  if (!integer_from_tree(tree, static_cast<int64_t>(Limits::min()),
                         static_cast<uint64_t>(Limits::max()), std::is_signed_v<T>, bits, misfit)) {
    return false;
  }
  v = static_cast<T>(bits);
  return true;
}

template <class T>
bool load_variant(const Tree& tree, T& v, Misfit& misfit) {
  enum { kNoMatch, kFailed, kLoaded } state = kNoMatch;
  std::string names;
  auto attempt = [&]<size_t I>(std::integral_constant<size_t, I>) {
    using A = std::variant_alternative_t<I, T>;
    std::string name = alternative_name<T, I>();
    const Tree* content = nullptr;
    if constexpr (kShape<A> == Shape::kUnit && stands_alone<T, I>()) {
      if (tree.kind == Tree::Kind::kNull) content = &tree;
    } else if (tree.kind == Tree::Kind::kRecord && tree.text == name) {
      if constexpr (stands_alone<T, I>()) {
        content = &tree;
      } else {
        content = tree.find("");
      }
    }
    names += (names.empty() ? "" : ", ") + name;
    if (content == nullptr) return false;
    A loaded = make<A>();
    state = load(*content, loaded, misfit) ? kLoaded : kFailed;
    if (state == kLoaded) v.template emplace<I>(std::move(loaded));
    return true;
  };
  [&]<size_t... I>(std::index_sequence<I...>) {
    static_cast<void>((attempt(std::integral_constant<size_t, I>()) || ...));
  }
  (std::make_index_sequence<std::variant_size_v<T>>());
  if (state == kNoMatch) return misfit.expected("one of " + names, tree);
  return state == kLoaded;
}

template <class T>
bool load_container(const Tree& tree, T& v, Misfit& misfit) {
  v.clear();
  if constexpr (kShape<T> == Shape::kMap) {
    std::vector<std::pair<Tree, const Tree*>> entries;
    if (!map_entries(tree, entries, misfit)) return false;
    for (const auto& [key_tree, value_tree] : entries) {
      auto key = make<typename T::key_type>();
      auto mapped = make<typename T::mapped_type>();
      if (!load(key_tree, key, misfit) || !load(*value_tree, mapped, misfit)) {
        return misfit.in_item(show(key_tree));
      }
      size_t before = v.size();
      v.emplace(std::move(key), std::move(mapped));
      if (v.size() == before) return misfit.say("the key " + show(key_tree) + " occurs twice");
    }
  } else {
    if (!is_sequence(tree)) return misfit.expected("a list", tree);
    for (size_t i = 0; i < tree.items.size(); ++i) {
      auto element = make<typename T::value_type>();
      if (!load_item(tree.items[i], i, element, misfit)) return false;
      if constexpr (kShape<T> == Shape::kSet) {
        size_t before = v.size();
        v.insert(std::move(element));
        if (v.size() == before) return misfit.say(show(tree.items[i]) + " occurs twice in a set");
      } else {
        v.push_back(std::move(element));
      }
    }
  }
  return true;
}

template <class T>
bool load_record(const Tree& tree, T& v, Misfit& misfit) {
  constexpr size_t kCount = kFieldCount<T>;
  const Tree* fields[kCount + 1] = {};
  const std::string_view* names = kFieldNames<T>.data();
  if (!check_record(tree, short_type_name<T>(), names, kCount, fields, misfit)) return false;
  return with_fields(v, [&](auto&... field) {
    [[maybe_unused]] size_t i = 0;
    [[maybe_unused]] auto one = [&](auto& f) {
      size_t at = i++;
      return load(*fields[at], f, misfit) || misfit.in_field(names[at]);
    };
    return (one(field) && ...);
  });
}

template <class T>
bool load(const Tree& tree, T& v, Misfit& misfit) {
  require_value<T>();
  using Kind = Tree::Kind;
  constexpr Shape kS = kShape<T>;
  if constexpr (kS == Shape::kNone) {
    return false;  // require_value has said why not
  } else if constexpr (kS == Shape::kBoolean) {
    if (tree.kind != Kind::kBoolean) return misfit.expected("true or false", tree);
    v = tree.integer != 0;
    return true;
  } else if constexpr (kS == Shape::kCharacter) {
    if (tree.kind == Kind::kInteger) return load_integer(tree, v, misfit);
    if (tree.kind != Kind::kText || tree.text.size() != 1) {
      return misfit.expected("one character", tree);
    }
    v = tree.text[0];
    return true;
  } else if constexpr (kS == Shape::kInteger) {
    return load_integer(tree, v, misfit);
  } else if constexpr (kS == Shape::kEnum) {
    if (tree.kind == Kind::kText || tree.kind == Kind::kEnumerator) {
      return enumerator_from_name(tree.text, v) ||
             misfit.expected("an enumerator of " + std::string(short_type_name<T>()), tree);
    }
    std::underlying_type_t<T> number{};
    if (!load_integer(tree, number, misfit)) return false;
    v = static_cast<T>(number);
    return true;
  } else if constexpr (kS == Shape::kReal) {
    double d = 0;
    if (!real_from_tree(tree, d, misfit)) return false;
    v = static_cast<T>(d);
    return true;
  } else if constexpr (kS == Shape::kText) {
    if (tree.kind != Kind::kText) return misfit.expected("text", tree);
    v = tree.text;
    return true;
  } else if constexpr (kS == Shape::kNode) {
    if (tree.kind == Kind::kNode) {
      v = NodeId(static_cast<int>(tree.integer));
      return true;
    }
    return load_integer(tree, v.value, misfit);
  } else if constexpr (kS == Shape::kName) {
    return load_integer(tree, v.value, misfit);
  } else if constexpr (kS == Shape::kUnit) {
    return tree.kind == Kind::kNull || misfit.expected("nothing", tree);
  } else if constexpr (kS == Shape::kOptional || kS == Shape::kPointer) {
    v.reset();
    if (tree.kind == Kind::kNull) return true;
    using Target = std::remove_cvref_t<decltype(*v)>;
    const Tree* content = &tree;
    if constexpr (is_nullable<Target>()) {
      if (!is_sequence(tree) || tree.items.size() != 1) {
        return misfit.expected("nothing, or a list of one", tree);
      }
      content = &tree.items[0];
    }
    Target target = make<Target>();
    if (!load(*content, target, misfit)) return false;
    if constexpr (kS == Shape::kOptional) {
      v.emplace(std::move(target));
    } else {
      v = to_pointer(std::move(target), &v);
    }
    return true;
  } else if constexpr (kS == Shape::kVariant) {
    return load_variant(tree, v, misfit);
  } else if constexpr (kS == Shape::kTuple || kS == Shape::kArray) {
    constexpr size_t kSize = std::tuple_size_v<T>;
    if (!is_sequence(tree) || tree.items.size() != kSize) {
      return misfit.expected("a list of " + std::to_string(kSize), tree);
    }
    if constexpr (kS == Shape::kArray) {
      for (size_t i = 0; i < kSize; ++i) {
        if (!load_item(tree.items[i], i, v[i], misfit)) return false;
      }
      return true;
    } else {
      return [&]<size_t... I>(std::index_sequence<I...>) {
        return (load_item(tree.items[I], I, std::get<I>(v), misfit) && ...);
      }
      (std::make_index_sequence<kSize>());
    }
  } else if constexpr (kS == Shape::kRecord) {
    return load_record(tree, v, misfit);
  } else {
    return load_container(tree, v, misfit);
  }
}

}  // namespace ordeal::detail
