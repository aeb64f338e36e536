// All partial orders of a few elements, one of each shape.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

namespace ordeal::oracle::schedulers {

// Elements are 0 … size - 1, and what is below an element has a smaller number.
struct Poset {
  int size = 0;
  std::vector<uint32_t> below;  // by element: a bit for each that is below it

  bool is_below(int a, int b) const { return (below[b] >> a & 1) != 0; }
  // The element, and all that is above it.
  uint32_t from(int element) const {
    uint32_t out = 1U << element;
    for (int i = 0; i < size; ++i) out |= is_below(element, i) ? 1U << i : 0U;
    return out;
  }
  // The size of the largest set of elements no two of which are ordered.
  int width() const {
    int most = 0;
    for (uint32_t set = 0; set < 1U << size; ++set) {
      bool ordered = false;
      for (int i = 0; i < size; ++i) ordered = ordered || ((set >> i & 1) && (below[i] & set) != 0);
      if (!ordered) most = std::max(most, std::popcount(set));
    }
    return most;
  }
};

// The same for posets that differ in the names of their elements alone.
inline uint64_t shape_of(const Poset& poset) {
  std::vector<int> names(poset.size);
  std::iota(names.begin(), names.end(), 0);
  uint64_t least = ~uint64_t{0};
  do {
    uint64_t bits = 0;
    for (int b = 0; b < poset.size; ++b) {
      for (int a = 0; a < poset.size; ++a) {
        if (poset.is_below(a, b)) bits |= uint64_t{1} << (names[a] * poset.size + names[b]);
      }
    }
    least = std::min(least, bits);
  } while (std::next_permutation(names.begin(), names.end()));
  return least;
}

// Every poset of `size` elements once, up to renaming. REQUIRES: 1 <= size <= 8.
inline std::vector<Poset> posets(int size) {
  if (size == 1) return {{1, {0}}};
  std::vector<Poset> out;
  std::set<uint64_t> shapes;
  for (const Poset& smaller : posets(size - 1)) {
    // One more on top of any set that holds with an element all below it.
    for (uint32_t set = 0; set < 1U << smaller.size; ++set) {
      bool closed = true;
      for (int i = 0; i < smaller.size; ++i) {
        closed = closed && (!(set >> i & 1) || (smaller.below[i] & ~set) == 0);
      }
      if (!closed) continue;
      Poset larger = smaller;
      ++larger.size;
      larger.below.push_back(set);
      if (shapes.insert(shape_of(larger)).second) out.push_back(std::move(larger));
    }
  }
  return out;
}

}  // namespace ordeal::oracle::schedulers
