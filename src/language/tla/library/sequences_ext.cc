// SequencesExt and BagsExt. Where sequences are compared or cut, strings are sequences, too.
#include <algorithm>
#include <numeric>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

Value tuple_of(BuiltinCall& call, std::span<const Value> items) {
  return make_tuple(call.heap(), items);
}

// --- Between sets and sequences ------------------------------------------------------------------

Value set_to_seq(BuiltinCall& call) {
  return tuple_of(call, need_finite_set(call, "SetToSeq", 0)->items());
}

void check_number(std::string_view name, const BigInt& number) {
  if (number <= limit()) return;
  fail(std::string(name) + " would have " + number.str() + " elements: more than " +
       std::to_string(limit()) + " are not written out");
}

Value sequences_of(BuiltinCall& call, const Object* set, size_t length) {
  // Every choice of `length` places, the last changing fastest: the order of values.
  std::vector<Value> all;
  std::vector<Value> items(length);
  std::vector<char> taken(set->size, 0);
  const auto extend = [&](const auto& self, size_t at) -> void {
    if (at == length) {
      all.push_back(tuple_of(call, items));
      return;
    }
    for (uint32_t i = 0; i < set->size; ++i) {
      if (taken[i] != 0) continue;
      taken[i] = 1;
      items[at] = set->item(i);
      self(self, at + 1);
      taken[i] = 0;
    }
  };
  extend(extend, 0);
  return make_sorted_set(call.heap(), all);
}

Value set_to_seqs(BuiltinCall& call) {
  const Object* const set = need_finite_set(call, "SetToSeqs", 0);
  BigInt number = 1;
  for (uint32_t i = 2; i <= set->size && number <= limit(); ++i) number *= i;
  check_number("SetToSeqs", number);
  return sequences_of(call, set, set->size);
}

Value set_to_all_k_permutations(BuiltinCall& call) {
  const Object* const set = need_finite_set(call, "SetToAllKPermutations", 0);
  BigInt number = 1;
  BigInt of_length = 1;
  for (uint32_t i = 0; i < set->size && number <= limit(); ++i) {
    of_length *= set->size - i;
    number += of_length;
  }
  check_number("SetToAllKPermutations", number);
  std::vector<Value> all;
  for (size_t length = 0; length <= set->size; ++length) {
    const auto items = normal_set(call.heap(), sequences_of(call, set, length))->items();
    all.insert(all.end(), items.begin(), items.end());
  }
  return make_set(call.heap(), all);
}

Value set_to_sort_seq(BuiltinCall& call) {
  const Object* const set = need_finite_set(call, "SetToSortSeq", 0);
  std::vector<Value> items(set->items().begin(), set->items().end());
  sort_by(call, "SetToSortSeq", 1, items);
  return tuple_of(call, items);
}

Value to_bag(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const sequence = need_function(call, "ToBag", 0);
  std::vector<Value> items(sequence->items().begin(), sequence->items().end());
  for (Value& item : items) item = normal(heap, item);
  std::sort(items.begin(), items.end(), [&](Value a, Value b) { return compare(heap, a, b) < 0; });
  std::vector<Value> keys;
  std::vector<int64_t> counts;
  for (const Value item : items) {
    if (keys.empty() || !equal(heap, keys.back(), item)) {
      keys.push_back(item);
      counts.push_back(0);
    }
    ++counts.back();
  }
  std::vector<Value> numbers;
  for (const int64_t count : counts) numbers.push_back(Value::small(count));
  return make_function(heap, make_sorted_set(heap, keys).object(), numbers);
}

// --- Within a sequence ---------------------------------------------------------------------------

bool contains_item(BuiltinCall& call, const Object* sequence, Value wanted) {
  const auto items = sequence->items();
  return std::any_of(items.begin(), items.end(),
                     [&](Value item) { return equal(call.heap(), item, wanted); });
}

Value reversed(BuiltinCall& call) {
  const auto items = need_sequence(call, "Reverse", 0)->items();
  const std::vector<Value> out(items.rbegin(), items.rend());
  return tuple_of(call, out);
}

Value removed(BuiltinCall& call) {
  std::vector<Value> out;
  for (const Value item : need_sequence(call, "Remove", 0)->items()) {
    if (!equal(call.heap(), item, call[1])) out.push_back(item);
  }
  return tuple_of(call, out);
}

Value replaced(BuiltinCall& call) {
  std::vector<Value> out;
  for (const Value item : need_sequence(call, "ReplaceAll", 0)->items()) {
    out.push_back(equal(call.heap(), item, call[1]) ? call[2] : item);
  }
  return tuple_of(call, out);
}

