#include "language/tla/model/json_value.h"

#include <algorithm>
#include <cmath>

#include "language/tla/model/space.h"

namespace ordeal::tla {
namespace {

using Json = nlohmann::ordered_json;

// How texts and lists are read: all of one value in the same way.
struct Reading {
  enum class Texts : uint8_t { kStrings, kModels, kNumbers, kBytes };
  Texts texts = Texts::kStrings;
  bool sets = false;
};

// Digits with a sign or without; undefined: it is no number.
Value number_in(Heap& heap, const std::string& text) {
  const size_t first = text.starts_with('-') ? 1 : 0;
  constexpr size_t kMostDigits = 1000;
  const bool digits = text.size() > first && text.size() <= kMostDigits &&
                      text.find_first_not_of("0123456789", first) == text.npos;
  if (!digits) return {};
  BigInt number(text.substr(first));
  if (first == 1) number = -number;
  return integer(heap, number);
}

// "": it is none.
std::string from_base64(const std::string& text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return "";
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return "";
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

Value text_value(Heap& heap, const std::string& text, Reading::Texts texts) {
  switch (texts) {
    case Reading::Texts::kStrings:
      return string_value(text);
    case Reading::Texts::kModels:
      return model_value(text);
    case Reading::Texts::kNumbers:
      return number_in(heap, text);
    case Reading::Texts::kBytes:
      return number_in(heap, from_base64(text));
  }
  return {};
}

// Undefined: it cannot be read so.
Value read(Heap& heap, const Json& json, const Reading& reading) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Value::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return integer(heap, json.get<int64_t>());
    case Json::value_t::number_unsigned:
      return integer(heap, BigInt(json.get<uint64_t>()));
    case Json::value_t::number_float: {
      const auto number = json.get<double>();
      constexpr double kMost = 9007199254740992.0;  // whole numbers are exact up to here
      if (std::floor(number) != number || std::abs(number) > kMost) return {};
      return integer(heap, static_cast<int64_t>(number));
    }
    case Json::value_t::string:
      return text_value(heap, json.get_ref<const std::string&>(), reading.texts);
    case Json::value_t::array:
    case Json::value_t::object: {
      std::vector<Value> items;
      std::vector<Value> names;
      for (const auto& [name, item] : json.items()) {
        const Value value = read(heap, item, reading);
        if (!value.defined()) return {};
        items.push_back(value);
        if (json.is_object()) names.push_back(string_value(name));
      }
      if (json.is_object()) return make_record(heap, names, items);
      return reading.sets ? make_set(heap, items) : make_tuple(heap, std::span<const Value>(items));
    }
    default:
      return {};
  }
}

bool has_list(const Json& json) {
  return json.is_array() || (json.is_object() && std::any_of(json.begin(), json.end(), has_list));
}

bool has_text(const Json& json) {
  return json.is_string() ||
         (json.is_structured() && std::any_of(json.begin(), json.end(), has_text));
}

}  // namespace

std::vector<Value> values_of_json(Heap& heap, const Json& json) {
  using Texts = Reading::Texts;
  std::vector<Value> out;
  for (const Texts texts : {Texts::kStrings, Texts::kModels, Texts::kNumbers, Texts::kBytes}) {
    if (texts != Texts::kStrings && !has_text(json)) break;
    for (const bool sets : {false, true}) {
      if (sets && !has_list(json)) break;
      try {
        const Value value = read(heap, json, {texts, sets});
        if (value.defined()) out.push_back(deep_normal(heap, value));
      } catch (const EvalError&) {
        continue;  // a set of things that cannot be compared
      }
    }
  }
  return out;
}

Json json_of(const value::Tree& tree) {
  using Kind = value::Tree::Kind;
  switch (tree.kind) {
    case Kind::kBoolean:
      return tree.integer != 0;
    case Kind::kInteger:
      return tree.integer;
    case Kind::kText:
    case Kind::kEnumerator:
      return tree.text;
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet: {
      Json out = Json::array();
      for (const value::Tree& item : tree.items) out.push_back(json_of(item));
      return out;
    }
    case Kind::kRecord: {
      Json out = Json::object();
      for (size_t i = 0; i < tree.items.size(); ++i) out[tree.names[i]] = json_of(tree.items[i]);
      return out;
    }
    case Kind::kMap: {
      bool are_texts = true;
      for (size_t i = 0; i < tree.items.size(); i += 2) {
        are_texts = are_texts && tree.items[i].kind == Kind::kEnumerator;
      }
      Json out = are_texts ? Json::object() : Json::array();
      for (size_t i = 0; i + 1 < tree.items.size(); i += 2) {
        if (are_texts) {
          out[tree.items[i].text] = json_of(tree.items[i + 1]);
        } else {
          out.push_back(Json::array({json_of(tree.items[i]), json_of(tree.items[i + 1])}));
        }
      }
      return out;
    }
    default:
      return nullptr;
  }
}

Json json_of(Value value) { return json_of(tree_of(value)); }

}  // namespace ordeal::tla
