// Bags: functions to how often something is in them.
#include <algorithm>
#include <utility>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

constexpr Value kZero = Value::from_word(1);  // the integer 0
static_assert(kZero.is_small());

bool is_positive(Heap& heap, Value value) {
  return value.is_integer() && compare(heap, value, kZero) > 0;
}

bool is_bag(Heap& heap, Value value) {
  if (!is_function(value)) return false;
  const Object* const function = normal_function(heap, value);
  for (const Value count : function->items()) {
    if (!is_positive(heap, count)) return false;
  }
  return true;
}

const Object* need_bag(BuiltinCall& call, std::string_view name, size_t at) {
  if (!is_bag(call.heap(), call[at])) {
    fail_argument(call, name, at, "a bag (a function to integers above 0)");
  }
  return normal_function(call.heap(), call[at]);
}

Value bag_of(Heap& heap, std::vector<Value>& keys, std::span<const Value> counts) {
  return make_function(heap, make_sorted_set(heap, keys).object(), counts);
}

// Both domains in their order; `take` has the key and both counts, 0 where it is not there.
template <class Take>
void merge_bags(Heap& heap, const Object* a, const Object* b, Take take) {
  uint32_t i = 0;
  uint32_t j = 0;
  while (i < a->size || j < b->size) {
    int order = 0;
    if (i == a->size) {
      order = 1;
    } else if (j == b->size) {
      order = -1;
    } else {
      order = compare(heap, key_at(a, i), key_at(b, j));
    }
    const Value key = order <= 0 ? key_at(a, i) : key_at(b, j);
    const Value in_a = order <= 0 ? a->item(i++) : kZero;
    const Value in_b = order >= 0 ? b->item(j++) : kZero;
    take(key, in_a, in_b);
  }
}

Value bag_cup(Heap& heap, const Object* a, const Object* b) {
  std::vector<Value> keys;
  std::vector<Value> counts;
  merge_bags(heap, a, b, [&](Value key, Value in_a, Value in_b) {
    keys.push_back(key);
    counts.push_back(sum(heap, in_a, in_b));
  });
  return bag_of(heap, keys, counts);
}

Value bag_minus(BuiltinCall& call) {
  const Object* const a = need_bag(call, "\\ominus", 0);
  const Object* const b = need_bag(call, "\\ominus", 1);
  std::vector<Value> keys;
  std::vector<Value> counts;
  merge_bags(call.heap(), a, b, [&](Value key, Value in_a, Value in_b) {
    if (compare(call.heap(), in_a, in_b) <= 0) return;
    keys.push_back(key);
    counts.push_back(difference(call.heap(), in_a, in_b));
  });
  return bag_of(call.heap(), keys, counts);
}

Value is_subbag(BuiltinCall& call) {
  const Object* const a = need_bag(call, "\\sqsubseteq", 0);
  const Object* const b = need_bag(call, "\\sqsubseteq", 1);
  bool is = true;
  merge_bags(call.heap(), a, b, [&](Value, Value in_a, Value in_b) {
    is = is && compare(call.heap(), in_a, in_b) <= 0;
  });
  return Value::boolean(is);
}

Value bag_cardinality(BuiltinCall& call) {
  Value total = kZero;
  for (const Value count : need_bag(call, "BagCardinality", 0)->items()) {
    total = sum(call.heap(), total, count);
  }
  return total;
}

Value copies_in(BuiltinCall& call) {
  const Value count = find_item(call.heap(), need_bag(call, "CopiesIn", 1), call[0]);
  return count.defined() ? count : kZero;
}

Value set_to_bag(BuiltinCall& call) {
  const Object* const set = need_finite_set(call, "SetToBag", 0);
  const std::vector<Value> ones(set->size, Value::small(1));
  return make_function(call.heap(), set, ones);
}

Value bag_union(BuiltinCall& call) {
  Value out = make_tuple(call.heap(), std::span<const Value>());
  for (const Value bag : need_finite_set(call, "BagUnion", 0)->items()) {
    if (!is_bag(call.heap(), bag)) {
      fail("the argument of BagUnion must be a set of bags, but has " + describe(bag) + " in it");
    }
    out = bag_cup(call.heap(), out.object(), normal_function(call.heap(), bag));
  }
  return out;
}

// Every choice of 0 to as many copies as there are, of each element.
Value sub_bags(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const bag = need_bag(call, "SubBag", 0);
  BigInt number = 1;
  for (const Value count : bag->items()) number *= big(count) + 1;
  if (number > limit()) {
    fail("SubBag(" + to_text(call[0]) + ") would have " + number.str() + " elements: more than " +
         std::to_string(limit()) + " are not written out");
  }
  std::vector<int64_t> taken(bag->size, 0);
  std::vector<Value> all;
  for (;;) {
    std::vector<Value> keys;
    std::vector<Value> counts;
    for (uint32_t i = 0; i < bag->size; ++i) {
      if (taken[i] == 0) continue;
      keys.push_back(key_at(bag, i));
      counts.push_back(Value::small(taken[i]));
    }
    all.push_back(bag_of(heap, keys, counts));
    uint32_t at = 0;
    while (at < bag->size && taken[at] == bag->item(at).number()) taken[at++] = 0;
    if (at == bag->size) break;
    ++taken[at];
  }
  return make_set(heap, all);
}

Value bag_of_all(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Object* const bag = need_bag(call, "BagOfAll", 1);
  std::vector<std::pair<Value, Value>> images;
  for (uint32_t i = 0; i < bag->size; ++i) {
    const Value key = key_at(bag, i);
    images.emplace_back(normal(heap, call.call(0, std::span(&key, 1))), bag->item(i));
  }
  std::sort(images.begin(), images.end(),
            [&](const auto& a, const auto& b) { return compare(heap, a.first, b.first) < 0; });
  std::vector<Value> keys;
  std::vector<Value> counts;
  for (const auto& [key, count] : images) {
    if (!keys.empty() && equal(heap, keys.back(), key)) {
      counts.back() = sum(heap, counts.back(), count);
    } else {
      keys.push_back(key);
      counts.push_back(count);
    }
  }
  return bag_of(heap, keys, counts);
}

const Builtin kBags[] = {
    {"IsABag", "0", true,
     [](BuiltinCall& call) { return Value::boolean(is_bag(call.heap(), call[0])); }},
    {"BagToSet", "0", true,
     [](BuiltinCall& call) {
       return domain(call.heap(), Value::of(need_bag(call, "BagToSet", 0)));
     }},
    {"SetToBag", "0", true, set_to_bag},
    {"BagIn", "00", true,
     [](BuiltinCall& call) {
       return Value::boolean(find_item(call.heap(), need_bag(call, "BagIn", 1), call[0]).defined());
     }},
    {"EmptyBag", "", true,
     [](BuiltinCall& call) { return make_tuple(call.heap(), std::span<const Value>()); }},
    {"\\oplus", "00", true,
     [](BuiltinCall& call) {
       return bag_cup(call.heap(), need_bag(call, "\\oplus", 0), need_bag(call, "\\oplus", 1));
     }},
    {"\\ominus", "00", true, bag_minus},
    {"BagUnion", "0", true, bag_union},
    {"\\sqsubseteq", "00", true, is_subbag},
    {"SubBag", "0", true, sub_bags},
    {"BagOfAll", "10", true, bag_of_all},
    {"BagCardinality", "0", true, bag_cardinality},
    {"CopiesIn", "00", true, copies_in},
};

}  // namespace

std::span<const Builtin> bags_operators() { return kBags; }

}  // namespace ordeal::tla
