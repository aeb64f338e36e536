// Live runs: what a person does has the effect it says, and every recording replays.
#include "ordeal/live.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "ordeal/system.h"
#include "tests/engine/live/drive.h"

namespace ordeal::live {
namespace {

// --- A small system with everything ------------------------------------------------------------

struct Ping {
  int number = 0;
};
struct Pong {
  int number = 0;
};
struct Go {};
struct Tick {};

// Answers what it is asked, counts, keeps the count on disk, and has a timer.
struct Server {
  using Messages = Types<Ping, Pong, Tick>;
  using Requests = Types<Go>;
  using Disk = int;
  NodeId clock = -1;
  int pings = 0;
  int pongs = 0;
  int rings = 0;
  int gone = 0;
  bool back = false;

  void start(Context& ctx) { pings = static_cast<int>(ctx.choose(2)) * 100; }
  void request(Context& ctx, const Go&) {
    ctx.broadcast(Ping{pongs});
    ctx.set_timer("ring", {.after = 1});
    if (clock.value >= 0) ctx.send(clock, Ping{1});
  }
  void on(Context& ctx, NodeId, const Ping& ping) {
    ++pings;
    ctx.persist(pings);
    ctx.reply(Pong{ping.number + static_cast<int>(ctx.choose(3))});
  }
  void on(Context& ctx, NodeId, const Pong& pong) {
    ++pongs;
    ctx.decide(pong.number);
  }
  void on(Context&, NodeId, const Tick&) { ++rings; }
  void timer(Context&, const std::string&) { ++rings; }
  void crashed(Context&, NodeId who) { gone += who.value; }
  void restored(Context&, NodeId who) { gone -= who.value; }
  void recover(Context&, const int& disk) {
    pings = disk;
    back = true;
  }
};

// A mocked component that answers later, and keeps itself busy.
struct Wall {
  using Messages = Types<Ping, Tick>;
  int asked = 0;
  void on(Context& ctx, NodeId from, const Ping&) {
    ++asked;
    ctx.post(from, Tick{});
    ctx.post(ctx.self(), Tick{});
  }
  void on(Context& ctx, NodeId, const Tick&) { asked += static_cast<int>(ctx.choose(2)); }
};

System servers(int count = 3) {
  System system;
  system.add<Server>(count, [count](NodeId) {
    Server server;
    server.clock = count + 1;
    return server;
  });
  system.component<Wall>("wall");
  for (int i = 1; i <= count; ++i) system.request(i, Go{});
  system.detector(Detector::kPerfect);
  return system;
}

// --- What a person does
// ------------------------------------------------------------------------------

TEST(Live, RequestsMessagesTimersAndComponentsHappenAndReplay) {
  const System system = servers();
  const auto run = start(system);
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  const Trace trace = run->trace();
  for (int node = 1; node <= 3; ++node) {
    EXPECT_EQ(count(trace, ActionKind::kRequest, node), 1U);
    EXPECT_EQ(count(trace, ActionKind::kDeliver, node, "Ping"), 2U);
    EXPECT_EQ(count(trace, ActionKind::kDeliver, node, "Pong"), 2U);
    EXPECT_EQ(count(trace, ActionKind::kTimer, node), 1U);
    EXPECT_EQ(count(trace, ActionKind::kEvent, node), 1U);
  }
  EXPECT_EQ(count(trace, ActionKind::kEvent, 4), 3U);  // the wall's own
  EXPECT_EQ(trace.strategy, "live");
  EXPECT_FALSE(trace.initial_parts.empty());
  expect_replays(system, trace);
}

TEST(Live, APausedNodeHandlesNothingUntilItIsResumed) {
  const System system = servers();
  LiveOptions options = quick();
  options.hold_requests = true;
  const auto run = start(system, options);
  say(*run, "pause 2");
  say(*run, "request node 1");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDeliver, 1, "Pong") == 1; }));
  const Trace before = run->trace();
  EXPECT_EQ(count(before, ActionKind::kDeliver, 3), 1U);
  EXPECT_EQ(count(before, ActionKind::kDeliver, 2), 0U);
  EXPECT_TRUE(run->status().nodes[1].paused);
  EXPECT_EQ(run->status().nodes[1].queue, 1U);
  say(*run, "resume 2");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDeliver, 1, "Pong") == 2; }));
  run->stop();
  EXPECT_EQ(count(run->trace(), ActionKind::kDeliver, 2, "Ping"), 1U);
  expect_replays(system, run->trace());
}

