// The order of declarations does not matter; declarations that make no sense are refused.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::declarations_tests {
namespace {

struct Ping {
  int n = 0;
};
struct Peer {
  using Messages = Types<Ping>;
  int got = 0;
  void start(Context& ctx) { ctx.broadcast(Ping{1}); }
  void on(Context&, const Ping&) { ++got; }
};

std::string refusal(const System& system) {
  const auto report = check(system);
  return report.ok() ? "" : report.error().message;
}

TEST(Declarations, PartitionsSplitTheNodesThatAreAddedLater) {
  System early;
  early.partitions(1).add<Peer>(2).add<Peer>(1);
  System late;
  late.add<Peer>(3).partitions(1);
  const auto one = check(early);
  const auto other = check(late);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->distinct_states, other->distinct_states);
  EXPECT_EQ(one->transitions, other->transitions);
}

TEST(Declarations, SplitsThatAreListedMayComeBeforeTheNodes) {
  System early;
  early.partitions(1, {{{1}, {2, 3}}}).add<Peer>(3);
  System late;
  late.add<Peer>(3).partitions(1, {{{1}, {2, 3}}});
  const auto one = check(early);
  const auto other = check(late);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->distinct_states, other->distinct_states);
}

TEST(Declarations, FreeFaultsAreThoseOfAllNodes) {
  System early;
  early.free_faults().add<Peer>(2);
  System late;
  late.add<Peer>(2).free_faults();
  EXPECT_EQ(early.declaration().may_crash.size(), 2U);
  EXPECT_EQ(late.declaration().may_crash.size(), 2U);
}

TEST(Declarations, PromptIsTimedWhicheverIsSaidFirst) {
  System one;
  one.add<Peer>(2).prompt().timed();
  System other;
  other.add<Peer>(2).timed().prompt();
  EXPECT_TRUE(one.declaration().timed && one.declaration().prompt);
  EXPECT_TRUE(other.declaration().timed && other.declaration().prompt);
  for (const bool first : {true, false}) {
    System both;
    both.add<Peer>(2);
    first ? both.prompt().timed(false) : both.timed(false).prompt();
    EXPECT_EQ(refusal(both),
              "prompt() is for timed systems, but timed(false) says that there is no time");
  }
}

TEST(Declarations, SplitsOfUnknownOrDoubledNodesAreRefused) {
  const auto split = [](const detail::Split& blocks) {
    System system;
    system.add<Peer>(3).partitions(1, {blocks});
    return refusal(system);
  };
  EXPECT_EQ(split({{1}, {2, 4}}), "the split 1 | 2,4: there is no node 4: nodes are 1 to 3");
  EXPECT_EQ(split({{0}, {1, 2, 3}}), "the split 0 | 1,2,3: there is no node 0: nodes are 1 to 3");
  EXPECT_EQ(split({{1, 2}, {2, 3}}), "the split 1,2 | 2,3: node 2 is named twice");
  EXPECT_EQ(split({{1, 2, 3}}),
            "the split 1,2,3: all nodes are in one block, so nothing is cut off");
  EXPECT_EQ(split({}), "the split : all nodes are in one block, so nothing is cut off");
  EXPECT_EQ(split({{1}, {2}}), "");  // who is not named is alone with the others who are not
}

TEST(Declarations, ListsThatReplaceEachOtherAreRefused) {
  System system;
  system.add<Peer>(3).crash({1}).crash({2});
  EXPECT_EQ(refusal(system),
            "crash() was called 2 times, and each list replaces the one before; name all nodes "
            "that may crash in one");
}

TEST(Declarations, NegativeBudgetsAreRefused) {
  System drops;
  drops.add<Peer>(2).drops(static_cast<uint32_t>(-1));
  EXPECT_EQ(refusal(drops), "drops(-1): how often that may happen in a run, 0 or more");
  System partitions;
  partitions.add<Peer>(2).partitions(static_cast<uint32_t>(-3));
  EXPECT_EQ(refusal(partitions), "partitions(-3): how often that may happen in a run, 0 or more");
}

struct Oracle {
  using Messages = Types<Ping>;
  int asked = 0;
  void on(Context&, const Ping&) { ++asked; }
};
struct Told : Oracle {
  ORDEAL_FIELDS(asked);
  void crashed(Context&, NodeId) { ++asked; }
};
struct Asked {
  using Requests = Types<Ping>;
  int asked = 0;
  void request(Context&, const Ping&) { ++asked; }
};

TEST(Declarations, HandlersOfComponentsThatNobodyCallsAreRefused) {
  System told;
  told.add<Peer>(2).crash({1}).detector(Detector::kPerfect);
  told.component("oracle", Told());
  EXPECT_NE(refusal(told).find("component \"oracle\" (Told) has a handler `crashed`, which would "
                               "never be called"),
            std::string::npos)
      << refusal(told);
  System asked;
  asked.add<Peer>(2);
  asked.component("oracle", Asked());
  EXPECT_NE(refusal(asked).find("has a handler `request`"), std::string::npos) << refusal(asked);
}

TEST(Declarations, ComponentsKeepTheIdsThatTheyWereGiven) {
  System system;
  system.add<Peer>(2);
  const NodeId oracle = system.component("oracle", Oracle());
  EXPECT_EQ(oracle.value, 3);
  EXPECT_EQ(refusal(system), "");
  system.first_id(5);
  EXPECT_EQ(refusal(system),
            "component \"oracle\" was told that its id is 3, but it is 7: call first_id() before "
            "the first component is added");
  System twice;
  twice.add<Peer>(2);
  twice.component("oracle", Oracle());
  twice.component("oracle", Oracle());
  EXPECT_EQ(refusal(twice), "two components are named \"oracle\"");
}

TEST(Declarations, AFactoryMustMakeTheSameNodeEachTime) {
  System system;
  int made = 0;
  system.add<Peer>(2, [&made](NodeId) { return Peer{++made}; });
  EXPECT_EQ(refusal(system),
            "the factory of node 1 (Peer) makes another node each time it is called: got is 1 the "
            "first time, 2 the second");
  System failing;
  failing.add<Peer>(2, [](NodeId id) -> Peer {
    if (id == 2) throw std::runtime_error("no such peer");
    return {};
  });
  EXPECT_EQ(refusal(failing), "the factory of node 2 (Peer) fails: exception: no such peer");
}

TEST(Declarations, IdsAreNotNegative) {
  System system;
  system.first_id(-2).add<Peer>(3);
  EXPECT_EQ(refusal(system),
            "the first node has id -2; ids are not negative, because -1 stands for nobody");
}

}  // namespace
}  // namespace ordeal::declarations_tests
