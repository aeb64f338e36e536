// Json: values as other programs write them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/tla/library/files.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

void quote(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          static constexpr char kDigits[] = "0123456789abcdef";
          out += "\\u00";
          out += kDigits[static_cast<unsigned char>(c) >> 4];
          out += kDigits[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

enum class Shape : uint8_t { kOwn, kArray, kObject };

void put(Heap& heap, Value value, Shape shape, std::string& out);

void put_array(Heap& heap, std::span<const Value> items, std::string& out) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    put(heap, items[i], Shape::kOwn, out);
  }
  out += ']';
}

void put_function(Heap& heap, const Object* function, Shape shape, std::string& out) {
  const bool sequence = function->kind == ObjectKind::kTuple;
  if (sequence && shape != Shape::kObject) return put_array(heap, function->items(), out);
  out += '{';
  for (uint32_t i = 0; i < function->size; ++i) {
    if (i > 0) out += ',';
    // Members of a sequence are counted from 0, as in other languages.
    quote(sequence ? std::to_string(i) : plain_text(key_at(function, i)), out);
    out += ':';
    put(heap, function->item(i), Shape::kOwn, out);
  }
  out += '}';
}

void put(Heap& heap, Value value, Shape shape, std::string& out) {
  if (is_function(value)) return put_function(heap, normal_function(heap, value), shape, out);
  if (is_set(value) && shape != Shape::kObject) {
    if (!is_enumerable(value)) fail(to_text(value) + " is infinite, and no value of JSON");
    return put_array(heap, normal_set(heap, value)->items(), out);
  }
  if (shape == Shape::kArray) fail(describe(value) + " is no array of JSON");
  if (shape == Shape::kObject) fail(describe(value) + " is no object of JSON");
  if (value.is_string() || value.is_model()) return quote(atom_text(value.atom()), out);
  if (value.is_bool()) {
    out += value.truth() ? "true" : "false";
  } else {
    out += to_text(value);
  }
}

Value to_json(BuiltinCall& call, Shape shape) {
  std::string out;
  put(call.heap(), call[0], shape, out);
  return string_value(out);
}

// Makes values of what the parser tells, without a document in between.
class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Reader(Heap& heap) : heap_(heap) {}

  Value value() const { return value_; }
  const std::string& trouble() const { return trouble_; }

  bool null() override { return refuse("null is no value of TLA+"); }
  bool boolean(bool is) override { return take(Value::boolean(is)); }
  bool number_integer(number_integer_t number) override {
    return take(integer(heap_, static_cast<int64_t>(number)));
  }
  bool number_unsigned(number_unsigned_t number) override {
    return take(integer(heap_, BigInt(number)));
  }
  bool number_float(number_float_t, const string_t& text) override {
    if (text.find_first_not_of("-0123456789") != std::string::npos) {
      return refuse(text + " is no integer");
    }
    return take(integer(heap_, BigInt(text)));
  }
  bool string(string_t& text) override { return take(string_value(text)); }
  bool binary(binary_t&) override { return refuse("it has binary data"); }
  bool start_object(size_t) override { return start(true); }
  bool start_array(size_t) override { return start(false); }
  bool key(string_t& name) override {
    open_.back().names.push_back(string_value(name));
    return true;
  }
  bool end_array() override {
    const std::vector<Value> items = std::move(open_.back().items);
    open_.pop_back();
    return take(make_tuple(heap_, std::span<const Value>(items)));
  }
  bool end_object() override {
    Level level = std::move(open_.back());
    open_.pop_back();
    // Where a name comes twice, the last holds.
    std::vector<Value> names;
    std::vector<Value> items;
    for (size_t i = level.names.size(); i-- > 0;) {
      bool known = false;
      for (const Value name : names) known = known || same(name, level.names[i]);
      if (known) continue;
      names.push_back(level.names[i]);
      items.push_back(level.items[i]);
    }
    return take(make_record(heap_, names, items));
  }
  bool parse_error(size_t at, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("it is no JSON from byte " + std::to_string(at) + " on");
  }

 private:
  struct Level {
    bool is_object = false;
    std::vector<Value> names;
    std::vector<Value> items;
  };

  bool start(bool is_object) {
    constexpr size_t kDeepest = 1000;
    if (open_.size() == kDeepest) return refuse("it is nested more than 1,000 deep");
    open_.push_back({is_object, {}, {}});
    return true;
  }
  bool take(Value value) {
    if (open_.empty()) {
      value_ = value;
    } else {
      open_.back().items.push_back(value);
    }
    return true;
  }
  bool refuse(std::string why) {
    trouble_ = std::move(why);
    return false;
  }

  Heap& heap_;
  std::vector<Level> open_;
  Value value_;
  std::string trouble_;
};

Value parsed(BuiltinCall& call, const std::string& where, std::string_view text) {
  Reader reader(call.heap());
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader)) {
    fail(where + ": " + reader.trouble());
  }
  return reader.value();
}

Value read_value(BuiltinCall& call) {
  const std::string text = need_text_of_file(call, "JsonDeserialize", 0);
  return parsed(call, file_to_read(call, "JsonDeserialize", 0), text);
}

Value read_lines(BuiltinCall& call) {
  const std::string text = need_text_of_file(call, "ndJsonDeserialize", 0);
  const std::string path = file_to_read(call, "ndJsonDeserialize", 0);
  std::vector<Value> values;
  size_t number = 0;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(text).substr(from, end - from);
    ++number;
    from = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    values.push_back(parsed(call, path + ":" + std::to_string(number), line));
  }
  return make_tuple(call.heap(), std::span<const Value>(values));
}

Value write_value(BuiltinCall& call) {
  const Object* const value = need_function(call, "JsonSerialize", 1);
  if (value->kind == ObjectKind::kFunction && !value->keys->item(0).is_string()) {
    fail_argument(call, "JsonSerialize", 1, "a sequence or a record");
  }
  std::string out;
  put(call.heap(), call[1], Shape::kOwn, out);
  write(call, "JsonSerialize", 0, out, Writing::kAnew);
  return kTrue;
}

Value write_lines(BuiltinCall& call) {
  std::string out;
  for (const Value item : need_sequence(call, "ndJsonSerialize", 1)->items()) {
    put(call.heap(), item, Shape::kOwn, out);
    out += '\n';
  }
  write(call, "ndJsonSerialize", 0, out, Writing::kAnew);
  return kTrue;
}

const Builtin kJson[] = {
    {"ToJson", "0", true, [](BuiltinCall& call) { return to_json(call, Shape::kOwn); }},
    {"ToJsonArray", "0", true, [](BuiltinCall& call) { return to_json(call, Shape::kArray); }},
    {"ToJsonObject", "0", true, [](BuiltinCall& call) { return to_json(call, Shape::kObject); }},
    {"JsonSerialize", "00", false, write_value},
    {"JsonDeserialize", "0", true, read_value},
    {"ndJsonSerialize", "00", false, write_lines},
    {"ndJsonDeserialize", "0", true, read_lines},
};

}  // namespace

std::span<const Builtin> json_operators() { return kJson; }

}  // namespace ordeal::tla
