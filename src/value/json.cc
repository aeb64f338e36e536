// JSON text of trees. Reading keeps its own account of depth, size and position, so that hostile
// input ends in a message that names line and column, never in a crash.
#include <charconv>
#include <cmath>
#include <set>

#include "ordeal/detail/bytes.h"
#include "ordeal/detail/tree.h"
#include "value/quoted.h"
#include "value/real.h"

namespace ordeal::value {
namespace {

using Kind = Tree::Kind;

constexpr size_t kMaxNodes = 8'000'000;  // about 1 GB of trees

// The length of the UTF-8 character at the start of s, 0 if there is none.
size_t utf8_length(std::string_view s) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  unsigned char first = byte(0);
  if (first < 0x80) return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || s.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool outside = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return overlong || outside ? 0 : length;
}

bool is_utf8(std::string_view s) {
  while (!s.empty()) {
    size_t length = utf8_length(s);
    if (length == 0) return false;
    s.remove_prefix(length);
  }
  return true;
}

// REQUIRES: is_utf8(s).
void put_string(std::string_view s, std::string& out) { put_quoted(s, "\\u00", out); }

void put_text(std::string_view s, std::string& out) {
  if (is_utf8(s)) return put_string(s, out);
  out += "{\"$bytes\":\"";
  for (char c : s) {
    out += kHexDigits[static_cast<unsigned char>(c) >> 4];
    out += kHexDigits[static_cast<unsigned char>(c) & 15];
  }
  out += "\"}";
}

// Names come from source code or from trees that someone built; a broken one must not break JSON.
void put_name(std::string_view s, std::string& out) { put_string(is_utf8(s) ? s : "?", out); }

void put_real(double d, std::string& out) {
  const std::string text = real_text(d);
  out += std::isfinite(d) ? text : "{\"$real\":\"" + text + "\"}";
}

// Whether a map can be a JSON object: text keys, each once, none that looks like a mark of ours.
bool is_object(const Tree& map) {
  std::set<std::string_view> seen;
  for (size_t i = 0; i < map.items.size(); i += 2) {
    const Tree& key = map.items[i];
    if (key.kind != Kind::kText && key.kind != Kind::kEnumerator) return false;
    if (key.text.starts_with('$') || !is_utf8(key.text)) return false;
    if (!seen.insert(key.text).second) return false;
  }
  return true;
}

void put(const Tree& t, std::string& out);

void put_map(const Tree& t, std::string& out) {
  bool object = is_object(t);
  out += object ? '{' : '[';
  for (size_t i = 0; i + 1 < t.items.size(); i += 2) {
    if (i > 0) out += ',';
    if (object) {
      put_string(t.items[i].text, out);
      out += ':';
      put(t.items[i + 1], out);
    } else {
      out += '[';
      put(t.items[i], out);
      out += ',';
      put(t.items[i + 1], out);
      out += ']';
    }
  }
  out += object ? '}' : ']';
}

void put(const Tree& t, std::string& out) {
  switch (t.kind) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBoolean:
      out += t.integer != 0 ? "true" : "false";
      return;
    case Kind::kInteger:
    case Kind::kNode:
      out += std::to_string(t.integer);
      return;
    case Kind::kUnsigned:
      out += std::to_string(t.as_unsigned());
      return;
    case Kind::kReal:
      return put_real(t.real, out);
    case Kind::kText:
    case Kind::kEnumerator:
      return put_text(t.text, out);
    case Kind::kMap:
      return put_map(t, out);
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet:
      out += '[';
      for (size_t i = 0; i < t.items.size(); ++i) {
        if (i > 0) out += ',';
        put(t.items[i], out);
      }
      out += ']';
      return;
    case Kind::kRecord:
      out += "{\"$type\":";
      put_name(t.text, out);
      for (size_t i = 0; i < t.items.size(); ++i) {
        out += ',';
        put_name(t.names[i], out);
        out += ':';
        put(t.items[i], out);
      }
      out += '}';
      return;
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Tree> parse() {
    Tree tree;
    bool ok = value(tree);
    if (ok) {
      skip_space();
      ok = at_ == text_.size() || fail("nothing more was expected after the value");
    }
    if (ok) return tree;
    return Error{"JSON, " + position() + ": " + message_};
  }

 private:
  bool fail(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    return false;
  }

  std::string position() const {
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < at_ && i < text_.size(); ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      if (text_[i] == '\n') ++line;
    }
    return "line " + std::to_string(line) + " column " + std::to_string(column);
  }

  bool more() const { return at_ < text_.size(); }
  char peek() const { return more() ? text_[at_] : '\0'; }

