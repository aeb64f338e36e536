// Functions that give the same bits on every machine: those of a mathematical library need not, and
// what a learner picks depends on the last of them. Only sums, products and quotients are used,
// which are exactly rounded everywhere; the build forbids to fuse them.
#pragma once

#include <bit>
#include <cstdint>

#include "base/rng.h"

namespace ordeal::explore {

// In [0, 1), in steps of 2^-53.
inline double unit(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

// 2^exponent. REQUIRES: within the range of normal numbers.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

inline constexpr double kLnTwo = 0.693147180559945309417232121458;

// e^x, to about 15 digits. 0 below -700, where nothing would be drawn; no more than e^700.
inline double exact_exp(double x) {
  if (x < -700) return 0;
  if (x > 700) x = 700;
  const double scaled = x / kLnTwo;
  const int whole = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double rest = x - whole * kLnTwo;  // at most half of ln 2, either way
  double sum = 1;
  for (int n = 16; n > 0; --n) sum = 1 + rest * sum / n;
  return sum * power_of_two(whole);
}

// The natural logarithm, to about 15 digits. REQUIRES: x is a normal number above 0.
inline double exact_log(double x) {
  int exponent = static_cast<int>(std::bit_cast<uint64_t>(x) >> 52) - 1023;
  double mantissa = x / power_of_two(exponent);  // in [1, 2)
  if (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    ++exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.1716.
  const double t = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int n = 25; n > 0; n -= 2) sum = sum * t * t + 1.0 / n;
  return 2 * t * sum + exponent * kLnTwo;
}

}  // namespace ordeal::explore
