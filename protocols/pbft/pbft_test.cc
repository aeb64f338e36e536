#include <algorithm>
#include <utility>

#include "protocols/pbft/client.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_holds;
using testing::expect_violated;
using testing::Given;
using testing::runs_of;

const char kName[] = "pbft";

bool claims(const Given& given, const std::string& property) {
  const auto subject = testing::build(kName, given);
  if (!subject) {
    ADD_FAILURE() << testing::describe(kName, given, "") << ": " << subject.error().message;
    return false;
  }
  const std::vector<Property>& all = (*subject)->properties();
  return std::any_of(all.begin(), all.end(),
                     [&](const Property& known) { return known.name == property; });
}

void expect_nothing_found(const Given& given, uint64_t runs) {
  const Report report = testing::run(kName, given, "", runs_of("random", runs));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe(kName, given, "") << "\n"
                                                 << testing::brief(report);
}

// The instances of docs/experiments/pbft.md that take no longer than a second.
TEST(Pbft, HoldsInEveryStateOfSmallInstances) {
  const std::vector<std::pair<Given, uint64_t>> instances = {
      {{}, 229'109},
      {{{"crash", "1"}}, 253'160},
      {{{"byzantine", "1"}, {"behaviour", "lie"}}, 65'335},
      {{{"byzantine", "4"}, {"behaviour", "lie"}}, 99'868},
      {{{"byzantine", "1"}, {"behaviour", "withhold"}}, 317'521},
      {{{"byzantine", "4"}, {"behaviour", "withhold"}}, 597'500},
      {{{"byzantine", "4"}, {"behaviour", "equivocate"}}, 62'468},
  };
  for (const auto& [given, states] : instances) {
    EXPECT_EQ(expect_holds(kName, given).distinct_states, states)
        << testing::describe(kName, given, "");
  }
}

TEST(Pbft, ToleratesAByzantineReplicaOfEveryKindAcrossViews) {
  for (const char* behaviour : {"equivocate", "withhold", "lie"}) {
    for (const char* byzantine : {"1", "2", "4"}) {
      expect_nothing_found({{"byzantine", byzantine},
                            {"behaviour", behaviour},
                            {"clients", "2"},
                            {"views", "3"},
                            {"retries", "1"}},
                           200);
    }
  }
}

TEST(Pbft, ToleratesAByzantineReplicaWithCheckpoints) {
  for (const char* behaviour : {"withhold", "lie"}) {
    expect_nothing_found({{"byzantine", "2"},
                          {"behaviour", behaviour},
                          {"clients", "2"},
                          {"requests", "2"},
                          {"checkpoint-interval", "2"},
                          {"views", "3"},
                          {"retries", "1"}},
                         100);
  }
}

TEST(Pbft, SevenReplicasTolerateTwoThatAreByzantine) {
  for (const char* behaviour : {"equivocate", "withhold", "lie"}) {
    expect_nothing_found({{"nodes", "7"},
                          {"byzantine", "1,2"},
                          {"behaviour", behaviour},
                          {"clients", "2"},
                          {"views", "3"},
                          {"retries", "1"}},
                         50);
  }
}

TEST(Pbft, FiveAndSixReplicasNeedLargerQuorumsThanThreeOfThem) {
  for (const char* nodes : {"5", "6"}) {
    expect_nothing_found({{"nodes", nodes},
                          {"byzantine", "1"},
                          {"behaviour", "equivocate"},
                          {"clients", "2"},
                          {"views", "2"},
                          {"retries", "1"}},
                         100);
  }
}

TEST(Pbft, MoreByzantineReplicasThanItIsMadeForBreakIt) {
  expect_violated(kName, {{"byzantine", "1,2"}, {"behaviour", "equivocate"}, {"clients", "2"}}, "",
                  "agreement", runs_of("random", 10'000));
  expect_violated(kName, {{"byzantine", "3,4"}}, "", "accepted was executed");
}

TEST(Pbft, EachPropertyCanFail) {
  expect_violated(kName, {{"clients", "2"}}, "out-of-order", "in order and once",
                  runs_of("random", 1'000));
  expect_violated(kName, {{"retries", "1"}}, "executes-twice", "in order and once",
                  runs_of("random", 1'000));
  expect_violated(kName, {{"byzantine", "4"}}, "accepts-one-reply", "accepted was executed");
  expect_violated(kName, {{"byzantine", "1"}}, "no-watermarks", "log is bounded");
  expect_violated(kName, {{"clients", "2"}, {"byzantine", "1"}, {"behaviour", "equivocate"}},
                  "two-proposals", "agreement", runs_of("random", 10'000));
  expect_violated(kName, {{"byzantine", "4"}, {"requests", "2"}, {"checkpoint-interval", "1"}},
                  "checkpoint-by-one", "agreement", runs_of("random", 10'000));
  expect_violated(kName,
                  {{"views", "3"},
                   {"retries", "1"},
                   {"clients", "2"},
                   {"byzantine", "1"},
                   {"behaviour", "withhold"}},
                  "forgets-view-changes", "every request is answered", runs_of("random", 10'000));
}

TEST(Pbft, RunsGetToViewChangesCheckpointsAndStateTransfers) {
  const Given given = {{"clients", "2"},
                       {"requests", "2"},
                       {"checkpoint-interval", "2"},
                       {"views", "2"},
                       {"retries", "1"}};
  const Report report = testing::run(kName, given, "", runs_of("random", 500));
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::brief(report);
  int goals = 0;
  for (const PropertyResult& result : report.properties) {
    if (result.property.kind != PropertyKind::kSometimes) continue;
    ++goals;
    EXPECT_EQ(result.verdict, Verdict::kHolds) << result.property.name;
  }
  EXPECT_EQ(goals, 4);
}

TEST(Pbft, ClaimsAnAnswerWhereACorrectPrimaryHasTheTimeItNeeds) {
  const std::string answer = "every request is answered";
  const Given views = {{"views", "2"}, {"retries", "1"}};
  const auto with = [&views](Given more) {
    more.insert(views.begin(), views.end());
    return more;
  };
  EXPECT_TRUE(claims({}, answer));
  EXPECT_TRUE(claims(views, answer));
  EXPECT_TRUE(claims(with({{"byzantine", "1"}}), answer));
  EXPECT_TRUE(claims(with({{"crash", "1"}}), answer));
  EXPECT_TRUE(claims(with({{"checkpoint-interval", "1"}}), answer));
  EXPECT_FALSE(claims({{"byzantine", "1"}}, answer));
  EXPECT_FALSE(claims({{"crash", "1"}}, answer));
  EXPECT_FALSE(claims({{"drops", "1"}}, answer));
  EXPECT_FALSE(claims({{"network", "ordered"}}, answer));
  EXPECT_FALSE(claims({{"views", "2"}}, answer));
  EXPECT_FALSE(claims(with({{"suspects", "2,3"}}), answer));
  EXPECT_FALSE(claims(with({{"byzantine", "2"}}), answer));
  EXPECT_FALSE(claims(with({{"byzantine", "1"}, {"crash", "3"}}), answer));
  EXPECT_FALSE(claims(with({{"byzantine", "1"}, {"checkpoint-interval", "1"}}), answer));
}

TEST(Pbft, SaysWhichParametersDoNotFit) {
  EXPECT_EQ(testing::error_of(kName, {{"byzantine", "5"}}), "--byzantine 5: replicas are 1 to 4");
  EXPECT_EQ(testing::error_of(kName, {{"nodes", "5"}, {"suspects", "0"}}),
            "--suspects 0: replicas are 1 to 5");
  EXPECT_EQ(testing::error_of(kName, {{"crash", "5"}}), "--crash 5: replicas are 1 to 4");
}

TEST(PbftCounter, ReturnsTheTotalAfterEachOperation) {
  const pbft::CounterSpec spec;
  const pbft::Total right{11};
  const pbft::Total wrong{10};
  EXPECT_EQ(spec.step(1, {10}, &right), 11);
  EXPECT_EQ(spec.step(1, {10}, &wrong), std::nullopt);
  EXPECT_EQ(spec.step(1, {10}, nullptr), 11);
}

}  // namespace
}  // namespace ordeal::protocols
