// The end of a live run: it comes when it was asked for, whatever the handlers are doing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/guard.h"
#include "live/left_behind.h"
#include "ordeal/live.h"
#include "ordeal/system.h"
#include "tests/engine/live/drive.h"

namespace ordeal::live {
namespace {

// Handlers that are told to wait at the gate do not return before it is open.
std::atomic<bool> g_open{true};
std::atomic<int> g_waiting{0};
std::atomic<bool> g_over{false};
std::atomic<int> g_late{0};  // handlers that began when it was over

void pass_the_gate() {
  ++g_waiting;
  while (!g_open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  --g_waiting;
}

struct Wait {};
struct Count {};
struct Ask {};

struct Clerk {
  using Requests = Types<Wait, Count>;
  using Messages = Types<Ask>;
  NodeId desk = -1;
  int counted = 0;
  int gone = 0;
  void request(Context&, const Wait&) {
    if (g_over) ++g_late;
    pass_the_gate();
    ++counted;
  }
  void request(Context& ctx, const Count&) {
    if (g_over) ++g_late;
    ++counted;
    if (desk.value >= 0) ctx.send(desk, Ask{});
  }
  void on(Context&, NodeId, const Ask&) { ++counted; }
  void crashed(Context&, NodeId) { ++gone; }
  void restored(Context&, NodeId) {
    pass_the_gate();
    --gone;
  }
  void recover(Context&) {}
};

// A component, which is called within the step of the node that asks it.
struct Desk {
  using Messages = Types<Ask>;
  int asked = 0;
  void on(Context&, NodeId, const Ask&) {
    pass_the_gate();
    ++asked;
  }
};

// Request 0 waits at node 1, request 1 counts at node 2.
System clerks() {
  System system;
  system.add<Clerk>(2).request(1, Wait{}).request(2, Count{});
  return system;
}

class LiveStop : public ::testing::Test {
 protected:
  void SetUp() override {
    g_open = true;
    g_over = false;
    g_late = 0;
  }
  // What was left behind ends when it can, and touches nothing that is gone.
  void TearDown() override {
    g_open = true;
    EXPECT_TRUE(wait_for([] { return threads_left_behind() == 0; }));
  }

  static LiveOptions held() {
    LiveOptions options = quick();
    options.hold_requests = true;
    options.grace_ms = 50;
    return options;
  }
  // Makes the request and waits for its step. From then on the simulator knows what every request
  // does, and does not go to the gate for it.
  static void count_once(LiveRun& run) {
    say(run, "request 1");
    EXPECT_TRUE(wait_for([&] { return run.status().steps == 1; }));
  }
};

TEST_F(LiveStop, AHandlerThatDoesNotReturnIsNamedAndTheRunEndsWithoutIt) {
  const System system = clerks();
  const auto run = start(system, held());
  count_once(*run);
  g_open = false;
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  run->stop("enough");
  EXPECT_FALSE(g_open);
  const LiveStatus status = run->status();
  EXPECT_FALSE(status.running);
  EXPECT_EQ(status.why, "enough");
  ASSERT_EQ(status.unfinished.size(), 1U);
  EXPECT_EQ(status.unfinished[0].node, 1);
  EXPECT_EQ(status.unfinished[0].what, "request Wait at 1");
  EXPECT_EQ(status.unrecorded, 0U);
  const LiveNews news = run->poll(0, 0, 0);
  EXPECT_TRUE(news.over);
  ASSERT_EQ(news.notes.size(), 1U);
  EXPECT_EQ(news.notes[0],
            "! the handler of node 1 has not returned, and what it does is not recorded: request "
            "Wait at 1");
  g_open = true;
  EXPECT_EQ(run->trace().steps.size(), 1U);
  expect_replays(system, run->trace());
}

TEST_F(LiveStop, WhatIsQueuedWhenItIsStoppedIsNotHandledAnyMore) {
  const auto run = start(clerks(), held());
  count_once(*run);
  g_open = false;
  for (int i = 0; i < 20; ++i) say(*run, "request 0");
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  run->stop();
  g_over = true;
  g_open = true;
  EXPECT_TRUE(wait_for([] { return threads_left_behind() == 0; }));
  EXPECT_EQ(g_late, 0);
  EXPECT_EQ(run->trace().steps.size(), 1U);
}

TEST_F(LiveStop, AHandlerThatReturnsWithinTheGraceIsWaitedFor) {
  LiveOptions options = held();
  options.grace_ms = 60'000;
  const auto run = start(clerks(), options);
  count_once(*run);
  g_open = false;
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  std::thread opens([] { g_open = true; });
  run->stop();
  opens.join();
  EXPECT_TRUE(run->status().unfinished.empty());
  EXPECT_EQ(threads_left_behind(), 0);
}

TEST_F(LiveStop, TheSimulatorIsNotWaitedForEither) {
  g_open = false;
  const System system = clerks();
  const auto run = start(system, held());
  // The simulator tries out what every request would do, and is at the gate.
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  for (int i = 0; i < 5; ++i) say(*run, "request 1");
  // Nobody who looks has to wait for it.
  ASSERT_TRUE(wait_for([&] { return run->status().nodes[1].queue == 0; }));
  EXPECT_TRUE(run->poll(0, 0, 0).steps.empty());
  EXPECT_EQ(run->trace().steps.size(), 0U);
  EXPECT_FALSE(run->status().quiet);
  run->stop("enough");
  const LiveStatus status = run->status();
  EXPECT_EQ(status.why, "enough");
  EXPECT_TRUE(status.unfinished.empty());
  EXPECT_EQ(status.unrecorded, 5U);
  const LiveNews news = run->poll(0, 0, 0);
  EXPECT_TRUE(news.over);
  ASSERT_EQ(news.notes.size(), 1U);
  EXPECT_EQ(news.notes[0],
            "! 5 steps happened and are not recorded: the simulator, which follows, is still in a "
            "handler");
  g_open = true;
  EXPECT_TRUE(wait_for([] { return threads_left_behind() == 0; }));
  // What it finds out now is not heard.
  EXPECT_EQ(run->trace().steps.size(), 0U);
  EXPECT_EQ(run->poll(0, 0, 0).notes.size(), 1U);
  expect_replays(system, run->trace());
}

TEST_F(LiveStop, WhoOnlySaysStopAndLooksSeesTheEndToo) {
  g_open = false;
  const auto run = start(clerks(), held());
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  say(*run, "stop");
  EXPECT_TRUE(wait_for([&] { return run->poll(0, 0, 0).over; }));
  EXPECT_EQ(run->status().why, "it was stopped");
}

TEST_F(LiveStop, AComponentThatDoesNotAnswerStopsNobodyFromStopping) {
  System system;
  system.add<Clerk>(2, [](NodeId) {
    Clerk clerk;
    clerk.desk = 3;
    return clerk;
  });
  system.component<Desk>("desk");
  system.request(1, Count{}).request(2, Count{});
  const auto run = start(system, held());
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([&] { return run->status().steps == 1; }));
  g_open = false;
  say(*run, "request 1");
  // It is handled, and its step waits for the desk.
  ASSERT_TRUE(wait_for([&] { return g_waiting >= 1 && run->status().nodes[1].queue == 0; }));
  EXPECT_EQ(run->status().steps, 1U);
  say(*run, "nodes");
  run->stop();
  const LiveStatus status = run->status();
  ASSERT_EQ(status.unfinished.size(), 1U);
  EXPECT_EQ(status.unfinished[0].node, 3);
  EXPECT_EQ(status.unfinished[0].what, "event Ask 2→3");
  g_open = true;
  EXPECT_EQ(run->trace().steps.size(), 1U);
  expect_replays(system, run->trace());
}

TEST_F(LiveStop, ACommandThatWouldHaveToWaitForAHandlerSaysSo) {
  System system = clerks();
  system.detector(Detector::kEventuallyPerfect);
  const auto run = start(system, held());
  say(*run, "crash 2");
  ASSERT_TRUE(wait_for([&] { return count(run->trace(), ActionKind::kDetect, 1) == 1; }));
  g_open = false;
  say(*run, "restart 2");
  // Node 1 is told that node 2 is back, and does not return; nor does the simulator's.
  ASSERT_TRUE(wait_for([] { return g_waiting == 2; }));
  EXPECT_EQ(refused(*run, "crash 2"),
            "node 2 cannot crash just now: somebody is being told that it is back, and has not "
            "returned");
}

TEST_F(LiveStop, ARunThatIsLetGoOfInTheMiddleOfAHandlerLeavesNothingBroken) {
  auto run = start(clerks(), held());
  count_once(*run);
  g_open = false;
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  run.reset();
  EXPECT_EQ(threads_left_behind(), 1);
  EXPECT_EQ(g_waiting, 1);
}

TEST_F(LiveStop, AStopOfOneThreadIsAStopForAll) {
  const auto run = start(clerks(), held());
  count_once(*run);
  g_open = false;
  say(*run, "request 0");
  ASSERT_TRUE(wait_for([] { return g_waiting == 1; }));
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) all.emplace_back([&] { run->stop("enough"); });
  for (std::thread& one : all) one.join();
  EXPECT_EQ(run->status().unfinished.size(), 1U);
  EXPECT_EQ(run->poll(0, 0, 0).notes.size(), 1U);
}

// --- The end of the process
// ------------------------------------------------------------------------------

std::atomic<bool> g_statics_are_gone{false};

struct Static {
  ~Static() {
    g_statics_are_gone = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
};

struct Watcher {
  using Requests = Types<Wait>;
  void request(Context&, const Wait&) {
    ++g_waiting;
    while (!g_statics_are_gone) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    end_process(9);  // whatever it used is gone; the engine would survive anything less
  }
};

TEST(LiveStopDeathTest, AProcessThatExitsInTheMiddleOfAHandlerTakesNothingAwayFromIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto leave = [] {
    static const Static made_before;
    System system;
    system.add<Watcher>(1).request(1, Wait{});
    LiveOptions options = quick();
    options.grace_ms = 10;
    {
      const auto run = start(system, options);
      wait_for([] { return g_waiting == 2; });  // the node's, and the simulator's
    }
    std::exit(threads_left_behind() == 2 ? 7 : 1);
  };
  EXPECT_EXIT(leave(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace ordeal::live
