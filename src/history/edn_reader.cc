#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "history/edn.h"

namespace ordeal::edn {
namespace {

constexpr size_t kDeepest = 200;

enum Class : uint8_t { kWordPart, kBlank, kBreak, kBad };

constexpr std::array<Class, 256> classes() {
  std::array<Class, 256> out{};
  for (size_t c = 0; c < 0x20; ++c) out[c] = kBad;
  out[0x7f] = kBad;
  for (const char c : {' ', '\t', '\n', '\r', '\f', '\v', ','}) {
    out[static_cast<unsigned char>(c)] = kBlank;
  }
  for (const char c : {'(', ')', '[', ']', '{', '}', '"', ';', '\\'}) {
    out[static_cast<unsigned char>(c)] = kBreak;
  }
  return out;
}
constexpr std::array<Class, 256> kClasses = classes();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

std::string show(const Position& at) {
  return fmt::format("line {}, column {}", at.line, at.column);
}

void add_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr uint8_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
}

// "12", "1.5e-3", "7N": an optional sign, digits, and what else makes it another kind of number.
struct NumberShape {
  bool well_formed = false;
  bool whole = true;  // without fraction and exponent
  char suffix = 0;    // N or M
};
NumberShape shape_of(std::string_view word) {
  NumberShape shape;
  size_t at = word[0] == '-' || word[0] == '+' ? 1 : 0;
  const auto digits = [&] {
    const size_t begin = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at - begin;
  };
  const bool zero = word[at] == '0';
  if (digits() > 1 && zero) return shape;
  if (at < word.size() && word[at] == '.') {
    shape.whole = false;
    ++at;
    digits();
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    shape.whole = false;
    ++at;
    if (at < word.size() && (word[at] == '-' || word[at] == '+')) ++at;
    if (digits() == 0) return shape;
  }
  if (at < word.size() && (word[at] == 'M' || (word[at] == 'N' && shape.whole))) {
    shape.suffix = word[at++];
  }
  shape.well_formed = at == word.size();
  return shape;
}

}  // namespace

Reader::Reader(std::string_view text, Values& values) : text_(text), values_(values) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

std::optional<Id> Reader::fail(const Position& at, std::string what) {
  if (!failure_) failure_ = {at, std::move(what)};
  next_ = text_.size();
  return std::nullopt;
}

Position Reader::here() const { return {line_, static_cast<uint32_t>(next_ - line_begin_ + 1)}; }

// Behind a newline at `next_`.
void Reader::take_newline() {
  ++next_;
  ++line_;
  line_begin_ = next_;
}

// Goes to the next value or closing bracket; false at the end.
bool Reader::blanks() {
  size_t taken_out = 0;  // values that "#_" was met for
  Position sign;
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (c == '\n') {
      take_newline();
    } else if (class_of(c) == kBlank) {
      ++next_;
    } else if (c == ';') {
      next_ = std::min(text_.find('\n', next_), text_.size());
    } else if (c == '#' && next_ + 1 < text_.size() && text_[next_ + 1] == '_') {
      sign = here();
      next_ += 2;
      ++taken_out;
    } else if (taken_out == 0) {
      return true;
    } else {
      --taken_out;
      if (!skip()) return false;
    }
  }
  if (taken_out != 0) fail(sign, "\"#_\" takes out the value behind it, but the text ends");
  return false;
}

bool Reader::at_end() { return !blanks(); }

Position Reader::position() {
  blanks();
  return here();
}

std::string Reader::found() {
  if (!blanks()) return "the text ends here";
  const std::string_view rest = text_.substr(next_);
  return "found " + quoted_for_message(rest.substr(0, rest.find('\n')));
}

bool Reader::take(char bracket) {
  if (!blanks() || text_[next_] != bracket) return false;
  ++next_;
  return true;
}

std::string_view Reader::word() {
  const size_t begin = next_;
  while (next_ < text_.size() && class_of(text_[next_]) == kWordPart) ++next_;
  return text_.substr(begin, next_ - begin);
}

