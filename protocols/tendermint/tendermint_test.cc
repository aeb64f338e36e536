#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_holds;
using testing::expect_violated;
using testing::Given;
using testing::runs_of;

const char kName[] = "tendermint";

// Complete searches, and how many states they have; docs/experiments/tendermint.md lists them.
TEST(Tendermint, HasTheStatesThatAreDocumented) {
  const std::vector<std::pair<Given, uint64_t>> instances = {
      {{}, 379},
      {{{"heights", "2"}}, 1'126},
      {{{"rounds", "2"}}, 23'651},
      {{{"rounds", "2"}, {"byzantine", "1"}}, 2'793},
      {{{"rounds", "2"}, {"byzantine", "1"}, {"time", "prompt"}}, 660},
      {{{"rounds", "2"}, {"drops", "1"}}, 135'194},
      {{{"rounds", "2"}, {"crash", "1,2,3"}, {"max-crashes", "1"}}, 40'034},
      {{{"crash", "3"}, {"recoveries", "1"}}, 2'392},
      {{{"behaviour", "withhold"}}, 134'020},
      {{{"byzantine", "1"}, {"behaviour", "withhold"}}, 176'397},
  };
  for (const auto& [given, states] : instances) {
    const Report report = expect_holds(kName, given);
    EXPECT_EQ(report.distinct_states, states) << testing::describe(kName, given, "");
  }
}

TEST(Tendermint, ToleratesEveryBehaviourOfOneNodeOfFour) {
  // Some of them exhaustively in one round, above; more runs are in the soak tests.
  for (const char* behaviour : {"equivocate", "withhold", "lie", "impersonate"}) {
    for (const char* byzantine : {"1", "2", "3", "4"}) {
      const Given given = {{"rounds", "2"}, {"byzantine", byzantine}, {"behaviour", behaviour}};
      const Report report = testing::run(kName, given, "", runs_of("random", 400));
      EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe(kName, given, "") << "\n"
                                                     << testing::brief(report);
    }
  }
}

TEST(Tendermint, ToleratesTwoOfSevenNodes) {
  for (const char* behaviour : {"equivocate", "withhold", "lie"}) {
    const Given given = {
        {"nodes", "7"}, {"rounds", "2"}, {"byzantine", "1,5"}, {"behaviour", behaviour}};
    const Report report = testing::run(kName, given, "", runs_of("random", 100));
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe(kName, given, "") << "\n"
                                                   << testing::brief(report);
  }
}

TEST(Tendermint, DoesNotTolerateTwoOfFourNodes) {
  expect_violated(kName, {{"byzantine", "1,2"}, {"behaviour", "equivocate"}}, "", "agreement",
                  runs_of("random", 1'000));
  expect_violated(kName, {{"byzantine", "1,2"}, {"behaviour", "impersonate"}}, "", "agreement",
                  runs_of("random", 1'000));
}

TEST(Tendermint, DecidesAfterSilentProposersWhereMessagesAreFast) {
  const auto claims_to_decide = [](const Given& given) {
    const auto subject = testing::build(kName, given);
    std::set<std::string> names;
    for (const Property& property : (*subject)->properties()) names.insert(property.name);
    return names.contains("all decide");
  };
  const Given enough = {{"byzantine", "1"}, {"time", "prompt"}, {"rounds", "2"}};
  EXPECT_TRUE(claims_to_decide(enough));
  expect_holds(kName, enough);
  // One round has no proposer that could be heard, and timeouts may be too early.
  EXPECT_FALSE(claims_to_decide({{"byzantine", "1"}, {"time", "prompt"}}));
  EXPECT_FALSE(claims_to_decide({{"byzantine", "1"}, {"rounds", "2"}}));
  // Nor is anything claimed in bad weather.
  for (const Given& bad : std::vector<Given>{{{"drops", "1"}},
                                             {{"byzantine", "3,4"}},
                                             {{"behaviour", "lie"}},
                                             {{"byzantine", "0"}, {"crash", "3"}},
                                             {{"crash", "3"}, {"recoveries", "1"}}}) {
    EXPECT_FALSE(claims_to_decide(bad)) << testing::describe(kName, bad, "");
  }
}

TEST(Tendermint, StaysSafeOnBadLinksAndWhenNodesComeBack) {
  const std::vector<Given> weather = {
      {{"byzantine", "0"}, {"rounds", "3"}, {"drops", "2"}},
      {{"byzantine", "0"}, {"rounds", "3"}, {"duplicates", "2"}},
      {{"byzantine", "0"}, {"rounds", "3"}, {"partitions", "1"}},
      {{"byzantine", "0"}, {"rounds", "3"}, {"crash", "2"}},
      {{"byzantine", "0"}, {"rounds", "3"}, {"crash", "1,2,3"}, {"recoveries", "2"}},
      {{"byzantine", "0"}, {"heights", "2"}, {"rounds", "3"}, {"crash", "2"}, {"recoveries", "1"}},
      {{"byzantine", "1"}, {"behaviour", "equivocate"}, {"rounds", "3"}, {"duplicates", "2"}},
      {{"byzantine", "3"}, {"behaviour", "lie"}, {"rounds", "3"}, {"duplicates", "3"}},
      {{"behaviour", "withhold"}, {"heights", "2"}, {"crash", "3"}, {"recoveries", "1"}},
  };
  for (const Given& given : weather) {
    const Report report = testing::run(kName, given, "", runs_of("random", 500));
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe(kName, given, "") << "\n"
                                                   << testing::brief(report);
  }
}

// Each of them can fail, in a system that is wrong in some way.
TEST(Tendermint, EveryPropertyIsViolatedBySomeMistake) {
  const Given liar = {{"byzantine", "1"}, {"behaviour", "lie"}};
  const Given impostor = {{"byzantine", "1"}, {"behaviour", "impersonate"}};
  const Given split = {{"rounds", "2"}, {"byzantine", "2"}, {"behaviour", "lie"}};
  expect_violated(kName, {{"rounds", "2"}, {"byzantine", "1"}, {"behaviour", "equivocate"}},
                  "decide-on-third", "agreement", runs_of("random", 1'000));
  expect_violated(kName, liar, "accept-invalid", "validity");
  expect_violated(kName, impostor, "unsigned", "precommits have quorums");
  expect_violated(kName, split, "ignore-lock", "locks are kept", runs_of("random", 1'000));
  expect_violated(kName, {{"duplicates", "1"}}, "count-duplicates", "decisions spread");
  expect_violated(kName, {{"rounds", "3"}}, "forget-early-votes", "rounds go on",
                  runs_of("random", 1'000));
  expect_violated(kName, {{"rounds", "2"}, {"byzantine", "1"}, {"time", "prompt"}},
                  "forget-early-votes", "all decide");
}

TEST(Tendermint, FollowingOthersChangesNothingWhereNobodyVotesForAValue) {
  const Given given = {{"rounds", "2"}, {"byzantine", "1"}};
  EXPECT_EQ(testing::run(kName, given, "follow-others").verdict, Verdict::kHolds);
}

TEST(Tendermint, RefusesByzantineNodesThatMakeNoSense) {
  EXPECT_EQ(testing::error_of(kName, {{"byzantine", "5"}}),
            "--byzantine 5: nodes are 1 to 4, and 0 is nobody");
  EXPECT_EQ(testing::error_of(kName, {{"byzantine", "1,2,3,4"}}),
            "--byzantine: all nodes are Byzantine, and nothing can be said of them");
  EXPECT_EQ(testing::error_of(kName, {{"byzantine", "0"}}), "");
  EXPECT_NE(testing::error_of(kName, {{"crash", "5"}}), "");
}

TEST(Tendermint, HasTheScenariosOfTheNetrixTable) {
  const Suite all = suite();
  for (const char* test :
       {"expect-unlock", "relocked", "locked-commit", "lagging-replica", "forever-lagging-replica",
        "round-skip", "block-votes", "precommit-invariant", "commit-after-round-skip",
        "different-decisions", "nil-prevotes", "proposal-nil-prevote", "not-nil-decide",
        "garbled-message", "higher-round"}) {
    EXPECT_NE(all.find_scenario(std::string("tendermint-") + test), nullptr) << test;
  }
}

}  // namespace
}  // namespace ordeal::protocols
