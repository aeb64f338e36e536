// Executions under dpor, derived on paper. In all of these, handlers do not commute unless said so.
// D: a delivery, C: a crash, R: a recovery, P: a partition, H: it heals.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

struct Msg {
  int n = 0;
};

// Sends what it is told to at its start.
struct Source {
  NodeId to;
  std::vector<int> what;
  void start(Context& ctx) {
    for (int n : what) ctx.send(to, Msg{n});
  }
};

// Remembers what it got, in order.
struct Sink {
  using Messages = Types<Msg>;
  using Requests = Types<Msg>;
  std::vector<int> got;
  void on(Context&, NodeId from, const Msg& m) { got.push_back(from.value * 100 + m.n); }
  void request(Context&, const Msg& m) { got.push_back(m.n); }
};

// Remembers nothing.
struct Reader {
  using Messages = Types<Msg>;
  void on(Context&, NodeId, const Msg&) {}
};

uint64_t executions(const Checkable& system, uint32_t max_depth = 0) {
  const Result<Report> report =
      check(system, {.strategy = "dpor", .max_depth = max_depth, .keep_going = true});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  if (!report.ok()) return 0;
  for (const std::string& note : report->notes) {
    EXPECT_EQ(note.find("nowhere"), std::string::npos) << note;
  }
  return report->runs;
}

uint64_t factorial(int n) { return n <= 1 ? 1 : static_cast<uint64_t>(n) * factorial(n - 1); }

// `senders` sources, each with `what` for one sink: the node after them.
System to_one(int senders, std::vector<int> what = {1}) {
  System system;
  system.add<Source>(senders, [=](NodeId) { return Source{senders + 1, what}; });
  system.add<Sink>(1);
  return system;
}

System to_many(int count) {
  System system;
  system.add<Source>(count, [=](NodeId id) { return Source{id.value + count, {1}}; });
  system.add<Sink>(count);
  return system;
}

TEST(Executions, MessagesToOneReceiverComeInEveryOrder) {
  for (int n = 1; n <= 6; ++n) EXPECT_EQ(executions(to_one(n)), factorial(n)) << n;
}

TEST(Executions, MessagesToDifferentReceiversHaveNoOrder) {
  for (int n = 1; n <= 8; ++n) EXPECT_EQ(executions(to_many(n)), 1U) << n;
}

TEST(Executions, HandlersThatChangeNothingCommute) {
  System system;
  system.add<Source>(5, [](NodeId) { return Source{6, {1, 2}}; });
  system.add<Reader>(1);
  EXPECT_EQ(executions(system), 1U);
}

struct Player {
  using Messages = Types<Msg>;
  int last = 0;
  void start(Context& ctx) {
    if (ctx.self().value % 2 == 1) ctx.send(ctx.self().value + 1, Msg{1});
  }
  void on(Context& ctx, NodeId from, const Msg& m) {
    last = m.n;
    if (m.n < 4) ctx.send(from, Msg{m.n + 1});
  }
};

TEST(Executions, IndependentPairsHaveOne) {
  for (int n = 1; n <= 5; ++n) {
    System system;
    system.add<Player>(2 * n);
    EXPECT_EQ(executions(system), 1U) << n;
  }
}

// --- Networks ----------------------------------------------------------------------------------

TEST(Executions, AQueueKeepsItsOrder) {
  System one = to_one(1, {1, 2, 3});
  EXPECT_EQ(executions(one), 6U);  // a bag: 3!
  one.network(Network::kOrdered);
  EXPECT_EQ(executions(one), 1U);
  System two = to_one(2, {1, 2});
  EXPECT_EQ(executions(two), 24U);  // 4!
  two.network(Network::kOrdered);
  EXPECT_EQ(executions(two), 6U);  // how two queues of two are merged: 4 over 2
}

TEST(Executions, CopiesOfAMessageAreNotToldApart) {
  EXPECT_EQ(executions(to_one(1, {1, 1, 1})), 1U);
  EXPECT_EQ(executions(to_one(1, {1, 1, 2})), 3U);  // where 2 comes
}

