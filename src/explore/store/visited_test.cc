#include "explore/store/visited.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "explore/store/disk_states.h"

namespace ordeal::explore {
namespace {

using Key = std::pair<uint64_t, uint64_t>;

// Few different numbers, in few shards and close together, so that everything collides.
Key crowded(Rng& rng, bool wide) {
  const uint64_t base = rng.below(3) << 61;
  return {base + (rng.below(4) == 0 ? rng.below(200) << 40 : rng.below(3000)),
          wide ? rng.below(3) : 0};
}

void compare_with_map(bool wide, VisitedSet::Note note, uint64_t seed) {
  Rng rng(seed);
  VisitedSet set(wide, note);
  std::map<Key, uint32_t> map;
  for (int i = 0; i < 20000; ++i) {
    const Key key = crowded(rng, wide);
    const uint32_t number = static_cast<uint32_t>(rng.below(60000));
    const auto [known, is_new] = map.emplace(key, number);
    const VisitedSet::Place place = set.put(key.first, key.second);
    ASSERT_EQ(place.is_new, is_new);
    if (note == VisitedSet::Note::kNone) continue;
    if (is_new) set.set_note(place, number);
    ASSERT_EQ(set.note(set.find_place(key.first, key.second)), known->second);
  }
  ASSERT_EQ(set.size(), map.size());
  auto expected = map.begin();
  for (uint32_t shard = 0; shard < VisitedSet::kShards; ++shard) {
    set.each(shard, [&](const VisitedSet::Place& place, uint64_t fingerprint, uint64_t second) {
      ASSERT_EQ(Key(fingerprint, second), expected->first);
      if (note != VisitedSet::Note::kNone) {
        ASSERT_EQ(set.note(place), expected->second);
      }
      ++expected;
    });
  }
  EXPECT_EQ(expected, map.end());
}

TEST(VisitedSet, IsASetAndComesOutInOrder) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    for (const auto note :
         {VisitedSet::Note::kNone, VisitedSet::Note::kDepth, VisitedSet::Note::kNumber}) {
      compare_with_map(false, note, seed);
      compare_with_map(true, note, seed);
    }
  }
}

TEST(VisitedSet, TellsStatesApartThatShareTheFirstHalf) {
  VisitedSet set(true, VisitedSet::Note::kNone);
  EXPECT_TRUE(set.put(7, 1).is_new);
  EXPECT_TRUE(set.put(7, 2).is_new);
  EXPECT_FALSE(set.put(7, 1).is_new);
  EXPECT_FALSE(set.contains(7, 3));
}

TEST(VisitedSet, KeepsTagsWhileItGrows) {
  VisitedSet set;
  Rng rng(5);
  std::vector<std::pair<uint64_t, uint32_t>> tagged;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t fingerprint = rng.next();
    const uint32_t tag = 1 + static_cast<uint32_t>(rng.below(VisitedSet::kTags));
    if (set.put(fingerprint, 0, tag).is_new) tagged.emplace_back(fingerprint, tag);
  }
  for (const auto& [fingerprint, tag] : tagged) {
    ASSERT_EQ(set.find_place(fingerprint).tag, tag);
  }
  set.set_tag(set.find_place(tagged[0].first), 31);
  EXPECT_EQ(set.find_place(tagged[0].first).tag, 31);
  set.forget_tags();
  for (const auto& [fingerprint, tag] : tagged) ASSERT_EQ(set.find_place(fingerprint).tag, 1);
}

TEST(VisitedSet, TakesAtMostElevenBytesAStateAtEverySize) {
  // With 5 more for the link to its parent: 16.
  VisitedSet narrow;
  VisitedSet wide(true, VisitedSet::Note::kNone);
  Rng rng(1);
  double worst = 0, worst_wide = 0;
  for (uint64_t n = 1; n <= 400'000; ++n) {
    const uint64_t fingerprint = rng.next();
    narrow.put(fingerprint);
    wide.put(fingerprint, rng.next());
    if (n < 20'000 || n % 500 != 0) continue;
    worst = std::max(worst, static_cast<double>(narrow.bytes()) / static_cast<double>(n));
    worst_wide = std::max(worst_wide, static_cast<double>(wide.bytes()) / static_cast<double>(n));
  }
  EXPECT_LE(worst, 11.0);
  EXPECT_LE(worst_wide, 19.0);
}

// --- On disk ----------------------------------------------------------------------------------

void compare_runs_with_set(bool wide) {
  Rng rng(wide ? 11 : 12);
  DiskStates runs(testing::TempDir(), wide);
  std::map<Key, uint32_t> all;  // with their tags
  for (uint32_t round = 0; round < 20; ++round) {
    if (round == 12) {
      runs.forget_tags();
      for (auto& [key, tag] : all) tag = 1;
    }
    // The first time, those of the set; later, one for all of them.
    const uint32_t level = round == 0 ? 0 : 2 + round;
    VisitedSet fresh(wide, VisitedSet::Note::kNumber);
    std::map<Key, uint32_t> mine;
    const uint64_t count = 1 + rng.below(9000);
    for (uint32_t i = 0; i < count; ++i) {
      const Key key = rng.below(2) == 0 ? crowded(rng, wide) : Key(rng.next(), 0);
      const VisitedSet::Place place = fresh.put(key.first, key.second, 1 + i % VisitedSet::kTags);
      if (!place.is_new) continue;
      fresh.set_note(place, i);
      mine[key] = i;
    }
    std::vector<std::pair<uint32_t, uint32_t>> known;
    ASSERT_TRUE(runs.absorb(fresh, level, [&](const VisitedSet::Place& place, uint32_t tag) {
      known.emplace_back(fresh.note(place), tag);
    }));
    std::vector<std::pair<uint32_t, uint32_t>> expected;
    for (const auto& [key, number] : mine) {
      const uint32_t tag = level == 0 ? 1 + number % VisitedSet::kTags : level;
      const auto [there, is_new] = all.emplace(key, tag);
      if (!is_new) expected.emplace_back(number, there->second);
    }
    ASSERT_EQ(known, expected) << "round " << round;
  }
  ASSERT_EQ(runs.states(), all.size());
  auto expected = all.begin();
  ASSERT_TRUE(runs.each([&](const DiskStates::State& state) -> Result<void> {
    if (Key(state.fingerprint, state.second) != expected->first) return Error{"another state"};
    if (state.tag != expected->second) return Error{"another tag"};
    ++expected;
    return {};
  }));
  EXPECT_EQ(expected, all.end());
}

TEST(DiskStates, KnowWhatWasAbsorbedBefore) {
  compare_runs_with_set(false);
  compare_runs_with_set(true);
}

TEST(DiskStates, SayWhatIsWrongWithAFolder) {
  DiskStates runs("/nowhere/at/all", false);
  VisitedSet set(false, VisitedSet::Note::kNumber);
  set.put(1);
  const Result<void> absorbed = runs.absorb(set, 0, [](const VisitedSet::Place&, uint32_t) {});
  ASSERT_FALSE(absorbed.ok());
  EXPECT_NE(absorbed.error().message.find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::explore
