// Systems small enough to count by hand: the reference must find those numbers, and the engine too.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/system.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal {
namespace {

struct Ping {
  int n = 0;
};

// Counts the pings it gets, up to a limit; what it is told to do at the start it does.
struct Counter {
  using Messages = Types<Ping>;
  using Requests = Types<Ping>;
  using Disk = int;

  int count = 0;
  int limit = 9;
  std::vector<std::pair<NodeId, int>> at_start;  // pings to send: to whom, with what
  bool persists = false;
  bool answers = false;
  int suspected = 0;

  void start(Context& ctx) {
    for (const auto& [to, n] : at_start) ctx.send(to, Ping{n});
  }
  void on(Context& ctx, NodeId from, const Ping& ping) {
    count = std::min(limit, count * (ping.n == 0 ? 1 : 2) + 1);
    if (persists) ctx.persist(count);
    if (answers && ping.n == 0) ctx.send(from, Ping{1});
  }
  void request(Context& ctx, const Ping&) { ctx.persist(++count); }
  void crashed(Context&, NodeId) { ++suspected; }
  void restored(Context&, NodeId) { --suspected; }
  void recover(Context&, int disk) { count = disk; }
};

struct Clock {
  int fired = 0;
  bool only_idle = false;

  void start(Context& ctx) {
    ctx.set_timer("early", {.after = 1, .idle = only_idle});
    ctx.set_timer("late", {.after = 2, .idle = only_idle});
  }
  void timer(Context&, const std::string& name) { fired = fired * 3 + (name == "early" ? 1 : 2); }
};

struct Chooser {
  uint32_t first = 0;
  uint32_t second = 0;

