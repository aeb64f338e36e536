#include "explore/store/counting_sort.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "base/rng.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::explore {
namespace {

using Item = CountingSort::Item;

// Sorts random keys in so little memory, and compares with a map.
void compare(uint64_t items, uint64_t keys, uint64_t buffer_bytes) {
  const e2e::Folder folder;
  Rng rng(items + keys);
  CountingSort sort(folder.path(), buffer_bytes);
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> expected;
  for (uint64_t i = 0; i < items; ++i) {
    const Item item{rng.below(keys) << 40, rng.below(2), 1 + rng.below(3)};
    ASSERT_TRUE(sort.add(item).ok());
    expected[{item.key, item.second}] += item.count;
  }
  Result<CountingSort::Cursor> sorted = sort.sorted();
  ASSERT_TRUE(sorted.ok()) << sorted.error().message;
  Item item;
  for (const auto& [key, count] : expected) {
    const Result<bool> more = sorted->next(item);
    ASSERT_TRUE(more.ok() && *more);
    EXPECT_EQ(std::pair(item.key, item.second), key);
    EXPECT_EQ(item.count, count);
  }
  const Result<bool> more = sorted->next(item);
  EXPECT_TRUE(more.ok() && !*more);
}

TEST(CountingSort, PutsInOrderWhatFitsIntoMemory) {
  compare(0, 1, 1 << 20);
  compare(1, 1, 1 << 20);
  compare(10'000, 300, 1 << 20);
}

TEST(CountingSort, PutsInOrderWhatDoesNot) {
  // Some 16 items at a time: runs are merged, and what was merged is merged again.
  compare(15, 100, 1);
  compare(16, 100, 1);
  compare(17, 100, 1);
  compare(5'000, 700, 1);
  compare(5'000, 1'000'000, 1);
  compare(100'000, 50'000, 40'000);
}

TEST(CountingSort, SaysSoWhereNothingCanBeStored) {
  CountingSort sort("/nonexistent", 1);
  Result<void> added;
  for (uint64_t i = 0; i < 100 && added; ++i) added = sort.add({i, 0, 1});
  EXPECT_FALSE(added.ok());
}

}  // namespace
}  // namespace ordeal::explore