// Passes on what it is asked, and counts.
struct Producer {
  using Requests = Types<Msg>;
  int count = 0;
  void request(Context& ctx, const Msg& m) { ctx.send(2, Msg{m.n * 10 + ++count}); }
};

TEST(Executions, ProducersAndConsumersOfAQueueAreIndependent) {
  System system;
  system.add<Producer>(1);
  system.add<Sink>(1);
  for (int i = 0; i < 4; ++i) system.request(1, Msg{7});
  system.network(Network::kOrdered);
  // The sends are ordered, the deliveries are, and each delivery comes behind its send: one trace.
  EXPECT_EQ(executions(system), 1U);
  system.network(Network::kBag);
  // Which of the messages that are there comes next: deliveries in any order, 4!, each behind its
  // send, which is no matter of order between different messages.
  EXPECT_EQ(executions(system), 24U);
}

struct Collector {
  using Messages = Types<Msg>;
  std::vector<int> seen;
  void on(Context&, NodeId from, const Msg&) {
    for (int known : seen) {
      if (known == from.value) return;
    }
    seen.push_back(from.value);
  }
};

TEST(Executions, InASetWithoutNoopsEachMessageCountsOnce) {
  System system;
  system.add<Source>(3, [](NodeId) { return Source{4, {1}}; });
  system.add<Collector>(1);
  system.network(Network::kSet).skip_noops();
  EXPECT_EQ(executions(system), 6U);  // 3!
}

TEST(Executions, DropsTakeTheirShare) {
  // Which of the three are lost; deliveries to different nodes have no order.
  const uint64_t expected[] = {1, 1 + 3, 1 + 3 + 3, 1 + 3 + 3 + 1};
  for (uint32_t budget = 0; budget <= 3; ++budget) {
    System system = to_many(3);
    system.drops(budget);
    EXPECT_EQ(executions(system), expected[budget]) << budget;
  }
  // To one node: all arrive in any order, n!; or one is lost, n ways, and the rest in any order.
  for (int n = 1; n <= 4; ++n) {
    System system = to_one(n);
    system.drops(1);
    EXPECT_EQ(executions(system), 2 * factorial(n)) << n;
  }
}

TEST(Executions, DuplicatesComeBeforeTheDelivery) {
  System one = to_one(1);
  one.duplicates(1);
  EXPECT_EQ(executions(one), 2U);  // D; duplicate D D
  one.duplicates(2);
  // D; duplicate D D; duplicate D duplicate D D, and duplicate duplicate D D D: both spend two, but
  // the second copy is made before or after the first is delivered.
  EXPECT_EQ(executions(one), 4U);
  System queue = to_one(1, {1, 2});
  queue.duplicates(1).network(Network::kOrdered);
  // None, the first (1 1 2), the second when the first is gone (1 2 2).
  EXPECT_EQ(executions(queue), 3U);
}

TEST(Executions, AMessageThatMayBeDroppedOrDuplicated) {
  System system = to_one(1);
  system.drops(1).duplicates(1);
  // D; drop; duplicate and then of the two: D D, D drop, drop D.
  EXPECT_EQ(executions(system), 5U);
}

// --- Choices, requests, timers -----------------------------------------------------------------

struct Chooser {
  using Requests = Types<Msg>;
  int chosen = 0;
  void request(Context& ctx, const Msg& m) {
    chosen = chosen * 10 + static_cast<int>(ctx.choose(static_cast<uint32_t>(m.n))) + 1;
  }
};

TEST(Executions, ChoicesMultiply) {
  System system;
  system.add<Chooser>(2);
  system.request(1, Msg{3}).request(2, Msg{3});
  EXPECT_EQ(executions(system), 9U);
  System both;
  both.add<Chooser>(1);
  both.request(1, Msg{3}).request(1, Msg{2});
  EXPECT_EQ(executions(both), 12U);  // two orders, six answers
}

TEST(Executions, RequestsToOneNodeComeInEveryOrder) {
  for (int n = 1; n <= 5; ++n) {
    System system;
    system.add<Sink>(2);
    for (int i = 0; i < n; ++i) system.request(1, Msg{i + 1});
    system.request(2, Msg{1});
    EXPECT_EQ(executions(system), factorial(n)) << n;
  }
}

