// Text in quotation marks, as JSON and people are shown it.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::value {

inline constexpr char kHexDigits[] = "0123456789abcdef";

// `code`: what begins the two digits of a control character, "\\x" for people, "\\u00" in JSON.
inline void put_quoted(std::string_view text, std::string_view code, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += code;
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace ordeal::value
