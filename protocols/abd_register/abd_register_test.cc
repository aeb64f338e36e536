#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;
using testing::expect_violated;

const char kName[] = "abd-register";

TEST(AbdRegister, IsLinearizable) {
  for (const char* servers : {"1", "2", "3"}) {
    expect_holds(kName, {{"clients", "1"}, {"servers", servers}});
  }
  expect_holds(kName, {});
}

TEST(AbdRegister, StaysLinearizableWhenAServerCrashes) {
  expect_holds(kName, {{"crash", "0"}});
  expect_holds(kName, {{"clients", "1"}, {"servers", "3"}, {"crash", "2"}});
}

TEST(AbdRegister, ARequestThatArrivesTwiceIsWrittenTwice) {
  expect_violated(kName, {{"duplicates", "1"}}, "", "linearizable");
}

TEST(AbdRegister, OfFiveServersThreeMustAnswerAndNoneCountsTwice) {
  const Report report =
      testing::run(kName, {{"clients", "1"}, {"servers", "5"}, {"duplicates", "2"}}, "",
                   testing::runs_of("random", 300));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::brief(report);
}

TEST(AbdRegister, EveryPlantedBugIsFound) {
  // With one writer and one reader on three servers, all states are too many for a unit test.
  const testing::Given reader = {{"clients", "2"}, {"writers", "1"}, {"servers", "3"}};
  expect_every_bug_is_found(
      kName, {{"query-nobody", {{"clients", "1"}, {"servers", "3"}}},
              {"same-sequencer", {}},
              {"skip-write-back", reader, testing::breadth_first(12)},
              {"ignore-sequencer", reader, testing::breadth_first(17)},
              {"ignore-sequencer", {{"servers", "3"}}, testing::runs_of("random", 1'000)}});
}

TEST(AbdRegister, ParametersThatDoNotFitAreExplained) {
  EXPECT_EQ(testing::error_of(kName, {{"writers", "3"}}), "--writers 3: there are 2 clients");
  EXPECT_EQ(testing::error_of(kName, {{"crash", "2"}}), "--crash 2: servers are 0 to 1");
}

}  // namespace
}  // namespace ordeal::protocols