struct Clock {
  std::vector<std::string> names;
  bool idle = false;
  bool exclusive = false;
  std::string rang;
  void start(Context& ctx) {
    for (const std::string& name : names) ctx.set_timer(name, {.idle = idle});
  }
  void timer(Context& ctx, const std::string& name) {
    rang += name;
    if (!exclusive) return;
    for (const std::string& other : names) ctx.cancel_timer(other);
  }
};

TEST(Executions, TimersOfOneNodeRingInEveryOrder) {
  System one;
  one.add<Clock>(1, [](NodeId) { return Clock{{"a", "b", "c"}, false, false, ""}; });
  EXPECT_EQ(executions(one), 6U);
  System apart;
  apart.add<Clock>(3, [](NodeId) { return Clock{{"a"}, false, false, ""}; });
  EXPECT_EQ(executions(apart), 1U);
  // The first cancels the others.
  System exclusive;
  exclusive.add<Clock>(2, [](NodeId) { return Clock{{"a", "b", "c"}, false, true, ""}; });
  EXPECT_EQ(executions(exclusive), 9U);
  // A run may end before an idle timer rings: no, a, b, ab, ba.
  System idle;
  idle.add<Clock>(1, [](NodeId) { return Clock{{"a", "b"}, true, false, ""}; });
  EXPECT_EQ(executions(idle), 5U);
}

// --- Crashes -----------------------------------------------------------------------------------

TEST(Executions, ACrashComesAtAnyTimeOrNever) {
  System one = to_one(1);
  one.crash({2}, 1);
  EXPECT_EQ(executions(one), 3U);  // D; D C; C, and the message is lost
  // n messages: k of them in any order and then the crash, for every k; or all and no crash.
  System two = to_one(2);
  two.crash({3}, 1);
  EXPECT_EQ(executions(two), 1U + 2 + 2 + 2);
  System three = to_one(3);
  three.crash({4}, 1);
  EXPECT_EQ(executions(three), 1U + 3 + 6 + 6 + 6);
}

TEST(Executions, ACrashedNodeMayComeBack) {
  System system = to_one(1);
  system.crash({2}, 1).recoveries(1);
  // D; D C; D C R; C (the message waits for ever); C R D.
  EXPECT_EQ(executions(system), 5U);
}

TEST(Executions, ACrashOfTheSenderIsIndependentOfItsMessages) {
  System system = to_one(2);
  system.crash({1}, 1);
  EXPECT_EQ(executions(system), 4U);  // two orders, with the crash and without
}

TEST(Executions, CrashesOutOfASupply) {
  // Sets of nodes of at most that size: 3 of 3 nodes may crash.
  const uint64_t expected[] = {1 + 3, 1 + 3 + 3, 1 + 3 + 3 + 1};
  for (int budget = 1; budget <= 3; ++budget) {
    System system;
    system.add<Sink>(3);
    system.crash({1, 2, 3}, budget);
    EXPECT_EQ(executions(system), expected[budget - 1]) << budget;
  }
}

struct Watcher {
  using Messages = Types<Msg>;
  std::vector<int> seen;
  void on(Context&, NodeId from, const Msg&) { seen.push_back(from.value); }
  void crashed(Context&, NodeId who) { seen.push_back(-who.value); }
};

TEST(Executions, ANoticeOfACrashIsAMessageOfItsOwn) {
  System system;
  system.add<Watcher>(1);
  system.add<Sink>(1);
  system.crash({2}).detector(Detector::kPerfect);
  EXPECT_EQ(executions(system), 2U);  // nothing; the crash and its notice
  System busy;
  busy.add<Source>(1, [](NodeId) { return Source{2, {1}}; });
  busy.add<Watcher>(1);
  busy.crash({1}).detector(Detector::kPerfect);
  EXPECT_EQ(executions(busy), 3U);  // D; with the crash, D and the notice in two orders
}

struct Suspicious {
  std::vector<int> seen;
  void crashed(Context&, NodeId who) { seen.push_back(-who.value); }
  void restored(Context&, NodeId who) { seen.push_back(who.value); }
};

