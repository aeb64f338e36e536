// The nodes of a live run by themselves, with nobody who follows them in the simulator.
#include "live/cluster.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "ordeal/system.h"

namespace ordeal::live::clusters {
namespace {

struct Go {};

// Set by the handler of each node as it begins.
std::atomic<int> g_inside{0};
std::atomic<bool> g_met{false};

struct Meeting {
  using Requests = Types<Go>;
  int seen = 0;
  void request(Context&, const Go&) {
    ++g_inside;
    // Who waits here is inside of its handler: both get out only if both are in at one time.
    for (int i = 0; i < 10'000 && g_inside < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (g_inside >= 2) g_met = true;
    ++seen;
  }
};

std::shared_ptr<actor::ActorSpace> space_of(const std::shared_ptr<System>& system) {
  system->free_faults();
  return std::make_shared<actor::ActorSpace>(
      std::shared_ptr<const detail::Declaration>(system, &system->declaration()),
      system->properties());
}

LiveOptions quick() {
  LiveOptions options;
  options.unit_ms = 1;
  options.latency_low_ms = 0;
  options.latency_high_ms = 1;
  return options;
}

TEST(Cluster, HandlersOfTwoNodesRunAtTheSameTime) {
  const auto system = std::make_shared<System>();
  system->add<Meeting>(2).request(1, Go{}).request(2, Go{});
  const auto cluster = Cluster::make(space_of(system), quick(), {});
  ASSERT_TRUE(cluster->start());
  Record record;
  EXPECT_TRUE(cluster->take(record));
  EXPECT_TRUE(cluster->take(record));
  EXPECT_TRUE(g_met);
}

std::atomic<bool> g_began{false};
std::atomic<bool> g_may_end{false};

struct Token {};

struct Slow {
  using Requests = Types<Go>;
  using Messages = Types<Token>;
  int done = 0;
  void request(Context& ctx, const Go&) {
    g_began = true;
    while (!g_may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++done;
    ctx.broadcast(Token{});
  }
  void on(Context&, NodeId, const Token&) { ++done; }
};

TEST(Cluster, OfAHandlerThatACrashCutsNothingHappens) {
  const auto system = std::make_shared<System>();
  system->add<Slow>(2).request(1, Go{});
  const auto cluster = Cluster::make(space_of(system), quick(), {});
  ASSERT_TRUE(cluster->start());
  while (!g_began) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(cluster->crash(1));
  EXPECT_FALSE(cluster->crash(1));
  Record record;
  ASSERT_TRUE(cluster->take(record));
  EXPECT_EQ(record.kind, ActionKind::kCrash);
  // It comes back: the request was not handled, and still waits.
  ASSERT_TRUE(cluster->restart(1));
  g_may_end = true;
  std::vector<ActionKind> kinds;
  while (kinds.size() < 3 && cluster->take(record)) kinds.push_back(record.kind);
  EXPECT_EQ(kinds, (std::vector<ActionKind>{ActionKind::kRecover, ActionKind::kRequest,
                                            ActionKind::kDeliver}));
}

TEST(Cluster, HaltEndsEverythingAtOnceAndForGood) {
  const auto system = std::make_shared<System>();
  system->add<Slow>(3).request(1, Go{});
  const auto cluster = Cluster::make(space_of(system), quick(), {});
  ASSERT_TRUE(cluster->start());
  cluster->halt("enough");
  cluster->halt("again");
  EXPECT_TRUE(cluster->leave().unfinished.empty());
  Record record;
  while (cluster->take(record)) {
  }
  EXPECT_EQ(cluster->why(), "enough");
  EXPECT_FALSE(cluster->crash(1));
  EXPECT_FALSE(cluster->set_speed(2));
}

}  // namespace
}  // namespace ordeal::live::clusters
