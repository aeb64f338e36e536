// The operators of TLA+: how they are written, and how tightly they bind.
#pragma once

#include <cstdint>
#include <string_view>

namespace ordeal::tla {

enum class Fixity : uint8_t { kPrefix, kInfix, kPostfix };

// An operator binds tighter than another one if its whole range lies above the other's; where the
// ranges overlap, parentheses are needed, unless the two are the same and associate to the left.
struct OperatorSymbol {
  std::string_view text;  // canonical
  Fixity fixity = Fixity::kInfix;
  uint8_t low = 0;
  uint8_t high = 0;
  bool left = false;
};

// By any of its spellings in ASCII: "\\leq", "=<" and "<=" are one. "-" is the infix operator, "-."
// the prefix one. Null where it is none: also for "." and "[", which are no operators here.
const OperatorSymbol* find_operator(std::string_view spelling);

// "<=" of "\\leq"; what is no synonym stays as it is.
std::string_view canonical(std::string_view spelling);

// The ASCII spelling of a Unicode symbol, "\\in" of "∈"; empty where TLA+ has none for it.
std::string_view ascii_of(std::string_view symbol);

}  // namespace ordeal::tla
