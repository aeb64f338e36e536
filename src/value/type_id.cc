#include "ordeal/detail/type_id.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace ordeal::detail {

std::string TypeId::spelled() const {
  if (info_ == nullptr) return "";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(info_->name(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : info_->name();
}

bool TypeId::same_elsewhere(const TypeId& a, const TypeId& b) {
  if (a.info_ == nullptr || b.info_ == nullptr || *a.info_ != *b.info_) return false;
  // Not every compiler tells the library that a type belongs to one file alone.
  return a.symbol().find("_GLOBAL__N_") == std::string_view::npos;
}

}  // namespace ordeal::detail
