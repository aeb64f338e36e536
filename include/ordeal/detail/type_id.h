// TypeId: which type something is. A name for people is not enough: x::Vote and y::Vote are both
// "Vote", and so are Vote<int> and Vote<char>.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

#ifndef __cpp_rtti
#error "Ordeal tells types apart by run-time type information: compile without -fno-rtti"
#endif

namespace ordeal::detail {

// What tells a type from others: what the compiler says of it, or what it was made of.
struct TypeIdentity {
  const std::type_info* info = nullptr;  // null: made at run time (ordeal/dynamic.h)
  std::string_view symbol = {};          // … and these are its names
  std::string_view spelled = {};
};

template <class T>
inline constexpr TypeIdentity kTypeIdentity{&typeid(T)};

// Equal if and only if the types are one type, also where it was compiled into two shared
// libraries. Types of anonymous namespaces in two files are two types.
class TypeId {
 public:
  TypeId() = default;
  // REQUIRES: the identity stays where it is.
  explicit TypeId(const TypeIdentity& identity) : identity_(&identity) {}

  // The name by which linkers know the type. The same from every compiler; only types that linkers
  // do not know (of anonymous namespaces, in two files) may share one. What was made at run time
  // has a name that no linker knows.
  std::string_view symbol() const {
    if (identity_ == nullptr) return {};
    return identity_->info == nullptr ? identity_->symbol : identity_->info->name();
  }
  // "paxos::Prepare", "Signed<Prepare>": the same from every compiler, for people.
  std::string spelled() const;

  bool is_made() const { return identity_ != nullptr && identity_->info == nullptr; }

  friend bool operator==(const TypeId& a, const TypeId& b) {
    return a.identity_ == b.identity_ || same_elsewhere(a, b);
  }

 private:
  static bool same_elsewhere(const TypeId& a, const TypeId& b);

  const TypeIdentity* identity_ = nullptr;
};

template <class T>
TypeId type_id() {
  return TypeId(kTypeIdentity<T>);
}

}  // namespace ordeal::detail
