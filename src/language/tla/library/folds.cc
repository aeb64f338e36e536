// Folds, Functions and FiniteSetsExt: going through sets and functions, in the order of values.
#include <algorithm>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

[[noreturn]] void fail_number(std::string_view name, Value value) {
  fail(std::string(name) + " is about integers, but comes to " + describe(value));
}

void need_number_item(std::string_view name, Value value) {
  if (!value.is_integer()) fail_number(name, value);
}

// op(last, … op(first, base)): each element with what has come so far.
Value fold_set(BuiltinCall& call) {
  Value out = call[1];
  for_elements(call, "FoldSet", 2, [&](Value element) { out = call_with(call, 0, element, out); });
  return out;
}

Value reduce_set(BuiltinCall& call) {
  Value out = call[2];
  for_elements(call, "ReduceSet", 1,
               [&](Value element) { out = call_with(call, 0, element, out); });
  return out;
}

Value sum_set(BuiltinCall& call) {
  Value out = Value::small(0);
  for_elements(call, "SumSet", 0, [&](Value element) {
    need_number_item("SumSet", element);
    out = sum(call.heap(), out, element);
  });
  return out;
}

Value product_set(BuiltinCall& call) {
  Value out = Value::small(1);
  for_elements(call, "ProductSet", 0, [&](Value element) {
    need_number_item("ProductSet", element);
    out = product(call.heap(), out, element);
  });
  return out;
}

Value map_then_sum_set(BuiltinCall& call) {
  Value out = Value::small(0);
  for_elements(call, "MapThenSumSet", 1, [&](Value element) {
    const Value image = call_with(call, 0, element);
    need_number_item("MapThenSumSet", image);
    out = sum(call.heap(), out, image);
  });
  return out;
}

Value single(Heap& heap, Value element) { return make_set(heap, std::span(&element, 1)); }

// What is chosen first is what op is applied to last, as the definition has it.
Value map_then_fold_set(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* rest = need_finite_set(call, "MapThenFoldSet", 4);
  std::vector<Value> chosen;
  chosen.reserve(rest->size);
  while (rest->size > 0) {
    const Value one = call_with(call, 3, Value::of(rest));
    const Object* const less =
        normal_set(heap, set_minus(heap, Value::of(rest), single(heap, one)));
    if (less->size == rest->size) {
      fail("the fourth argument of MapThenFoldSet must choose an element of " +
           to_text(Value::of(rest)) + ", but gives " + describe(one));
    }
    chosen.push_back(one);
    rest = less;
  }
  Value out = call[1];
  for (size_t i = chosen.size(); i-- > 0;) {
    out = call_with(call, 0, call_with(call, 2, chosen[i]), out);
  }
  return out;
}

Value fold_function(BuiltinCall& call) {
  Value out = call[1];
  for (const Value item : need_function(call, "FoldFunction", 2)->items()) {
    out = call_with(call, 0, item, out);
  }
  return out;
}

Value fold_function_on_set(BuiltinCall& call) {
  const Object* const function = need_function(call, "FoldFunctionOnSet", 2);
  Value out = call[1];
  for_elements(call, "FoldFunctionOnSet", 3, [&](Value index) {
    out = call_with(call, 0, apply(call.heap(), Value::of(function), index), out);
  });
  return out;
}

Value sum_function(BuiltinCall& call) {
  Value out = Value::small(0);
  for (const Value item : need_function(call, "SumFunction", 0)->items()) {
    need_number_item("SumFunction", item);
    out = sum(call.heap(), out, item);
  }
  return out;
}

Value sum_function_on_set(BuiltinCall& call) {
  const Object* const function = need_function(call, "SumFunctionOnSet", 0);
  Value out = Value::small(0);
  for_elements(call, "SumFunctionOnSet", 1, [&](Value index) {
    const Value item = apply(call.heap(), Value::of(function), index);
    need_number_item("SumFunctionOnSet", item);
    out = sum(call.heap(), out, item);
  });
  return out;
}