std::optional<std::string_view> Reader::take_tag() {
  if (!blanks() || text_[next_] != '#') return std::nullopt;
  if (next_ + 1 >= text_.size() || !is_letter(text_[next_ + 1])) return std::nullopt;
  ++next_;
  return word();
}

std::optional<std::string_view> Reader::take_keyword() {
  if (!blanks() || text_[next_] != ':') return std::nullopt;
  ++next_;
  return word();
}

bool Reader::skip_string() {
  const Position open = here();
  for (++next_; next_ < text_.size(); ++next_) {
    const char c = text_[next_];
    if (c == '"') {
      ++next_;
      return true;
    }
    if (c == '\\') ++next_;
    if (next_ < text_.size() && text_[next_] == '\n') {
      take_newline();
      --next_;
    }
  }
  fail(open, "the string that begins here has no closing quote");
  return false;
}

bool Reader::skip() {
  if (depth_ == kDeepest) {
    fail(here(), fmt::format("values are nested deeper than {} levels", kDeepest));
    return false;
  }
  ++depth_;
  const bool done = skip_value();
  --depth_;
  return done;
}

bool Reader::skip_value() {
  if (!blanks()) {
    fail(here(), "the text ends where a value should stand");
    return false;
  }
  const Position begin = here();
  if (text_[next_] == '#') {
    ++next_;
    const char c = next_ < text_.size() ? text_[next_] : ' ';
    if (c == '<') {
      fail(begin, "\"#<\" begins what nothing can read back, Clojure neither");
      return false;
    }
    if (c == '#') {
      word();
      return true;
    }
    if (c != '{' && c != '(' && c != '"') {
      word();  // a tag
      return skip();
    }
  }
  const char c = text_[next_];
  switch (c) {
    case '(':
    case '[':
    case '{':
      ++next_;
      while (another(closing(c), begin)) {
        if (!skip()) return false;
      }
      return !failure_;
    case '"':
      return skip_string();
    case '\\':
      if (!take_backslash()) return false;
      word();
      return true;
    default:
      if (!word().empty()) return true;
      fail_here();
      return false;
  }
}

// Whether another item comes before the bracket that ends what began at `open`; goes behind the
// bracket if not. To be told from an error by failure_.
bool Reader::another(char bracket, const Position& open) {
  if (!blanks()) {
    fail(open, fmt::format("what begins here is never closed by '{}'", bracket));
    return false;
  }
  const char c = text_[next_];
  if (c == bracket) {
    ++next_;
    return false;
  }
  if (c != ')' && c != ']' && c != '}') return true;
  fail(here(),
       fmt::format("found '{}', but what begins at {} is closed by '{}'", c, show(open), bracket));
  return false;
}

// At something that begins no value.
std::optional<Id> Reader::fail_here() {
  const char c = text_[next_];
  if (class_of(c) == kBad) {
    return fail(here(), fmt::format("byte 0x{:02x} does not occur in EDN outside of strings; the "
                                    "file must be text",
                                    static_cast<unsigned char>(c)));
  }
  return fail(here(), fmt::format("found '{}' where a value should stand", c));
}

std::optional<Id> Reader::value() {
  if (depth_ == kDeepest) {
    return fail(here(), fmt::format("values are nested deeper than {} levels", kDeepest));
  }
  ++depth_;
  const std::optional<Id> id = read_value();
  --depth_;
  return id;
}

std::optional<Id> Reader::read_value() {
  if (!blanks()) return fail(here(), "the text ends where a value should stand");
  const Position begin = here();
  switch (text_[next_]) {
    case '(':
    case '[':
      return collection(Kind::kList, begin);
    case '{':
      return collection(Kind::kMap, begin);
    case '"':
      return string();
    case '\\':
      return character();
    case '#':
      return hash_sign();
    case ':': {
      ++next_;
      const std::string_view name = word();
      if (name.empty() || name[0] == ':') {
        return fail(begin, "a keyword is one colon and a name, such as :read");
      }
      return values_.text(Kind::kKeyword, name);
    }
    default:
      return plain();
  }
}

