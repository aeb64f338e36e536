#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_every_bug_is_found;
using testing::expect_holds;
using testing::expect_violated;

const char kName[] = "paxos";

TEST(PaxosRegister, HoldsAtSmallSizes) {
  expect_holds(kName, {{"clients", "1"}, {"servers", "1"}});
  expect_holds(kName, {{"clients", "2"}, {"servers", "2"}});
  expect_holds(kName, {});
}

TEST(PaxosRegister, HoldsWhenAServerCrashesOrComesBack) {
  expect_holds(kName, {{"crash", "1"}});
  expect_holds(kName,
               {{"clients", "1"}, {"crash", "0,1"}, {"max-crashes", "1"}, {"recoveries", "1"}});
}

TEST(PaxosRegister, HoldsWithReaders) { expect_holds(kName, {{"clients", "2"}, {"writers", "1"}}); }

TEST(PaxosRegister, RandomRunsOfFiveServersFindNothing) {
  const Report report =
      testing::run(kName, {{"servers", "5"}}, "", testing::runs_of("random", 300));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::brief(report);
}

TEST(PaxosNodes, HoldsAtSmallSizes) {
  for (const char* nodes : {"1", "2", "3"}) expect_holds(kName, {{"nodes", nodes}});
}

TEST(PaxosNodes, HoldsWhoeverCrashes) {
  for (const char* crash : {"1", "2", "3"}) expect_holds(kName, {{"nodes", "3"}, {"crash", crash}});
}

TEST(PaxosNodes, AgreementNeedsNoDetector) {
  expect_holds(kName, {{"nodes", "2"}, {"detector", "eventually-perfect"}});
}

const testing::Given kContest = {{"proposers", "2"}};
const testing::Given kContested = {{"proposers", "2"}, {"leader", "contested"}};

Options with_fairness(Fairness fairness) {
  Options options = testing::breadth_first();
  options.fairness = fairness;
  return options;
}

TEST(PaxosContest, EndsWhereOneProposerIsLeftAloneInTheEnd) {
  for (const char* proposers : {"1", "2"}) expect_holds(kName, {{"proposers", proposers}});
  EXPECT_EQ(expect_holds(kName, kContest).distinct_states, 92'194U);
}

// Two proposers overtake each other again and again: every request is answered, and whatever is
// owed to whom, that can go on for ever.
TEST(PaxosContest, GoesRoundWhereNobodyIsEverLeftAlone) {
  for (const Fairness fairness : {Fairness::kDeclared, Fairness::kWeak, Fairness::kStrong}) {
    expect_violated(kName, kContested, "", "a value is learned", with_fairness(fairness));
    const Report report = testing::run(kName, kContested, "", with_fairness(fairness));
    ASSERT_EQ(report.verdict, Verdict::kViolated) << testing::brief(report);
    EXPECT_TRUE(report.violations.front().trace->loop_start.has_value());
  }
}

TEST(PaxosContest, ThatOneIsLeftAloneMustBeOwed) {
  expect_violated(kName, kContest, "", "a value is learned", with_fairness(Fairness::kNone));
}

// Only in runs that go on for ever: no run that ends shows it.
TEST(PaxosContest, TheSameBallotIsRefusedForEver) {
  const Report report = testing::run(kName, kContest, "same-ballot");
  ASSERT_EQ(report.verdict, Verdict::kViolated) << testing::brief(report);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations.front().property, "the leader learns");
  EXPECT_TRUE(report.violations.front().trace->loop_start.has_value());
  const Report runs = testing::run(kName, kContest, "same-ballot", testing::runs_of("random", 300));
  EXPECT_EQ(runs.verdict, Verdict::kUndecided) << testing::brief(runs);
}

TEST(Paxos, EveryPlantedBugIsFound) {
  const testing::Given leader_crashes = {{"nodes", "3"}, {"crash", "3"}};
  const testing::Given server_comes_back = {
      {"crash", "0,1,2"}, {"max-crashes", "1"}, {"recoveries", "1"}};
  expect_every_bug_is_found(
      kName,
      {{"ignore-accepted", {}},
       {"ignore-accepted", leader_crashes},
       {"forget-promise", {}},
       {"forget-promise", leader_crashes},
       {"small-quorum", {}},
       {"small-quorum", leader_crashes},
       {"adopt-any", {{"clients", "3"}}, testing::breadth_first(14)},
       {"read-undecided", {}},
       {"volatile-promise", server_comes_back},
       {"ignore-accepted", kContest},
       {"forget-promise", kContest},
       {"small-quorum", kContest},
       {"same-ballot", kContest},
       {"stale-round", {{"nodes", "5"}, {"crash", "4,5"}}, testing::runs_of("random", 1'000)}});
}

TEST(Paxos, TheFormsDoNotMix) {
  EXPECT_NE(testing::error_of(kName, {{"nodes", "3"}, {"clients", "2"}}), "");
  EXPECT_NE(testing::error_of(kName, {{"nodes", "3"}, {"servers", "3"}}), "");
  EXPECT_NE(testing::error_of(kName, {{"nodes", "3"}}, "adopt-any"), "");
  EXPECT_NE(testing::error_of(kName, {}, "stale-round"), "");
  EXPECT_EQ(testing::error_of(kName, {}, "same-ballot"),
            "--bug same-ballot: only the form with --proposers has it");
  EXPECT_EQ(testing::error_of(kName, {{"proposers", "2"}, {"nodes", "3"}}),
            "--proposers and --nodes: two forms of Paxos; give one of them");
  EXPECT_EQ(testing::error_of(kName, {{"proposers", "2"}, {"crash", "1"}}),
            "--proposers: the contest is a raw model, without nodes and links that fail");
  EXPECT_NE(testing::error_of(kName, {{"nodes", "3"}, {"crash", "1"}, {"recoveries", "1"}}), "");
  EXPECT_EQ(testing::error_of(kName, {{"crash", "3"}}), "--crash 3: servers are 0 to 2");
  EXPECT_EQ(testing::error_of(kName, {{"nodes", "3"}, {"crash", "0"}}),
            "--crash 0: nodes are 1 to 3");
}

}  // namespace
}  // namespace ordeal::protocols
