// Ways to divide a few members into blocks, and what they are called where members of one colour
// are not told apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::explore {

// The block of every member: block numbers from 0 on, in the order of their first members.
using Blocks = std::vector<uint8_t>;

// All of them, in a fixed order: 1, 2, 5, 15, 52, 203, 877 for 1 to 7 members.
const std::vector<Blocks>& all_divisions(size_t members);

// A multiset of multisets of colours, hashed: it does not change where members of one colour change
// places, or blocks their numbers. Members of `left_out` blocks (kNoBlock) are left out.
inline constexpr uint8_t kNoBlock = 0xff;
uint64_t key_by_colours(std::span<const uint8_t> blocks, std::span<const uint64_t> colours);
// The same with members told apart.
uint64_t key_by_identities(std::span<const uint8_t> blocks);

}  // namespace ordeal::explore
