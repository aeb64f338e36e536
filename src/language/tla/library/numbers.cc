// Bitwise, Combinatorics, Statistics.
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cstdlib>

#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

enum class Bits : uint8_t { kAnd, kOr, kXor };

BigInt flipped(const BigInt& number) { return -number - 1; }

// As if every number had endless digits in two's complement.
BigInt bits_of(Bits what, const BigInt& a, const BigInt& b) {
  if (a < 0 && b < 0) {
    const BigInt x = flipped(a);
    const BigInt y = flipped(b);
    if (what == Bits::kAnd) return flipped(BigInt(x | y));
    return what == Bits::kOr ? flipped(BigInt(x & y)) : BigInt(x ^ y);
  }
  if (a < 0) return bits_of(what, b, a);
  if (b < 0) {
    const BigInt y = flipped(b);
    if (what == Bits::kAnd) return a ^ BigInt(a & y);
    return what == Bits::kOr ? flipped(BigInt(y ^ BigInt(a & y))) : flipped(BigInt(a ^ y));
  }
  if (what == Bits::kAnd) return a & b;
  return what == Bits::kOr ? BigInt(a | b) : BigInt(a ^ b);
}

Value bitwise(BuiltinCall& call, std::string_view name, Bits what) {
  if (call[0].is_small() && call[1].is_small()) {
    const int64_t a = call[0].number();
    const int64_t b = call[1].number();
    const int64_t out = what == Bits::kAnd ? a & b : what == Bits::kOr ? a | b : a ^ b;
    return integer(call.heap(), out);
  }
  need_integer(call, name, 0);
  need_integer(call, name, 1);
  return integer(call.heap(), bits_of(what, big(call[0]), big(call[1])));
}

BigInt need_natural(BuiltinCall& call, std::string_view name, size_t at) {
  need_integer(call, name, at);
  BigInt out = big(call[at]);
  if (out < 0) fail_argument(call, name, at, "a natural number");
  return out;
}

// The digits from the highest 1 down, each the other way.
Value bit_complement(BuiltinCall& call) {
  const BigInt number = need_natural(call, "Not", 0);
  if (number == 0) return Value::small(0);
  const BigInt all = (BigInt(1) << (msb(number) + 1)) - 1;
  return integer(call.heap(), BigInt(all ^ number));
}

Value shift_right(BuiltinCall& call) {
  need_integer(call, "shiftR", 0);
  const BigInt number = big(call[0]);
  const BigInt by = need_natural(call, "shiftR", 1);
  const bool negative = number < 0;
  const BigInt bits = negative ? flipped(number) : number;
  const BigInt shifted =
      bits == 0 || by > msb(bits) ? BigInt(0) : BigInt(bits >> static_cast<unsigned>(by));
  return integer(call.heap(), negative ? flipped(shifted) : shifted);
}

Value binomial(BuiltinCall& call) {
  const BigInt n = need_natural(call, "choose", 0);
  const BigInt k = need_natural(call, "choose", 1);
  if (k > n) return Value::small(0);
  constexpr int kMostFactors = 1 << 16;
  const BigInt factors = std::min(k, BigInt(n - k));
  if (factors > kMostFactors) {
    fail("choose(" + n.str() + ", " + k.str() + ") is too large to be computed");
  }
  BigInt out = 1;
  for (int i = 1; i <= factors; ++i) out = out * (n - factors + i) / i;
  return integer(call.heap(), out);
}

std::vector<double> counts_of(BuiltinCall& call, size_t at) {
  std::vector<double> out;
  for (const Value count : need_function(call, "ChiSquare", at)->items()) {
    if (!count.is_integer()) fail_argument(call, "ChiSquare", at, "a function to integers");
    out.push_back(static_cast<double>(big(count)));
  }
  return out;
}

// Whether what was counted is not so far from what was expected that chance explains it only with
// a probability below alpha.
Value chi_square(BuiltinCall& call) {
  const std::vector<double> expected = counts_of(call, 0);
  const std::vector<double> counted = counts_of(call, 1);
  const std::string& text = need_string(call, "ChiSquare", 2);
  char* end = nullptr;
  const double alpha = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(alpha > 0 && alpha <= 0.5)) {
    fail_argument(call, "ChiSquare", 2, "a string with a number above 0 and up to 0.5");
  }
  if (expected.size() != counted.size() || expected.size() < 2) {
    fail("the functions of ChiSquare must have equally many values, two or more");
  }
  double sum_expected = 0;
  double sum_counted = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] <= 0) fail("ChiSquare: what is expected must be above 0");
    if (counted[i] < 0) fail("ChiSquare: what was counted must not be negative");
    sum_expected += expected[i];
    sum_counted += counted[i];
  }
  const double scale = sum_counted / sum_expected;
  double distance = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double off = counted[i] - scale * expected[i];
    if (expected[i] * scale > 0) distance += off * off / (expected[i] * scale);
  }
  const double by_chance =
      boost::math::gamma_q(static_cast<double>(expected.size() - 1) / 2, distance / 2);
  return Value::boolean(by_chance >= alpha);
}

const Builtin kBitwise[] = {
    {"&", "00", true, [](BuiltinCall& call) { return bitwise(call, "&", Bits::kAnd); }},
    {"|", "00", true, [](BuiltinCall& call) { return bitwise(call, "|", Bits::kOr); }},
    {"^^", "00", true, [](BuiltinCall& call) { return bitwise(call, "^^", Bits::kXor); }},
    {"Not", "0", true, bit_complement},
    {"shiftR", "00", true, shift_right},
};

const Builtin kCombinatorics[] = {{"choose", "00", true, binomial}};

const Builtin kStatistics[] = {{"ChiSquare", "000", true, chi_square}};

}  // namespace

std::span<const Builtin> bitwise_operators() { return kBitwise; }
std::span<const Builtin> combinatorics_operators() { return kCombinatorics; }
std::span<const Builtin> statistics_operators() { return kStatistics; }

}  // namespace ordeal::tla
