// What SequencesExt says of sequences within sequences; strings are sequences of characters here.
#include <algorithm>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

// A sequence or a string.
struct Line {
  bool is_string = false;
  std::string_view text;
  std::span<const Value> items;

  size_t size() const { return is_string ? text.size() : items.size(); }
};

Line line_of(BuiltinCall& call, std::string_view name, size_t at) {
  if (call[at].is_string()) return {true, atom_text(call[at].atom()), {}};
  return {false, {}, need_sequence(call, name, at)->items()};
}

Line line_of_value(BuiltinCall& call, std::string_view name, Value value) {
  if (value.is_string()) return {true, atom_text(value.atom()), {}};
  if (is_function(value)) {
    const Object* const function = normal_function(call.heap(), value);
    if (function->kind == ObjectKind::kTuple) return {false, {}, function->items()};
  }
  fail("the argument of " + std::string(name) + " must have sequences in it, but has " +
       describe(value));
}

void need_alike(std::string_view name, const Line& a, const Line& b) {
  // The empty sequence fits to nothing but sequences.
  if (a.is_string == b.is_string) return;
  fail("the arguments of " + std::string(name) + " must be strings, or sequences: not both");
}

bool same_item(BuiltinCall& call, const Line& a, size_t i, const Line& b, size_t j) {
  return a.is_string ? a.text[i] == b.text[j] : equal(call.heap(), a.items[i], b.items[j]);
}

bool starts_at(BuiltinCall& call, const Line& line, size_t at, const Line& part) {
  if (line.size() < at || line.size() - at < part.size()) return false;
  for (size_t i = 0; i < part.size(); ++i) {
    if (!same_item(call, line, at + i, part, i)) return false;
  }
  return true;
}

constexpr size_t kNowhere = SIZE_MAX;

size_t find_part(BuiltinCall& call, const Line& line, size_t from, const Line& part) {
  for (size_t at = from; at + part.size() <= line.size(); ++at) {
    if (starts_at(call, line, at, part)) return at;
  }
  return kNowhere;
}

// A string or a sequence that is put together.
class Joined {
 public:
  explicit Joined(bool is_string) : is_string_(is_string) {}
  void add(const Line& line, size_t from, size_t count) {
    if (is_string_) {
      text_ += line.text.substr(from, count);
    } else {
      const auto part = line.items.subspan(from, count);
      items_.insert(items_.end(), part.begin(), part.end());
    }
  }
  void add(const Line& line) { add(line, 0, line.size()); }
  Value value(Heap& heap) const {
    return is_string_ ? string_value(text_) : make_tuple(heap, std::span<const Value>(items_));
  }

 private:
  bool is_string_;
  std::string text_;
  std::vector<Value> items_;
};

Value is_prefix(BuiltinCall& call) {
  const Line part = line_of(call, "IsPrefix", 0);
  const Line line = line_of(call, "IsPrefix", 1);
  need_alike("IsPrefix", part, line);
  return Value::boolean(starts_at(call, line, 0, part));
}

Value is_suffix(BuiltinCall& call) {
  const Line part = line_of(call, "IsSuffix", 0);
  const Line line = line_of(call, "IsSuffix", 1);
  need_alike("IsSuffix", part, line);
  return Value::boolean(part.size() <= line.size() &&
                        starts_at(call, line, line.size() - part.size(), part));
}

Value longest_common_prefix(BuiltinCall& call) {
  constexpr std::string_view kName = "LongestCommonPrefix";
  const Object* const set = need_finite_set(call, kName, 0);
  if (set->size == 0) fail("the argument of LongestCommonPrefix must not be empty");
  const Line first = line_of_value(call, kName, set->item(0));
  size_t length = first.size();
  for (const Value other : set->items()) {
    const Line line = line_of_value(call, kName, other);
    need_alike(kName, first, line);
    length = std::min(length, line.size());
    for (size_t i = 0; i < length; ++i) {
      if (!same_item(call, first, i, line, i)) length = i;
    }
  }
  Joined out(first.is_string);
  out.add(first, 0, length);
  return out.value(call.heap());
}

Value flatten(BuiltinCall& call) {
  const auto items = need_sequence(call, "FlattenSeq", 0)->items();
  if (items.empty()) return call[0];
  const Line first = line_of_value(call, "FlattenSeq", items[0]);
  Joined out(first.is_string);
  for (const Value item : items) {
    const Line line = line_of_value(call, "FlattenSeq", item);
    need_alike("FlattenSeq", first, line);
    out.add(line);
  }
  return out.value(call.heap());
}

Value index_first(BuiltinCall& call) {
  const Line part = line_of(call, "IndexFirstSubSeq", 0);
  const Line line = line_of(call, "IndexFirstSubSeq", 1);
  need_alike("IndexFirstSubSeq", part, line);
  const size_t at = find_part(call, line, 0, part);
  if (at == kNowhere) {
    fail("IndexFirstSubSeq: " + to_text(call[0]) + " is nowhere in " + to_text(call[1]));
  }
  return Value::small(static_cast<int64_t>(at) + 1);
}

// In call[2], what is call[1] by call[0]: once, or everywhere.
Value replace_parts(BuiltinCall& call, std::string_view name, bool everywhere) {
  const Line by = line_of(call, name, 0);
  const Line part = line_of(call, name, 1);
  const Line line = line_of(call, name, 2);
  need_alike(name, by, line);
  need_alike(name, part, line);
  Joined out(line.is_string);
  if (part.size() == 0) {
    // The empty sequence is in front of every element.
    if (!everywhere || line.size() == 0) out.add(by);
    for (size_t i = 0; i < line.size(); ++i) {
      if (everywhere) out.add(by);
      out.add(line, i, 1);
    }
    return out.value(call.heap());
  }
  size_t from = 0;
  for (;;) {
    const size_t at = find_part(call, line, from, part);
    if (at == kNowhere) break;
    out.add(line, from, at - from);
    out.add(by);
    from = at + part.size();
    if (!everywhere) break;
  }
  out.add(line, from, line.size() - from);
  return out.value(call.heap());
}

const Builtin kSubsequences[] = {
    {"IsPrefix", "00", true, is_prefix},
    {"IsSuffix", "00", true, is_suffix},
    {"LongestCommonPrefix", "0", true, longest_common_prefix},
    {"FlattenSeq", "0", true, flatten},
    {"IndexFirstSubSeq", "00", true, index_first},
    {"ReplaceFirstSubSeq", "000", true,
     [](BuiltinCall& call) { return replace_parts(call, "ReplaceFirstSubSeq", false); }},
    {"ReplaceAllSubSeqs", "000", true,
     [](BuiltinCall& call) { return replace_parts(call, "ReplaceAllSubSeqs", true); }},
};

}  // namespace

std::span<const Builtin> subsequences_operators() { return kSubsequences; }

}  // namespace ordeal::tla
