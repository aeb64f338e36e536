// What the check calls impossible never happens: random filters over random runs.
#include "system/scenario/satisfiable.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "ordeal/system.h"
#include "system/scenario/monitor.h"
#include "system/scenario/product.h"

namespace ordeal::monitor {
namespace {

struct Ping {
  int n = 0;
};
struct Pong {
  int n = 0;
};
struct Start {};
struct Alarm {};

struct Player {
  using Messages = Types<Ping, Pong, Alarm>;
  using Requests = Types<Start>;
  NodeId bell = 0;
  int seen = 0;
  void start(Context& ctx) { ctx.set_timer("wake"); }
  void timer(Context& ctx, const std::string&) { ctx.send(bell, Alarm{}); }
  void request(Context& ctx, const Start&) { ctx.broadcast_all(Ping{1}); }
  void on(Context& ctx, NodeId, const Ping& ping) {
    ++seen;
    ctx.reply(Pong{ping.n});
    ctx.log("ping");
  }
  void on(Context& ctx, NodeId, const Pong& pong) {
    ctx.decide(pong.n);
    if (seen < 2) ctx.set_timer("again");
    if (seen == 2) ctx.post(ctx.self(), Alarm{});
  }
  void on(Context&, NodeId, const Alarm&) { ++seen; }
  void crashed(Context& ctx, NodeId) { ctx.cancel_timer("wake"); }
};
struct Bell {
  using Messages = Types<Alarm>;
  int rung = 0;
  void on(Context& ctx, NodeId from, const Alarm&) {
    ++rung;
    ctx.send(from, Alarm{});
  }
};

System players() {
  System system;
  system.add<Player>(3, [](NodeId) {
    Player player;
    player.bell = 4;
    return player;
  });
  system.component<Bell>("bell");
  system.request(1, Start{}).request(2, Start{});
  system.crash({2}).recoveries(1).drops(1).duplicates(1).detector(Detector::kPerfect);
  system.partitions(1);
  system.always("few", Predicate([](const View& view) {
                  return view.up(1) && view.node<Player>(1).seen < 2;
                }));
  return system;
}

// Conditions of every kind, nested.
class Conditions {
 public:
  Conditions(Rng& rng, const Partition& sizes, const Partition& blocks, const Who& drawn)
      : rng_(rng), sizes_(sizes), blocks_(blocks), drawn_(drawn) {}

  Condition any(int depth) {
    const uint64_t pick = rng_.below(depth > 0 ? 5 : 1);
    if (pick == 0) return atom();
    if (pick == 1) return !any(depth - 1);
    if (pick == 2) return any(depth - 1) || any(depth - 1);
    if (pick == 3 && rng_.below(4) == 0) return once(any(depth - 1));
    return any(depth - 1) && any(depth - 1);
  }

 private:
  int number(int below) { return static_cast<int>(rng_.below(static_cast<uint64_t>(below))); }
  Who who() { return number(4) == 0 ? drawn_ : Who(number(4) + 1); }
  Condition compared(const Counter& counter) {
    const int n = number(4);
    switch (number(6)) {
      case 0:
        return counter < n;
      case 1:
        return counter <= n;
      case 2:
        return counter == n;
      case 3:
        return counter != n;
      case 4:
        return counter >= n;
      default:
        return counter > n;
    }
  }
  Condition atom() {
    switch (number(20)) {
      case 0:
        return anything();
      case 1:
      case 2:
        return is_event(static_cast<EventKind>(number(kEventKinds)));
      case 3:
        return at(who());
      case 4:
        return number(2) == 0 ? is_message<Ping>() : is_message("Pong");
      case 5:
        return is_message<Ping>([](const Ping& p) { return p.n > 0; });
      case 6:
        return number(2) == 0 ? carries<Start>() : carries("int");
      case 7:
        return from(who());
      case 8:
        return to(who());
      case 9:
        return between(who(), who());
      case 10:
        return number(2) == 0 ? timer_set("wake") : timer_fires("again");
      case 11:
        return logs("ping");
      case 12:
        return compared(counter("n"));
      case 13:
        return compared(set_size("held"));
      case 14:
        return in_set("held");
      case 15:
        return in_state(number(2) == 0 ? "first" : "second");
      case 16:
        return number(2) == 0 ? sizes_.from_part(number(2)) : blocks_.from_part(number(2));
      case 17:
        return number(2) == 0 ? sizes_.across() : blocks_.within();
      case 18:
        return number(2) == 0 ? holds("few")
                              : state_is<Player>([](const Player& p) { return p.seen > 0; });
      default:
        return condition("even", [](const Event& event, const ScenarioContext&) {
          return event.node.value % 2 == 0;
        });
    }
  }

  Rng& rng_;
  const Partition& sizes_;
  const Partition& blocks_;
  const Who& drawn_;
};

struct Counts {
  int fired = 0;       // filters that had an event
  int impossible = 0;  // filters of which it was claimed that they would have none
};

void try_filters(uint64_t seed, const System& system, Counts& counts) {
  Rng rng(seed);
  Scenario scenario("random");
  const Partition sizes = scenario.partition("sizes", std::vector<int>{1, 2});
  const Partition blocks =
      scenario.partition("blocks", std::vector<std::vector<NodeId>>{{1, 3}, {2}});
  const Who drawn = scenario.draw("r", {1, 3});
  Conditions conditions(rng, sizes, blocks, drawn);
  scenario.machine(Machine("first")
                       .on("first", conditions.any(1), "second")
                       .on("second", conditions.any(1), "first"));
  for (int i = 0; i < 4; ++i) {
    const Condition c = conditions.any(3);
    const uint64_t what = rng.below(4);
    scenario.filter(what == 0   ? when(c).then(hold("held"), count("n"))
                    : what == 1 ? when(c).then(release("held"))
                    : what == 2 ? when(c).then(duplicate())
                                : when(c).then(count("n")));
  }
  const auto monitor = Monitor::make(scenario, system);
  ASSERT_TRUE(monitor.ok());
  MonitoredWorld world(*monitor, system.world());
  for (int run = 0; run < 6; ++run) {
    ASSERT_TRUE(world.reset(static_cast<uint32_t>(rng.below(world.initial_count()))).ok());
    for (int step = 0; step < 40 && !world.enabled().empty(); ++step) {
      if (!world.apply(static_cast<uint32_t>(rng.below(world.enabled().size()))).ok()) break;
    }
  }
  const Cast cast = system.cast();
  const Possibilities possible(scenario.declaration(), cast);
  Question question;
  for (size_t i = 0; i < 4; ++i) {
    const Filter& filter = scenario.declaration().filters[i];
    question.all = {filter.condition};
    const bool never = possible.never(question);
    const bool fired = world.tally().fired[i] > 0;
    counts.impossible += never ? 1 : 0;
    counts.fired += fired ? 1 : 0;
    EXPECT_FALSE(never && fired) << "seed " << seed << ": " << show(filter);
    question.without.push_back(filter.condition);
  }
}

TEST(Satisfiable, CallsNothingImpossibleThatHappens) {
  const System system = players();
  Counts counts;
  for (uint64_t seed = 0; seed < 1500; ++seed) try_filters(seed, system, counts);
  // Both happened often enough for the test to mean something.
  EXPECT_GT(counts.fired, 1000);
  EXPECT_GT(counts.impossible, 1000);
}

}  // namespace
}  // namespace ordeal::monitor
