#include "ordeal/detail/reflect.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace ordeal::detail {

using Kind = Tree::Kind;

namespace {

std::string describe(const Tree& t) {
  std::string text = value::show(t);
  if (text.size() > 60) {
    size_t cut = 57;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
    text.resize(cut);  // never in the middle of a character
    text += "...";
  }
  return t.kind == Kind::kNull ? "nothing" : text;
}

}  // namespace

bool Misfit::say(std::string text) {
  message = std::move(text);
  return false;
}

bool Misfit::expected(std::string_view what, const Tree& found) {
  return say("expected " + std::string(what) + ", found " + describe(found));
}

bool Misfit::in_field(std::string_view name) {
  bool dot = !path.empty() && path[0] != '[';
  path = std::string(name) + (dot ? "." : "") + path;
  return false;
}

bool Misfit::in_item(std::string_view index_or_key) {
  bool dot = !path.empty() && path[0] != '[';
  path = "[" + std::string(index_or_key) + "]" + (dot ? "." : "") + path;
  return false;
}

Error Misfit::error(std::string_view type) const {
  std::string where = path.empty() ? std::string(type) : std::string(type) + " at " + path;
  return Error{where + ": " + message};
}

bool integer_from_tree(const Tree& tree, int64_t low, uint64_t high, bool is_signed, uint64_t& bits,
                       Misfit& misfit) {
  bool fits = false;
  if (tree.kind == Kind::kInteger || tree.kind == Kind::kNode) {
    fits = tree.integer < 0 ? is_signed && tree.integer >= low
                            : static_cast<uint64_t>(tree.integer) <= high;
  } else if (tree.kind == Kind::kUnsigned) {
    fits = tree.as_unsigned() <= high;
  }
  bits = tree.as_unsigned();
  if (fits) return true;
  return misfit.expected(
      "an integer from " + (is_signed ? std::to_string(low) : "0") + " to " + std::to_string(high),
      tree);
}

bool real_from_tree(const Tree& tree, double& out, Misfit& misfit) {
  if (tree.kind == Kind::kReal) {
    out = tree.real;
  } else if (tree.kind == Kind::kInteger) {
    out = static_cast<double>(tree.integer);
  } else if (tree.kind == Kind::kUnsigned) {
    out = static_cast<double>(tree.as_unsigned());
  } else {
    return misfit.expected("a number", tree);
  }
  return true;
}

bool check_record(const Tree& tree, std::string_view type, const std::string_view* names,
                  size_t count, const Tree** fields, Misfit& misfit) {
  if (tree.kind != Kind::kRecord && tree.kind != Kind::kMap) {
    return misfit.expected("a " + std::string(type), tree);
  }
  if (tree.kind == Kind::kRecord && !tree.text.empty() && tree.text != type) {
    return misfit.expected("a " + std::string(type), tree);
  }
  for (size_t i = 0; i < count; ++i) {
    fields[i] = tree.find(names[i]);
    if (fields[i] == nullptr) {
      return misfit.say("the field \"" + std::string(names[i]) + "\" is missing");
    }
  }
  bool map = tree.kind == Kind::kMap;
  size_t given = map ? tree.items.size() / 2 : tree.items.size();
  for (size_t i = 0; i < given; ++i) {
    std::string name = !map                                    ? tree.names[i]
                       : tree.items[2 * i].kind == Kind::kText ? tree.items[2 * i].text
                                                               : describe(tree.items[2 * i]);
    bool known = false;
    for (size_t j = 0; j < count; ++j) known = known || names[j] == name;
    if (!known) return misfit.say("there is no field \"" + name + "\"");
  }
  return true;
}

bool map_entries(const Tree& tree, std::vector<std::pair<Tree, const Tree*>>& entries,
                 Misfit& misfit) {
  if (tree.kind == Kind::kMap) {
    for (size_t i = 0; i + 1 < tree.items.size(); i += 2) {
      entries.emplace_back(tree.items[i], &tree.items[i + 1]);
    }
    return true;
  }
  if (!is_sequence(tree)) return misfit.expected("a map", tree);
  for (const Tree& pair : tree.items) {
    if (!is_sequence(pair) || pair.items.size() != 2) {
      return misfit.expected("a pair of key and value", pair);
    }
    entries.emplace_back(pair.items[0], &pair.items[1]);
  }
  return true;
}

void too_deep() {
  throw std::length_error("a value nests more than " + std::to_string(kMaxDepth) +
                          " deep; such values are not supported");
}

bool is_sequence(const Tree& tree) {
  return tree.kind == Kind::kList || tree.kind == Kind::kTuple || tree.kind == Kind::kSet;
}

}  // namespace ordeal::detail