  void start(Context& ctx) {
    first = ctx.choose(2);
    second = first == 0 ? 0 : ctx.choose(3);
    if (second == 2) second = 0;  // equal to another way
  }
};

struct Numbers {
  uint64_t states, transitions, terminal;
  uint32_t depth;
};

void expect_numbers(const System& system, const Numbers& expected) {
  const reference::Exploration found = reference::explore(system, 10'000);
  ASSERT_TRUE(found.starts);
  EXPECT_EQ(found.distinct, expected.states);
  EXPECT_EQ(found.transitions, expected.transitions);
  EXPECT_EQ(found.terminal, expected.terminal);
  EXPECT_EQ(found.depth, expected.depth);

  const Result<Report> report = check(system, {.strategy = "bfs", .threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->distinct_states, expected.states);
  EXPECT_EQ(report->transitions, expected.transitions);
  EXPECT_EQ(report->terminal_states, expected.terminal);
  EXPECT_EQ(report->depth, expected.depth);
}

// Node 1 sends these pings, all to node 2, when it starts.
System two_counters(const std::vector<int>& pings, Counter receiver = {}) {
  System system;
  system.add<Counter>(2, [=](NodeId id) {
    Counter counter = receiver;
    if (id == 1) {
      for (int n : pings) counter.at_start.push_back({2, n});
    }
    return counter;
  });
  return system;
}

TEST(HandCounted, ASystemThatDoesNothingHasOneState) {
  expect_numbers(two_counters({}), {1, 0, 1, 0});
}

TEST(HandCounted, AQuestionAndAnAnswerAreALine) {
  Counter receiver;
  receiver.answers = true;
  expect_numbers(two_counters({0}, receiver), {3, 2, 1, 2});
}

TEST(HandCounted, EqualMessagesAreOneActionEach) {
  expect_numbers(two_counters({0, 0, 0}), {4, 3, 1, 3});
}

TEST(HandCounted, DifferentMessagesInABagComeInAnyOrder) {
  // 0 then 1 leaves a count of 3, 1 then 0 of 2.
  expect_numbers(two_counters({0, 1}), {5, 4, 2, 2});
}

TEST(HandCounted, AnOrderedNetworkKeepsTheOrder) {
  expect_numbers(std::move(two_counters({0, 1}).network(Network::kOrdered)), {3, 2, 1, 2});
}

TEST(HandCounted, ASetDeliversForEver) {
  Counter receiver;
  receiver.limit = 2;
  const System system = std::move(two_counters({0}, receiver).network(Network::kSet));
  // Counts 0, 1 and 2; at 2 the delivery is a loop.
  expect_numbers(system, {3, 3, 0, 2});
  EXPECT_TRUE(reference::explore(system, 100).progress_cycle);
}

TEST(HandCounted, ALineIsNoCycle) {
  EXPECT_FALSE(reference::explore(two_counters({0, 1}), 100).progress_cycle);
}

TEST(HandCounted, ADropEndsAMessage) {
  // Pending, delivered, dropped; the budget is spent only in the last.
  expect_numbers(std::move(two_counters({0}).drops(1)), {3, 2, 2, 1});
}

TEST(HandCounted, ADuplicateIsOneMoreCopy) {
  // Copies left, budget left: (1,1) (0,1) (2,0) (1,0) (0,0).
  expect_numbers(std::move(two_counters({0}).duplicates(1)), {5, 4, 2, 3});
}

TEST(HandCounted, ACrashAndARecoveryAreOneStateEach) {
  expect_numbers(std::move(two_counters({}).crash({2})), {2, 1, 2, 1});
  expect_numbers(std::move(two_counters({}).crash({2}).recoveries(1)), {3, 2, 3, 2});
}

TEST(HandCounted, WhatIsPendingForANodeThatStaysDownIsRemoved) {
  // Pending, delivered, crashed before, crashed after. A crash forgets the count, so that the last
  // two are one state.
  expect_numbers(std::move(two_counters({0}).crash({2})), {3, 3, 2, 1});
}

TEST(HandCounted, WhatIsPendingForANodeThatMayRecoverWaits) {
  // Up, pending or delivered (1, 2); down, pending or not (3, 4); up again, pending, delivered
  // then, delivered before and forgotten (5, 6, 7).
  expect_numbers(std::move(two_counters({0}).crash({2}).recoveries(1)), {7, 6, 5, 3});
}

TEST(HandCounted, APerfectDetectorTellsTheOthersOnce) {
  expect_numbers(std::move(two_counters({}).crash({2}).detector(Detector::kPerfect)), {3, 2, 2, 2});
}

TEST(HandCounted, AWrongSuspicionIsTakenBack) {
  // Each of two pairs: not suspected, suspected, taken back.
  expect_numbers(std::move(two_counters({}).detector(Detector::kEventuallyPerfect, 1)),
                 {9, 12, 4, 4});
}

TEST(HandCounted, APartitionHoldsAMessageUp) {
  // The message pending or not, the network whole, split or healed. In the split, nothing is
  // delivered: a state with a message in a split is terminal, as are all without one.
  expect_numbers(std::move(two_counters({0}).partitions(1)), {6, 6, 4, 3});
}

TEST(HandCounted, ACrashMayFallRightAfterAPersist) {
  Counter receiver;
  receiver.persists = true;
  // Pending; delivered; crashed before; crashed after the persist, in the handler or later.
  expect_numbers(std::move(two_counters({0}, receiver).crash({2})), {4, 3, 3, 2});
  expect_numbers(std::move(two_counters({0}, receiver).crash({2}).crash_at_persist()),
                 {4, 4, 3, 1});
}

TEST(HandCounted, RequestsComeInAnyOrder) {
  System system = two_counters({});
  system.request(1, Ping{}).request(2, Ping{});
  expect_numbers(system, {4, 4, 1, 2});
}

TEST(HandCounted, TimersFireInAnyOrderUnlessTheSystemIsTimed) {
  System any;
  any.add<Clock>();
  expect_numbers(any, {5, 4, 2, 2});
  System timed;
  timed.add<Clock>().timed();
  expect_numbers(timed, {3, 2, 1, 2});
}

// Has a message for itself on its way, and a timer set.
struct Hurried {
  struct Note {};
  using Messages = Types<Note>;
  bool noted = false;
  bool rang = false;
  void start(Context& ctx) {
    ctx.send(ctx.self(), Note{});
    ctx.set_timer("t", {.after = 1});
  }
  void on(Context&, NodeId, const Note&) { noted = true; }
  void timer(Context&, const std::string&) { rang = true; }
};

TEST(HandCounted, TimeOfAPromptSystemPassesWhereNothingCanBeDelivered) {
  System timed;
  timed.add<Hurried>().timed();
  expect_numbers(timed, {4, 4, 1, 2});
  System prompt;
  prompt.add<Hurried>().prompt();
  expect_numbers(prompt, {3, 2, 1, 2});
}

TEST(HandCounted, IdleTimersKeepNoRunAlive) {
  System system;
  system.add<Clock>(1, [](NodeId) { return Clock{0, true}; }).timed();
  expect_numbers(system, {3, 2, 3, 2});
}

TEST(HandCounted, ChoicesAtTheStartGiveInitialStates) {
  System system;
  system.add<Chooser>(2);
  // Each node ends as (0,0), (1,0) or (1,1).
  expect_numbers(system, {9, 0, 9, 0});
}

TEST(HandCounted, NothingIsExploredOutsideTheConstraint) {
  System system = two_counters({0, 0, 0});
  system.within([](const View& view) { return view.node<Counter>(2).count < 2; });
  const reference::Exploration found = reference::explore(system, 100);
  EXPECT_EQ(found.distinct, 2U);
  const Result<Report> report = check(system, {.strategy = "bfs", .threads = 1});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->distinct_states, 2U);
}

TEST(HandCounted, SkippedNoOpsStayInFlight) {
  Counter receiver;
  receiver.limit = 1;
  expect_numbers(two_counters({0, 0}, receiver), {3, 2, 1, 2});
  expect_numbers(std::move(two_counters({0, 0}, receiver).skip_noops()), {2, 1, 1, 1});
}

}  // namespace
}  // namespace ordeal
