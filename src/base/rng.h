// Rng: the only source of randomness in the engine. Seeded, and the same sequence on every machine.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace ordeal {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(mix64(seed ^ 0x6a09e667f3bcc909ULL)) {}

  uint64_t next() {  // SplitMix64
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound). REQUIRES: bound > 0.
  uint64_t below(uint64_t bound) {
    // Multiply-shift with rejection (Lemire): unbiased for every bound.
    unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = (0 - bound) % bound;
      while (static_cast<uint64_t>(product) < threshold) {
        product = static_cast<unsigned __int128>(next()) * bound;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace ordeal