Value is_sorted(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "IsSorted", 0);
  for (uint32_t i = 0; i < sequence->size; ++i) {
    for (uint32_t j = i + 1; j < sequence->size; ++j) {
      const Value pair[] = {sequence->item(i), sequence->item(j)};
      if (!call_predicate(call, "IsSorted", 1, pair)) return kFalse;
    }
  }
  return kTrue;
}

// The first or last place in first..last whose item satisfies the test; 0: none.
Value select_place(BuiltinCall& call, std::string_view name, size_t test, const Object* sequence,
                   int64_t first, int64_t last, bool backwards) {
  for (int64_t i = 0; i <= last - first; ++i) {
    const int64_t at = backwards ? last - i : first + i;
    const Value item = sequence->item(static_cast<uint32_t>(at - 1));
    if (call_predicate(call, name, test, std::span(&item, 1))) return Value::small(at);
  }
  return Value::small(0);
}

Value select_in_seq(BuiltinCall& call, std::string_view name, bool backwards) {
  const Object* const sequence = need_sequence(call, name, 0);
  return select_place(call, name, 1, sequence, 1, sequence->size, backwards);
}

Value select_in_sub_seq(BuiltinCall& call, std::string_view name, bool backwards) {
  const Object* const sequence = need_sequence(call, name, 0);
  const int64_t from = need_number(call, name, 1);
  const int64_t to = need_number(call, name, 2);
  if (from > to) return Value::small(0);
  for (const size_t at : {1, 2}) {
    const int64_t position = at == 1 ? from : to;
    if (position < 1 || position > sequence->size) {
      fail_argument(
          call, name, at,
          "a position in " + to_text(call[0]) + ", of length " + std::to_string(sequence->size));
    }
  }
  return select_place(call, name, 3, sequence, from, to, backwards);
}

Value replace_at(BuiltinCall& call) {
  return except(call.heap(), Value::of(need_function(call, "ReplaceAt", 0)), call[1], call[2]);
}

Value insert_at(BuiltinCall& call) {
  const auto items = need_sequence(call, "InsertAt", 0)->items();
  const int64_t at = need_number(call, "InsertAt", 1);
  if (at < 1 || at > static_cast<int64_t>(items.size()) + 1) {
    fail_argument(call, "InsertAt", 1,
                  "a position in 1.." + std::to_string(items.size() + 1) + ", where " +
                      to_text(call[0]) + " can be added to");
  }
  std::vector<Value> out(items.begin(), items.end());
  out.insert(out.begin() + (at - 1), call[2]);
  return tuple_of(call, out);
}

Value remove_first(BuiltinCall& call) {
  const auto items = need_sequence(call, "RemoveFirst", 0)->items();
  std::vector<Value> out(items.begin(), items.end());
  const auto at = std::find_if(out.begin(), out.end(),
                               [&](Value item) { return equal(call.heap(), item, call[1]); });
  if (at != out.end()) out.erase(at);
  return tuple_of(call, out);
}

Value remove_first_match(BuiltinCall& call) {
  const auto items = need_sequence(call, "RemoveFirstMatch", 0)->items();
  std::vector<Value> out(items.begin(), items.end());
  const auto at = std::find_if(out.begin(), out.end(), [&](Value item) {
    return call_predicate(call, "RemoveFirstMatch", 1, std::span(&item, 1));
  });
  if (at != out.end()) out.erase(at);
  return tuple_of(call, out);
}

Value last_of(BuiltinCall& call) {
  const Object* const sequence = need_sequence(call, "Last", 0);
  if (sequence->size == 0) fail("the argument of Last must not be the empty sequence");
  return sequence->item(sequence->size - 1);
}

Value zip(BuiltinCall& call) {
  const Object* const s = need_sequence(call, "Zip", 0);
  const Object* const t = need_sequence(call, "Zip", 1);
  std::vector<Value> out;
  for (uint32_t i = 0; i < std::min(s->size, t->size); ++i) {
    const Value pair[] = {s->item(i), t->item(i)};
    out.push_back(make_tuple(call.heap(), pair));
  }
  return tuple_of(call, out);
}

