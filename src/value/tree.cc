#include "ordeal/detail/tree.h"

#include <algorithm>
#include <compare>

#include "ordeal/detail/reflect.h"
#include "value/quoted.h"
#include "value/real.h"

namespace ordeal::value {

using Kind = Tree::Kind;

Tree Tree::of(Kind kind) {
  Tree t;
  t.kind = kind;
  return t;
}

Tree Tree::boolean(bool b) {
  Tree t = of(Kind::kBoolean);
  t.integer = b ? 1 : 0;
  return t;
}

Tree Tree::number(int64_t n) {
  Tree t = of(Kind::kInteger);
  t.integer = n;
  return t;
}

Tree Tree::number_unsigned(uint64_t n) {
  Tree t = of(n >> 63 != 0 ? Kind::kUnsigned : Kind::kInteger);
  t.integer = static_cast<int64_t>(n);
  return t;
}

Tree Tree::number_real(double d) {
  Tree t = of(Kind::kReal);
  t.real = d;
  return t;
}

Tree Tree::string(std::string_view s) {
  Tree t = of(Kind::kText);
  t.text = s;
  return t;
}

Tree Tree::enumerator(std::string_view name) {
  Tree t = of(Kind::kEnumerator);
  t.text = name;
  return t;
}

Tree Tree::node(NodeId id) {
  Tree t = of(Kind::kNode);
  t.integer = id.value;
  return t;
}

Tree Tree::record(std::string_view type_name) {
  Tree t = of(Kind::kRecord);
  t.text = type_name;
  return t;
}

void Tree::add(std::string_view field, Tree value) {
  names.emplace_back(field);
  items.push_back(std::move(value));
}

const Tree* Tree::find(std::string_view name) const {
  if (kind == Kind::kRecord) {
    for (size_t i = 0; i < names.size() && i < items.size(); ++i) {
      if (names[i] == name) return &items[i];
    }
  } else if (kind == Kind::kMap) {
    for (size_t i = 0; i + 1 < items.size(); i += 2) {
      bool text = items[i].kind == Kind::kText || items[i].kind == Kind::kEnumerator;
      if (text && items[i].text == name) return &items[i + 1];
    }
  }
  return nullptr;
}

bool Tree::operator==(const Tree& other) const {
  return kind == other.kind && integer == other.integer &&
         detail::ordered_bits(real) == detail::ordered_bits(other.real) && text == other.text &&
         names == other.names && items == other.items;
}

namespace {

std::strong_ordering order(const Tree& a, const Tree& b) {
  if (a.kind != b.kind) return a.kind <=> b.kind;
  if (a.kind == Kind::kUnsigned) return a.as_unsigned() <=> b.as_unsigned();
  if (a.integer != b.integer) return a.integer <=> b.integer;
  auto by_real = detail::ordered_bits(a.real) <=> detail::ordered_bits(b.real);
  if (by_real != 0) return by_real;
  if (int by_text = a.text.compare(b.text); by_text != 0) return by_text <=> 0;
  size_t common = std::min(a.items.size(), b.items.size());
  for (size_t i = 0; i < common; ++i) {
    if (auto by_item = order(a.items[i], b.items[i]); by_item != 0) return by_item;
  }
  if (a.items.size() != b.items.size()) return a.items.size() <=> b.items.size();
  return a.names <=> b.names;
}

void show_to(const Tree& t, std::string& out);

void show_items(const Tree& t, char open, char close, std::string& out) {
  out += open;
  for (size_t i = 0; i < t.items.size(); ++i) {
    if (i > 0) out += t.kind == Kind::kMap && i % 2 == 1 ? ": " : ", ";
    if (t.kind == Kind::kRecord && !t.names[i].empty()) {
      out += t.names[i];
      out += ": ";
    }
    show_to(t.items[i], out);
  }
  out += close;
}

void show_to(const Tree& t, std::string& out) {
  switch (t.kind) {
    case Kind::kNull:
      out += '-';
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
      out += real_text(t.real);
      return;
    case Kind::kText:
      return put_quoted(t.text, "\\x", out);
    case Kind::kEnumerator:
      out += t.text;
      return;
    case Kind::kList:
      return show_items(t, '[', ']', out);
    case Kind::kTuple:
      return show_items(t, '(', ')', out);
    case Kind::kSet:
    case Kind::kMap:
      return show_items(t, '{', '}', out);
    case Kind::kRecord: {
      out += t.text;
      bool wrapper = t.names.size() == 1 && t.names[0].empty();
      if (wrapper) return show_items(t, '(', ')', out);
      if (!t.items.empty()) show_items(t, '{', '}', out);
      return;
    }
  }
}

constexpr const char* kAbsent = "absent";

class Differ {
 public:
  std::vector<Change> changes;