TEST(Live, ACrashedNodeComesBackWithItsDiskAndTheOthersAreTold) {
  const System system = servers();
  const auto run = start(system);
  ASSERT_TRUE(wait_until_quiet(*run));
  say(*run, "crash 2");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDetect, 3) == 1; }));
  EXPECT_FALSE(run->status().nodes[1].up);
  say(*run, "request 1");  // waits for it
  say(*run, "restart 2");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kRequest, 2) == 2; }));
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  const Trace trace = run->trace();
  EXPECT_EQ(count(trace, ActionKind::kCrash, 2), 1U);
  EXPECT_EQ(count(trace, ActionKind::kRecover, 2), 1U);
  EXPECT_EQ(count(trace, ActionKind::kRestore, 3), 1U);
  for (const TraceStep& step : trace.steps) {
    if (step.detail.action.kind != ActionKind::kRecover) continue;
    bool kept = false;
    for (const value::Change& change : step.changes) kept = kept || change.path == "pings";
    EXPECT_TRUE(kept);
  }
  expect_replays(system, trace);
}

TEST(Live, ALinkThatDropsLosesMessagesUntilItDelivers) {
  const System system = servers();
  LiveOptions options = quick();
  options.hold_requests = true;
  const auto run = start(system, options);
  say(*run, "drop 1 2");
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDrop, 2) == 1; }));
  EXPECT_EQ(run->status().links.size(), 1U);
  say(*run, "deliver 1 2");
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDeliver, 2, "Ping") == 1; }));
  ASSERT_TRUE(wait_until_quiet(*run));
  say(*run, "cut 1 3");
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDrop, 3) == 1; }));
  say(*run, "heal");
  EXPECT_TRUE(run->status().links.empty());
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  expect_replays(system, run->trace());
}

TEST(Live, ADelayedMessageIsOvertakenAndComesAtLast) {
  const System system = servers();
  LiveOptions options = quick();
  options.hold_requests = true;
  const auto run = start(system, options);
  say(*run, "delay 1 2 100000");
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDeliver, 1, "Pong") == 1; }));
  EXPECT_EQ(run->status().nodes[1].queue, 1U);
  say(*run, "speed 1000");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDeliver, 1, "Pong") == 2; }));
  run->stop();
  EXPECT_EQ(count(run->trace(), ActionKind::kDeliver, 2, "Ping"), 1U);
  expect_replays(system, run->trace());
}

TEST(Live, AnOrderedNetworkKeepsTheOrderOfALinkWhateverItsDelays) {
  System system = servers();
  system.network(Network::kOrdered);
  const auto run = start(system);
  for (const char* line : {"delay 1 2 30", "request 0", "delay 1 2 0", "request 0", "request 0"}) {
    say(*run, line);
  }
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  EXPECT_EQ(count(run->trace(), ActionKind::kDeliver, 2, "Ping"), 5U);
  expect_replays(system, run->trace());
}

TEST(Live, WhatMakesNoSenseIsRefusedWithWhatWouldBeRight) {
  const System system = servers();
  const auto run = start(system);
  EXPECT_NE(refused(*run, "crsh 2").find("did you mean 'crash'"), std::string::npos);
  EXPECT_NE(refused(*run, "crash").find("crash N"), std::string::npos);
  EXPECT_NE(refused(*run, "crash 2 3").find("crash N"), std::string::npos);
  EXPECT_NE(refused(*run, "crash two").find("not 'two'"), std::string::npos);
  EXPECT_NE(refused(*run, "crash 4").find("there are 1, 2 and 3"), std::string::npos);
  EXPECT_NE(refused(*run, "restart 2").find("is up"), std::string::npos);
  EXPECT_NE(refused(*run, "resume 2").find("not paused"), std::string::npos);
  EXPECT_NE(refused(*run, "request 3").find("0 to 2"), std::string::npos);
  EXPECT_NE(refused(*run, "request node").find("request node N"), std::string::npos);
  EXPECT_NE(refused(*run, "delay 1 2 nan").find("a delay"), std::string::npos);
  EXPECT_NE(refused(*run, "delay 1 2 -1").find("a delay"), std::string::npos);
  EXPECT_NE(refused(*run, "speed 0").find("a speed"), std::string::npos);
  EXPECT_NE(refused(*run, "cut 1 1").find("two nodes"), std::string::npos);
  EXPECT_NE(refused(*run, "  ").find("help"), std::string::npos);
  say(*run, "crash 2");
  EXPECT_NE(refused(*run, "crash 2").find("down already"), std::string::npos);
  EXPECT_NE(refused(*run, "pause 2").find("is down"), std::string::npos);
  say(*run, "stop");
  run->stop();
  EXPECT_NE(refused(*run, "crash 1").find("over"), std::string::npos);
  EXPECT_FALSE(run->status().running);
  for (const LiveVerb& verb : live_verbs()) {
    EXPECT_NE(run->command("help")->find(verb.form), std::string::npos);
  }
  EXPECT_NE(run->command("status")->find("node 1 (Server): up"), std::string::npos);
}