// [x \in set |-> f[x]]
Value restricted(BuiltinCall& call, const Object* function, const Object* set) {
  std::vector<Value> items;
  items.reserve(set->size);
  for (const Value key : set->items()) {
    items.push_back(apply(call.heap(), Value::of(function), key));
  }
  return make_function(call.heap(), set, items);
}

Value restrict_to(BuiltinCall& call) {
  return restricted(call, need_function(call, "Restrict", 0), need_finite_set(call, "Restrict", 1));
}

Value restrict_if(BuiltinCall& call, std::string_view name, bool by_value) {
  const Object* const function = need_function(call, name, 0);
  std::vector<Value> keys;
  std::vector<Value> items;
  for (uint32_t i = 0; i < function->size; ++i) {
    const Value asked = by_value ? function->item(i) : key_at(function, i);
    if (!call_predicate(call, name, 1, std::span(&asked, 1))) continue;
    keys.push_back(key_at(function, i));
    items.push_back(function->item(i));
  }
  return make_function(call.heap(), make_sorted_set(call.heap(), keys).object(), items);
}

Value range_of(BuiltinCall& call) {
  const Object* const function = need_function(call, "Range", 0);
  std::vector<Value> items(function->items().begin(), function->items().end());
  return make_set(call.heap(), items);
}

Value pointwise(BuiltinCall& call) {
  const Object* const f = need_function(call, "Pointwise", 0);
  const Object* const g = need_function(call, "Pointwise", 1);
  std::vector<Value> items;
  for (uint32_t i = 0; i < f->size; ++i) {
    items.push_back(call_with(call, 2, f->item(i), apply(call.heap(), Value::of(g), key_at(f, i))));
  }
  return make_function(call.heap(), keys_of(call.heap(), f), items);
}

// For each element of `to` the first of `from` that the function maps to it; what nothing is mapped
// to gets the first of all, as CHOOSE says it.
Value inverse_of(BuiltinCall& call, const Object* function, const Object* from, const Object* to) {
  Heap& heap = call.heap();
  std::vector<Value> range(function->items().begin(), function->items().end());
  const Value images = make_set(heap, range);
  std::vector<Value> items;
  for (const Value target : to->items()) {
    const bool is_image = contains(heap, images, target);
    Value found;
    for (const Value source : from->items()) {
      if (is_image && !equal(heap, apply(heap, Value::of(function), source), target)) continue;
      found = source;
      break;
    }
    if (!found.defined()) {
      fail("Inverse: no element of " + to_text(Value::of(from)) + " is mapped to " +
           to_text(target));
    }
    items.push_back(found);
  }
  return make_function(heap, to, items);
}

Value inverse(BuiltinCall& call) {
  return inverse_of(call, need_function(call, "Inverse", 0), need_finite_set(call, "Inverse", 1),
                    need_finite_set(call, "Inverse", 2));
}

// The items of the function with their arguments, by item and then by argument.
std::vector<std::pair<Value, Value>> pairs_by_item(BuiltinCall& call, const Object* function) {
  std::vector<std::pair<Value, Value>> pairs;
  for (uint32_t i = 0; i < function->size; ++i) {
    pairs.emplace_back(normal(call.heap(), function->item(i)), key_at(function, i));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return compare(call.heap(), a.first, b.first) < 0;
  });
  return pairs;
}

Value anti_function(BuiltinCall& call) {
  std::vector<Value> keys;
  std::vector<Value> items;
  for (const auto& [item, key] : pairs_by_item(call, need_function(call, "AntiFunction", 0))) {
    if (!keys.empty() && equal(call.heap(), keys.back(), item)) continue;
    keys.push_back(item);
    items.push_back(key);
  }
  return make_function(call.heap(), make_sorted_set(call.heap(), keys).object(), items);
}

Value is_injective(BuiltinCall& call) {
  const auto pairs = pairs_by_item(call, need_function(call, "IsInjective", 0));
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (equal(call.heap(), pairs[i - 1].first, pairs[i].first)) return kFalse;
  }
  return kTrue;
}

