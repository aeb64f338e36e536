// The spellings of tokens: punctuation, operators and reserved words.
#pragma once

#include <optional>
#include <string_view>

#include "language/tla/syntax/lexer.h"

namespace ordeal::tla {

struct Meaning {
  TokenKind kind;
  const OperatorSymbol* op;
};

// Whatever begins with no letter: punctuation, and operators by all of their spellings. The longest
// that `text` begins with, and its length; null: there is none.
const Meaning* symbol_at(std::string_view text, size_t& length);

std::optional<TokenKind> reserved_word(std::string_view word);

// Of punctuation and reserved words; empty: it has none of its own.
std::string_view spelling(TokenKind kind);

}  // namespace ordeal::tla
