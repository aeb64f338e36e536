#include "protocols/eager_reliable_broadcast/eager_reliable_broadcast.h"

#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;

const char kName[] = "eager-reliable-broadcast";

TEST(EagerReliableBroadcast, HoldsWithoutFaults) {
  for (const char* nodes : {"1", "2", "3"}) expect_holds(kName, {{"nodes", nodes}});
}

TEST(EagerReliableBroadcast, HoldsWithTwoBroadcasts) {
  expect_holds(kName, {{"nodes", "2"}, {"broadcasts", "2"}});
}

TEST(EagerReliableBroadcast, HoldsWhoeverCrashes) {
  for (const char* crash : {"1", "2", "1,2", "1,2,3"}) expect_holds(kName, {{"crash", crash}});
}

TEST(EagerReliableBroadcast, HoldsWhenTheSenderCrashesInTheMiddleOfItsBroadcast) {
  expect_holds(kName, {{"crash", "1"}, {"drops", "1"}});
  expect_holds(kName, {{"crash", "1,2,3"}, {"drops", "1"}});
}

TEST(EagerReliableBroadcast, EveryPlantedBugIsFound) {
  expect_every_bug_is_found(
      kName, {{"deliver-twice", {}}, {"no-relay", {{"drops", "1"}}}, {"relay-as-own", {}}});
}

TEST(EagerReliableBroadcast, MessagesAreOrderedBySourceThenByIndex) {
  using eager_reliable_broadcast::Data;
  EXPECT_LT((Data{1, 5}), (Data{2, 0}));
  EXPECT_GT((Data{2, 0}), (Data{1, 5}));
  EXPECT_LT((Data{1, 0}), (Data{1, 1}));
  EXPECT_GT((Data{1, 1}), (Data{1, 0}));
  EXPECT_EQ((Data{1, 1}), (Data{1, 1}));
  EXPECT_LE((Data{1, 1}), (Data{1, 1}));
}

}  // namespace
}  // namespace ordeal::protocols
