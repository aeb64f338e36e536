// RSL: what was searched exhaustively, what was sampled, and that every planted bug is found.
#include "ordeal/system.h"
#include "protocols/rsl/properties.h"
#include "protocols/rsl/replica.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_holds;
using testing::expect_violated;
using testing::Given;
using testing::runs_of;

const char kName[] = "rsl";

// Complete searches, and how many states they have; docs/experiments/rsl.md lists them.
TEST(Rsl, HasTheStatesThatAreDocumented) {
  const std::vector<std::pair<Given, uint64_t>> instances = {
      {{}, 165'782},
      {{{"replicas", "1"}}, 14},
      {{{"replicas", "2"}, {"ballots", "2"}}, 500},
      {{{"replicas", "5"}, {"requests", "1"}, {"candidates", "1"}}, 20'617},
      {{{"candidates", "1"}}, 1'112},
      {{{"requests", "3"}, {"candidates", "1"}, {"heartbeats", "2"}}, 72'906},
      {{{"candidates", "1"}, {"drops", "1"}}, 7'031},
      {{{"requests", "0"}, {"ballots", "2"}}, 200'720},
      {{{"requests", "1"}, {"drops", "1"}}, 100'923},
      {{{"candidates", "1"}, {"ballots", "2"}, {"crash", "1"}, {"recoveries", "1"}}, 32'478},
      {{{"time", "prompt"}}, 1'383},
  };
  for (const auto& [given, states] : instances) {
    const Report report = expect_holds(kName, given);
    EXPECT_EQ(report.distinct_states, states) << testing::describe(kName, given, "");
  }
}

TEST(Rsl, HoldsInRunsWithEverythingSwitchedOn) {
  const Given base = {
      {"candidates", "0"}, {"ballots", "5"}, {"requests", "6"}, {"heartbeats", "3"}};
  const std::vector<Given> more = {
      {{"retries", "3"},
       {"crash", "1,2,3"},
       {"max-crashes", "4"},
       {"recoveries", "4"},
       {"drops", "3"}},
      {{"retries", "3"}, {"network", "bag"}, {"drops", "3"}, {"duplicates", "3"}},
      {{"replicas", "5"},
       {"network", "bag"},
       {"crash", "1,2,3,4,5"},
       {"max-crashes", "3"},
       {"recoveries", "3"},
       {"crash-at-persist", "yes"}},
      {{"replicas", "4"}, {"retries", "4"}, {"partitions", "2"}},
      {{"time", "ordered"}, {"crash", "1"}, {"recoveries", "1"}},
  };
  for (const Given& extra : more) {
    Given given = extra;
    given.insert(base.begin(), base.end());
    const Report report = testing::run(kName, given, "", runs_of("random", 100));
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << testing::describe(kName, given, "") << "\n"
                                                   << testing::brief(report);
  }
}

TEST(Rsl, EveryPlantedBugIsFound) {
  const Given one = {{"requests", "1"}};
  const Given comes_back = {{"requests", "1"}, {"crash", "3"}, {"recoveries", "1"}};
  const Given half = {{"replicas", "4"}, {"requests", "1"}};
  testing::expect_every_bug_is_found(kName,
                                     {{"inconsistent-logs", one},
                                      {"older-ballots", one},
                                      {"nameless-ballot", one},
                                      {"half-is-enough", half, testing::breadth_first(15)},
                                      {"hasty-primary", {}},
                                      {"any-next-decree", {{"candidates", "1"}, {"drops", "1"}}},
                                      {"learns-undecided", comes_back},
                                      {"vote-not-logged", comes_back},
                                      {"prepare-not-logged", comes_back}});
}

TEST(Rsl, BugsThatRandomRunsFindShowInTheMinimisedTraceToo) {
  for (const char* bug : {"inconsistent-logs", "older-ballots", "hasty-primary"}) {
    expect_violated(kName, {}, bug, "log consistency", runs_of("random", 20'000));
  }
  expect_violated(kName, {}, "nameless-ballot", "one primary", runs_of("random", 20'000));
}

TEST(Rsl, RequestsAreOnlyClaimedToBeDecidedWhereNothingCanStopThem) {
  const auto claims = [](const Given& given) {
    const auto built = testing::build(kName, given);
    for (const Property& property : (*built)->properties()) {
      if (property.name == "requests are decided") return true;
    }
    return false;
  };
  EXPECT_TRUE(claims({{"candidates", "1"}}));
  EXPECT_TRUE(claims({{"replicas", "1"}}));
  EXPECT_FALSE(claims({}));
  EXPECT_FALSE(claims({{"candidates", "1"}, {"drops", "1"}}));
  EXPECT_FALSE(claims({{"candidates", "1"}, {"crash", "2"}}));
}

// --- What no planted bug violates ---------------------------------------------------------------

// Decides whatever it is asked to.
struct RslLiar {
  using Requests = Types<rsl::Decided>;
  int asked = 0;
  ORDEAL_FIELDS(asked);

  void request(Context& ctx, const rsl::Decided& decided) {
    ++asked;
    ctx.decide(decided);
  }
};

std::string violated_by(const std::vector<rsl::Decided>& decisions) {
  System system;
  system.add<rsl::Replica>(1);
  system.add<RslLiar>(1);
  for (const rsl::Decided& decided : decisions) system.request(2, decided);
  rsl::add_properties(system, {.requests = 2, .terminates = false});
  const Result<Report> report = check(system, testing::breadth_first());
  if (!report) return report.error().message;
  return report->violations.empty() ? "" : report->violations.front().property;
}

TEST(RslProperties, NoticeDecisionsThatNobodySubmittedThatAreEarlyOrThatChange) {
  EXPECT_EQ(violated_by({{1, 1}}), "log consistency");  // replica 1, alone, decides an empty decree
  EXPECT_EQ(violated_by({{1, rsl::kNoOperation}}), "");
  EXPECT_EQ(violated_by({{1, 3}}), "validity");
  EXPECT_EQ(violated_by({{2, 1}}), "no gaps");
  EXPECT_EQ(violated_by({{1, 1}, {1, 2}}), "decided for good");
}

// --- Ballots and places -------------------------------------------------------------------------

TEST(RslBallot, NumbersCountBeforeReplicas) {
  using rsl::Ballot;
  EXPECT_LT((Ballot{1, 3}), (Ballot{2, 1}));
  EXPECT_LT((Ballot{1, 1}), (Ballot{1, 2}));
  EXPECT_LT(Ballot{}, (Ballot{1, 1}));
  EXPECT_EQ(name_of(Ballot{2, 1}), "2.1");
}

TEST(RslPlace, NobodyIsAheadUnderAnOlderBallot) {
  using rsl::Place;
  const Place mine{2, {2, 1}};
  EXPECT_TRUE((Place{3, {2, 1}}.is_ahead_of(mine)));
  EXPECT_TRUE((Place{2, {2, 2}}.is_ahead_of(mine)));
  EXPECT_FALSE((Place{2, {2, 1}}.is_ahead_of(mine)));
  EXPECT_FALSE((Place{3, {1, 1}}.is_ahead_of(mine)));
  EXPECT_FALSE((Place{1, {3, 1}}.is_ahead_of(mine)));
}

}  // namespace
}  // namespace ordeal::protocols