  void skip_space() {
    while (more() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (!more() || peek() != c) return false;
    ++at_;
    return true;
  }

  bool value(Tree& out) {
    detail::Depth level(depth_);
    if (level.too_deep()) {
      return fail("nested more than " + std::to_string(detail::kMaxDepth) + " deep");
    }
    if (++nodes_ > kMaxNodes) {
      return fail("more than " + std::to_string(kMaxNodes) + " values");
    }
    skip_space();
    if (!more()) return fail("the text ends where a value was expected");
    switch (peek()) {
      case '{':
        return object(out);
      case '[':
        return array(out);
      case '"':
        out.kind = Kind::kText;
        return string(out.text);
      case 't':
        out = Tree::boolean(true);
        return word("true");
      case 'f':
        out = Tree::boolean(false);
        return word("false");
      case 'n':
        return word("null");
      default:
        return number(out);
    }
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return fail("expected a value");
    at_ += expected.size();
    return true;
  }

  size_t digits() {
    size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ - start;
  }

  bool number(Tree& out) {
    size_t start = at_;
    bool real = false;
    if (peek() == '-') ++at_;
    bool leading_zero = peek() == '0';
    size_t whole = digits();
    if (whole == 0) return fail("expected a value");
    if (leading_zero && whole > 1) return fail("a number may not start with 0");
    if (peek() == '.') {
      real = true;
      ++at_;
      if (digits() == 0) return fail("expected digits after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      real = true;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (digits() == 0) return fail("expected digits in the exponent");
    }
    const char* first = text_.data() + start;
    const char* last = text_.data() + at_;
    if (real) {
      double d = 0;
      if (std::from_chars(first, last, d).ec != std::errc()) {
        at_ = start;
        return fail("this number does not fit a double");
      }
      out = Tree::number_real(d);
      return true;
    }
    int64_t n = 0;
    if (std::from_chars(first, last, n).ec == std::errc()) {
      out = Tree::number(n);
      return true;
    }
    uint64_t u = 0;
    if (*first != '-' && std::from_chars(first, last, u).ec == std::errc()) {
      out = Tree::number_unsigned(u);
      return true;
    }
    at_ = start;
    return fail("this integer does not fit 64 bits");
  }

  bool hex4(uint32_t& code) {
    code = 0;
    for (int i = 0; i < 4; ++i) {
      char c = peek();
      uint32_t digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<uint32_t>(c - '0');
      } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
        digit = static_cast<uint32_t>((c | 0x20) - 'a' + 10);
      } else {
        return fail("expected four hexadecimal digits after \\u");
      }
      code = code * 16 + digit;
      ++at_;
    }
    return true;
  }

  bool unicode_escape(std::string& out) {
    uint32_t code = 0;
    if (!hex4(code)) return false;
    if (code >= 0xd800 && code < 0xe000) {
      uint32_t low = 0;
      if (code >= 0xdc00 || !text_.substr(at_).starts_with("\\u")) return fail("half a character");
      at_ += 2;
      if (!hex4(low)) return false;
      if (low < 0xdc00 || low > 0xdfff) return fail("half a character");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xc0 | code >> 6);
      put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      put(0xe0 | code >> 12);
      put(0x80 | (code >> 6 & 0x3f));
      put(0x80 | (code & 0x3f));
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
      put(0x80 | (code >> 6 & 0x3f));
      put(0x80 | (code & 0x3f));
    }
    return true;
  }

  bool string(std::string& out) {
    ++at_;  // the quote
    while (more()) {
      char c = peek();
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        ++at_;
        static constexpr std::string_view kNames = "\"\\/bfnrt";
        static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        char name = peek();
        ++at_;
        if (name == 'u') {
          if (!unicode_escape(out)) return false;
        } else if (size_t i = kNames.find(name); i != std::string_view::npos) {
          out += kMeant[i];
        } else {
          return fail("no such escape");
        }
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character in a string");
      size_t length = utf8_length(text_.substr(at_));
      if (length == 0) return fail("this is not UTF-8");
      out.append(text_.substr(at_, length));
      at_ += length;
    }
    return fail("the text ends inside a string");
  }

  bool array(Tree& out) {
    ++at_;
    out.kind = Kind::kList;
    if (take(']')) return true;
    do {
      out.items.emplace_back();
      if (!value(out.items.back())) return false;
    } while (take(','));
    return take(']') || fail("expected , or ] in a list");
  }

  bool object(Tree& out) {
    ++at_;
    std::vector<std::string> keys;
    std::vector<Tree> values;
    std::set<std::string> seen;
    if (!take('}')) {
      do {
        skip_space();
        if (peek() != '"') return fail("expected a key in quotes");
        std::string key;
        if (!string(key)) return false;
        if (!seen.insert(key).second) return fail("the key \"" + key + "\" occurs twice");
        if (!take(':')) return fail("expected : after the key");
        keys.push_back(std::move(key));
        if (!value(values.emplace_back())) return false;
      } while (take(','));
      if (!take('}')) return fail("expected , or } in an object");
    }
    return meaning(out, keys, values);
  }

  // What an object stands for: a record, one of our marks, or a map.
  bool meaning(Tree& out, std::vector<std::string>& keys, std::vector<Tree>& values) {
    bool single_text = keys.size() == 1 && values[0].kind == Kind::kText;
    if (single_text && keys[0] == "$bytes") return bytes(values[0].text, out);
    if (single_text && keys[0] == "$real") {
      double d = 0;
      if (!special_real(values[0].text, d)) return fail("no such $real");
      out = Tree::number_real(d);
      return true;
    }
    bool is_record = false;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] != "$type") continue;
      if (values[i].kind != Kind::kText) return fail("\"$type\" must be a string");
      is_record = true;
      out = Tree::record(values[i].text);
    }
    if (!is_record) out.kind = Kind::kMap;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!is_record) {
        out.items.push_back(Tree::string(keys[i]));
        out.items.push_back(std::move(values[i]));
      } else if (keys[i] != "$type") {
        out.add(keys[i], std::move(values[i]));
      }
    }
    return true;
  }

  bool bytes(const std::string& hex, Tree& out) {
    std::string decoded;
    if (hex.size() % 2 != 0) return fail("$bytes needs two digits for each byte");
    for (size_t i = 0; i < hex.size(); i += 2) {
      unsigned byte = 0;
      auto end = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
      if (end.ptr != hex.data() + i + 2) return fail("$bytes holds hexadecimal digits only");
      decoded += static_cast<char>(byte);
    }
    out = Tree::string(decoded);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t nodes_ = 0;
  int depth_ = 0;
  std::string message_;
};

}  // namespace

std::string to_json(const Tree& tree) {
  std::string out;
  put(tree, out);
  return out;
}

Result<Tree> from_json(std::string_view json) { return Parser(json).parse(); }

}  // namespace ordeal::value
