// Values as text.
#include <algorithm>

#include "language/tla/value/inner.h"

namespace ordeal::tla {
namespace {

bool is_field_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return std::all_of(text.begin(), text.end(), fits) &&
         std::any_of(text.begin(), text.end(), letter);
}

// Stops soon after `longest` characters.
class Printer {
 public:
  Printer(std::string& out, size_t longest) : out_(out), longest_(longest) {}

  void value(Value value) {
    if (full()) return;
    if (value.is_small()) {
      out_ += std::to_string(value.number());
    } else if (value.is_bool()) {
      out_ += value.truth() ? "TRUE" : "FALSE";
    } else if (value.is_string()) {
      quoted(atom_text(value.atom()));
    } else if (value.is_model()) {
      out_ += atom_text(value.atom());
    } else if (value.is_object()) {
      const Depth depth;
      object(value.object());
    } else {
      out_ += "(no value)";
    }
  }

 private:
  bool full() const { return out_.size() > longest_; }

  void quoted(std::string_view text) {
    out_ += '"';
    for (const char c : text) {
      switch (c) {
        case '"':
          out_ += "\\\"";
          break;
        case '\\':
          out_ += "\\\\";
          break;
        case '\n':
          out_ += "\\n";
          break;
        case '\t':
          out_ += "\\t";
          break;
        case '\r':
          out_ += "\\r";
          break;
        case '\f':
          out_ += "\\f";
          break;
        default:
          out_ += c;
      }
    }
    out_ += '"';
  }

  void list(std::span<const Value> items, const char* open, const char* close) {
    out_ += open;
    bool first = true;
    for (const Value item : items) {
      if (full()) return;
      if (!first) out_ += ", ";
      first = false;
      value(item);
    }
    out_ += close;
  }

  void object(const Object* object) {
    switch (object->kind) {
      case ObjectKind::kBig:
        out_ += big(Value::of(object)).str();
        return;
      case ObjectKind::kSet:
        list(object->items(), "{", "}");
        return;
      case ObjectKind::kTuple:
        list(object->items(), "<<", ">>");
        return;
      case ObjectKind::kFunction:
        function(object);
        return;
      case ObjectKind::kLambda:
        lambda(object);
        return;
      default:
        set(object);
    }
  }

  void function(const Object* object) {
    const std::span<const Value> keys = object->keys->items();
    const bool record = std::all_of(keys.begin(), keys.end(), [](Value key) {
      return key.is_string() && is_field_name(atom_text(key.atom()));
    });
    out_ += record ? "[" : "(";
    for (uint32_t i = 0; i < object->size; ++i) {
      if (full()) return;
      if (i > 0) out_ += record ? ", " : " @@ ";
      if (record) {
        out_ += atom_text(keys[i].atom()) + " |-> ";
      } else {
        value(keys[i]);
        out_ += " :> ";
      }
      value(object->item(i));
    }
    out_ += record ? "]" : ")";
  }

  // What is computed when it is needed is computed here, and forgotten.
  void lambda(const Object* object) {
    if (object->normal == nullptr && !is_enumerable(object->item(0))) {
      out_ += "[x \\in ";
      value(object->item(0));
      out_ += " |-> ...]";
      return;
    }
    Heap heap;
    this->object(normal_function(heap, Value::of(object)));
  }

  void set(const Object* object) {
    if (object->kind != ObjectKind::kInterval && object->normal != nullptr) {
      list(object->normal->items(), "{", "}");
      return;
    }
    Heap heap;
    if (!is_enumerable(Value::of(object)) || is_large(heap, object)) {
      symbolic(object);
      return;
    }
    Elements elements(heap, Value::of(object));
    out_ += "{";
    bool first = true;
    for (Value element; elements.next(element);) {
      if (full()) return;
      if (!first) out_ += ", ";
      first = false;
      value(element);
    }
    out_ += "}";
  }

  static bool is_large(Heap& heap, const Object* object) {
    if (object->kind == ObjectKind::kFilter) return is_large_set(heap, object->item(0));
    return is_large_set(heap, Value::of(object));
  }

  static bool is_large_set(Heap& heap, Value set) {
    return !is_set(set) || cardinality(heap, set) > limit();
  }

  void operation(const Object* object, const char* between) {
    out_ += "(";
    value(object->item(0));
    out_ += between;
    value(object->item(1));
    out_ += ")";
  }

  void symbolic(const Object* object) {
    switch (object->kind) {
      case ObjectKind::kInterval:
        out_ += std::to_string(object->low) + ".." + std::to_string(object->high());
        return;
      case ObjectKind::kSubset:
        out_ += "SUBSET ";
        value(object->item(0));
        return;
      case ObjectKind::kFunctionSet:
        out_ += "[";
        value(object->item(0));
        out_ += " -> ";
        value(object->item(1));
        out_ += "]";
        return;
      case ObjectKind::kRecordSet:
        out_ += "[";
        for (uint32_t i = 0; i < object->size; ++i) {
          if (i > 0) out_ += ", ";
          out_ += atom_text(object->keys->item(i).atom()) + " : ";
          value(object->item(i));
        }
        out_ += "]";
        return;
      case ObjectKind::kProduct:
        out_ += "(";
        for (uint32_t i = 0; i < object->size; ++i) {
          if (i > 0) out_ += " \\X ";
          value(object->item(i));
        }
        out_ += ")";
        return;
      case ObjectKind::kSequences:
        out_ += "Seq(";
        value(object->item(0));
        out_ += ")";
        return;
      case ObjectKind::kInfinite: {
        static constexpr std::array<const char*, 5> kNames = {"Nat", "Int", "Real", "STRING",
                                                              "Any"};
        out_ += kNames[static_cast<size_t>(object->infinite)];
        return;
      }
      case ObjectKind::kCup:
        operation(object, " \\cup ");
        return;
      case ObjectKind::kCap:
        operation(object, " \\cap ");
        return;
      case ObjectKind::kMinus:
        operation(object, " \\ ");
        return;
      case ObjectKind::kBigCup:
        out_ += "UNION ";
        value(object->item(0));
        return;
      default:
        out_ += "{x \\in ";
        value(object->item(0));
        out_ += " : ...}";
    }
  }

  std::string& out_;
  size_t longest_;
};

}  // namespace

void print(Value value, std::string& out) { Printer(out, SIZE_MAX).value(value); }

std::string to_text(Value value) {
  std::string out;
  print(value, out);
  return out;
}

std::string short_text(Value value, size_t longest) {
  std::string out;
  try {
    Printer(out, longest).value(value);
  } catch (const EvalError&) {
    // It is shown because of another error, which is the one to be read.
    out += "...";
  }
  if (out.size() <= longest) return out;
  // Not within a character of UTF-8.
  size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  out.resize(end);
  return out + "...";
}

std::string describe(Value value) {
  if (value.is_integer()) return "the integer " + short_text(value);
  if (value.is_bool()) return short_text(value);
  if (value.is_string()) return "the string " + short_text(value);
  if (value.is_model()) return "the model value " + short_text(value);
  if (is_set(value)) return "the set " + short_text(value);
  if (!is_function(value)) return short_text(value);
  if (value.is(ObjectKind::kTuple)) return "the tuple " + short_text(value);
  const bool record = value.is(ObjectKind::kFunction) && value.object()->keys->item(0).is_string();
  return (record ? "the record " : "the function ") + short_text(value);
}

}  // namespace ordeal::tla
