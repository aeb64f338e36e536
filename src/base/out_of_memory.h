// What guarded() says where there was no memory left: that is nobody's mistake in particular.
#pragma once

#include <string_view>

namespace ordeal {

inline constexpr std::string_view kOutOfMemory = "out of memory";

}  // namespace ordeal
