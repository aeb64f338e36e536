#include "protocols/regular_register/regularity.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;

const char kName[] = "regular-register";

TEST(RegularRegister, HoldsAtSmallSizes) {
  expect_holds(kName, {{"nodes", "1"}, {"writes", "2"}, {"reads", "2"}});
  expect_holds(kName, {{"nodes", "2"}, {"writes", "2"}, {"reads", "1"}});
  expect_holds(kName, {{"reads", "1"}});
}

TEST(RegularRegister, HoldsWhenAMinorityCrashes) {
  for (const char* crash : {"1", "3", "2,3"}) {
    expect_holds(kName, {{"reads", "1"}, {"crash", crash}, {"max-crashes", "1"}});
  }
}

TEST(RegularRegister, AnAnswerToAnEarlierReadIsNoneToTheNext) {
  const Report report =
      testing::run(kName, {{"writes", "2"}, {"reads", "4"}}, "", testing::runs_of("random", 300));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::brief(report);
}

TEST(RegularRegister, EveryPlantedBugIsFound) {
  expect_every_bug_is_found(kName, {{"minority-read", {{"reads", "1"}}},
                                    {"no-timestamp-check", {{"writes", "2"}, {"reads", "1"}}},
                                    {"count-acks", {{"reads", "1"}, {"duplicates", "1"}}}});
}

History history_of(const std::vector<std::pair<int, value::Any>>& events) {
  History history;
  for (const auto& [client, any] : events) {
    const bool call =
        any.try_get<reg::Read>() != nullptr || any.try_get<reg::Write<int>>() != nullptr;
    EXPECT_TRUE((call ? history.invoke(client, any) : history.ret(client, any)).ok());
  }
  return history;
}

value::Any write(int v) { return value::Any::of(reg::Write<int>{v}); }
value::Any written() { return value::Any::of(reg::WriteOk{}); }
value::Any read() { return value::Any::of(reg::Read{}); }
value::Any got(int v) { return value::Any::of(reg::ReadOk<int>{v}); }

bool is_regular(const std::vector<std::pair<int, value::Any>>& events) {
  return regular_register::regular(history_of(events), 1).ok();
}

TEST(Regularity, AReadAfterAWriteReturnsIt) {
  EXPECT_TRUE(is_regular({{2, read()}, {2, got(0)}}));
  EXPECT_FALSE(is_regular({{2, read()}, {2, got(1)}}));
  EXPECT_TRUE(is_regular({{1, write(1)}, {1, written()}, {2, read()}, {2, got(1)}}));
  EXPECT_FALSE(is_regular({{1, write(1)}, {1, written()}, {2, read()}, {2, got(0)}}));
  EXPECT_FALSE(is_regular({{2, read()}, {2, got(1)}, {1, write(1)}, {1, written()}}));
}

TEST(Regularity, AReadDuringAWriteReturnsOldOrNewAndLaterOnesMayGoBack) {
  EXPECT_TRUE(is_regular({{1, write(1)}, {2, read()}, {2, got(1)}, {3, read()}, {3, got(0)}}));
  EXPECT_TRUE(is_regular({{1, write(1)},
                          {1, written()},
                          {2, read()},
                          {1, write(2)},
                          {1, written()},
                          {1, write(3)},
                          {2, got(3)}}));
  EXPECT_FALSE(is_regular(
      {{1, write(1)}, {1, written()}, {2, read()}, {1, write(2)}, {1, written()}, {2, got(0)}}));
}

}  // namespace
}  // namespace ordeal::protocols