Value extreme(BuiltinCall& call, std::string_view name, int sign) {
  Value out;
  for_elements(call, name, 0, [&](Value element) {
    if (!element.is_integer()) {
      fail("the argument of " + std::string(name) + " must be a set of integers, but has " +
           describe(element) + " in it");
    }
    if (!out.defined() || compare(call.heap(), element, out) * sign > 0) out = element;
  });
  if (!out.defined()) fail("the argument of " + std::string(name) + " must not be empty");
  return out;
}

Value quantify(BuiltinCall& call) {
  int64_t count = 0;
  for_elements(call, "Quantify", 0, [&](Value element) {
    if (call_predicate(call, "Quantify", 1, std::span(&element, 1))) ++count;
  });
  return Value::small(count);
}

Value subsets_of_size(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const set = need_finite_set(call, "kSubset", 1);
  need_integer(call, "kSubset", 0);
  if (compare(heap, call[0], Value::small(0)) < 0 ||
      compare(heap, call[0], Value::small(set->size)) > 0) {
    return empty_set();
  }
  const auto size = static_cast<size_t>(call[0].number());
  BigInt number = 1;
  for (size_t i = 0; i < size; ++i) number = number * (set->size - i) / (i + 1);
  if (number > limit()) {
    fail("kSubset would have " + number.str() + " elements: more than " + std::to_string(limit()) +
         " are not written out");
  }
  // The places of the elements, counted up from the right: the order of values.
  std::vector<uint32_t> at(size);
  for (size_t i = 0; i < size; ++i) at[i] = static_cast<uint32_t>(i);
  std::vector<Value> all;
  std::vector<Value> items(size);
  for (;;) {
    for (size_t i = 0; i < size; ++i) items[i] = set->item(at[i]);
    all.push_back(make_sorted_set(heap, items));
    size_t i = size;
    while (i > 0 && at[i - 1] == set->size - size + i - 1) --i;
    if (i == 0) break;
    ++at[i - 1];
    for (size_t j = i; j < size; ++j) at[j] = at[j - 1] + 1;
  }
  return make_sorted_set(heap, all);
}

const Builtin kFolds[] = {{"MapThenFoldSet", "20110", true, map_then_fold_set}};

const Builtin kFunctions[] = {
    {"Restrict", "00", true, restrict_to},
    {"RestrictDomain", "01", true,
     [](BuiltinCall& call) { return restrict_if(call, "RestrictDomain", false); }},
    {"RestrictValues", "01", true,
     [](BuiltinCall& call) { return restrict_if(call, "RestrictValues", true); }},
    {"Range", "0", true, range_of},
    {"Pointwise", "002", true, pointwise},
    {"Inverse", "000", true, inverse},
    {"AntiFunction", "0", true, anti_function},
    {"IsInjective", "0", true, is_injective},
    {"FoldFunction", "200", true, fold_function},
    {"FoldFunctionOnSet", "2000", true, fold_function_on_set},
    {"SumFunction", "0", true, sum_function},
    {"SumFunctionOnSet", "00", true, sum_function_on_set},
};

const Builtin kFiniteSetsExt[] = {
    {"FoldSet", "200", true, fold_set},
    {"ReduceSet", "200", true, reduce_set},
    {"SumSet", "0", true, sum_set},
    {"ProductSet", "0", true, product_set},
    {"MapThenSumSet", "10", true, map_then_sum_set},
    {"Quantify", "01", true, quantify},
    {"kSubset", "00", true, subsets_of_size},
    {"Max", "0", true, [](BuiltinCall& call) { return extreme(call, "Max", 1); }},
    {"Min", "0", true, [](BuiltinCall& call) { return extreme(call, "Min", -1); }},
};

}  // namespace

std::span<const Builtin> folds_operators() { return kFolds; }
std::span<const Builtin> functions_operators() { return kFunctions; }
std::span<const Builtin> finite_sets_ext_operators() { return kFiniteSetsExt; }

}  // namespace ordeal::tla
