// Where states come from, also of those beyond 2^32: held against a list of pairs.
#include "explore/store/ancestry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "explore/store/frontier.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::explore {
namespace ancestry_test {

using Entry = Ancestry::Entry;
using Naive = std::vector<std::pair<Entry, uint32_t>>;

constexpr Entry kMany = Entry{1} << 32;

// Entries whose parents are near, far, before all blocks, or none.
Naive fill(Ancestry& ancestry, size_t count, uint64_t seed) {
  Rng rng(seed);
  Naive all;
  for (size_t i = 0; i < count; ++i) {
    const Entry entry = ancestry.size();
    const uint64_t sort = rng.below(20);
    Entry parent = entry == 0 ? Ancestry::kRoot : entry - 1 - rng.below(std::min<Entry>(entry, 9));
    if (sort == 0) parent = Ancestry::kRoot;
    if (sort == 1 && entry > 0) parent = rng.below(entry);
    if (sort == 2 && entry > kMany + 3) parent = entry - kMany + rng.below(3);
    // In the later blocks there are large numbers, and then there are very large ones.
    const uint64_t most = sort != 3 || i < Ancestry::kBlock  ? 40
                          : i < 2 * size_t{Ancestry::kBlock} ? 65'536
                                                             : uint64_t{1} << 32;
    const auto choice = static_cast<uint32_t>(rng.below(most));
    EXPECT_EQ(ancestry.add(parent, choice), entry);
    all.emplace_back(parent, choice);
  }
  return all;
}

void expect_same(const Ancestry& ancestry, Entry first, const Naive& all) {
  ASSERT_EQ(ancestry.size(), first + all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(ancestry.parent(first + i), all[i].first) << i;
    ASSERT_EQ(ancestry.choice(first + i), all[i].second) << i;
  }
}

TEST(Ancestry, KeepsWhereStatesComeFromOnBothSidesOfTwoToTheThirtyTwo) {
  constexpr Entry kBlock = Ancestry::kBlock;
  for (const Entry first : {Entry{0}, kMany - 2 * kBlock, kMany, 3 * kMany - kBlock}) {
    Ancestry ancestry(first);
    const Naive all = fill(ancestry, 5 * kBlock + 77, first);
    expect_same(ancestry, first, all);
    const e2e::Folder folder;
    ASSERT_TRUE(ancestry.store(folder.path()).ok());
    expect_same(ancestry, first, all);
  }
}

TEST(Ancestry, TakesFiveBytesForAStateHoweverManyThereAre) {
  for (const Entry first : {Entry{0}, 5 * kMany}) {
    Ancestry ancestry(first);
    for (size_t i = 0; i < 8 * Ancestry::kBlock; ++i) {
      ancestry.add(i == 0 ? Ancestry::kRoot : ancestry.size() - 1, 3);
    }
    EXPECT_EQ(ancestry.bytes(), 8 * Ancestry::kBlock * 5) << first;
  }
}

TEST(Ancestry, TakesMoreOnlyInBlocksWithLargeNumbers) {
  constexpr uint64_t kBlock = Ancestry::kBlock;
  Ancestry ancestry;
  for (uint64_t i = 0; i < 8 * kBlock; ++i) {
    const bool large = i == 2 * kBlock + 7, very_large = i == 5 * kBlock + 7;
    ancestry.add(Ancestry::kRoot, large ? 65'535 : very_large ? 700'000 : 255);
  }
  EXPECT_EQ(ancestry.bytes(), 8 * kBlock * 5 + kBlock + 3 * kBlock);
  EXPECT_EQ(ancestry.choice(2 * kBlock + 7), 65'535U);
  EXPECT_EQ(ancestry.choice(5 * kBlock + 7), 700'000U);
  EXPECT_EQ(ancestry.choice(5 * kBlock + 8), 255U);
  EXPECT_TRUE(ancestry.has_wide_choices());
}

TEST(Frontier, KeepsTheNumbersOfStatesBeyondTwoToTheThirtyTwo) {
  const std::vector<uint32_t> words = {7, 8, 9};
  Frontier::Words chunk;
  const std::vector<Entry> entries = {0, kMany - 1, kMany, (Entry{1} << 40) + 5};
  for (const Entry entry : entries) {
    Record record;
    record.fingerprint = ~entry;
    record.entry = entry;
    record.depth = Record::kDeepest;
    record.state = words;
    Frontier::write(record, chunk);
  }
  std::vector<Record> read;
  Frontier::read(chunk, read);
  ASSERT_EQ(read.size(), entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(read[i].entry, entries[i]);
    EXPECT_EQ(read[i].fingerprint, ~entries[i]);
    EXPECT_EQ(read[i].depth, Record::kDeepest);
    EXPECT_EQ(std::vector<uint32_t>(read[i].state.begin(), read[i].state.end()), words);
  }
}

}  // namespace ancestry_test
}  // namespace ordeal::explore
