// Messages of several lines.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace ordeal {

// For a terminal: a message of several lines within ours. Each is as one_line has it, and all but
// the first stand behind `prefix`, so that none can pass for a line of ours.
inline std::string hanging(std::string_view text, std::string_view prefix) {
  std::string out;
  while (true) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += one_line(text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
    out += "\n" + std::string(prefix);
  }
}

}  // namespace ordeal
