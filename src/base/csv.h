// CSV, as RFC 4180 has it.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace ordeal {

// A field, of one line: a line of the file is a row, and what would break it, or steer a terminal,
// is shown instead.
inline std::string csv_field(std::string_view text) {
  const std::string line = one_line(text);
  if (line.find_first_of(",\"") == std::string::npos) return line;
  std::string out = "\"";
  for (const char c : line) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace ordeal
