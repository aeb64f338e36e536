// Sequences and FiniteSets. As in TLC, strings have a length, can be put together and cut.
#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

// A sequence, or a string, which then is none.
const Object* sequence_or_string(BuiltinCall& call, std::string_view name, size_t at) {
  return call[at].is_string() ? nullptr : need_sequence(call, name, at);
}

const std::string& text_of(const BuiltinCall& call, size_t at) {
  return atom_text(call[at].atom());
}

[[noreturn]] void fail_empty(std::string_view name) {
  fail("the argument of " + std::string(name) + " must not be the empty sequence");
}

Value length(BuiltinCall& call) {
  if (call[0].is(ObjectKind::kTuple)) return Value::small(call[0].object()->size);
  const Object* const sequence = sequence_or_string(call, "Len", 0);
  if (sequence == nullptr) return Value::small(static_cast<int64_t>(text_of(call, 0).size()));
  return Value::small(sequence->size);
}

void copy_items(std::span<const Value> from, Value* to) {
  if (!from.empty()) std::memcpy(static_cast<void*>(to), from.data(), from.size_bytes());
}

Value concatenate(BuiltinCall& call) {
  const Object* const first = sequence_or_string(call, "\\o", 0);
  const Object* const second = sequence_or_string(call, "\\o", 1);
  if (first == nullptr && second == nullptr) {
    return string_value(text_of(call, 0) + text_of(call, 1));
  }
  if (first == nullptr) fail_argument(call, "\\o", 1, "a string like the left one");
  if (second == nullptr) fail_argument(call, "\\o", 1, "a sequence like the left one");
  const std::span<const Value> after = second->items();
  if (after.empty()) return call[0];
  if (first->size == 0) return Value::of(second);
  const uint64_t size = uint64_t{first->size} + after.size();
  if (size > UINT32_MAX) fail("a sequence would have more than 4294967295 elements");
  Object* const out = make_object(call.heap(), ObjectKind::kTuple, static_cast<uint32_t>(size));
  copy_items(first->items(), out->data());
  copy_items(after, out->data() + first->size);
  return Value::of(out);
}

Value append(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "Append", 0);
  Object* const out = make_object(call.heap(), ObjectKind::kTuple, sequence->size + 1);
  copy_items(sequence->items(), out->data());
  out->data()[sequence->size] = call[1];
  return Value::of(out);
}

Value head(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "Head", 0);
  if (sequence->size == 0) fail_empty("Head");
  return sequence->item(0);
}

Value tail(BuiltinCall& call) {
  const Object* const sequence = sequence_or_string(call, "Tail", 0);
  if (sequence == nullptr) {
    if (text_of(call, 0).empty()) fail_empty("Tail");
    return string_value(text_of(call, 0).substr(1));
  }
  if (sequence->size == 0) fail_empty("Tail");
  return make_tuple(call.heap(), sequence->items().subspan(1));
}

Value part(BuiltinCall& call) {
  const Object* const sequence = sequence_or_string(call, "SubSeq", 0);
  // Nothing is between them, whatever size they have.
  if (compare(call.heap(), need_integer(call, "SubSeq", 1), need_integer(call, "SubSeq", 2)) > 0) {
    return sequence == nullptr ? string_value("") : make_tuple(call.heap(), {});
  }
  const int64_t from = need_number(call, "SubSeq", 1);
  const int64_t to = need_number(call, "SubSeq", 2);
  const int64_t size = sequence == nullptr ? static_cast<int64_t>(text_of(call, 0).size())
                                           : static_cast<int64_t>(sequence->size);
  for (const size_t at : {1, 2}) {
    const int64_t position = at == 1 ? from : to;
    if (position < 1 || position > size) {
      fail_argument(call, "SubSeq", at,
                    "a position in " + to_text(call[0]) + ", of length " + std::to_string(size));
    }
  }
  const auto begin = static_cast<size_t>(from - 1);
  const auto count = static_cast<size_t>(to - from + 1);
  if (sequence == nullptr) return string_value(text_of(call, 0).substr(begin, count));
  return make_tuple(call.heap(), sequence->items().subspan(begin, count));
}

Value select(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "SelectSeq", 0);
  std::vector<Value> taken;
  for (const Value item : sequence->items()) {
    if (call_predicate(call, "SelectSeq", 1, std::span(&item, 1))) taken.push_back(item);
  }
  return make_tuple(call.heap(), std::span<const Value>(taken));
}

const Builtin kSequences[] = {
    {"Seq", "0", true,
     [](BuiltinCall& call) {
       return make_lazy_set(call.heap(), ObjectKind::kSequences, need_set(call, "Seq", 0));
     }},
    {"Len", "0", true, length},
    {"\\o", "00", true, concatenate},
    {"Append", "00", true, append},
    {"Head", "0", true, head},
    {"Tail", "0", true, tail},
    {"SubSeq", "000", true, part},
    {"SelectSeq", "01", true, select},
};

const Builtin kFiniteSets[] = {
    {"IsFiniteSet", "0", true,
     [](BuiltinCall& call) {
       return Value::boolean(is_enumerable(need_set(call, "IsFiniteSet", 0)));
     }},
    {"Cardinality", "0", true,
     [](BuiltinCall& call) {
       const Value set = need_set(call, "Cardinality", 0);
       if (!is_enumerable(set)) fail_argument(call, "Cardinality", 0, "a finite set");
       return cardinality_value(call.heap(), set);
     }},
};

}  // namespace

std::span<const Builtin> sequences_operators() { return kSequences; }
std::span<const Builtin> finite_sets_operators() { return kFiniteSets; }

}  // namespace ordeal::tla