// At its opening bracket.
std::optional<Id> Reader::collection(Kind kind, const Position& open) {
  const char bracket = closing(text_[next_++]);
  const size_t begin = stack_.size();
  while (another(bracket, open)) {
    const std::optional<Id> item = value();
    if (!item) return std::nullopt;
    stack_.push_back(*item);
  }
  if (failure_) return std::nullopt;
  if (kind == Kind::kMap && (stack_.size() - begin) % 2 != 0) {
    return fail(open, fmt::format("in the map that begins here, {} has no value",
                                  values_.show(stack_.back())));
  }
  if (kind != Kind::kList && !sort_items(begin, kind == Kind::kMap, open)) return std::nullopt;
  const Id id = values_.items(kind, std::span(stack_).subspan(begin));
  stack_.resize(begin);
  return id;
}

bool Reader::sort_items(size_t begin, bool is_map, const Position& open) {
  const size_t stride = is_map ? 2 : 1;
  std::vector<std::pair<Id, Id>> sorted;  // an item, and what a map has for it
  sorted.reserve((stack_.size() - begin) / stride);
  for (size_t i = begin; i < stack_.size(); i += stride) {
    sorted.emplace_back(stack_[i], stack_[i + stride - 1]);
  }
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    fail(open, fmt::format("the {} that begins here has {} twice", is_map ? "map" : "set",
                           values_.show(sorted[i].first)));
    return false;
  }
  stack_.resize(begin);
  for (const auto& [item, held] : sorted) {
    stack_.push_back(item);
    if (is_map) stack_.push_back(held);
  }
  return true;
}

std::optional<Id> Reader::hash_sign() {
  const Position begin = here();
  ++next_;
  const char c = next_ < text_.size() ? text_[next_] : ' ';
  if (c == '{') return collection(Kind::kSet, begin);
  if (c == '#') {
    ++next_;
    const std::string_view name = word();
    if (name == "Inf" || name == "-Inf") {
      return values_.text(Kind::kNumber, fmt::format("##{}", name));
    }
    return fail(begin, "of \"##\" only ##Inf and ##-Inf are read; ##NaN is equal to nothing");
  }
  if (c == ':') {
    return fail(begin,
                "a map with the namespace of its keys before it is not read; write the keys "
                "in full: {:a/x 1}");
  }
  if (!is_letter(c)) {
    return fail(begin, fmt::format("{} is no EDN; '#' begins a set #{{…}}, a tag #name or #_",
                                   quoted_for_message(text_.substr(next_ - 1, 2))));
  }
  const Id tag = values_.text(Kind::kSymbol, word());
  const std::optional<Id> tagged = value();
  if (!tagged) return std::nullopt;
  const Id items[] = {tag, *tagged};
  return values_.items(Kind::kTagged, items);
}

std::optional<Id> Reader::string() {
  const Position open = here();
  const size_t begin = next_ + 1;
  if (!skip_string()) return std::nullopt;
  const std::string_view raw = text_.substr(begin, next_ - 1 - begin);
  if (raw.find('\\') == std::string_view::npos) return values_.text(Kind::kString, raw);
  buffer_.clear();
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      buffer_ += raw[i];
      continue;
    }
    static constexpr std::string_view kEscapes = "\"\\bfnrt", kMeant = "\"\\\b\f\n\r\t";
    const char escape = raw[++i];
    if (const size_t known = kEscapes.find(escape); known != kEscapes.npos) {
      buffer_ += kMeant[known];
      continue;
    }
    std::optional<uint32_t> code = escape == 'u' ? code_unit(raw.substr(i + 1)) : std::nullopt;
    if (!code) {
      return fail(open, fmt::format("the string that begins here has {}; the escapes are "
                                    R"(\" \\ \b \f \n \r \t and \u with four digits)",
                                    quoted_for_message(raw.substr(i - 1, 2))));
    }
    i += 4;
    if (*code >= 0xD800 && *code < 0xDC00 && raw.substr(i + 1).starts_with("\\u")) {
      const std::optional<uint32_t> low = code_unit(raw.substr(i + 3));
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
        i += 6;
      }
    }
    add_utf8(buffer_, *code);
  }
  return values_.text(Kind::kString, buffer_);
}