  void walk(const Tree& a, const Tree& b, const std::string& path) {
    if (a.kind != b.kind) return change(path, show(a), show(b));
    switch (a.kind) {
      case Kind::kRecord:
        if (a.text != b.text) return change(path, show(a), show(b));
        return by_field(a, b, path);
      case Kind::kList:
      case Kind::kTuple:
        return by_index(a, b, path);
      case Kind::kSet:
        return by_key(a, b, path, 1);
      case Kind::kMap:
        return by_key(a, b, path, 2);
      default:
        if (!(a == b)) change(path, show(a), show(b));
    }
  }

 private:
  void change(const std::string& path, std::string before, std::string after) {
    changes.push_back({path, std::move(before), std::move(after)});
  }

  // Records of one type have the same fields, except where something was added for people to see.
  void by_field(const Tree& a, const Tree& b, const std::string& path) {
    const auto at = [&](const std::string& name) {
      return path + (path.empty() || name.empty() ? "" : ".") + name;
    };
    for (size_t i = 0; i < a.items.size(); ++i) {
      const Tree* after =
          i < b.items.size() && b.names[i] == a.names[i] ? &b.items[i] : b.find(a.names[i]);
      if (after == nullptr) {
        change(at(a.names[i]), show(a.items[i]), kAbsent);
      } else {
        walk(a.items[i], *after, at(a.names[i]));
      }
    }
    for (size_t i = 0; i < b.items.size(); ++i) {
      if (a.find(b.names[i]) == nullptr) change(at(b.names[i]), kAbsent, show(b.items[i]));
    }
  }

  void by_index(const Tree& a, const Tree& b, const std::string& path) {
    for (size_t i = 0; i < std::max(a.items.size(), b.items.size()); ++i) {
      std::string at = path + "[" + std::to_string(i) + "]";
      if (i >= a.items.size()) {
        change(at, kAbsent, show(b.items[i]));
      } else if (i >= b.items.size()) {
        change(at, show(a.items[i]), kAbsent);
      } else {
        walk(a.items[i], b.items[i], at);
      }
    }
  }

  // The items at even (maps) or all (sets) places, sorted; equal keys stay in their order.
  static std::vector<const Tree*> sorted_keys(const Tree& t, size_t stride) {
    std::vector<const Tree*> keys;
    for (size_t i = 0; i < t.items.size(); i += stride) keys.push_back(&t.items[i]);
    std::stable_sort(keys.begin(), keys.end(),
                     [](const Tree* x, const Tree* y) { return order(*x, *y) < 0; });
    return keys;
  }

  // In a set the element is its own value; in a map the value follows the key.
  void by_key(const Tree& a, const Tree& b, const std::string& path, size_t stride) {
    std::vector<const Tree*> left = sorted_keys(a, stride);
    std::vector<const Tree*> right = sorted_keys(b, stride);
    size_t i = 0;
    size_t j = 0;
    while (i < left.size() || j < right.size()) {
      auto which = i == left.size()    ? std::strong_ordering::greater
                   : j == right.size() ? std::strong_ordering::less
                                       : order(*left[i], *right[j]);
      const Tree* key = which <= 0 ? left[i] : right[j];
      std::string at = path + "[" + show(*key) + "]";
      std::string text = stride == 1 ? "present" : show(key[1]);
      if (which < 0) {
        change(at, text, kAbsent);
      } else if (which > 0) {
        change(at, kAbsent, text);
      } else if (stride == 2) {
        walk(left[i][1], right[j][1], at);
      }
      i += which <= 0 ? 1 : 0;
      j += which >= 0 ? 1 : 0;
    }
  }
};

}  // namespace

std::string show(const Tree& tree) {
  std::string out;
  show_to(tree, out);
  return out;
}

std::vector<Change> diff(const Tree& before, const Tree& after) {
  Differ differ;
  differ.walk(before, after, "");
  return std::move(differ.changes);
}

}  // namespace ordeal::value
