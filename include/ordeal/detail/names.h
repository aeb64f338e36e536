// Names of types, enumerators and fields, recovered from what the compiler prints about a template.
// They are for people (trees, JSON, messages); no hash and no serialised byte depends on them.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ordeal::detail {

template <class OrdealT>
constexpr const char* signature_of_type() {
  return __PRETTY_FUNCTION__;
}

// "raft::Log<int>::Entry" as the compiler spells it.
template <class T>
constexpr std::string_view full_type_name() {
  std::string_view s = signature_of_type<T>();
  s.remove_prefix(s.find("OrdealT = ") + 10);
  s.remove_suffix(1);  // the closing bracket
  return s;
}

constexpr int nesting_step(char c) {
  if (c == '<' || c == '(' || c == '{') return 1;
  if (c == '>' || c == ')' || c == '}') return -1;
  return 0;
}

// Drops namespaces, enclosing classes and template arguments: "Entry".
constexpr std::string_view short_name(std::string_view full) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < full.size(); ++i) {
    depth += nesting_step(full[i]);
    if (depth == 0 && full[i] == ':') start = i + 1;
  }
  full.remove_prefix(start);
  return full.substr(0, full.find('<'));
}

template <class T>
constexpr std::string_view short_type_name() {
  if constexpr (std::same_as<T, bool>) {
    return "bool";
  } else if constexpr (std::same_as<T, char>) {
    return "char";
  } else if constexpr (std::same_as<T, float>) {
    return "float";
  } else if constexpr (std::same_as<T, double>) {
    return "double";
  } else if constexpr (std::same_as<T, std::string>) {
    return "string";
  } else if constexpr (std::integral<T>) {
    // By width: "long" and "long long" are spelled differently by each compiler.
    constexpr std::string_view kSigned[] = {"int8", "int16", "int32", "int64"};
    constexpr std::string_view kUnsigned[] = {"uint8", "uint16", "uint32", "uint64"};
    constexpr size_t kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[kLog] : kUnsigned[kLog];
  } else {
    return short_name(full_type_name<T>());
  }
}

// Worked out by the compiler, once: looking at a state asks for names very often.
template <class T>
inline constexpr std::string_view kShortTypeName = short_type_name<T>();

// Enumerators: the compiler prints all candidate values in one signature, so that one instantiation
// per enum suffices; values without a name are printed as a cast.
inline constexpr int kFirstEnumerator = -1;
inline constexpr size_t kEnumerators = 65;

template <class E, E... OrdealV>
constexpr const char* signature_of_values() {
  return __PRETTY_FUNCTION__;
}

using EnumNames = std::array<std::string_view, kEnumerators>;

constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The identifier at the end of "ns::Color::red", or nothing for "(ns::Color)7".
constexpr std::string_view trailing_name(std::string_view s) {
  size_t start = s.size();
  while (start > 0 && is_word(s[start - 1])) --start;
  s.remove_prefix(start);
  return s.empty() || (s[0] >= '0' && s[0] <= '9') ? std::string_view() : s;
}

constexpr EnumNames parse_enum_names(std::string_view s) {
  EnumNames names{};
  s.remove_prefix(s.find("OrdealV = ") + 11);  // and the opening bracket
  size_t found = 0;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < s.size() && found < kEnumerators; ++i) {
    int step = nesting_step(s[i]);
    bool closes = depth == 0 && step < 0;
    if (closes || (depth == 0 && s[i] == ',')) {
      names[found++] = trailing_name(s.substr(start, i - start));
      start = i + 1;
      if (closes) break;
    }
    depth += step;
  }
  return names;
}

// "Committed" for kCommitted; other names as they are. The k says "constant", which a reader need
// not know.
constexpr std::string_view without_k(std::string_view name) {
  const bool marked = name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z';
  return marked ? name.substr(1) : name;
}

constexpr bool contains(const EnumNames& names, std::string_view name) {
  for (std::string_view other : names) {
    if (other == name) return true;
  }
  return false;
}

// As they are shown. Where an enum has both kRed and Red, both keep their names.
constexpr EnumNames shown_enum_names(const EnumNames& names) {
  EnumNames shown = names;
  for (std::string_view& name : shown) {
    if (!contains(names, without_k(name))) name = without_k(name);
  }
  return shown;
}

template <class E>
const EnumNames& enum_names() {
  static const EnumNames names = []<size_t... I>(std::index_sequence<I...>) {
    return shown_enum_names(parse_enum_names(
        signature_of_values<E, static_cast<E>(static_cast<std::underlying_type_t<E>>(
                                   static_cast<int>(I) + kFirstEnumerator))...>()));
  }
  (std::make_index_sequence<kEnumerators>());
  return names;
}

// Empty where the value has no (recoverable) name.
template <class E>
std::string_view enumerator_name(E e) {
  auto number = static_cast<std::underlying_type_t<E>>(e);
  auto index = static_cast<int64_t>(number) - kFirstEnumerator;
  if (index < 0 || index >= static_cast<int64_t>(kEnumerators)) return {};
  return enum_names<E>()[static_cast<size_t>(index)];
}

// Takes the name as it is shown, or as it is spelled in the program.
template <class E>
bool enumerator_from_name(std::string_view name, E& out) {
  const EnumNames& names = enum_names<E>();
  if (!contains(names, name)) name = without_k(name);
  for (size_t i = 0; i < kEnumerators; ++i) {
    if (!name.empty() && names[i] == name) {
      out = static_cast<E>(static_cast<int>(i) + kFirstEnumerator);
      return true;
    }
  }
  return false;
}

}  // namespace ordeal::detail
