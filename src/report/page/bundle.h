// The viewer as the build made it (viewer/), ready to be put into pages. Empty where Ordeal was
// built without it: pages then hold their static part alone.
#pragma once

#include <string_view>

namespace ordeal::report {

struct Bundle {
  std::string_view script;
  std::string_view style;
  std::string_view script_hash;  // "sha256-…", for a content security policy
};
extern const Bundle kBundle;

}  // namespace ordeal::report