TEST(Executions, AWrongSuspicionIsTakenBack) {
  System system;
  system.add<Suspicious>(1);
  system.add<Sink>(1);
  system.detector(Detector::kEventuallyPerfect, 1);
  EXPECT_EQ(executions(system), 2U);
  system.detector(Detector::kEventuallyPerfect, 2);
  EXPECT_EQ(executions(system), 3U);  // never, once, twice
}

struct Writer {
  using Requests = Types<Msg>;
  using Disk = Msg;
  int written = 0;
  void request(Context& ctx, const Msg& m) {
    ctx.persist(m);
    written += m.n;
  }
};

TEST(Executions, ACrashAtAPersistIsAnotherWayOfTheHandler) {
  System system;
  system.add<Writer>(1);
  system.request(1, Msg{1}).crash({1}, 1).crash_at_persist();
  EXPECT_EQ(executions(system), 4U);  // request; cut; request C; C and the request is lost
}

// --- Partitions, components, histories, failures -----------------------------------------------

TEST(Executions, APartitionHoldsMessagesUp) {
  System system = to_one(1);
  system.partitions(1);
  EXPECT_EQ(executions(system), 5U);  // D; D P; D P H; P (for ever); P H D
  // One that cuts another link: P and H at any time, independent of the message.
  System apart;
  apart.add<Source>(1, [](NodeId) { return Source{2, {1}}; });
  apart.add<Sink>(2);
  apart.partitions(1, {{{1, 2}, {3}}});
  EXPECT_EQ(executions(apart), 3U);  // nothing; P; P H
}

struct Mutex {
  using Messages = Types<Msg>;
  std::vector<int> queue;
  void on(Context&, NodeId from, const Msg&) { queue.push_back(from.value); }
};

struct Thread {
  using Requests = Types<Msg>;
  NodeId mutex;
  void request(Context& ctx, const Msg& m) { ctx.send(mutex, m); }
};

TEST(Executions, NodesThatTakeOneMutexDoSoInEveryOrder) {
  for (int n = 1; n <= 5; ++n) {
    System system;
    system.add<Thread>(n, [n](NodeId) { return Thread{n + 1}; });
    ASSERT_EQ(system.component<Mutex>("mutex"), NodeId(n + 1));
    for (int i = 1; i <= n; ++i) system.request(i, Msg{1});
    EXPECT_EQ(executions(system), factorial(n)) << n;
  }
}

struct Client {
  using Requests = Types<Msg>;
  void request(Context& ctx, const Msg& m) {
    if (m.n == 0) {
      ctx.invoke(Msg{1});
    } else {
      ctx.returns(Msg{2});
    }
  }
};

struct InOne {
  using Requests = Types<Msg>;
  void request(Context& ctx, const Msg&) {
    ctx.invoke(Msg{1});
    ctx.returns(Msg{2});
  }
};

TEST(Executions, ReturnsAndCallsOfDifferentClientsAreOrdered) {
  System calls;
  calls.add<Client>(3);
  for (int i = 1; i <= 3; ++i) calls.request(i, Msg{0});
  EXPECT_EQ(executions(calls), 1U);  // calls alone commute
  System both;
  both.add<InOne>(3);
  for (int i = 1; i <= 3; ++i) both.request(i, Msg{0});
  EXPECT_EQ(executions(both), 6U);
}

struct Fragile {
  using Messages = Types<Msg>;
  int got = 0;
  void on(Context&, NodeId, const Msg& m) {
    ORDEAL_ASSERT(got == 0 || m.n != 2);
    got += m.n;
  }
};

TEST(Executions, AFailureEndsWhatItsNodeDoesAndNothingElse) {
  System system;
  system.add<Source>(1, [](NodeId) { return Source{3, {1, 2, 3}}; });
  system.add<Source>(1, [](NodeId) { return Source{4, {1}}; });
  system.add<Fragile>(2);
  // Of 1, 2 and 3 at node 3: 2 fails unless it is first. 2 1 3, 2 3 1; 1 2 (3 is not delivered any
  // more), 1 3 2, 3 2, 3 1 2. Node 4 has its message in each.
  EXPECT_EQ(executions(system), 6U);
}

}  // namespace
}  // namespace ordeal
