// The events of every kind of step, on systems small enough to say what they must be. Every test
// runs on value nodes and on opaque objects, where both can do what it is about.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ordeal/model.h"
#include "ordeal/system.h"
#include "tests/oracle/events/drive.h"

namespace ordeal::oracle::event_tests {
namespace {

using Lines = std::vector<std::string>;

struct Word {
  std::string text;
};
struct Do {
  std::string what;
};

// Does as it is told, by messages, requests and timers.
struct Doer {
  using Messages = Types<Word>;
  using Requests = Types<Do>;
  using Disk = int;
  int seen = 0;

  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.set_timer("decide");
  }
  void request(Context& ctx, const Do& request) { act(ctx, request.what); }
  void on(Context& ctx, NodeId, const Word& word) { act(ctx, word.text); }
  void timer(Context& ctx, const std::string& name) { act(ctx, name); }
  void crashed(Context& ctx, NodeId) { ctx.log("lost one"); }
  void restored(Context& ctx, NodeId) { ctx.log("has one back"); }
  void recover(Context& ctx, const int& disk) {
    seen = disk;
    ctx.log("again");
  }

  void act(Context& ctx, const std::string& what) {
    ++seen;
    if (what == "broadcast") ctx.broadcast(Word{"hello"});
    if (what == "echo" && seen < 3) ctx.reply(Word{"echo"});
    if (what == "decide") {
      ctx.log("first");
      ctx.decide(seen);
      ctx.log("then");
    }
    if (what == "timers") {
      ctx.set_timer("c");
      ctx.set_timer("b");
      ctx.cancel_timer("b");
      ctx.set_timer("a");
      ctx.set_timer("decide");
    }
    if (what == "no timer") ctx.cancel_timer("decide");
    if (what == "operation") {
      ctx.invoke(7);
      ctx.returns(8);
    }
    if (what == "persist") {
      ctx.decide(1);
      ctx.send(2, Word{"early"});
      ctx.set_timer("early");
      ctx.persist(seen);
      ctx.decide(2);
      ctx.send(2, Word{"late"});
    }
    if (what == "ask") ctx.send(3, Word{"ask"});
    if (what == "ask and stop") {
      ctx.send(3, Word{"ask"});
      ctx.log("asked");
      ctx.send(3, Word{"stop"});
    }
    if (what == "choose") ctx.log(ctx.choose(2) == 0 ? "heads" : "tails");
  }
};

struct Source {
  using Messages = Types<Word>;
  int asked = 0;
  void on(Context& ctx, NodeId from, const Word& word) {
    ++asked;
    ctx.log("source: " + word.text);
    if (word.text == "stop") return ctx.cancel_timer("tick");
    ctx.set_timer("tick");
    ctx.set_timer("tock");
    ctx.post(from, Word{"decide"});
  }
  void timer(Context&, const std::string&) {}
};

class Events : public testing::TestWithParam<bool> {
 protected:
  bool live() const { return GetParam(); }
  System two() const {
    System system;
    if (live()) {
      system.add_opaque<Doer>(2, [](NodeId) { return std::make_unique<Doer>(); });
    } else {
      system.add<Doer>(2);
    }
    return system;
  }
  System two(const std::string& what) const {
    System system = two();
    system.request(1, Do{what});
    return system;
  }
};

TEST_P(Events, OfMessagesAreSendAndReceive) {
  Drive drive(two("broadcast"));
  ASSERT_EQ(drive.events_of("request Do{what: \"broadcast\"} at 1"),
            (Lines{"request Do{what: \"broadcast\"} at 1", "send Word{text: \"hello\"} 1→2"}));
  const std::vector<Event> sent = drive.events();
  EXPECT_EQ(sent[0].node, 1);
  EXPECT_EQ(sent[0].from, -1);
  EXPECT_EQ(sent[0].to, 1);
  EXPECT_EQ(sent[1].node, 1);
  EXPECT_EQ(sent[1].from, 1);
  EXPECT_EQ(sent[1].to, 2);
  ASSERT_EQ(drive.events_of("deliver Word{text: \"hello\"} 1→2"),
            (Lines{"receive Word{text: \"hello\"} 1→2"}));
  EXPECT_EQ(drive.events()[0].node, 2);
}

TEST_P(Events, BeginWithWhatIsOnItsWayAtTheStart) {
  Drive drive(two("broadcast"));
  EXPECT_EQ(shown(drive.on_its_way()),
            (Lines{"submit Do{what: \"broadcast\"} at 1", "set timer decide at 1"}));
  EXPECT_EQ(shown(drive.events()), Lines());
  EXPECT_EQ(drive.on_its_way()[0].node, 1);
}

TEST_P(Events, CarryTheStateAfterTheStepOfTheNodeWhereTheyHappen) {
  System system = two("broadcast");
  Drive drive(system.drops(1));
  drive.take("request Do{what: \"broadcast\"} at 1");
  for (const Event& event : drive.events()) {
    if (live()) {
      EXPECT_EQ(event.state, nullptr);
    } else {
      ASSERT_NE(event.state, nullptr);
      EXPECT_EQ(event.state->get<Doer>().seen, 1);
    }
  }
  ASSERT_TRUE(drive.take("drop Word{text: \"hello\"} 1→2"));
  EXPECT_EQ(drive.events()[0].state, nullptr);  // a loss happens nowhere
}

TEST_P(Events, AMessageSentAgainWhenItIsHandledIsNew) {
  System system = two("broadcast");
  system.request(1, Do{"echo"});
  Drive drive(system);
  const Amendment echo = {Amendment::Kind::kAdd, ActionKind::kDeliver, 1, 1,
                          value::Any::of(Word{"echo"})};
  drive.world().amend(std::vector<Amendment>{echo, echo});
  ASSERT_EQ(drive.events_of("deliver Word{text: \"echo\"} 1→1"),
            (Lines{"receive Word{text: \"echo\"} 1→1", "send Word{text: \"echo\"} 1→1"}));
}

TEST_P(Events, OfTimers) {
  Drive drive(two("timers"));
  // `decide` is pending already and set again; `b` is no more when the handler ends.
  ASSERT_EQ(drive.events_of("request Do{what: \"timers\"} at 1"),
            (Lines{"request Do{what: \"timers\"} at 1", "cancel timer b at 1", "set timer a at 1",
                   "set timer c at 1", "set timer decide at 1"}));
  ASSERT_EQ(drive.events_of("timer a at 1"), (Lines{"timer a at 1"}));
  EXPECT_EQ(drive.events()[0].text, "a");
  EXPECT_EQ(drive.events()[0].to, -1);
  EXPECT_TRUE(drive.events()[0].payload.empty());
}

TEST_P(Events, WhatAHandlerDoesComesInItsOrder) {
  Drive drive(two("operation"));
  ASSERT_EQ(drive.events_of("timer decide at 1"),
            (Lines{"timer decide at 1", "log first at 1", "decide 1 at 1", "log then at 1"}));
  ASSERT_EQ(drive.events_of("request Do{what: \"operation\"} at 1"),
            (Lines{"request Do{what: \"operation\"} at 1", "invoke 7 at 1", "return 8 at 1"}));
}

TEST_P(Events, OfComponentsBelongToTheStepThatCalledThem) {
  System system = two("ask and stop");
  system.component<Source>("source");
  Drive drive(system);
  // The source sets and cancels `tick` in two calls of one step.
  ASSERT_EQ(drive.events_of("request Do{what: \"ask and stop\"} at 1"),
            (Lines{"request Do{what: \"ask and stop\"} at 1", "log asked at 1",
                   "log source: ask at 3", "log source: stop at 3", "cancel timer tick at 3",
                   "post Word{text: \"decide\"} 3→1", "set timer tock at 3"}));
  const Event post = drive.events()[5];
  EXPECT_EQ(post.kind, EventKind::kPost);
  EXPECT_EQ(post.node, 3);
  if (live()) {
    EXPECT_EQ(post.state, nullptr);  // states stay in the worker process
  } else {
    ASSERT_NE(post.state, nullptr);
    EXPECT_EQ(post.state->get<Source>().asked, 2);
  }
  ASSERT_EQ(drive.events_of("event Word{text: \"decide\"} 3→1"),
            (Lines{"event Word{text: \"decide\"} 3→1", "log first at 1", "decide 2 at 1",
                   "log then at 1"}));
}

TEST_P(Events, OfCrashesAndWhatTheDetectorTells) {
  System system = two();
  system.crash({1}).recoveries(1).detector(Detector::kPerfect);
  Drive drive(system);
  ASSERT_EQ(drive.events_of("crash 1"), (Lines{"crash at 1", "notice detect 1→2"}));
  EXPECT_EQ(drive.events()[1].node, 2);
  EXPECT_EQ(drive.events()[1].from, 1);
  const Offer detect = {ActionKind::kDetect, 2, 1, 0};
  EXPECT_EQ(drive.events()[1].offer(), detect);
  ASSERT_EQ(drive.events_of("detect crash of 1 at 2"), (Lines{"detect 1→2", "log lost one at 2"}));
  ASSERT_EQ(drive.events_of("recover 1"),
            (Lines{"recover at 1", "log again at 1", "notice restore 1→2"}));
  const Offer restore = {ActionKind::kRestore, 2, 1, 0};
  EXPECT_EQ(drive.events()[2].offer(), restore);
  ASSERT_EQ(drive.events_of("restore trust in 1 at 2"),
            (Lines{"restore 1→2", "log has one back at 2"}));
}

TEST_P(Events, OfAWrongSuspicion) {
  System system = two();
  system.detector(Detector::kEventuallyPerfect);
  Drive drive(system);
  ASSERT_EQ(drive.events_of("suspect 1 wrongly at 2"),
            (Lines{"suspect 1→2", "log lost one at 2", "notice restore 1→2"}));
}

TEST_P(Events, OfLossesAndCopies) {
  System system = two("broadcast");
  system.drops(2).duplicates(1);
  Drive drive(system);
  drive.take("request Do{what: \"broadcast\"} at 1");
  ASSERT_EQ(drive.events_of("duplicate Word{text: \"hello\"} 1→2"),
            (Lines{"duplicate Word{text: \"hello\"} 1→2", "send Word{text: \"hello\"} 1→2"}));
  EXPECT_EQ(drive.on_its_way().size(), 3U);  // two copies, one timer
  ASSERT_EQ(drive.events_of("drop Word{text: \"hello\"} 1→2"),
            (Lines{"drop Word{text: \"hello\"} 1→2"}));
  EXPECT_EQ(drive.events()[0].node, -1);
}

TEST_P(Events, OfPartitions) {
  System system = two("broadcast");
  system.partitions(1);
  Drive drive(system);
  ASSERT_EQ(drive.events_of("partition 1 | 2"), (Lines{"partition 1 | 2"}));
  ASSERT_EQ(drive.events_of("heal"), (Lines{"heal"}));
}

TEST_P(Events, StayThoseOfTheStepWhenTheStateIsAmended) {
  Drive drive(two("broadcast"));
  const Lines events = drive.events_of("request Do{what: \"broadcast\"} at 1");
  drive.world().amend(std::vector<Amendment>{
      {Amendment::Kind::kRemove, ActionKind::kDeliver, 1, 2, value::Any::of(Word{"hello"})}});
  EXPECT_EQ(shown(drive.events()), events);
  drive.world().enabled();
  EXPECT_EQ(shown(drive.events()), events);
  EXPECT_EQ(shown(drive.on_its_way()), (Lines{"set timer decide at 1"}));
}

INSTANTIATE_TEST_SUITE_P(Nodes, Events, testing::Bool(),
                         [](const auto& info) { return info.param ? "LiveObjects" : "Values"; });

TEST(EventsOfValues, AHandlerThatIsCutByACrashDoesWhatComesBeforeIt) {
  System system;
  system.add<Doer>(2).request(1, Do{"persist"}).crash({1}).recoveries(1).crash_at_persist();
  Drive drive(system);
  ASSERT_EQ(drive.events_of("request Do{what: \"persist\"} at 1 [crash after persist 1]"),
            (Lines{"request Do{what: \"persist\"} at 1", "decide 1 at 1", "crash at 1",
                   "send Word{text: \"early\"} 1→2"}));
}

TEST(EventsOfValues, EachAnswerOfChooseHasItsOwn) {
  System system;
  system.add<Doer>(1).request(1, Do{"choose"});
  for (int round = 0; round < 2; ++round) {
    for (const auto& [answer, line] : {std::pair("0", "heads"), std::pair("1", "tails")}) {
      Drive drive(system);
      const std::string request = "request Do{what: \"choose\"} at 1";
      ASSERT_EQ(drive.events_of(request + " [choose " + answer + "]"),
                (Lines{request, std::string("log ") + line + " at 1"}));
    }
  }
}

TEST(EventsOfLiveObjects, ComeWithTheLastAnswerOfTheHandler) {
  System system;
  system.add_opaque<Doer>(1, [](NodeId) { return std::make_unique<Doer>(); });
  system.request(1, Do{"choose"});
  Drive drive(system);
  EXPECT_EQ(drive.events_of("request Do{what: \"choose\"} at 1"), Lines());
  EXPECT_EQ(shown(drive.on_its_way()), Lines());
  EXPECT_EQ(drive.offers().size(), 2U);
  ASSERT_TRUE(drive.world().apply(1).ok());
  EXPECT_EQ(shown(drive.events()), (Lines{"request Do{what: \"choose\"} at 1", "log tails at 1"}));
}

// Asks before it is there.
struct Undecided {
  void start(Context& ctx) { ctx.set_timer(ctx.choose(2) == 0 ? "left" : "right"); }
  void timer(Context&, const std::string&) {}
};

TEST(EventsOfLiveObjects, AStartThatAsksTellsWhatIsOnItsWayWhenItEnds) {
  System system;
  system.add_opaque<Undecided>(1, [](NodeId) { return std::make_unique<Undecided>(); });
  Drive drive(system);
  EXPECT_EQ(shown(drive.on_its_way()), Lines());
  ASSERT_TRUE(drive.world().apply(1).ok());
  EXPECT_EQ(shown(drive.events()), (Lines{"set timer right at 1"}));
}

struct CountToThree {
  using State = int;
  using Action = int;
  std::vector<int> initial() const { return {0}; }
  void actions(const int& state, std::vector<int>& out) const {
    if (state < 3) out = {1, 2};
  }
  std::optional<int> next(const int& state, const int& action) const { return state + action; }
};

TEST(EventsOfRawModels, AreTheLabelOfTheAction) {
  Model<CountToThree> model;
  const auto world = model.world();
  ASSERT_TRUE(world->reset().ok());
  const std::string label = world->action(1).type;
  ASSERT_TRUE(world->apply(1).ok());
  world->enabled();
  std::vector<Event> events;
  world->events(events);
  EXPECT_EQ(shown(events), (Lines{"step " + label}));
  EXPECT_TRUE(model.cast().is_model);
}

TEST(TheCast, NamesWhoTakesPart) {
  System system;
  system.first_id(5).add<Doer>(1);
  system.add_opaque<Doer>(1, [](NodeId) { return std::make_unique<Doer>(); });
  system.component<Source>("source");
  system.crash({6}).recoveries(1).timed();
  const Cast cast = system.cast();
  ASSERT_EQ(cast.members.size(), 3U);
  EXPECT_EQ(cast.nodes(), (std::vector<NodeId>{5, 6}));
  EXPECT_EQ(cast.find(5)->state, &value::type_of<Doer>());
  EXPECT_EQ(cast.find(5)->messages, (std::vector{&value::type_of<Word>()}));
  EXPECT_EQ(cast.find(5)->requests, (std::vector{&value::type_of<Do>()}));
  EXPECT_FALSE(cast.find(5)->may_crash);
  EXPECT_EQ(cast.find(6)->state, nullptr);
  EXPECT_TRUE(cast.find(6)->may_crash);
  EXPECT_EQ(cast.find(7)->name, "source");
  EXPECT_TRUE(cast.find(7)->component);
  EXPECT_TRUE(cast.find(7)->requests.empty());
  EXPECT_EQ(cast.find(8), nullptr);
  EXPECT_TRUE(cast.recoveries);
  EXPECT_TRUE(cast.timed);
  EXPECT_FALSE(cast.is_model);
}

}  // namespace
}  // namespace ordeal::oracle::event_tests
