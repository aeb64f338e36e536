// TLCExt and Randomization.
#include <algorithm>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

Value assert_equal(BuiltinCall& call) {
  if (equal(call.heap(), call[0], call[1])) return kTrue;
  call.host().print("Assertion failed");
  call.host().print(to_text(call[0]));
  call.host().print(to_text(call[1]));
  return kFalse;
}

// Whether the second argument, which the text of the module made an operator, fails with that
// message.
Value assert_error(BuiltinCall& call) {
  const std::string& expected = need_string(call, "AssertError", 0);
  try {
    call_with(call, 1, kTrue);
  } catch (const EvalError& error) {
    return Value::boolean(error.message == expected);
  }
  return kFalse;
}

Value stored(BuiltinCall& call, Value key, Value otherwise) {
  const Value value = call.host().get(call.heap(), key);
  return value.defined() ? value : otherwise;
}

Value get_and_set(BuiltinCall& call) {
  Heap& heap = call.heap();
  const Value before = stored(call, call[0], call[3]);
  const Value after = call_with(call, 1, before, call[2]);
  call.host().set(deep_normal(heap, call[0]), deep_normal(heap, after));
  return before;
}

Value trace_of_run(BuiltinCall& call) {
  const Value trace = call.host().get(call.heap(), string_value("trace"));
  if (trace.defined()) return trace;
  fail("Trace is not known here: a search does not remember how it came to a state");
}

Value no_counterexample(BuiltinCall& call) {
  const Value known = call.host().get(call.heap(), string_value("counterexample"));
  if (known.defined()) return known;
  const Value names[] = {string_value("action"), string_value("state")};
  const Value none[] = {empty_set(), empty_set()};
  return make_record(call.heap(), names, none);
}

const Builtin kTlcExt[] = {
    {"AssertEq", "00", false, assert_equal},
    {"_AssertError", "01", false, assert_error},
    {"TLCGetOrDefault", "00", false,
     [](BuiltinCall& call) { return stored(call, call[0], call[1]); }},
    {"TLCGetAndSet", "0200", false, get_and_set},
    {"Trace", "", false, trace_of_run},
    {"CounterExample", "", false, no_counterexample},
    {"TLCModelValue", "0", true,
     [](BuiltinCall& call) { return model_value(need_string(call, "TLCModelValue", 0)); }},
    {"TLCNoOp", "0", true, [](BuiltinCall& call) { return call[0]; }},
    {"TLCFP", "0", true,
     [](BuiltinCall& call) {
       const Value value = deep_normal(call.heap(), call[0]);
       return Value::small(static_cast<int32_t>(hash(call.heap(), value)));
     }},
    {"TLCEvalDefinition", "0", true,
     [](BuiltinCall& call) -> Value {
       fail("TLCEvalDefinition(" + to_text(call[0]) +
            ") is not known here: definitions are compiled before anything is evaluated");
     }},
};

// --- Randomization -------------------------------------------------------------------------------

// A subset with so many elements, each with the same probability.
Value random_subset_of(BuiltinCall& call, Value set, uint64_t size, std::string_view name) {
  Heap& heap = call.heap();
  const BigInt all = cardinality(heap, set);
  if (all <= size) return Value::of(normal_set(heap, set));
  std::vector<Value> taken;
  if (all <= limit() && all <= BigInt(size) * 64) {
    const auto items = normal_set(heap, set)->items();
    std::vector<Value> rest(items.begin(), items.end());
    for (uint64_t i = 0; i < size; ++i) {
      std::swap(rest[i], rest[i + call.host().random(rest.size() - i)]);
    }
    taken.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
    return make_set(heap, taken);
  }
  // Drawn until there are enough: of many elements few come twice.
  const Object* out = normal_set(heap, empty_set());
  while (out->size < size) {
    taken.assign(out->items().begin(), out->items().end());
    for (uint64_t i = out->size; i < size; ++i) taken.push_back(random_element(call, set, name));
    out = normal_set(heap, make_set(heap, taken));
  }
  return Value::of(out);
}