// Four hexadecimal digits.
std::optional<uint32_t> Reader::code_unit(std::string_view text) {
  text = text.substr(0, 4);
  uint32_t code = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
  if (text.size() < 4 || error != std::errc() || stop != text.data() + 4) return std::nullopt;
  return code;
}

// Goes behind a backslash and the first byte of the character, which may be one that ends a word.
bool Reader::take_backslash() {
  const Position begin = here();
  ++next_;
  const char c = next_ < text_.size() ? text_[next_] : ' ';
  if (c != ',' && (class_of(c) == kBad || class_of(c) == kBlank)) {
    fail(begin, "a character should stand behind '\\'");
    return false;
  }
  ++next_;
  return true;
}

std::optional<Id> Reader::character() {
  const Position begin = here();
  if (!take_backslash()) return std::nullopt;
  const size_t from = next_ - 1;
  word();
  const std::string_view name = text_.substr(from, next_ - from);
  const unsigned char lead = static_cast<unsigned char>(name[0]);
  const size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (name.size() == length) return values_.text(Kind::kCharacter, name);
  for (const auto& [known, c] : {std::pair("newline", "\n"),
                                 {"return", "\r"},
                                 {"space", " "},
                                 {"tab", "\t"},
                                 {"formfeed", "\f"},
                                 {"backspace", "\b"}}) {
    if (name == known) return values_.text(Kind::kCharacter, c);
  }
  if (const auto code = code_unit(name.substr(1)); name[0] == 'u' && name.size() == 5 && code) {
    buffer_.clear();
    add_utf8(buffer_, *code);
    return values_.text(Kind::kCharacter, buffer_);
  }
  return fail(begin, fmt::format("{} is no character; one has a single letter, four digits behind "
                                 "\\u, or a name such as \\newline",
                                 quoted_for_message(name)));
}

std::optional<Id> Reader::number(std::string_view word, const Position& at) {
  const NumberShape shape = shape_of(word);
  if (!shape.well_formed) {
    const bool ratio = word.find('/') != word.npos;
    return fail(at, fmt::format("found {}; {}", quoted_for_message(word),
                                ratio ? "ratios are not read; write a decimal fraction"
                                      : "a number reads 12, -3, 1.5 or 1e9"));
  }
  if (word[0] == '+') word.remove_prefix(1);
  if (shape.suffix == 'M') {  // a decimal fraction is exact: its text says all
    std::string text(word);
    std::replace(text.begin(), text.end(), 'e', 'E');
    return values_.text(Kind::kNumber, text);
  }
  if (shape.suffix == 'N') word.remove_suffix(1);
  const char* end = word.data() + word.size();
  if (shape.whole) {
    int64_t integer = 0;
    const auto read = std::from_chars(word.data(), end, integer);
    if (read.ec == std::errc()) return values_.integer(integer);
    return values_.text(Kind::kNumber, fmt::format("{}N", word));
  }
  double real = 0;
  if (std::from_chars(word.data(), end, real).ec != std::errc()) {
    return fail(at, fmt::format("{} is beyond what a floating point number holds; write {}M",
                                quoted_for_message(word), word));
  }
  if (real == 0) real = 0;  // there is one zero
  std::string text = fmt::format("{}", real);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return values_.text(Kind::kNumber, text);
}

std::optional<Id> Reader::plain() {
  const Position begin = here();
  const std::string_view text = word();
  if (text.empty()) return fail_here();
  const bool sign = text.size() > 1 && (text[0] == '-' || text[0] == '+');
  if (is_digit(text[sign ? 1 : 0])) return number(text, begin);
  if (text == "nil") return Values::kNil;
  if (text == "true") return Values::kTrue;
  if (text == "false") return Values::kFalse;
  if (text.find_first_of("@^`~") != text.npos || text[0] == '\'') {
    return fail(begin, fmt::format("found {}; a number, a name, a string or a collection should "
                                   "stand here",
                                   quoted_for_message(text)));
  }
  return values_.text(Kind::kSymbol, text);
}

}  // namespace ordeal::edn
