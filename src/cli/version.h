// The version that `ordeal version` tells; a test holds it to the one in CMakeLists.txt.
#pragma once

namespace ordeal::cli {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace ordeal::cli
