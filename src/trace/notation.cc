#include "trace/notation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace ordeal::trace {
namespace {

using value::Tree;

constexpr size_t kDeepest = 100;
constexpr size_t kMostFields = 900;  // below what a trace may have
constexpr size_t kMostValues = 20'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }
bool ends_word(char c) {
  return is_blank(c) || std::string_view("{}[]()\"; ").find(c) != std::string_view::npos;
}

void add_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Reader {
 public:
  Reader(std::string_view text, Position begin) : text_(text), at_(begin) {}

  Result<void> run(const std::function<Result<void>(Form)>& take) {
    while (skip_blanks()) {
      if (text_[next_] == '[' || text_[next_] == '(') {
        const Position open = at_;
        const char close = advance() == '[' ? ']' : ')';
        while (skip_blanks() && text_[next_] != close) {
          if (const Result<void> taken = take_one(take); !taken) return taken;
        }
        if (error_) return *error_;
        if (next_ >= text_.size()) return unclosed("list", open);
        advance();
      } else if (const Result<void> taken = take_one(take); !taken) {
        return taken;
      }
    }
    if (error_) return *error_;
    return {};
  }

 private:
  Result<void> take_one(const std::function<Result<void>(Form)>& take) {
    Form form;
    form.at = at_;
    form.tree = value(0);
    if (error_) return *error_;
    return take(std::move(form));
  }

  static Error unclosed(const char* what, const Position& open) {
    return Error{fmt::format("{}: this {} is never closed", show(open), what)};
  }
  Tree fail(const Position& where, const std::string& what) {
    if (!error_) error_ = Error{fmt::format("{}: {}", show(where), what)};
    next_ = text_.size();
    return {};
  }

  char advance() {
    const char c = text_[next_++];
    if (c == '\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
    return c;
  }
  // Also comments and what "#_" takes out. Whether anything follows.
  bool skip_blanks() {
    while (next_ < text_.size()) {
      if (is_blank(text_[next_])) {
        advance();
      } else if (text_[next_] == ';') {
        while (next_ < text_.size() && text_[next_] != '\n') advance();
      } else if (text_.substr(next_).starts_with("#_")) {
        advance();
        advance();
        value(0);
      } else {
        return true;
      }
    }
    return false;
  }

  Tree value(size_t depth) {
    if (!skip_blanks()) return fail(at_, "the text ends where a value is expected");
    if (depth > kDeepest) {
      return fail(at_, fmt::format("values are nested deeper than {} levels", kDeepest));
    }
    if (++values_ > kMostValues) {
      return fail(at_, fmt::format("there are more than {} values", grouped(kMostValues)));
    }
    const Position begin = at_;
    switch (text_[next_]) {
      case '{':
        advance();
        return map(begin, depth);
      case '[':
        advance();
        return list(']', begin, depth);
      case '(':
        advance();
        return list(')', begin, depth);
      case '"':
        advance();
        return Tree::string(quoted(begin));
      case '#':
        advance();
        if (next_ < text_.size() && text_[next_] == '{') {
          advance();
          return list('}', begin, depth);
        }
        word();  // a tag: what it says about the value is left out
        return value(depth + 1);
      case '\\':
        advance();
        return Tree::string(word());
      case ':':
        advance();
        return Tree::string(word());
      case ']':
      case ')':
      case '}':
        return fail(begin, fmt::format("found '{}' where a value is expected", text_[next_]));
      default:
        return plain(begin);
    }
  }

  Tree list(char close, const Position& open, size_t depth) {
    Tree out = Tree::of(Tree::Kind::kList);
    while (skip_blanks() && text_[next_] != close) out.items.push_back(value(depth + 1));
    if (error_) return {};
    if (next_ >= text_.size()) {
      error_ = unclosed("list", open);
      return {};
    }
    advance();
    return out;
  }

  Tree map(const Position& open, size_t depth) {
    Tree out = Tree::record("");
    while (skip_blanks() && text_[next_] != '}') {
      const Position at_key = at_;
      if (text_[next_] == '{' || text_[next_] == '[' || text_[next_] == '(') {
        return fail(at_key, fmt::format("found '{}' where the name of a field is expected, in the "
                                        "map that begins at {}",
                                        text_[next_], show(open)));
      }
      const bool is_quoted = text_[next_] == '"';
      const Tree key = value(depth + 1);
      if (error_) return {};
      if (is_quoted) skip_colon();
      std::string name = key.kind == Tree::Kind::kText ? key.text : value::show(key);
      if (name.starts_with("$")) name = fmt::format("${}", name);
      if (!skip_blanks() || text_[next_] == '}') {
        return fail(at_, fmt::format("the field '{}' has no value", one_line(cut_to(name, 40))));
      }
      if (std::count(out.names.begin(), out.names.end(), name) > 0) {
        return fail(at_key,
                    fmt::format("the field '{}' is there twice", one_line(cut_to(name, 40))));
      }
      if (out.names.size() == kMostFields) {
        return fail(at_key, fmt::format("a map has more than {} fields", kMostFields));
      }
      out.add(name, value(depth + 1));
    }
    if (error_) return {};
    if (next_ >= text_.size()) {
      error_ = unclosed("map", open);
      return {};
    }
    advance();
    return out;
  }

  std::string word() {
    const size_t begin = next_;
    while (next_ < text_.size() && !ends_word(text_[next_])) advance();
    return std::string(text_.substr(begin, next_ - begin));
  }

  // JSON has a colon behind a name. In EDN a keyword may stand there, which begins with one.
  void skip_colon() {
    const bool follows = next_ < text_.size() && text_[next_] == ':';
    if (!follows && (!skip_blanks() || text_[next_] != ':')) return;
    const char behind = next_ + 1 < text_.size() ? text_[next_ + 1] : ' ';
    if (follows || is_blank(behind) ||
        std::string_view("\"{[-0123456789").find(behind) != std::string_view::npos) {
      advance();
    }
  }

  std::string quoted(const Position& open) {
    std::string out;
    while (next_ < text_.size()) {
      const Position at = at_;
      const char c = advance();
      if (c == '"') return out;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (next_ >= text_.size()) break;
      const char escape = advance();
      static constexpr std::string_view kEscapes = "\"\"\\\\//b\bf\fn\nr\rt\t";
      if (escape == 'u') {
        add_utf8(out, code_unit(at));
      } else if (const size_t known = find_escape(kEscapes, escape); known != kEscapes.npos) {
        out += kEscapes[known + 1];
      } else {
        fail(at, "this escape is not known; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
        return "";
      }
    }
    if (!error_) error_ = unclosed("text", open);
    next_ = text_.size();
    return "";
  }
  static size_t find_escape(std::string_view pairs, char c) {
    for (size_t i = 0; i < pairs.size(); i += 2) {
      if (pairs[i] == c) return i;
    }
    return pairs.npos;
  }

  // Behind "\\u". Two halves of a pair become one character.
  uint32_t code_unit(const Position& at) {
    uint32_t code = hex_digits(at);
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(next_).starts_with("\\u")) {
      advance();
      advance();
      const uint32_t low = hex_digits(at);
      if (low >= 0xDC00 && low < 0xE000) return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      code = 0xFFFD;
    }
    return code >= 0xD800 && code < 0xE000 ? 0xFFFD : code;
  }
  uint32_t hex_digits(const Position& at) {
    const std::string_view digits = text_.substr(next_, 4);
    uint32_t code = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc() || stop != digits.data() + 4) {
      fail(at, "expected four hexadecimal digits behind \\u");
      return 0;
    }
    for (int i = 0; i < 4; ++i) advance();
    return code;
  }

  // A number, or a word.
  Tree plain(const Position& begin) {
    const std::string text = word();
    if (text.empty()) {
      return fail(begin, fmt::format("found {} where a value is expected",
                                     one_line(text_.substr(next_, 1))));
    }
    if (text == "nil" || text == "null") return {};
    if (text == "true" || text == "false") return Tree::boolean(text == "true");
    const bool numeric =
        (text[0] >= '0' && text[0] <= '9') ||
        (text.size() > 1 && (text[0] == '-' || text[0] == '+') && text[1] >= '0' && text[1] <= '9');
    if (!numeric) return Tree::string(text);
    std::string_view digits = text;
    if (digits[0] == '+') digits.remove_prefix(1);
    if (digits.back() == 'N' || digits.back() == 'M') digits.remove_suffix(1);
    const char* end = digits.data() + digits.size();
    int64_t integer = 0;
    if (const auto read = std::from_chars(digits.data(), end, integer);
        read.ec == std::errc() && read.ptr == end) {
      return Tree::number(integer);
    }
    uint64_t large = 0;
    if (const auto read = std::from_chars(digits.data(), end, large);
        read.ec == std::errc() && read.ptr == end) {
      return Tree::number_unsigned(large);
    }
    double real = 0;
    if (const auto read = std::from_chars(digits.data(), end, real);
        read.ec == std::errc() && read.ptr == end) {
      return Tree::number_real(real);
    }
    return Tree::string(text);  // 1/3, an instant, a number beyond all bounds
  }

  std::string_view text_;
  size_t next_ = 0;
  Position at_;
  size_t values_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::string show(const Position& position) {
  return fmt::format("line {}, column {}", position.line, position.column);
}

Result<void> read_forms(std::string_view text, Position begin,
                        const std::function<Result<void>(Form)>& take) {
  return Reader(text, begin).run(take);
}

}  // namespace ordeal::trace
