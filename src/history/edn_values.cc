#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "history/edn.h"

namespace ordeal::edn {
namespace {

constexpr size_t kFirstSlots = 256;
constexpr std::string_view kMore = "…";

void show_string(std::string_view text, size_t most, std::string& out) {
  out += '"';
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool inside = (c & 0xC0) == 0x80;  // of a character that was begun
    if (out.size() >= most && !inside) {
      out += kMore;
      break;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += text[i];
    }
  }
  out += '"';
}

std::string cut(std::string_view text, size_t most) {
  return text.size() <= most ? std::string(text) : cut_to(text, most);
}

std::string show_character(std::string_view text) {
  for (const auto& [name, c] : {std::pair("newline", '\n'),
                                {"return", '\r'},
                                {"space", ' '},
                                {"tab", '\t'},
                                {"formfeed", '\f'},
                                {"backspace", '\b'}}) {
    if (text.size() == 1 && text[0] == c) return fmt::format("\\{}", name);
  }
  const unsigned char c = static_cast<unsigned char>(text[0]);
  if (c < 0x20 || c == 0x7f) return fmt::format("\\u{:04x}", c);
  return fmt::format("\\{}", text);
}

}  // namespace

Values::Values() : slots_(kFirstSlots, 0) {
  text(Kind::kNil, "nil");
  text(Kind::kBoolean, "false");
  text(Kind::kBoolean, "true");
}

template <class Same, class Make>
Id Values::intern(uint64_t hash, const Same& same, const Make& make) {
  size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const Id id = slots_[at] - 1;
    if (hashes_[id] == hash && same(nodes_[id])) return id;
  }
  const Id id = static_cast<Id>(nodes_.size());
  nodes_.push_back(make());
  hashes_.push_back(hash);
  slots_[at] = id + 1;
  if (2 * nodes_.size() > slots_.size()) grow();
  return id;
}

void Values::grow() {
  slots_.assign(slots_.size() * 4, 0);
  for (Id id = 0; id < nodes_.size(); ++id) {
    size_t at = hashes_[id] & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = id + 1;
  }
}

Id Values::integer(int64_t value) {
  const uint64_t content = static_cast<uint64_t>(value);
  return intern(
      mix64(content),
      [&](const Node& node) { return node.kind == Kind::kInteger && node.content == content; },
      [&] {
        return Node{content, 0, Kind::kInteger};
      });
}

Id Values::text(Kind kind, std::string_view text) {
  detail::Hasher hasher;
  hasher.word(static_cast<uint64_t>(kind) << 32 | text.size());
  hasher.bytes(text.data(), text.size());
  return intern(
      hasher.finish(),
      [&](const Node& node) {
        return node.kind == kind &&
               std::string_view(chars_).substr(node.content, node.size) == text;
      },
      [&] {
        const size_t begin = chars_.size();
        chars_ += text;
        return Node{begin, static_cast<uint32_t>(text.size()), kind};
      });
}

Id Values::items(Kind kind, std::span<const Id> items) {
  detail::Hasher hasher;
  hasher.word(static_cast<uint64_t>(kind) << 32 | items.size());
  hasher.bytes(items.data(), items.size_bytes());
  return intern(
      hasher.finish(),
      [&](const Node& node) {
        return node.kind == kind && node.size == items.size() &&
               std::equal(items.begin(), items.end(),
                          items_.begin() + static_cast<ptrdiff_t>(node.content));
      },
      [&] {
        const size_t begin = items_.size();
        items_.insert(items_.end(), items.begin(), items.end());
        return Node{begin, static_cast<uint32_t>(items.size()), kind};
      });
}

// An order for people.
bool Values::before(Id a, Id b) const {
  if (kind(a) != kind(b)) return kind(a) < kind(b);
  switch (kind(a)) {
    case Kind::kInteger:
      return integer_of(a) < integer_of(b);
    case Kind::kList:
    case Kind::kSet:
    case Kind::kMap:
    case Kind::kTagged:
      return a < b;
    default:
      return text_of(a) < text_of(b);
  }
}

void Values::show(Id id, size_t most, std::string& out) const {
  switch (kind(id)) {
    case Kind::kInteger:
      out += std::to_string(integer_of(id));
      return;
    case Kind::kString:
      show_string(text_of(id), most, out);
      return;
    case Kind::kCharacter:
      out += show_character(text_of(id));
      return;
    case Kind::kKeyword:
      out += fmt::format(":{}", cut(text_of(id), most));
      return;
    case Kind::kTagged:
      out += fmt::format("#{} ", cut(text_of(items_of(id)[0]), most));
      show(items_of(id)[1], most, out);
      return;
    case Kind::kList:
    case Kind::kSet:
    case Kind::kMap:
      break;
    default:
      out += cut(text_of(id), most);
      return;
  }
  const bool is_map = kind(id) == Kind::kMap;
  const auto span = items_of(id);
  std::vector<std::pair<Id, Id>> shown;  // an item, and what a map has for it
  for (size_t i = 0; i < span.size(); i += is_map ? 2 : 1) {
    shown.emplace_back(span[i], is_map ? span[i + 1] : kNil);
  }
  if (kind(id) != Kind::kList) {
    std::sort(shown.begin(), shown.end(),
              [&](const auto& a, const auto& b) { return before(a.first, b.first); });
  }
  out += is_map ? "{" : kind(id) == Kind::kSet ? "#{" : "[";
  bool first = true;
  for (const auto& [item, held] : shown) {
    if (!first) out += is_map ? ", " : " ";
    first = false;
    if (out.size() >= most) {
      out += kMore;
      break;
    }
    show(item, most, out);
    if (!is_map) continue;
    out += ' ';
    show(held, most, out);
  }
  out += kind(id) == Kind::kList ? "]" : "}";
}

std::string Values::show(Id id, size_t most) const {
  std::string out;
  show(id, most, out);
  return one_line(out);
}

}  // namespace ordeal::edn
