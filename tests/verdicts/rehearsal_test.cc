// What handlers keep outside of their values is noticed by every check.
#include <gtest/gtest.h>

#include "ordeal/scenario.h"
#include "tests/verdicts/keepers.h"

namespace ordeal::verdicts {
namespace {

TEST(Rehearsal, NoticesWhatIsKeptOutsideOfTheValue) { EXPECT_EQ(problem_with_keepers(), ""); }

TEST(Rehearsal, NamesTheNodeTheHandlerAndWhatDiffers) {
  const auto same = keepers(Kept::kInTheNode).rehearse(1, 200);
  ASSERT_FALSE(same.ok());
  EXPECT_NE(same.error().message.find("(Keeper): the handler `on` for Coin did something else on "
                                      "an object that was kept than on an equal value: seen became "
                                      "1, not 0. What it does depends on something that is no part "
                                      "of the state: a field that ORDEAL_FIELDS does not name"),
            std::string::npos)
      << same.error().message;
}

TEST(Rehearsal, IsQuietWhereNothingIsKept) {
  EXPECT_TRUE(keepers(Kept::kNowhere).rehearse(1, 2000).ok());
  const auto report = check(keepers(Kept::kNowhere), {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
}

// A constant is no part of the state, and need not be.
struct Sized {
  using Messages = Types<Coin>;
  int seen = 0;
  ORDEAL_FIELDS(seen);
  int most = 3;
  void start(Context& ctx) { ctx.send(ctx.self(), Coin{}); }
  void on(Context& ctx, const Coin& coin) {
    if (++seen < most) ctx.send(ctx.self(), coin);
  }
};

TEST(Rehearsal, LeavesConstantsAlone) {
  System system;
  system.add<Sized>(2);
  EXPECT_TRUE(system.rehearse(1, 1000).ok());
}

struct Numbered {
  using Messages = Types<Coin>;
  int number = 0;
  static inline int next = 0;
  void start(Context&) { number = ++next; }
  void on(Context&, const Coin&) {}
};

TEST(Rehearsal, NoticesNodesThatStartOtherwiseEachTime) {
  System system;
  system.add<Numbered>(1);
  const auto same = system.rehearse(1, 10);
  ASSERT_FALSE(same.ok());
  EXPECT_EQ(same.error().message.find("the nodes do not start alike each time"), 0U)
      << same.error().message;
}

TEST(Rehearsal, IsHeldBeforeScenariosAreJudged) {
  Scenario scenario("nothing in particular");
  scenario.max_steps(5);
  const auto report = run(scenario, keepers(Kept::kInTheNode), {.max_runs = 5});
  EXPECT_FALSE(report.ok());
}

}  // namespace
}  // namespace ordeal::verdicts