Value interleave(BuiltinCall& call) {
  const Object* const s = need_sequence(call, "Interleave", 0);
  const Object* const t = need_sequence(call, "Interleave", 1);
  if (s->size != t->size) fail("the arguments of Interleave must have the same length");
  std::vector<Value> out;
  for (uint32_t i = 0; i < s->size; ++i) {
    for (const Object* const from : {s, t}) {
      const Value item = from->item(i);
      out.push_back(make_tuple(call.heap(), std::span(&item, 1)));
    }
  }
  if (out.empty()) out.assign(2, make_tuple(call.heap(), {}));
  return tuple_of(call, out);
}

Value all_sub_seqs(BuiltinCall& call) {
  const auto items = need_sequence(call, "AllSubSeqs", 0)->items();
  check_number("AllSubSeqs", BigInt(1) << static_cast<unsigned>(items.size()));
  std::vector<Value> all;
  std::vector<Value> taken;
  for (uint64_t choice = 0; choice < uint64_t{1} << items.size(); ++choice) {
    taken.clear();
    for (size_t i = 0; i < items.size(); ++i) {
      if ((choice >> i & 1) != 0) taken.push_back(items[i]);
    }
    all.push_back(tuple_of(call, taken));
  }
  return make_set(call.heap(), all);
}

Value suffixes(BuiltinCall& call) {
  const auto items = need_sequence(call, "Suffixes", 0)->items();
  std::vector<Value> all;
  for (size_t at = 0; at <= items.size(); ++at) all.push_back(tuple_of(call, items.subspan(at)));
  return make_set(call.heap(), all);
}

// --- Folds ---------------------------------------------------------------------------------------

Value fold_left(BuiltinCall& call) {
  Value out = call[1];
  for (const Value item : need_sequence(call, "FoldLeft", 2)->items()) {
    out = call_with(call, 0, out, item);
  }
  return out;
}

Value fold_right(BuiltinCall& call) {
  const auto items = need_sequence(call, "FoldRight", 1)->items();
  Value out = call[2];
  for (size_t i = items.size(); i-- > 0;) out = call_with(call, 0, items[i], out);
  return out;
}

Value fold_left_domain(BuiltinCall& call) {
  const int64_t size = need_sequence(call, "FoldLeftDomain", 2)->size;
  Value out = call[1];
  for (int64_t i = 1; i <= size; ++i) out = call_with(call, 0, out, Value::small(i));
  return out;
}

Value fold_right_domain(BuiltinCall& call) {
  const int64_t size = need_sequence(call, "FoldRightDomain", 1)->size;
  Value out = call[2];
  for (int64_t i = size; i > 0; --i) out = call_with(call, 0, Value::small(i), out);
  return out;
}

Value fold_seq(BuiltinCall& call) {
  Value out = call[1];
  for (const Value item : need_function(call, "FoldSeq", 2)->items()) {
    out = call_with(call, 0, item, out);
  }
  return out;
}

const Builtin kSequencesExt[] = {
    {"ToSet", "0", true,
     [](BuiltinCall& call) {
       const auto items = need_function(call, "ToSet", 0)->items();
       std::vector<Value> out(items.begin(), items.end());
       return make_set(call.heap(), out);
     }},
    {"ToBag", "0", true, to_bag},
    {"SetToSeq", "0", true, set_to_seq},
    {"SetToSeqs", "0", true, set_to_seqs},
    {"SetToSortSeq", "02", true, set_to_sort_seq},
    {"SetToAllKPermutations", "0", true, set_to_all_k_permutations},
    {"Contains", "00", true,
     [](BuiltinCall& call) {
       return Value::boolean(contains_item(call, need_sequence(call, "Contains", 0), call[1]));
     }},
    {"IsSorted", "02", true, is_sorted},
    {"Reverse", "0", true, reversed},
    {"Remove", "00", true, removed},
    {"ReplaceAll", "000", true, replaced},
    {"SelectInSeq", "01", true,
     [](BuiltinCall& call) { return select_in_seq(call, "SelectInSeq", false); }},
    {"SelectLastInSeq", "01", true,
     [](BuiltinCall& call) { return select_in_seq(call, "SelectLastInSeq", true); }},
    {"SelectInSubSeq", "0001", true,
     [](BuiltinCall& call) { return select_in_sub_seq(call, "SelectInSubSeq", false); }},
    {"SelectLastInSubSeq", "0001", true,
     [](BuiltinCall& call) { return select_in_sub_seq(call, "SelectLastInSubSeq", true); }},
    {"InsertAt", "000", true, insert_at},
    {"ReplaceAt", "000", true, replace_at},
    {"RemoveFirst", "00", true, remove_first},
    {"RemoveFirstMatch", "01", true, remove_first_match},
    {"Last", "0", true, last_of},
    {"Suffixes", "0", true, suffixes},
    {"AllSubSeqs", "0", true, all_sub_seqs},
    {"Zip", "00", true, zip},
    {"Interleave", "00", true, interleave},
    {"FoldSeq", "200", true, fold_seq},
    {"FoldLeft", "200", true, fold_left},
    {"FoldRight", "200", true, fold_right},
    {"FoldLeftDomain", "200", true, fold_left_domain},
    {"FoldRightDomain", "200", true, fold_right_domain},
};

