// Naturals, Integers and what there is of Reals. Numbers are of any size; small ones come first.
#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

bool both_small(const BuiltinCall& call) { return call[0].is_small() && call[1].is_small(); }

void need_integers(const BuiltinCall& call, std::string_view name) {
  need_integer(call, name, 0);
  need_integer(call, name, 1);
}

Value add(BuiltinCall& call) {
  // Words have 60 bits for a number: neither sums nor differences of two leave 64.
  if (both_small(call)) return integer(call.heap(), call[0].number() + call[1].number());
  need_integers(call, "+");
  return integer(call.heap(), BigInt(big(call[0]) + big(call[1])));
}

Value subtract(BuiltinCall& call) {
  if (both_small(call)) return integer(call.heap(), call[0].number() - call[1].number());
  need_integers(call, "-");
  return integer(call.heap(), BigInt(big(call[0]) - big(call[1])));
}

Value negate(BuiltinCall& call) {
  if (call[0].is_small()) return Value::small(-call[0].number());
  need_integer(call, "-.", 0);
  return integer(call.heap(), BigInt(-big(call[0])));
}

Value multiply(BuiltinCall& call) {
  int64_t product = 0;
  if (both_small(call) && !__builtin_mul_overflow(call[0].number(), call[1].number(), &product)) {
    return integer(call.heap(), product);
  }
  need_integers(call, "*");
  return integer(call.heap(), BigInt(big(call[0]) * big(call[1])));
}

Value divide(BuiltinCall& call) {
  need_integers(call, "\\div");
  if (same(call[1], Value::small(0))) {
    fail(describe(call[0]) + " is divided by 0: the right side of \\div must not be 0");
  }
  if (both_small(call)) {
    const int64_t by = call[1].number();
    const int64_t quotient = call[0].number() / by;
    const int64_t rest = call[0].number() % by;
    return Value::small(rest != 0 && (rest < 0) != (by < 0) ? quotient - 1 : quotient);
  }
  BigInt quotient;
  BigInt rest;
  const BigInt by = big(call[1]);
  divide_qr(big(call[0]), by, quotient, rest);
  if (rest != 0 && (rest < 0) != (by < 0)) --quotient;
  return integer(call.heap(), quotient);
}

Value modulus(BuiltinCall& call) {
  need_integers(call, "%");
  if (compare(call.heap(), call[1], Value::small(0)) <= 0) {
    fail_argument(call, "%", 1, "an integer above 0");
  }
  if (both_small(call)) {
    const int64_t rest = call[0].number() % call[1].number();
    return Value::small(rest < 0 ? rest + call[1].number() : rest);
  }
  const BigInt by = big(call[1]);
  BigInt rest = big(call[0]) % by;
  if (rest < 0) rest += by;
  return integer(call.heap(), rest);
}

constexpr int64_t kMostBitsOfPower = 1 << 24;

Value raise(BuiltinCall& call) {
  need_integers(call, "^");
  if (compare(call.heap(), call[1], Value::small(0)) < 0) {
    fail_argument(call, "^", 1, "an integer of at least 0");
  }
  const bool to_zero = same(call[1], Value::small(0));
  if (same(call[0], Value::small(0))) {
    if (to_zero) fail("0^0 is not defined");
    return call[0];
  }
  if (to_zero || same(call[0], Value::small(1))) return Value::small(1);
  const BigInt base = big(call[0]);
  const BigInt exponent = big(call[1]);
  if (base == -1) return Value::small(bit_test(exponent, 0) ? -1 : 1);
  if (exponent * msb(abs(base)) > kMostBitsOfPower) {
    fail(to_text(call[0]) + "^" + to_text(call[1]) + " has more than " +
         std::to_string(kMostBitsOfPower) + " bits");
  }
  return integer(call.heap(), BigInt(pow(base, static_cast<unsigned>(exponent))));
}

int order_of(BuiltinCall& call, std::string_view name) {
  if (!both_small(call)) need_integers(call, name);
  return compare(call.heap(), call[0], call[1]);
}

Value quotient_of_reals(BuiltinCall& call) {
  need_integers(call, "/");
  if (same(call[1], Value::small(0))) fail(describe(call[0]) + " is divided by 0");
  const BigInt by = big(call[1]);
  const BigInt number = big(call[0]);
  if (number % by != 0) {
    fail(to_text(call[0]) + " / " + to_text(call[1]) +
         " is no integer, and there are no other numbers here; \\div rounds down");
  }
  return integer(call.heap(), BigInt(number / by));
}

const Builtin kNaturals[] = {
    {"Nat", "", true, [](BuiltinCall&) { return make_infinite(Infinite::kNaturals); }},
    {"+", "00", true, add},
    {"-", "00", true, subtract},
    {"*", "00", true, multiply},
    {"\\div", "00", true, divide},
    {"%", "00", true, modulus},
    {"^", "00", true, raise},
    {"<", "00", true, [](BuiltinCall& call) { return Value::boolean(order_of(call, "<") < 0); }},
    {">", "00", true, [](BuiltinCall& call) { return Value::boolean(order_of(call, ">") > 0); }},
    {"<=", "00", true, [](BuiltinCall& call) { return Value::boolean(order_of(call, "<=") <= 0); }},
    {">=", "00", true, [](BuiltinCall& call) { return Value::boolean(order_of(call, ">=") >= 0); }},
    {"..", "00", true,
     [](BuiltinCall& call) {
       need_integers(call, "..");
       return make_interval(call.heap(), call[0], call[1]);
     }},
};

const Builtin kIntegers[] = {
    {"Int", "", true, [](BuiltinCall&) { return make_infinite(Infinite::kIntegers); }},
    {"-.", "0", true, negate},
};

const Builtin kReals[] = {
    {"Real", "", true, [](BuiltinCall&) { return make_infinite(Infinite::kReals); }},
    {"/", "00", true, quotient_of_reals},
    {"Infinity", "", true,
     [](BuiltinCall&) -> Value { fail("Infinity is no number that can be computed with"); }},
};

}  // namespace

std::span<const Builtin> naturals_operators() { return kNaturals; }
std::span<const Builtin> integers_operators() { return kIntegers; }
std::span<const Builtin> reals_operators() { return kReals; }

}  // namespace ordeal::tla
