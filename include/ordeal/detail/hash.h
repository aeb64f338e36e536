// Hashing of 64-bit words and bytes, the same on every machine, in every process and with every
// compiler: the fingerprint of a state is written to files and compared between runs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal {

static_assert(std::endian::native == std::endian::little,
              "Ordeal hashes and stores values in little-endian order; port detail/hash.h first");

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

namespace detail {

// The two halves of the 128-bit product, folded: one multiplication that spreads every input bit.
constexpr uint64_t fold_multiply(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Of the second of two independent hashes.
inline constexpr uint64_t kSecondSeed = 0xe7037ed1a0b428dbULL;

// A running content hash. One multiplication per word (per two words of bytes), and one more at the
// end, because the last word would otherwise be mixed less than the first.
class Hasher {
 public:
  constexpr Hasher() = default;
  // Another seed gives an independent hash of the same content. Independent in its factors too:
  // a word that is one of them makes a product zero, whatever came before.
  constexpr explicit Hasher(uint64_t seed) : state_(seed), word_(kWord ^ mix64(seed)) {}

  constexpr void word(uint64_t w) { state_ = fold_multiply(w ^ word_, state_ ^ kState); }

  // Full words, then the rest padded with zeros. The caller adds the length where it can vary.
  void bytes(const void* data, size_t size) {
    const char* p = static_cast<const char*>(data);
    for (; size >= 16; p += 16, size -= 16) {
      uint64_t w[2];
      std::memcpy(w, p, 16);
      state_ = fold_multiply(w[0] ^ word_, w[1] ^ state_ ^ kState);
    }
    if (size >= 8) {
      uint64_t w;
      std::memcpy(&w, p, 8);
      word(w);
      p += 8;
      size -= 8;
    }
    if (size > 0) {
      uint64_t w = 0;
      std::memcpy(&w, p, size);
      word(w);
    }
  }

  constexpr uint64_t finish() const { return fold_multiply(state_ ^ kFirst, kSecond); }

 private:
  static constexpr uint64_t kWord = 0x2d358dccaa6c78a5ULL;
  static constexpr uint64_t kState = 0x8bb84b93962eacc9ULL;
  static constexpr uint64_t kFirst = 0x4b33a62ed433d4a3ULL;
  static constexpr uint64_t kSecond = 0x4d5a2da51de1aa47ULL;
  uint64_t state_ = 0xa0761d6478bd642fULL;
  uint64_t word_ = kWord;
};

}  // namespace detail
}  // namespace ordeal