TEST(Live, OptionsThatMakeNoSenseAreRefused) {
  LiveOptions options;
  options.unit_ms = 0;
  EXPECT_FALSE(LiveRun::start(servers(), options));
  options = {};
  options.latency_high_ms = 1;
  EXPECT_FALSE(LiveRun::start(servers(), options));
  for (const double grace : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    options = {};
    options.grace_ms = grace;
    EXPECT_FALSE(LiveRun::start(servers(), options));
  }
}

TEST(Live, StepsAndNotesComeOnceEachAndInOrder) {
  System system = servers();
  system.sometimes("a ring", each<Server>([](const Server& s) { return s.rings == 0; }));
  const auto run = start(system);
  std::vector<TraceStep> steps;
  std::vector<std::string> notes;
  bool stopped = false;
  for (bool over = false; !over;) {
    const LiveNews news = run->poll(steps.size(), notes.size(), 0.01);
    steps.insert(steps.end(), news.steps.begin(), news.steps.end());
    notes.insert(notes.end(), news.notes.begin(), news.notes.end());
    over = news.over;
    if (!stopped && run->status().quiet) run->stop("enough"), stopped = true;
  }
  const Trace trace = run->trace();
  ASSERT_EQ(steps.size(), trace.steps.size());
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].digest, trace.steps[i].digest);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("reached: a ring"), std::string::npos);
  EXPECT_EQ(run->poll(0, 0, 0).why, "enough");
}

TEST(Live, ItEndsAtItsMostSteps) {
  LiveOptions options = quick();
  options.max_steps = 5;
  const auto run = start(servers(), options);
  ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
  EXPECT_EQ(run->trace().steps.size(), 5U);
}

// --- Causes
// --------------------------------------------------------------------------------------------

// The simulator refuses a delivery before its send; here the recording itself is looked at.
TEST(Live, NothingIsRecordedBeforeWhatCausedIt) {
  const System system = servers(5);
  const auto run = start(system);
  for (int i = 0; i < 5; ++i) say(*run, "request " + std::to_string(i));
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  const Trace trace = run->trace();
  EXPECT_GT(trace.steps.size(), 100U);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.detail.action.kind == ActionKind::kDeliver) {
      EXPECT_FALSE(step.causes.empty()) << "step " << i + 1;
    }
    for (const uint32_t cause : step.causes) EXPECT_LE(cause, i);
  }
  expect_replays(system, trace);
}

// --- Violations
// ------------------------------------------------------------------------------------------

TEST(Live, AViolationEndsTheRunWithItsStep) {
  System system = servers();
  system.always("few pongs", each<Server>([](const Server& s) { return s.pongs < 2; }));
  const auto run = start(system);
  ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
  EXPECT_TRUE(is_violated(*run, "few pongs"));
  const Trace trace = run->trace();
  EXPECT_EQ(trace.verdict.property, "few pongs");
  EXPECT_EQ(trace.verdict.step, trace.steps.size());
  EXPECT_EQ(trace.steps.back().detail.action.type, "Pong");
  expect_replays(system, trace);
}

TEST(Live, WithKeepGoingItGoesOnAfterAViolation) {
  System system = servers();
  system.always("no pongs", each<Server>([](const Server& s) { return s.pongs < 1; }));
  LiveOptions options = quick();
  options.keep_going = true;
  const auto run = start(system, options);
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  EXPECT_TRUE(is_violated(*run, "no pongs"));
  EXPECT_EQ(count(run->trace(), ActionKind::kDeliver, 1, "Pong"), 2U);
  EXPECT_EQ(run->trace().verdict.property, "no pongs");
  expect_replays(system, run->trace());
}

TEST(Live, ARunThatStandsStillByItselfViolatesWhatMustComeEventually) {
  System system = servers();
  system.eventually("three pongs", each<Server>([](const Server& s) { return s.pongs == 3; }));
  const auto run = start(system);
  ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
  EXPECT_TRUE(is_violated(*run, "three pongs"));
  expect_replays(system, run->trace());
}

