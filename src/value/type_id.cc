#include "ordeal/detail/type_id.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace ordeal::detail {

std::string TypeId::spelled() const {
  if (identity_ == nullptr) return "";
  if (identity_->info == nullptr) return std::string(identity_->spelled);
  const char* const name = identity_->info->name();
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

bool TypeId::same_elsewhere(const TypeId& a, const TypeId& b) {
  if (a.identity_ == nullptr || b.identity_ == nullptr) return false;
  const std::type_info* const x = a.identity_->info;
  const std::type_info* const y = b.identity_->info;
  if ((x == nullptr) != (y == nullptr)) return false;
  if (x != nullptr ? *x != *y : a.symbol() != b.symbol()) return false;
  // Not every compiler tells the library that a type belongs to one file alone.
  return (x != nullptr && x == y) || a.symbol().find("_GLOBAL__N_") == std::string_view::npos;
}

}  // namespace ordeal::detail
