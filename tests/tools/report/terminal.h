// For tests: what must not reach a terminal from the text of a trace, a log or a subject.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/text.h"

namespace ordeal::sample {

// Moves the cursor, sets the title, forges a line, turns the direction of writing; and is no UTF-8.
inline const std::string kForTerminals =
    "x\x1b[2J\x1b]0;t\x07\r\nforged: 1\b\t\x7f\xc2\x9b"
    "31m\xd8\x9c\xe2\x80\x8e\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\xff";

// How long the colour at the beginning of `text` is ("\x1b[1;31m"); 0: there is none.
inline size_t colour_at(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

// The first character that a terminal would obey instead of showing it, with what stands before it;
// "" where there is none. Line breaks are fine, and with `colours` so are these.
inline std::string terminal_offence(std::string_view text, bool colours = false) {
  if (valid_utf8(text) != text) return "no UTF-8";
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (colours && colour_at(rest) > 0) {
      i += colour_at(rest) - 1;
      continue;
    }
    const auto c = static_cast<unsigned char>(rest[0]);
    bool bad = (c < 0x20 && c != '\n') || c == 0x7f;
    bad = bad || (c == 0xc2 && static_cast<unsigned char>(rest[1]) < 0xa0);
    for (const char* direction :
         {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c", "\u202d",
          "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
      bad = bad || rest.starts_with(direction);
    }
    if (!bad) continue;
    char code[8];
    std::snprintf(code, sizeof code, "%02x", c);
    return "byte " + std::string(code) +
           " after: " + std::string(text.substr(i > 60 ? i - 60 : 0, i > 60 ? 60 : i));
  }
  return "";
}

}  // namespace ordeal::sample
