#include "ordeal/property.h"

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

}  // namespace ordeal
