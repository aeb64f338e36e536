// Where filters are easy to get wrong.
#include "tests/oracle/scenario/town.h"

namespace ordeal::town {
namespace {

Result<Report> verify(const Scenario& scenario, const System& system) {
  const monitor::Product product(*monitor::Monitor::make(scenario, system), system);
  return check(product, {.strategy = "bfs", .system = "town"});
}

TEST(Corners, ARunIsNotOverWhileAFilterWantsACrash) {
  Machine machine("start");
  machine.on("start", crashes(), Machine::kSuccess);
  Scenario scenario("accident");
  scenario.machine(machine)
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(once(is_receive() && is_message<Echo>())).then(crash(3)));
  System system = town();
  system.crash({3});
  const Result<Report> report = verify(scenario, system);
  EXPECT_EQ(report->verdict, Verdict::kHolds) << report->violations[0].why;
}

TEST(Corners, ARunIsNotOverBeforeItsScript) {
  Scenario scenario("crash first");
  scenario.script({"crash 2"});
  System system = town();
  system.crash({2});
  Runs runs(scenario, std::move(system));
  ASSERT_EQ(runs.enabled(), (std::vector<std::string>{"crash 2"}));
  EXPECT_TRUE(runs.world().enabled()[0].progress);
}

TEST(Corners, AOnceIsSpentByWhatItMadeTrueOnly) {
  const Condition first = once(is_send() && is_message<Word>());
  Scenario scenario("once");
  scenario.filter(when((first && to(3)) || (is_send() && to(2))).then(count("fired")));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.world().context().counter("fired"), 2);
  Scenario negated("not once");
  negated.filter(when(!(first && to(3)) && is_send() && to(2)).then(count("fired")))
      .filter(when(first && to(3)).then(count("fired")));
  Runs others(negated, town());
  ASSERT_TRUE(others.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(others.world().context().counter("fired"), 2);
}

TEST(Corners, ChangesOfOneMessageAddUp) {
  Scenario scenario("sums");
  scenario.filter(when(is_send() && is_message<Word>() && to(2))
                      .then(mutate<Word>([](Word& word) { word.n += 2; }),
                            mutate<Word>([](Word& word) { word.n *= 10; }), mutate_field("n", 31),
                            drop(), mutate<Word>([](Word& word) { word.n += 1; }), deliver()));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"deliver Word{n: 32} 1→2"}));
}

TEST(Corners, ASetWithoutANameIsASet) {
  Scenario scenario("nameless");
  scenario.filter(when(is_send() && is_message<Word>()).then(hold("")))
      .filter(when(timer_fires("rest") && set_size("") == 2).then(release("")));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"timer rest at 1"}));
  ASSERT_TRUE(runs.take("timer rest at 1"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"deliver Word{n: 1} 1→2"}));
}

// Says three words to the next, one after the other.
struct Talker {
  using Messages = Types<Word>;
  using Requests = Types<Shout>;
  std::vector<int> heard;
  void request(Context& ctx, const Shout&) {
    for (int n : {1, 2, 3}) ctx.send(2, Word{n});
  }
  void on(Context&, NodeId, const Word& word) { heard.push_back(word.n); }
};

std::vector<std::string> in_order(const Filter& filter) {
  System system;
  system.network(Network::kOrdered).add<Talker>(2).request(1, Shout{0});
  Runs runs(Scenario("queue").filter(filter), std::move(system));
  return runs.to_the_end();
}

TEST(Corners, AChangedMessageKeepsItsPlaceInItsQueue) {
  const auto first = [](const Word& word) { return word.n == 1; };
  EXPECT_EQ(in_order(when(is_send() && is_message<Word>(first)).then(mutate_field("n", 7))),
            (std::vector<std::string>{"request Shout{n: 0} at 1", "deliver Word{n: 7} 1→2",
                                      "deliver Word{n: 2} 1→2", "deliver Word{n: 3} 1→2"}));
}

TEST(Corners, CopiesStandRightBehindEachOther) {
  const auto second = [](const Word& word) { return word.n == 2; };
  EXPECT_EQ(in_order(when(is_send() && is_message<Word>(second)).then(duplicate())),
            (std::vector<std::string>{"request Shout{n: 0} at 1", "deliver Word{n: 1} 1→2",
                                      "deliver Word{n: 2} 1→2", "deliver Word{n: 2} 1→2",
                                      "deliver Word{n: 3} 1→2"}));
}

// Persists when it comes back.
struct Sleeper {
  using Messages = Types<Word>;
  using Disk = int;
  int nights = 0;
  void on(Context&, NodeId, const Word&) {}
  void recover(Context& ctx, const int& disk) {
    nights = disk + 1;
    ctx.persist(nights);
  }
};

TEST(Corners, ARestartThatAFilterWantsIsNotCutShortByACrash) {
  const auto sleeper = [] {
    System system;
    system.add<Sleeper>(1).crash({1}, 2).recoveries(1).crash_at_persist();
    return system;
  };
  Scenario scenario("wake up");
  scenario.script({"crash 1"}).filter(when(crashes()).then(restart(1)));
  Runs free(scenario, sleeper());
  ASSERT_TRUE(free.take("crash 1"));
  EXPECT_EQ(free.enabled(),
            (std::vector<std::string>{"recover 1", "recover 1 [crash after persist 1]"}));
  scenario.faults(Scenario::Faults::kOnlyByFilters);
  Runs strict(scenario, sleeper());
  ASSERT_TRUE(strict.take("crash 1"));
  EXPECT_EQ(strict.enabled(), (std::vector<std::string>{"recover 1"}));
}

struct Clock {
  using Messages = Types<Word>;
  void on(Context&, NodeId, const Word&) {}
};

TEST(Corners, WhatAComponentIsMadeToSayIsAnEvent) {
  System system = town();
  system.drops(1).component<Clock>("clock");
  Scenario scenario("tick");
  scenario.filter(when(is_event(EventKind::kSubmit)).then(inject(4, 2, Word{5})));
  Runs runs(scenario, std::move(system));
  EXPECT_EQ(runs.enabled(),
            (std::vector<std::string>{"request Shout{n: 1} at 1", "event Word{n: 5} 4→2"}));
}

}  // namespace
}  // namespace ordeal::town
