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

// Equal if and only if the types are one type, also where it was compiled into two shared
// libraries. Types of anonymous namespaces in two files are two types.
class TypeId {
 public:
  TypeId() = default;
  explicit TypeId(const std::type_info& info) : info_(&info) {}

  // The name by which linkers know the type. The same from every compiler; only types that linkers
  // do not know (of anonymous namespaces, in two files) may share one.
  std::string_view symbol() const { return info_ == nullptr ? std::string_view() : info_->name(); }
  // "paxos::Prepare", "Signed<Prepare>": the same from every compiler, for people.
  std::string spelled() const;

  friend bool operator==(const TypeId& a, const TypeId& b) {
    return a.info_ == b.info_ || same_elsewhere(a, b);
  }

 private:
  static bool same_elsewhere(const TypeId& a, const TypeId& b);

  const std::type_info* info_ = nullptr;
};

template <class T>
TypeId type_id() {
  return TypeId(typeid(T));
}

}  // namespace ordeal::detail
