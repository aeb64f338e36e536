// Mixing and hashing of 64-bit words and bytes, the same on every machine and in every process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal {

// A bijection on 64-bit words whose output bits depend on all input bits.
constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

// Order-dependent combination of a running hash with one more word.
constexpr uint64_t combine(uint64_t seed, uint64_t word) {
  return mix64(seed * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
}

}  // namespace ordeal
