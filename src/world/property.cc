#include "ordeal/property.h"

#include <algorithm>
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

bool any_on_steps(const std::vector<Property>& properties) {
  return std::any_of(properties.begin(), properties.end(),
                     [](const Property& property) { return property.on_steps; });
}

Result<void> detail::validate_names(const std::vector<Property>& properties) {
  std::set<std::string> names;
  for (const Property& property : properties) {
    if (!names.insert(property.name).second) {
      return Error{"two properties are named \"" + property.name + "\""};
    }
    if (property.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") !=
        std::string::npos) {
      return Error{"the property \"" + property.name +
                   "\" has a word that is none: it has small letters, digits and '-'"};
    }
    if (property.on_steps && property.kind != PropertyKind::kAlways) {
      return Error{"the property \"" + property.name +
                   "\" is about steps, and must be an always: " + to_string(property.kind) +
                   " is said of states"};
    }
    // Whoever reads one of these takes it for how the property is judged.
    for (const char* taken : {"always", "sometimes", "eventually", "failure", "audit", "scenario",
                              "coverage", "error"}) {
      if (property.word == taken && property.word != to_string(property.kind)) {
        return Error{"the property \"" + property.name + "\" has the word \"" + property.word +
                     "\", and is none"};
      }
    }
  }
  return {};
}

}  // namespace ordeal
