// Regular expressions with named groups, as logs are described by them: "(?<host>\S*)
// (?<clock>.*)".
//
// The syntax is that of JavaScript without looking around and without back references. Text is
// taken byte by byte; '^' and '$' stand for the ends of lines. A search needs time in proportion to
// the text and memory in proportion to the expression, whatever the two are: nothing a hostile file
// or expression holds can exhaust the stack or run forever.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/result.h"

namespace ordeal {

class Pattern {
 public:
  // The Error says what is wrong, and at which character of the expression.
  static Result<Pattern> compile(std::string_view expression);

  // Of the named groups, in order.
  const std::vector<std::string>& names() const { return names_; }
  // Where a group of that name is among them.
  std::optional<size_t> group(std::string_view name) const;

  struct Match {
    size_t begin = 0;
    size_t end = 0;
    std::vector<std::string_view> groups;  // as names(); of text(), empty where it took no part
  };

  // The first match that begins at `from` or later; of several there, the one that JavaScript
  // takes. `steps` counts down; at 0 the search gives up as if there were none.
  std::optional<Match> search(std::string_view text, size_t from, uint64_t& steps) const;

  // What a program of the expression is made of; see pattern.cc.
  struct Instruction {
    enum class Kind : uint8_t {
      kBytes,
      kSplit,
      kSave,
      kLineStart,
      kLineEnd,
      kWordEdge,
      kNoWordEdge,
      kMatch
    };
    Kind kind = Kind::kMatch;
    uint32_t next = 0;   // kSplit: tried first
    uint32_t other = 0;  // kSplit: tried second; kSave: the slot; kBytes: which set
  };

 private:
  friend class PatternCompiler;
  friend class PatternSearch;

  std::vector<std::string> names_;
  std::vector<Instruction> program_;
  std::vector<std::bitset<256>> sets_;
};

}  // namespace ordeal