TEST(Live, WhatAPersonTookAwayIsNoViolationOfWhatMustComeEventually) {
  System system = servers();
  system.eventually("two pongs", each<Server>([](const Server& s) { return s.pongs == 2; }));
  LiveOptions options = quick();
  options.hold_requests = true;
  const auto run = start(system, options);
  say(*run, "drop 1 2");
  for (int i = 0; i < 3; ++i) say(*run, "request " + std::to_string(i));
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  EXPECT_FALSE(is_violated(*run, "two pongs"));
  const LiveNews news = run->poll(SIZE_MAX, 0, 0);
  ASSERT_EQ(news.notes.size(), 1U);
  EXPECT_NE(news.notes[0].find("does not hold"), std::string::npos);
}

TEST(Live, WithinTheDeclaredFaultsARunThatStandsStillIsAViolation) {
  System system = servers();
  system.crash({2});
  system.eventually("two pongs", each<Server>([](const Server& s) { return s.pongs == 2; }));
  LiveOptions options = quick();
  options.hold_requests = true;
  const auto run = start(system, options);
  say(*run, "crash 2");
  say(*run, "request 0");
  say(*run, "request 2");
  ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
  EXPECT_TRUE(is_violated(*run, "two pongs"));
  expect_replays(system, run->trace());
}

struct Bomb {
  using Requests = Types<Go>;
  int lit = 0;
  void request(Context&, const Go&) { ORDEAL_ASSERT(++lit < 2); }
};

TEST(Live, AHandlerThatFailsEndsTheRunAndFailsInTheSimulatorToo) {
  System system;
  system.add<Bomb>(2).request(1, Go{}).request(2, Go{});
  const auto run = start(system);
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
  EXPECT_TRUE(is_violated(*run, "no handler fails"));
  EXPECT_EQ(run->trace().verdict.kind, "failure");
  expect_replays(system, run->trace());
}

std::atomic<int> g_calls{0};

struct Gambler {
  using Requests = Types<Go>;
  int drawn = 0;
  void request(Context&, const Go&) { drawn = ++g_calls; }
};
struct Chatterer {
  using Requests = Types<Go>;
  using Messages = Types<Ping>;
  void request(Context& ctx, const Go&) { ctx.broadcast(Ping{++g_calls}); }
  void on(Context&, NodeId, const Ping&) {}
};

TEST(Live, AHandlerThatDependsOnMoreThanItsStateIsNamed) {
  System gambler;
  gambler.add<Gambler>(2).request(2, Go{});
  System chatterer;
  chatterer.add<Chatterer>(2).request(2, Go{});
  for (const System* system : {&gambler, &chatterer}) {
    const auto run = start(*system);
    ASSERT_TRUE(wait_for([&] { return run->poll(SIZE_MAX, SIZE_MAX, 0).over; }));
    ASSERT_TRUE(is_violated(*run, kLiveAsSimulated));
    const LiveStatus::Verdict found = run->status().verdicts.back();
    EXPECT_EQ(found.nodes, std::vector<int>{2});
    EXPECT_EQ(found.step, 1U);
    EXPECT_NE(found.why.find("(request Go at 2)"), std::string::npos) << found.why;
  }
}

// --- Opaque objects
// ------------------------------------------------------------------------------------------

class Opaque {
 public:
  using Messages = Types<Ping, Pong>;
  using Requests = Types<Go>;
  void start(Context& ctx) { sum_ = static_cast<int>(ctx.choose(2)); }
  void request(Context& ctx, const Go&) { ctx.broadcast(Ping{sum_}); }
  void on(Context& ctx, NodeId, const Ping& ping) {
    ctx.reply(Pong{ping.number + static_cast<int>(ctx.choose(3))});
  }
  void on(Context& ctx, NodeId, const Pong& pong) {
    sum_ += pong.number;
    ctx.decide(sum_);
  }
  uint64_t digest() const { return static_cast<uint64_t>(sum_); }

 private:
  int sum_ = 0;
};

TEST(Live, OpaqueNodesRunLiveAndReplay) {
  System system;
  system.add_opaque<Opaque>(3, [](NodeId) { return std::make_unique<Opaque>(); });
  for (int i = 1; i <= 3; ++i) system.request(i, Go{});
  const auto run = start(system);
  ASSERT_TRUE(wait_until_quiet(*run));
  say(*run, "crash 1");
  say(*run, "restart 1");
  say(*run, "request 0");
  ASSERT_TRUE(wait_until_quiet(*run));
  run->stop();
  EXPECT_EQ(run->status().verdicts.size(), 1U);
  EXPECT_FALSE(is_violated(*run, kLiveAsSimulated));
  EXPECT_GE(count(run->trace(), ActionKind::kChoose, 2), 3U);
  expect_replays(system, run->trace());
}

}  // namespace
}  // namespace ordeal::live
