#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;
using testing::expect_violated;

const char kName[] = "single-copy-register";

TEST(SingleCopyRegister, OneServerIsLinearizable) {
  for (const char* clients : {"1", "2", "3"}) expect_holds(kName, {{"clients", clients}});
}

TEST(SingleCopyRegister, TwoServersAreNot) {
  expect_violated(kName, {{"servers", "2"}}, "", "linearizable");
}

TEST(SingleCopyRegister, ARequestThatArrivesTwiceIsWrittenTwice) {
  expect_violated(kName, {{"duplicates", "1"}}, "", "linearizable");
}

TEST(SingleCopyRegister, EveryPlantedBugIsFound) {
  expect_every_bug_is_found(kName, {{"stale-get", {{"clients", "2"}}}});
}

TEST(SingleCopyRegister, OnlyServersCrash) {
  EXPECT_EQ(testing::error_of(kName, {{"crash", "1"}}), "--crash 1: servers are 0 to 0");
}

}  // namespace
}  // namespace ordeal::protocols
