#include "ordeal/property.h"

#include <set>

namespace ordeal {

const char* to_string(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kAlways:
      return "always";
    case PropertyKind::kSometimes:
      return "sometimes";
    case PropertyKind::kEventually:
      return "eventually";
  }
  return "unknown";
}

std::string kind_name(const Property& property) {
  return property.word.empty() ? to_string(property.kind) : property.word;
}

Result<void> detail::validate_names(const std::vector<Property>& properties) {
  std::set<std::string> names;
  for (const Property& property : properties) {
    if (!names.insert(property.name).second) {
      return Error{"two properties are named \"" + property.name + "\""};
    }
  }
  return {};
}

}  // namespace ordeal
