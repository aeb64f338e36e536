// What each reaction does to what is on its way.
#include "tests/oracle/scenario/town.h"

namespace ordeal::town {
namespace {

TEST(Filters, WithNoneEverythingGoesToTheStrategy) {
  Runs runs(Scenario("nothing"), town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.enabled(),
            (std::vector<std::string>{"deliver Word{n: 1} 1→2", "deliver Word{n: 1} 1→3",
                                      "timer rest at 1"}));
}

TEST(Filters, DroppedMessagesAreGone) {
  Scenario scenario("deaf");
  scenario.filter(when(is_message<Word>() && to(2)).then(drop()));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_FALSE(runs.has_heard(2, "word 1 from 1"));
  EXPECT_TRUE(runs.has_heard(3, "word 1 from 1"));
  EXPECT_EQ(runs.world().tally().fired, (std::vector<uint64_t>{1}));
  EXPECT_TRUE(runs.world().observe().pending.empty());
}

TEST(Filters, TheFirstThatMatchesHasTheEvent) {
  Scenario scenario("first");
  scenario.filter(when(is_send() && is_message<Word>() && to(2)).then(count("seen")))
      .filter(when(is_message<Word>()).then(drop()));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(2, "word 1 from 1")) << "counting says nothing of its fate";
  EXPECT_FALSE(runs.has_heard(3, "word 1 from 1"));
  EXPECT_EQ(runs.world().context().counter("seen"), 1);
  // The second also has the reception at 2, about which it can do nothing.
  EXPECT_EQ(runs.world().tally().fired, (std::vector<uint64_t>{1, 2}));
}

TEST(Filters, HeldMessagesWaitForTheirRelease) {
  Scenario scenario("late");
  scenario.filter(when(is_send() && is_message<Word>()).then(hold("words")))
      .filter(when(timer_fires("rest")).then(release("words")));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.world().context().set_size("words"), 2U);
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"timer rest at 1"}));
  EXPECT_EQ(runs.world().observe().pending.size(), 2U) << "properties still see them in flight";
  ASSERT_TRUE(runs.take("timer rest at 1"));
  // Released: next, one after the other, in the order in which they were held.
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"deliver Word{n: 1} 1→2"}));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→2"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"deliver Word{n: 1} 1→3"}));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→3"));
  EXPECT_EQ(runs.enabled().size(), 2U) << "both echoes";
}

TEST(Filters, NeverReleasedIsNeverDelivered) {
  Scenario scenario("held");
  scenario.filter(when(is_message<Word>()).then(hold("words")));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_FALSE(runs.has_heard(2, "word 1 from 1"));
  EXPECT_TRUE(runs.enabled().empty());
}

TEST(Filters, DeliverMeansNext) {
  Scenario scenario("hurry");
  scenario.filter(when(is_send() && is_message<Echo>()).then(deliver()));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→3"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"deliver Echo{n: 1} 3→1"}));
}

TEST(Filters, DelayedMessagesWaitForSoManySteps) {
  Scenario scenario("slow");
  scenario.filter(when(is_send() && is_message<Word>() && to(2)).then(delay(2)));
  Runs runs(scenario, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_FALSE(contains(runs.enabled(), "deliver Word{n: 1} 1→2"));
  ASSERT_TRUE(runs.take("timer rest at 1"));
  EXPECT_FALSE(contains(runs.enabled(), "deliver Word{n: 1} 1→2"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→3"));
  EXPECT_TRUE(contains(runs.enabled(), "deliver Word{n: 1} 1→2"));
}

TEST(Filters, ADelayIsOverWhereNothingElseCanHappen) {
  Scenario scenario("very slow");
  scenario.filter(when(is_send() && is_message<Word>()).then(delay(1000)));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(2, "word 1 from 1"));
  EXPECT_TRUE(runs.has_heard(3, "word 1 from 1"));
}

TEST(Filters, DuplicatesAreMoreOfTheSame) {
  Scenario scenario("stutter");
  scenario.filter(when(is_send() && is_message<Word>() && to(2)).then(duplicate(2)));
  Runs runs(scenario, town());
  const std::vector<std::string> taken = runs.to_the_end();
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Word{n: 1} 1→2"), 3);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Word{n: 1} 1→3"), 1);
}

TEST(Filters, OneOfTwoCopiesCanBeHeld) {
  Scenario scenario("half");
  scenario.filter(when(is_send() && is_message<Word>() && to(2) && counter("seen") < 1)
                      .then(count("seen"), hold("one")));
  System system = town();
  system.request(1, Shout{1});
  Runs runs(scenario, std::move(system));
  const std::vector<std::string> taken = runs.to_the_end();
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Word{n: 1} 1→2"), 1);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Word{n: 1} 1→3"), 2);
}

