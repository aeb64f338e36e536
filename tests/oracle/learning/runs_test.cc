// Runs do what a search would: see runs.h.
#include "tests/oracle/learning/runs.h"

#include <gtest/gtest.h>

#include "ordeal/check.h"
#include "ordeal/context.h"
#include "protocols/suite.h"
#include "suite/choose.h"

namespace ordeal::oracle::learning {
namespace {

namespace as_searched {

struct Toss {
  int side = 0;
};
struct Coin {
  using Requests = Types<Toss>;
  uint32_t side = 0;
  ORDEAL_FIELDS(side);
  void request(Context& ctx, const Toss&) { side = 1 + ctx.choose(2); }
};

System tossing() {
  System system;
  system.add<Coin>(1);
  system.request(1, Toss{});
  return system;
}

}  // namespace as_searched

TEST(Runs, DoWhatASearchWouldInEveryState) { EXPECT_EQ(problem_with_runs(400), ""); }

TEST(Runs, ComeBackToTheStatesThatBranchingKeeps) { EXPECT_EQ(problem_with_resuming(), ""); }

TEST(Runs, FailWhereAHandlerChoosesThatNeverDoes) {
  for (const char* strategy : {"random", "bfs"}) {
    Options options;
    options.strategy = strategy;
    options.max_runs = options.strategy == "random" ? 5 : 0;
    System system = as_searched::tossing();
    const auto either = check(system, options);
    ASSERT_TRUE(either.ok()) << either.error().message;
    EXPECT_NE(either->verdict, Verdict::kViolated) << strategy;
    system.never_chooses();
    const auto report = check(system, options);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->verdict, Verdict::kViolated) << strategy;
    ASSERT_FALSE(report->violations.empty());
    EXPECT_NE(report->violations[0].why.find("never_chooses"), std::string::npos)
        << report->violations[0].why;
  }
}

// What was counted before runs forgot anything or left anything open.
TEST(Runs, OfRaftCoverWhatTheyCoveredWhenEverythingWasKept) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(suite, {.system = "raft",
                                     .parameters = {{"terms", "0"},
                                                    {"candidates", "0"},
                                                    {"clients", "3"},
                                                    {"crash", "1,2,3"},
                                                    {"recoveries", "3"}}});
  ASSERT_TRUE(chosen.ok()) << chosen.error().message;
  Options options;
  options.strategy = "bonusmax";
  options.strategy_options = {{"episodes", "300"}};
  const auto report = check(*chosen->checkable, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_TRUE(report->learning);
  EXPECT_EQ(report->learning->coverage, 4291U);
  EXPECT_EQ(report->learning->pairs, 6539U);
  EXPECT_EQ(report->transitions, 37'922U);
  EXPECT_EQ(report->distinct_states, 36'257U);
}

}  // namespace
}  // namespace ordeal::oracle::learning
