#include "explore/learn/partitions.h"

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace ordeal::explore {
namespace {

constexpr size_t kMostDivided = 9;

void divide(size_t members, Blocks& so_far, std::vector<Blocks>& out) {
  if (so_far.size() == members) {
    out.push_back(so_far);
    return;
  }
  const uint8_t fresh =
      so_far.empty() ? 0
                     : static_cast<uint8_t>(*std::max_element(so_far.begin(), so_far.end()) + 1);
  for (uint8_t block = 0; block <= fresh; ++block) {
    so_far.push_back(block);
    divide(members, so_far, out);
    so_far.pop_back();
  }
}

}  // namespace

const std::vector<Blocks>& all_divisions(size_t members) {
  static const std::array<std::vector<Blocks>, kMostDivided> known = [] {
    std::array<std::vector<Blocks>, kMostDivided> all;
    for (size_t i = 0; i < kMostDivided; ++i) {
      Blocks none;
      divide(i, none, all[i]);
    }
    return all;
  }();
  return known[members];
}

uint64_t key_by_colours(std::span<const uint8_t> blocks, std::span<const uint64_t> colours) {
  // Both sums are of mixed numbers: they do not depend on any order.
  std::array<uint64_t, 256> sums;
  std::array<uint64_t, 256> sizes;
  uint8_t used = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] == kNoBlock) continue;
    while (used <= blocks[i]) {
      sums[used] = 0;
      sizes[used++] = 0;
    }
    sums[blocks[i]] += mix64(colours[i]);
    ++sizes[blocks[i]];
  }
  uint64_t out = 0;
  for (uint8_t block = 0; block < used; ++block) {
    if (sizes[block] > 0) out += mix64(combine(sums[block], sizes[block]));
  }
  return mix64(out);
}

uint64_t key_by_identities(std::span<const uint8_t> blocks) {
  uint64_t out = blocks.size();
  for (const uint8_t block : blocks) out = combine(out, block);
  return out;
}

}  // namespace ordeal::explore