uint64_t need_size(BuiltinCall& call, std::string_view name, size_t at) {
  const auto size = static_cast<uint64_t>(need_count(call, name, at));
  if (size > limit()) {
    fail_argument(call, name, at, "at most " + std::to_string(limit()));
  }
  return size;
}

Value random_subset(BuiltinCall& call) {
  const uint64_t size = need_size(call, "RandomSubset", 0);
  const Value set = need_set(call, "RandomSubset", 1);
  if (!is_enumerable(set)) fail_argument(call, "RandomSubset", 1, "a finite set");
  return random_subset_of(call, set, size, "RandomSubset");
}

// So many times a subset in which each element is with the probability part / whole.
Value random_subsets(BuiltinCall& call, uint64_t count, const Object* set, uint64_t part,
                     uint64_t whole) {
  std::vector<Value> all;
  std::vector<Value> taken;
  for (uint64_t i = 0; i < count; ++i) {
    taken.clear();
    for (const Value element : set->items()) {
      if (call.host().random(whole) < part) taken.push_back(element);
    }
    all.push_back(make_sorted_set(call.heap(), taken));
  }
  return make_set(call.heap(), all);
}

uint64_t need_number_of_subsets(BuiltinCall& call, std::string_view name, const Object* set) {
  const uint64_t count = need_size(call, name, 0);
  if (set->size < 64 && count > uint64_t{1} << set->size) {
    fail_argument(call, name, 0,
                  "at most 2^" + std::to_string(set->size) + ", the number of subsets");
  }
  return count;
}

Value random_set_of_subsets(BuiltinCall& call, std::string_view name) {
  const Object* const set = need_finite_set(call, name, 2);
  const uint64_t count = need_number_of_subsets(call, name, set);
  const auto size = static_cast<uint64_t>(need_count(call, name, 1));
  if (size > set->size) {
    fail_argument(call, name, 1,
                  "at most " + std::to_string(set->size) + ", the number of elements");
  }
  return random_subsets(call, count, set, size, std::max<uint64_t>(set->size, 1));
}

Value test_random_set_of_subsets(BuiltinCall& call) {
  std::vector<Value> sizes;
  for (int i = 0; i < 5; ++i) {
    const Value sets = random_set_of_subsets(call, "TestRandomSetOfSubsets");
    sizes.push_back(cardinality_value(call.heap(), sets));
  }
  return make_tuple(call.heap(), std::span<const Value>(sizes));
}

// "0.25" as a fraction.
Value random_subset_set(BuiltinCall& call) {
  constexpr std::string_view kName = "RandomSubsetSet";
  const Object* const set = need_finite_set(call, kName, 2);
  const uint64_t count = need_number_of_subsets(call, kName, set);
  const std::string& text = need_string(call, kName, 1);
  uint64_t part = 0;
  uint64_t whole = 1;
  bool point = false;
  bool fits = !text.empty() && text.size() < 18;
  for (const char c : text) {
    fits = fits && (c == '.' ? !point : c >= '0' && c <= '9');
    if (c == '.') {
      point = true;
    } else if (fits) {
      part = part * 10 + static_cast<uint64_t>(c - '0');
      if (point) whole *= 10;
    }
  }
  if (!fits || part > whole) {
    fail_argument(call, kName, 1, "a string with a probability, such as \"0.25\"");
  }
  return random_subsets(call, count, set, part, whole);
}

const Builtin kRandomization[] = {
    {"RandomSubset", "00", false, random_subset},
    {"RandomSetOfSubsets", "000", false,
     [](BuiltinCall& call) { return random_set_of_subsets(call, "RandomSetOfSubsets"); }},
    {"TestRandomSetOfSubsets", "000", false, test_random_set_of_subsets},
    {"RandomSubsetSet", "000", false, random_subset_set},
};

}  // namespace

std::span<const Builtin> tlc_ext_operators() { return kTlcExt; }
std::span<const Builtin> randomization_operators() { return kRandomization; }

}  // namespace ordeal::tla
