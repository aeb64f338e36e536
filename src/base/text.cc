#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace ordeal {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The code point at the start of `text` and its length in bytes; length 0: no valid UTF-8.
struct Decoded {
  uint32_t code = 0;
  size_t length = 0;
};

Decoded decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  size_t length = 0;
  uint32_t code = 0;
  uint32_t least = 0;
  if (first >= 0xC2 && first < 0xE0) {
    length = 2, code = first & 0x1FU, least = 0x80;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3, code = first & 0x0FU, least = 0x800;
  } else if (first >= 0xF0 && first < 0xF5) {
    length = 4, code = first & 0x07U, least = 0x10000;
  } else {
    return {};
  }
  if (text.size() < length) return {};
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  if (code < least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

// Calls f(code, bytes) for every code point; bytes that are none come as U+FFFD, one by one.
template <class F>
void each_code_point(std::string_view text, F f) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.length == 0) {
      f(uint32_t{0xFFFD}, kReplacement);
      text.remove_prefix(1);
    } else {
      f(next.code, text.substr(0, next.length));
      text.remove_prefix(next.length);
    }
  }
}

// What a terminal obeys instead of showing it: control characters, line separators, and whatever
// turns the direction of writing.
std::string escaped(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return fmt::format("\\x{:02x}", code);
  const bool turns = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return turns || code == 0x2028 || code == 0x2029 ? fmt::format("\\u{:04x}", code) : "";
}

// How many bytes of the beginning are a colour, such as "\x1b[1;31m".
size_t colour_at(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each_code_point(text, [&](uint32_t, std::string_view bytes) { out += bytes; });
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each_code_point(text, [&](uint32_t code, std::string_view bytes) {
    const std::string instead = escaped(code);
    out += instead.empty() ? bytes : instead;
  });
  return out;
}

std::string for_terminal(std::string_view text, bool colours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t own = colours ? colour_at(text) : 0;
    // Up to the next line or the next colour.
    const size_t end = own > 0 ? own : std::min(text.find_first_of("\n\x1b", 1), text.size());
    const std::string_view part = text.substr(0, end);
    if (own > 0) {
      out += part;
    } else if (part[0] == '\n') {
      out += "\n" + one_line(part.substr(1));
    } else {
      out += one_line(part);
    }
    text.remove_prefix(end);
  }
  return out;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  each_code_point(text, [&](uint32_t code, std::string_view bytes) {
    if (code == '&') {
      out += "&amp;";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '"') {
      out += "&quot;";
    } else if (code == '\'') {
      out += "&#39;";
    } else if ((code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
               code == 0xFFFE || code == 0xFFFF) {
      out += kReplacement;
    } else {
      out += bytes;
    }
  });
  return out;
}

std::string quoted_for_message(std::string_view text) {
  constexpr size_t kShown = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, kShown)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (text.size() > kShown ? "\"..." : "\"");
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=,+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string short_path(std::string_view path) {
  const size_t last = path.rfind('/');
  if (last == path.npos || last == 0) return std::string(path);
  const size_t before = path.rfind('/', last - 1);
  return std::string(before == path.npos ? path : path.substr(before + 1));
}

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string cut_to(std::string_view text, size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::string out;
  size_t taken = 0;
  each_code_point(text, [&](uint32_t, std::string_view bytes) {
    if (++taken < columns) out += bytes;
  });
  return out + "…";
}

std::vector<std::string> wrapped(std::string_view text, size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  size_t used = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t width = columns_of(word);
    if (used > 0 && used + 1 + width > columns) {
      lines.push_back(std::move(line));
      line.clear();
      used = 0;
    }
    if (used > 0) {
      line += ' ';
      ++used;
    }
    line += word;
    used += width;
  }
  if (used > 0 || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string enumeration(const std::vector<std::string>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

std::string enumeration(const std::vector<int>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const int number : numbers) words.push_back(std::to_string(number));
  return enumeration(words);
}

Result<uint64_t> parse_number(const std::string& name, const std::string& text, uint64_t least,
                              uint64_t most) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = stop == end && !text.empty() && error != std::errc::invalid_argument;
  const bool is_negative = text.size() > 1 && text[0] == '-' &&
                           text.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!is_number && !is_negative) {
    return Error{fmt::format("{} {}: that is no whole number; give one from {} to {}", name,
                             one_line(text), least, most)};
  }
  if (is_negative || error != std::errc() || number < least || number > most) {
    return Error{fmt::format("{} {}: out of range; give a whole number from {} to {}", name,
                             one_line(text), least, most)};
  }
  return number;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "? s";
  if (seconds < 0.1) return fmt::format("{:.3f} s", seconds);
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const double rounded = std::floor(seconds + 0.5);
  if (rounded > 1e15) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<uint64_t>(rounded);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", grouped(whole / 3600), whole / 60 % 60);
}

std::string bytes_text(uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  size_t unit = 0;
  while (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  return unit == 0 || amount >= 100 ? fmt::format("{:.0f} {}", amount, kUnits[unit])
                                    : fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  // A word on the command line may be a whole pasted file; a suggestion for it helps nobody.
  constexpr size_t kLongest = 80;
  if (a.size() > kLongest || b.size() > kLongest) return std::max(a.size(), b.size());
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    size_t distance = edit_distance(word, candidate);
    // The beginning of a long name is a good guess, though far away.
    if (word.size() >= 3 && candidate.size() > word.size() && candidate.starts_with(word)) {
      distance = 1;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearest_few(std::string_view word,
                                     const std::vector<std::string>& candidates, size_t most) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& candidate : candidates) {
    const bool contains = word.size() >= 3 && candidate.find(word) != candidate.npos;
    ranked.emplace_back(contains ? 0 : edit_distance(word, candidate), candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min(ranked.size(), most));
  std::vector<std::string> out;
  out.reserve(ranked.size());
  for (auto& [distance, candidate] : ranked) out.push_back(std::move(candidate));
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view prefix) {
  const std::optional<std::string> guess = nearest(word, candidates);
  return guess ? fmt::format(" (did you mean '{}{}'?)", prefix, *guess) : std::string();
}

}  // namespace ordeal