TEST(Filters, MutationsChangeWhatArrives) {
  Scenario scenario("liar");
  scenario
      .filter(when(is_send() && is_message<Word>() && to(2)).then(mutate<Word>([](Word& word) {
        word.n = 7;
      })))
      .filter(when(is_send() && is_message<Word>() && to(3)).then(mutate_field("n", 8), deliver()));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(2, "word 7 from 1"));
  EXPECT_FALSE(runs.has_heard(2, "word 1 from 1"));
  EXPECT_TRUE(runs.has_heard(3, "word 8 from 1"));
  EXPECT_TRUE(runs.has_heard(1, "echo 8 from 3"));
}

TEST(Filters, InjectedMessagesComeFromNobody) {
  Scenario scenario("ghost");
  scenario.filter(
      when(is_event(EventKind::kRequest)).then(inject(3, 2, Word{9}), count("requests")));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(2, "word 9 from 3"));
  EXPECT_TRUE(runs.has_heard(3, "echo 9 from 2"));
}

TEST(Filters, RecordedMessagesCanBeSentAgain) {
  Scenario scenario("again");
  scenario.filter(when(is_send() && is_message<Word>() && to(2)).then(record("first")))
      .filter(when(timer_fires("rest")).then(resend("first")));
  Runs runs(scenario, town());
  const std::vector<std::string> taken = runs.to_the_end();
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Word{n: 1} 1→2"), 2);
  ASSERT_NE(runs.world().context().recorded("first"), nullptr);
}

TEST(Filters, RequestsAndTimersCanBeHeldToo) {
  Scenario scenario("patience");
  scenario.filter(when(is_event(EventKind::kSubmit) && carries<Shout>()).then(hold("requests")))
      .filter(when(is_event(EventKind::kSetTimer) && at(1)).then(hold("timers")))
      .filter(when(is_receive() && is_message<Echo>() && counter("echoes") < 1)
                  .then(count("echoes"), release("timers")));
  System system = town();
  system.request(2, Shout{2});
  Scenario only_first = scenario;
  Runs nothing(scenario, std::move(system));
  EXPECT_TRUE(nothing.enabled().empty());
  Scenario timers("timers");
  timers.filter(scenario.declaration().filters[1]).filter(scenario.declaration().filters[2]);
  Runs runs(timers, town());
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_FALSE(contains(runs.enabled(), "timer rest at 1"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→2"));
  ASSERT_TRUE(runs.take("deliver Echo{n: 1} 2→1"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"timer rest at 1"}));
}

TEST(Filters, ADroppedTimerNeverFires) {
  Scenario scenario("no rest");
  scenario.filter(when(timer_set("rest")).then(drop()));
  Runs runs(scenario, town());
  EXPECT_FALSE(contains(runs.to_the_end(), "timer rest at 1"));
}

TEST(Filters, FaultsHappenWhereAFilterSaysSo) {
  Scenario scenario("accident");
  scenario.faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_receive() && is_message<Word>() && to(2)).then(crash(3)))
      .filter(when(crashes() && at(3)).then(fire(1, "rest")))
      .filter(when(timer_fires("rest")).then(restart(3)));
  System system = town();
  system.crash({2, 3}).recoveries(2);
  Runs runs(scenario, std::move(system));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"request Shout{n: 1} at 1"}));
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  ASSERT_TRUE(runs.take("deliver Word{n: 1} 1→2"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"crash 3"}));
  ASSERT_TRUE(runs.take("crash 3"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"timer rest at 1"}));
  ASSERT_TRUE(runs.take("timer rest at 1"));
  EXPECT_EQ(runs.enabled(), (std::vector<std::string>{"recover 3"}));
}

TEST(Filters, WhatIsNotPossibleIsLeftOutAndCounted) {
  Scenario scenario("in vain");
  scenario.filter(when(is_receive() && is_message<Word>()).then(crash(3), fire(2, "rest")));
  Runs runs(scenario, town());  // nobody may crash, and 2 never rests
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(3, "word 1 from 1"));
  EXPECT_EQ(runs.world().tally().in_vain, (std::vector<uint64_t>{4}));
}

TEST(Filters, HeldMessagesGoWithTheNodeThatCrashes) {
  Scenario scenario("lost");
  scenario.faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Word>() && to(2)).then(hold("words")))
      .filter(when(timer_fires("rest")).then(crash(2)));
  System system = town();
  system.crash({2});
  Runs runs(scenario, std::move(system));
  ASSERT_TRUE(runs.take("request Shout{n: 1} at 1"));
  EXPECT_EQ(runs.world().context().set_size("words"), 1U);
  ASSERT_TRUE(runs.take("timer rest at 1"));
  ASSERT_TRUE(runs.take("crash 2"));
  EXPECT_EQ(runs.world().context().set_size("words"), 0U);
}

