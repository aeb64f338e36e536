#include "language/tla/syntax/lexer.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "language/tla/syntax/symbols.h"

namespace ordeal::tla {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// How long a UTF-8 sequence is that begins here; 1 for a byte that begins none.
size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0xC0U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  for (size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 1;
  }
  return length;
}

class Lexer {
 public:
  Lexer(const Sources& sources, uint32_t file)
      : sources_(sources), file_(file), text_(sources.text(file)) {}

  Result<std::vector<Token>> all(LexPart part, uint32_t number) {
    for (; number > 0 && to_header(); --number) {
      while (!failed_ && !closed_ && at_ < text_.size()) one(part);
      tokens_.clear();
      closed_ = false;
    }
    if (part == LexPart::kModule && !to_header()) {
      return Error{one_line(sources_.path(file_)) +
                   ": there is no module: expected a line '---- MODULE Name ----'"};
    }
    while (!failed_ && !closed_ && at_ < text_.size()) one(part);
    if (failed_) return Error{message_};
    Token end;
    end.place = here();
    end.layout = layout_ + 1;
    if (part == LexPart::kModule && !closed_) end.text = {};
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  // The next token, if there is one.
  void one(LexPart part) {
    skip_blanks();
    if (!failed_ && at_ < text_.size()) next(part);
  }

  Place here() const { return {file_, line_, column_ + 1, line_, column_ + 1}; }

  void fail(Place place, const std::string& message) {
    if (failed_) return;
    failed_ = true;
    message_ = sources_.error(place, message);
  }

  void step() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 0;
      layout_ = 0;
    } else if (c == '\t') {
      ++column_;
      layout_ = (layout_ / 8 + 1) * 8;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column_;
      ++layout_;
    }
  }

  void advance(size_t count) {
    for (size_t i = 0; i < count && at_ < text_.size(); ++i) step();
  }

  bool looking_at(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // To the dashes of the first "---- MODULE".
  bool to_header() {
    for (size_t from = text_.find("----", at_); from != text_.npos;
         from = text_.find("----", from)) {
      size_t i = from;
      while (i < text_.size() && text_[i] == '-') ++i;
      const size_t dashes_end = i;
      while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
      const bool word = text_.substr(i, 6) == "MODULE" && i > from &&
                        (i + 6 >= text_.size() || !in_name(text_[i + 6]));
      if (word) {
        advance(from - at_);
        return true;
      }
      from = dashes_end;
    }
    return false;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        step();
      } else if (looking_at("\\*")) {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (looking_at("(*")) {
        skip_comment();
        if (failed_) return;
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    Place opening = here();
    opening.end_column += 1;
    size_t depth = 0;
    do {
      if (at_ == text_.size()) {
        fail(opening, "the comment that begins here is not closed: expected '*)'");
        return;
      }
      if (looking_at("(*")) {
        ++depth;
        advance(2);
      } else if (looking_at("*)")) {
        --depth;
        advance(2);
      } else {
        step();
      }
    } while (depth > 0);
  }

  void push(TokenKind kind, size_t length, const OperatorSymbol* op = nullptr) {
    Token token;
    token.kind = kind;
    token.layout = layout_ + 1;
    token.place = here();
    token.text = text_.substr(at_, length);
    token.op = op;
    advance(length);
    token.place.end_line = line_;
    token.place.end_column = column_;
    tokens_.push_back(token);
  }

  size_t run_of(char c) const {
    size_t count = 0;
    while (at_ + count < text_.size() && text_[at_ + count] == c) ++count;
    return count;
  }

  void next(LexPart part) {
    const char c = text_[at_];
    if (in_name(c)) return word();
    if (c == '"') return string();
    if (const size_t dashes = run_of('-'); dashes >= 4) {
      push(TokenKind::kSeparator, dashes);
      return;
    }
    if (const size_t lines = run_of('='); lines >= 4) {
      push(TokenKind::kModuleEnd, lines);
      closed_ = part == LexPart::kModule && --depth_ == 0;
      return;
    }
    if (c == '<' && proof_step()) return;
    if (c == '\\' && based_number()) return;
    size_t length = 0;
    if (const Meaning* meaning = symbol_at(text_.substr(at_), length)) {
      push(meaning->kind, length, meaning->op);
      return;
    }
    length = sequence_length(text_.substr(at_));
    const std::string_view ascii = ascii_of(text_.substr(at_, length));
    if (!ascii.empty()) return unicode(ascii, length);
    fail(here(), "TLA+ has no symbol " + quoted_for_message(text_.substr(at_, length)));
  }

  void unicode(std::string_view ascii, size_t length) {
    if (is_letter(ascii[0])) {
      push(TokenKind::kName, length);
      tokens_.back().text = ascii;
      return;
    }
    // "⟩_" is one token, as ">>_" is.
    if (ascii == ">>" && text_.substr(at_ + length, 1) == "_") {
      push(TokenKind::kRightAngleSub, length + 1);
      return;
    }
    // "∃∃" and "∀∀" are \EE and \AA.
    const std::string_view own = text_.substr(at_, length);
    if ((ascii == "\\A" || ascii == "\\E") && text_.substr(at_ + length, length) == own) {
      push(ascii == "\\A" ? TokenKind::kForAllT : TokenKind::kExistsT, 2 * length);
      return;
    }
    size_t whole = 0;
    const Meaning* meaning = symbol_at(ascii, whole);
    push(meaning->kind, length, meaning->op);
  }

  void word() {
    size_t length = 0;
    bool letter = false;
    while (at_ + length < text_.size() && in_name(text_[at_ + length])) {
      letter = letter || is_letter(text_[at_ + length]);
      ++length;
    }
    const std::string_view whole = text_.substr(at_, length);
    if (!letter) {
      if (whole[0] == '_') return push(TokenKind::kUnderscore, 1);
      size_t digits = 0;
      while (digits < length && is_digit(whole[digits])) ++digits;
      return number(digits);
    }
    // The subscript is a token of its own.
    if (whole.substr(0, 3) == "WF_") return push(TokenKind::kWeakFair, 3);
    if (whole.substr(0, 3) == "SF_") return push(TokenKind::kStrongFair, 3);
    if (const std::optional<TokenKind> word = reserved_word(whole)) {
      push(*word, length);
      if (word == TokenKind::kModule && tokens_.size() >= 2 &&
          tokens_[tokens_.size() - 2].kind == TokenKind::kSeparator) {
        ++depth_;
      }
      return;
    }
    if (const OperatorSymbol* op = find_operator(whole))
      return push(TokenKind::kOperator, length, op);
    push(TokenKind::kName, length);
  }

  void number(size_t digits) {
    size_t length = digits;
    // "1.5", but not "1..5".
    if (at_ + length + 1 < text_.size() && text_[at_ + length] == '.' &&
        is_digit(text_[at_ + length + 1])) {
      ++length;
      while (at_ + length < text_.size() && is_digit(text_[at_ + length])) ++length;
    }
    push(TokenKind::kNumber, length);
  }

  bool based_number() {
    if (at_ + 2 >= text_.size()) return false;
    const char base = text_[at_ + 1];
    const std::string_view allowed = base == 'b' || base == 'B'   ? "01"
                                     : base == 'o' || base == 'O' ? "01234567"
                                     : base == 'h' || base == 'H' ? "0123456789abcdefABCDEF"
                                                                  : "";
    size_t length = 2;
    while (at_ + length < text_.size() && allowed.find(text_[at_ + length]) != allowed.npos) {
      ++length;
    }
    if (length == 2) return false;
    // "\bullet" and the like.
    size_t symbol = 0;
    const Meaning* meaning = symbol_at(text_.substr(at_), symbol);
    if (meaning != nullptr && symbol > length) return false;
    push(TokenKind::kNumber, length);
    return true;
  }

  // <1>2., <12>ab, <*>3.., <+>.
  bool proof_step() {
    size_t i = at_ + 1;
    if (i < text_.size() && (text_[i] == '*' || text_[i] == '+')) {
      ++i;
    } else {
      while (i < text_.size() && is_digit(text_[i])) ++i;
    }
    if (i == at_ + 1 || i >= text_.size() || text_[i] != '>') return false;
    ++i;
    if (i < text_.size() && text_[i] == '>') return false;
    while (i < text_.size() && in_name(text_[i])) ++i;
    while (i < text_.size() && text_[i] == '.') ++i;
    push(TokenKind::kStep, i - at_);
    return true;
  }

  void string() {
    size_t length = 1;
    for (;; ++length) {
      if (at_ + length >= text_.size() || text_[at_ + length] == '\n') {
        Place place = here();
        place.end_column = UINT32_MAX;
        fail(place, "the string that begins here is not closed on its line: expected '\"'");
        return;
      }
      const char c = text_[at_ + length];
      if (c == '"') break;
      if (c == '\\') ++length;
    }
    push(TokenKind::kString, length + 1);
  }

  const Sources& sources_;
  uint32_t file_;
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  uint32_t column_ = 0;
  uint32_t layout_ = 0;
  size_t depth_ = 0;
  bool closed_ = false;
  bool failed_ = false;
  std::string message_;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> lex(const Sources& sources, uint32_t file, LexPart part,
                               uint32_t number) {
  return Lexer(sources, file).all(part, number);
}

std::string unescaped(std::string_view quoted) {
  std::string plain;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    char c = quoted[i];
    if (c == '\\' && i + 2 < quoted.size()) {
      c = quoted[++i];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'f' ? '\f' : c;
    }
    plain += c;
  }
  return plain;
}

std::string description(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kName:
      return "the name " + quoted_for_message(token.text);
    case TokenKind::kNumber:
      return "the number " + std::string(token.text);
    case TokenKind::kString:
      return "the string " + one_line(token.text);
    case TokenKind::kModuleEnd:
      return "the end of the module";
    case TokenKind::kSeparator:
      return "the line '----'";
    case TokenKind::kStep:
      return "the proof step '" + std::string(token.text) + "'";
    default:
      return "'" + std::string(token.text) + "'";
  }
}

std::string description(TokenKind kind) {
  if (const std::string_view text = spelling(kind); !text.empty()) {
    return "'" + std::string(text) + "'";
  }
  if (kind == TokenKind::kName) return "a name";
  if (kind == TokenKind::kSeparator) return "'----'";
  if (kind == TokenKind::kModuleEnd) return "'===='";
  return "the end of the text";
}

bool is_reserved(std::string_view word) { return reserved_word(word).has_value(); }

}  // namespace ordeal::tla
