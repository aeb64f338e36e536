#include "language/tla/library/arguments.h"

#include <algorithm>
#include <array>

namespace ordeal::tla {

std::string argument_name(std::string_view name, size_t at, size_t count) {
  static constexpr std::array<const char*, 6> kOrdinals = {"first",  "second", "third",
                                                           "fourth", "fifth",  "sixth"};
  const char first = name.empty() ? '_' : name.front();
  const bool word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  if (!word && count == 2) {
    return std::string(at == 0 ? "the left side of " : "the right side of ") + std::string(name);
  }
  const std::string of = "argument of " + std::string(name == "-." ? "-" : name);
  if (count == 1) return "the " + of;
  return std::string("the ") + (at < kOrdinals.size() ? kOrdinals[at] : "last") + " " + of;
}

void fail_argument(const BuiltinCall& call, std::string_view name, size_t at,
                   std::string_view wanted) {
  fail(argument_name(name, at, call.size()) + " must be " + std::string(wanted) + ", but is " +
       describe(call[at]));
}

Value need_integer(const BuiltinCall& call, std::string_view name, size_t at) {
  const Value value = call[at];
  if (!value.is_integer()) fail_argument(call, name, at, "an integer");
  return value;
}

int64_t need_number(const BuiltinCall& call, std::string_view name, size_t at) {
  const Value value = call[at];
  if (value.is_small()) return value.number();
  return to_int64(value, argument_name(name, at, call.size()));
}

int64_t need_count(const BuiltinCall& call, std::string_view name, size_t at, int64_t least) {
  const int64_t count = need_number(call, name, at);
  if (count < least) {
    fail_argument(call, name, at, "an integer of at least " + std::to_string(least));
  }
  return count;
}

bool need_boolean(const BuiltinCall& call, std::string_view name, size_t at) {
  if (!call[at].is_bool()) fail_argument(call, name, at, "a boolean");
  return call[at].truth();
}

const std::string& need_string(const BuiltinCall& call, std::string_view name, size_t at) {
  if (!call[at].is_string()) fail_argument(call, name, at, "a string");
  return atom_text(call[at].atom());
}

Value need_set(const BuiltinCall& call, std::string_view name, size_t at) {
  if (!is_set(call[at])) fail_argument(call, name, at, "a set");
  return call[at];
}

const Object* need_finite_set(BuiltinCall& call, std::string_view name, size_t at) {
  const Value set = need_set(call, name, at);
  if (!is_enumerable(set)) fail_argument(call, name, at, "a finite set");
  return normal_set(call.heap(), set);
}

const Object* need_function(BuiltinCall& call, std::string_view name, size_t at) {
  if (!is_function(call[at])) fail_argument(call, name, at, "a function");
  return normal_function(call.heap(), call[at]);
}

const Object* need_sequence(BuiltinCall& call, std::string_view name, size_t at) {
  if (call[at].is(ObjectKind::kTuple)) return call[at].object();
  if (is_function(call[at])) {
    const Object* const function = normal_function(call.heap(), call[at]);
    if (function->kind == ObjectKind::kTuple) return function;
  }
  fail_argument(call, name, at, "a sequence");
}

bool call_predicate(BuiltinCall& call, std::string_view name, size_t which,
                    std::span<const Value> arguments) {
  const Value is = call.call(which, arguments);
  if (!is.is_bool()) {
    fail(argument_name(name, which, call.size()) + " must give a boolean, but gives " +
         describe(is));
  }
  return is.truth();
}

Value key_at(const Object* function, uint32_t at) {
  return function->kind == ObjectKind::kTuple ? Value::small(int64_t{at} + 1)
                                              : function->keys->item(at);
}

const Object* keys_of(Heap& heap, const Object* function) {
  return normal_set(heap, domain(heap, Value::of(function)));
}

Value sum(Heap& heap, Value a, Value b) {
  if (a.is_small() && b.is_small()) return integer(heap, a.number() + b.number());
  return integer(heap, BigInt(big(a) + big(b)));
}

Value difference(Heap& heap, Value a, Value b) {
  if (a.is_small() && b.is_small()) return integer(heap, a.number() - b.number());
  return integer(heap, BigInt(big(a) - big(b)));
}

Value product(Heap& heap, Value a, Value b) {
  int64_t small = 0;
  if (a.is_small() && b.is_small() && !__builtin_mul_overflow(a.number(), b.number(), &small)) {
    return integer(heap, small);
  }
  return integer(heap, BigInt(big(a) * big(b)));
}

std::string plain_text(Value value) {
  return value.is_string() ? atom_text(value.atom()) : to_text(value);
}

void sort_by(BuiltinCall& call, std::string_view name, size_t which, std::span<Value> items) {
  const auto before = [&](Value a, Value b) {
    const Value pair[] = {a, b};
    return call_predicate(call, name, which, pair);
  };
  std::vector<Value> merged(items.size());
  for (size_t width = 1; width < items.size(); width *= 2) {
    for (size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const size_t middle = std::min(begin + width, items.size());
      const size_t end = std::min(middle + width, items.size());
      size_t left = begin;
      size_t right = middle;
      for (size_t to = begin; to < end; ++to) {
        const bool take_right =
            left == middle || (right < end && before(items[right], items[left]));
        merged[to] = take_right ? items[right++] : items[left++];
      }
    }
    std::copy(merged.begin(), merged.end(), items.begin());
  }
}

}  // namespace ordeal::tla
