// The module TLC.
#include <algorithm>
#include <chrono>
#include <numeric>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

Value assert_that(BuiltinCall& call) {
  if (need_boolean(call, "Assert", 0)) return kTrue;
  fail("Assert failed: " + (call[1].is_string() ? atom_text(call[1].atom()) : to_text(call[1])));
}

Value get_value(BuiltinCall& call) {
  if (call[0].is_string() && atom_text(call[0].atom()) == "level") {
    return Value::small(call.level());
  }
  const Value value = call.host().get(call.heap(), call[0]);
  if (value.defined()) return value;
  fail("TLCGet(" + to_text(call[0]) + ") has no value: " +
       (call[0].is_string() ? "there is no such figure of a run"
                            : "nothing was stored there with TLCSet"));
}

Value set_value(BuiltinCall& call) {
  const auto named = [&] {
    const std::string_view name = atom_text(call[0].atom());
    return name == "exit" || name == "pause" || name.starts_with("s:") || name.starts_with("-D");
  };
  const bool number = call[0].is_small() && call[0].number() >= 0;
  if (!number && !(call[0].is_string() && named())) {
    fail_argument(call, "TLCSet", 0, "an integer of at least 0, or a string that begins with s:");
  }
  call.host().set(deep_normal(call.heap(), call[0]), deep_normal(call.heap(), call[1]));
  return kTrue;
}

Value single_function(BuiltinCall& call) {
  const Value key = call[0];
  return make_function(call.heap(), make_sorted_set(call.heap(), std::span(&key, 1)).object(),
                       call.arguments().subspan(1));
}

// f @@ g: where both have a value, that of f.
Value combine_functions(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const f = need_function(call, "@@", 0);
  const Object* const g = need_function(call, "@@", 1);
  if (g->size == 0) return Value::of(f);
  if (f->size == 0) return Value::of(g);
  const uint32_t most = f->size + g->size;
  auto* const keys = static_cast<Value*>(heap.allocate(most * sizeof(Value)));
  auto* const items = static_cast<Value*>(heap.allocate(most * sizeof(Value)));
  uint32_t i = 0;
  uint32_t j = 0;
  size_t count = 0;
  while (i < f->size || j < g->size) {
    int order = i == f->size ? 1 : -1;
    if (i < f->size && j < g->size) order = compare(heap, key_at(f, i), key_at(g, j));
    keys[count] = order <= 0 ? key_at(f, i) : key_at(g, j);
    items[count++] = order <= 0 ? f->item(i) : g->item(j);
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  const Object* const domain = count == f->size && f->kind == ObjectKind::kFunction
                                   ? f->keys
                                   : make_sorted_set(heap, std::span(keys, count)).object();
  return make_function(heap, domain, std::span<const Value>(items, count));
}

Value permutations(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const set = need_finite_set(call, "Permutations", 0);
  uint64_t number = 1;
  for (uint64_t i = 2; i <= set->size; ++i) {
    number *= i;
    if (number <= limit()) continue;
    fail("Permutations of a set of " + std::to_string(set->size) + " elements: more than " +
         std::to_string(limit()) + " are not written out");
  }
  std::vector<uint32_t> order(set->size);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Value> all;
  std::vector<Value> items(set->size);
  do {
    for (uint32_t i = 0; i < set->size; ++i) items[i] = set->item(order[i]);
    all.push_back(make_function(heap, set, items));
  } while (std::next_permutation(order.begin(), order.end()));
  return make_sorted_set(heap, all);
}

Value sort_sequence(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "SortSeq", 0);
  std::vector<Value> items(sequence->items().begin(), sequence->items().end());
  sort_by(call, "SortSeq", 1, items);
  return make_tuple(call.heap(), std::span<const Value>(items));
}

Value seconds(BuiltinCall&) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t count = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return Value::small(count & 0x7fffffff);
}

const Builtin kTlc[] = {
    {"Print", "00", false,
     [](BuiltinCall& call) {
       call.host().print(to_text(call[0]) + "  " + to_text(call[1]));
       return call[1];
     }},
    {"PrintT", "0", false,
     [](BuiltinCall& call) {
       call.host().print(to_text(call[0]));
       return kTrue;
     }},
    {"Assert", "00", true, assert_that},
    {"JavaTime", "", false, seconds},
    {"TLCGet", "0", false, get_value},
    {"TLCSet", "00", false, set_value},
    {":>", "00", true, single_function},
    {"@@", "00", true, combine_functions},
    {"Permutations", "0", true, permutations},
    {"SortSeq", "02", true, sort_sequence},
    {"RandomElement", "0", false,
     [](BuiltinCall& call) {
       return random_element(call, need_set(call, "RandomElement", 0), "RandomElement");
     }},
    {"Any", "", true, [](BuiltinCall&) { return make_infinite(Infinite::kAnything); }},
    {"ToString", "0", true, [](BuiltinCall& call) { return string_value(to_text(call[0])); }},
    {"TLCEval", "0", true,
     [](BuiltinCall& call) {
       const Value value = call[0];
       return is_set(value) && !is_enumerable(value) ? value : deep_normal(call.heap(), value);
     }},
};

}  // namespace

std::span<const Builtin> tlc_operators() { return kTlc; }

}  // namespace ordeal::tla
