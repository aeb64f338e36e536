#include "trace/tree_json.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/text.h"
#include "value/real.h"

namespace ordeal::trace {
namespace {

using Json = nlohmann::ordered_json;
using value::Tree;

Json encode(const Tree& tree, size_t depth);

Json encode_items(const Tree& tree, size_t depth) {
  Json list = Json::array();
  for (const Tree& item : tree.items) list.push_back(encode(item, depth));
  return list;
}

Json encode_map(const Tree& tree, size_t depth) {
  Json pairs = Json::array();
  for (size_t i = 0; i + 1 < tree.items.size(); i += 2) {
    pairs.push_back(
        Json::array({encode(tree.items[i], depth + 3), encode(tree.items[i + 1], depth + 3)}));
  }
  return Json{{"$map", std::move(pairs)}};
}

Json encode_record(const Tree& tree, size_t depth) {
  Json object = Json::object();
  object["$type"] = tree.text;
  for (size_t i = 0; i < tree.items.size() && i < tree.names.size(); ++i) {
    object[tree.names[i]] = encode(tree.items[i], depth + 1);
  }
  return object;
}

Json encode_text(const std::string& text) {
  if (valid_utf8(text) == text) return text;
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return Json{{"$bytes", hex}};
}

Json encode_real(double real) {
  if (std::isfinite(real)) return real;
  return Json{{"$real", value::real_text(real)}};
}

Json encode(const Tree& tree, size_t depth) {
  if (depth > kMaxDepth - 20) return encode_text(value::show(tree));
  switch (tree.kind) {
    case Tree::Kind::kNull:
      return nullptr;
    case Tree::Kind::kBoolean:
      return tree.integer != 0;
    case Tree::Kind::kNode:
    case Tree::Kind::kInteger:
      return tree.integer;
    case Tree::Kind::kUnsigned:
      return tree.as_unsigned();
    case Tree::Kind::kReal:
      return encode_real(tree.real);
    case Tree::Kind::kText:
      return encode_text(tree.text);
    case Tree::Kind::kEnumerator:
      return Json{{"$enum", tree.text}};
    case Tree::Kind::kList:
      return encode_items(tree, depth + 1);
    case Tree::Kind::kTuple:
      return Json{{"$tuple", encode_items(tree, depth + 2)}};
    case Tree::Kind::kSet:
      return Json{{"$set", encode_items(tree, depth + 2)}};
    case Tree::Kind::kMap:
      return encode_map(tree, depth);
    case Tree::Kind::kRecord:
      return encode_record(tree, depth);
  }
  return nullptr;
}

Result<Tree> decode_items(Tree::Kind kind, const Json& json) {
  if (!json.is_array()) return Error{"expected a list inside $set or $tuple"};
  Tree tree = Tree::of(kind);
  for (const Json& item : json) {
    Result<Tree> decoded = tree_from_json(item);
    if (!decoded) return decoded.error();
    tree.items.push_back(*std::move(decoded));
  }
  return tree;
}

Result<Tree> decode_map(const Json& json) {
  if (!json.is_array()) return Error{"expected a list of pairs inside $map"};
  Tree tree = Tree::of(Tree::Kind::kMap);
  for (const Json& pair : json) {
    if (!pair.is_array() || pair.size() != 2) return Error{"expected [key, value] inside $map"};
    for (const Json& part : pair) {
      Result<Tree> decoded = tree_from_json(part);
      if (!decoded) return decoded.error();
      tree.items.push_back(*std::move(decoded));
    }
  }
  return tree;
}

Result<Tree> decode_bytes(const Json& json) {
  const auto* hex = json.get_ptr<const std::string*>();
  const Error wrong{"expected pairs of hexadecimal digits inside $bytes"};
  if (hex == nullptr || hex->size() % 2 != 0) return wrong;
  std::string bytes;
  for (size_t i = 0; i < hex->size(); i += 2) {
    int byte = 0;
    for (const char c : {(*hex)[i], (*hex)[i + 1]}) {
      const size_t digit = std::string_view("0123456789abcdef").find(c);
      if (digit == std::string_view::npos) return wrong;
      byte = byte * 16 + static_cast<int>(digit);
    }
    bytes += static_cast<char>(byte);
  }
  return Tree::string(bytes);
}

Result<Tree> decode_real(const Json& json) {
  double real = 0;
  if (json.is_string() && value::special_real(json.get<std::string>(), real)) {
    return Tree::number_real(real);
  }
  return Error{"expected \"nan\", \"inf\" or \"-inf\" inside $real"};
}

Result<Tree> decode_object(const Json& json) {
  if (json.size() == 1) {
    const auto only = json.begin();
    if (only.key() == "$set") return decode_items(Tree::Kind::kSet, only.value());
    if (only.key() == "$tuple") return decode_items(Tree::Kind::kTuple, only.value());
    if (only.key() == "$map") return decode_map(only.value());
    if (only.key() == "$bytes") return decode_bytes(only.value());
    if (only.key() == "$real") return decode_real(only.value());
    if (only.key() == "$enum") {
      if (!only.value().is_string()) return Error{"expected a name inside $enum"};
      return Tree::enumerator(only.value().get<std::string>());
    }
  }
  Tree tree = Tree::of(Tree::Kind::kRecord);
  for (const auto& [key, item] : json.items()) {
    if (key == "$type") {
      if (!item.is_string()) return Error{"expected a name as $type"};
      tree.text = item.get<std::string>();
      continue;
    }
    Result<Tree> decoded = tree_from_json(item);
    if (!decoded) return decoded.error();
    tree.add(key, *std::move(decoded));
  }
  return tree;
}

}  // namespace

Json tree_to_json(const Tree& tree) { return encode(tree, 0); }

Result<Tree> tree_from_json(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Tree::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Tree::number(json.get<int64_t>());
    case Json::value_t::number_unsigned:
      return Tree::number_unsigned(json.get<uint64_t>());
    case Json::value_t::number_float:
      return Tree::number_real(json.get<double>());
    case Json::value_t::string:
      return Tree::string(json.get<std::string>());
    case Json::value_t::array:
      return decode_items(Tree::Kind::kList, json);
    case Json::value_t::object:
      return decode_object(json);
    default:
      return Tree();
  }
}

}  // namespace ordeal::trace