// --- BagsExt -------------------------------------------------------------------------------------

int64_t copies(std::string_view name, Value key, Value count) {
  if (!count.is_small() || count.number() <= 0) {
    fail("the last argument of " + std::string(name) +
         " must be a bag (a function to integers above 0), but has " + describe(count) + " at " +
         to_text(key));
  }
  return count.number();
}

constexpr int kAllCopies = -2;

Value single_set(Heap& heap, Value element) { return make_set(heap, std::span(&element, 1)); }

// op(…, element): as often as the element is in the bag.
Value fold_bag(BuiltinCall& call) {
  const Object* const bag = need_function(call, "FoldBag", 2);
  Value out = call[1];
  for (uint32_t i = 0; i < bag->size; ++i) {
    const Value key = key_at(bag, i);
    for (int64_t left = copies("FoldBag", key, bag->item(i)); left > 0; --left) {
      out = call_with(call, 0, out, key);
    }
  }
  return out;
}

Value map_then_fold_bag(BuiltinCall& call) {
  const Object* const bag = need_function(call, "MapThenFoldBag", 4);
  Value out = call[1];
  for (uint32_t i = bag->size; i-- > 0;) {
    const Value image = call_with(call, 2, key_at(bag, i));
    Value many = call[1];
    for (int64_t left = copies("MapThenFoldBag", key_at(bag, i), bag->item(i)); left > 0; --left) {
      many = call_with(call, 0, many, image);
    }
    out = call_with(call, 0, many, out);
  }
  return out;
}

// The bag with one copy more or less of an element, or without it.
Value change_bag(BuiltinCall& call, std::string_view name, int by) {
  Heap& heap = call.heap();
  const Object* const bag = need_function(call, name, 0);
  const Value count = find_item(heap, bag, call[1]);
  if (!count.defined()) {
    if (by <= 0) return Value::of(bag);
    const Value one = Value::small(1);
    const Object* const keys =
        normal_set(heap, set_cup(heap, Value::of(keys_of(heap, bag)), single_set(heap, call[1])));
    std::vector<Value> counts;
    uint32_t at = 0;
    for (const Value key : keys->items()) {
      counts.push_back(at < bag->size && equal(heap, key_at(bag, at), key) ? bag->item(at++) : one);
    }
    return make_function(heap, keys, counts);
  }
  if (by != kAllCopies && !count.is_integer()) copies(name, call[1], count);
  const Value changed = by == kAllCopies ? Value::small(0) : sum(heap, count, Value::small(by));
  if (by > 0 || compare(heap, changed, Value::small(0)) != 0) {
    return except(heap, Value::of(bag), call[1], changed);
  }
  std::vector<Value> keys;
  std::vector<Value> counts;
  for (uint32_t i = 0; i < bag->size; ++i) {
    if (equal(heap, key_at(bag, i), call[1])) continue;
    keys.push_back(key_at(bag, i));
    counts.push_back(bag->item(i));
  }
  return make_function(heap, make_sorted_set(heap, keys).object(), counts);
}

const Builtin kBagsExt[] = {
    {"BagAdd", "00", true, [](BuiltinCall& call) { return change_bag(call, "BagAdd", 1); }},
    {"BagRemove", "00", true, [](BuiltinCall& call) { return change_bag(call, "BagRemove", -1); }},
    {"BagRemoveAll", "00", true,
     [](BuiltinCall& call) { return change_bag(call, "BagRemoveAll", kAllCopies); }},
    {"FoldBag", "200", true, fold_bag},
    {"MapThenFoldBag", "20110", true, map_then_fold_bag},
};

}  // namespace

std::span<const Builtin> sequences_ext_operators() {
  static const std::vector<Builtin> all = [] {
    std::vector<Builtin> both(std::begin(kSequencesExt), std::end(kSequencesExt));
    const std::span<const Builtin> others = subsequences_operators();
    both.insert(both.end(), others.begin(), others.end());
    return both;
  }();
  return all;
}
std::span<const Builtin> bags_ext_operators() { return kBagsExt; }

}  // namespace ordeal::tla