TEST(Filters, OnceIsOnce) {
  Scenario scenario("once");
  scenario.filter(when(once(is_send() && is_message<Word>())).then(drop()))
      .filter(when(is_receive()).then(once(inject(1, 2, Echo{5})), count("received")));
  Runs runs(scenario, town());
  const std::vector<std::string> taken = runs.to_the_end();
  EXPECT_EQ(std::count_if(taken.begin(), taken.end(),
                          [](const std::string& text) { return text.starts_with("deliver Word"); }),
            1);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), "deliver Echo{n: 5} 1→2"), 1);
}

TEST(Filters, IsolatedNodesHearAndSayNothing) {
  Scenario scenario("hermit");
  scenario.isolate(3);
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_TRUE(runs.has_heard(2, "word 1 from 1"));
  EXPECT_FALSE(runs.has_heard(3, "word 1 from 1"));
}

TEST(Filters, PartitionsAreDrawnAsInitialStates) {
  Scenario scenario("halves");
  const Partition halves = scenario.partition("halves", std::vector<int>{1, 2});
  scenario.filter(when(is_send() && halves.across()).then(drop()));
  Runs runs(scenario, town());
  ASSERT_EQ(runs.world().initial_count(), 3U);
  int heard_by_two = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(runs.world().reset(i));
    runs.to_the_end();
    const bool alone = runs.world().context().part("halves", 1) == 0;
    const bool together = runs.world().context().part("halves", 2) == 1;
    EXPECT_EQ(runs.has_heard(2, "word 1 from 1"), !alone && together);
    heard_by_two += runs.has_heard(2, "word 1 from 1") ? 1 : 0;
  }
  EXPECT_EQ(heard_by_two, 1);
}

TEST(Filters, DrawnNodesAreDrawnAsInitialStates) {
  Scenario scenario("someone");
  const Who r = scenario.draw("r", {2, 3});
  scenario.filter(when(is_send() && to(r)).then(drop()));
  Runs runs(scenario, town());
  ASSERT_EQ(runs.world().initial_count(), 2U);
  for (uint32_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(runs.world().reset(i));
    runs.to_the_end();
    EXPECT_EQ(runs.has_heard(2, "word 1 from 1"), i == 1);
    EXPECT_EQ(runs.has_heard(3, "word 1 from 1"), i == 0);
  }
}

TEST(Filters, OwnFunctionsSeeEventAndContext) {
  Scenario scenario("own");
  const Condition loud = condition("loud", [](const Event& event, const ScenarioContext& context) {
    const Word* word = event.payload.try_get<Word>();
    return event.kind == EventKind::kSend && word != nullptr && context.counter("loud") < 1;
  });
  scenario.filter(when(loud).then(reaction("hush", [](const Event&, ScenarioContext& context) {
    context.count("loud");
    context.keep("kept", Word{4});
    context.drop();
  })));
  Runs runs(scenario, town());
  runs.to_the_end();
  EXPECT_EQ(runs.has_heard(2, "word 1 from 1") + runs.has_heard(3, "word 1 from 1"), 1);
  ASSERT_NE(runs.world().context().kept<Word>("kept"), nullptr);
  EXPECT_EQ(runs.world().context().kept<Word>("kept")->n, 4);
  EXPECT_NE(runs.product().space(), nullptr);
}

TEST(Filters, FunctionsThatRememberStartAfreshAndCannotBeSearched) {
  Scenario scenario("mutable");
  scenario.filter(
      when(condition("every second", [n = 0](const Event& event, const ScenarioContext&) mutable {
        return event.kind == EventKind::kSend && ++n % 2 == 0;
      })).then(drop()));
  Runs runs(scenario, town());
  const std::vector<std::string> first = runs.to_the_end();
  ASSERT_TRUE(runs.world().reset(0));
  EXPECT_EQ(runs.to_the_end(), first);
  EXPECT_EQ(runs.product().space(), nullptr);
  EXPECT_NE(is_value(scenario).error().message.find("filters_test.cc"), std::string::npos);
}

TEST(Filters, AScriptHappensFirstAndLeavesOutWhatItMayWhereThatIsNotPossible) {
  Scenario scenario("script");
  scenario.script({"request Shout{n: 1} at 1", "deliver Word{n: 1} 1→3", "? crash 2",
                   "deliver Echo{n: 1} 3→1"});
  Runs runs(scenario, town());
  for (const char* line :
       {"request Shout{n: 1} at 1", "deliver Word{n: 1} 1→3", "deliver Echo{n: 1} 3→1"}) {
    EXPECT_EQ(runs.enabled(), (std::vector<std::string>{line}));
    ASSERT_TRUE(runs.take(line));
  }
  EXPECT_EQ(runs.enabled().size(), 2U);
}

}  // namespace
}  // namespace ordeal::town
