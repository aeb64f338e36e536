// Scenarios that make no sense are refused before they run, with the line where they were written.
#include <gtest/gtest.h>

#include "ordeal/model.h"
#include "tests/engine/scenario/cast.h"

namespace ordeal {
namespace {

using testing::Answer;
using testing::Ask;
using testing::Ballot;
using testing::Gone;
using testing::Server;
using testing::Witness;

std::string error_of(const Scenario& scenario, const Checkable& subject) {
  const Result<void> valid = validate(scenario, subject);
  return valid ? "" : valid.error().message;
}

// Without the place, which is in this file.
std::string refusal(const Scenario& scenario, const Checkable& subject = testing::servers()) {
  const std::string error = error_of(scenario, subject);
  const std::string file = std::string(__FILE__) + ":";
  if (error.rfind(file, 0) != 0) return error;
  return error.substr(error.find(": ") + 2);
}

Scenario with(Filter filter) {
  Scenario scenario("test");
  scenario.filter(std::move(filter));
  return scenario;
}
Scenario with(Filter first, Filter second) {
  Scenario scenario = with(std::move(first));
  scenario.filter(std::move(second));
  return scenario;
}
Scenario with(Machine machine) {
  Scenario scenario("test");
  scenario.machine(std::move(machine));
  return scenario;
}

TEST(Validate, SaysWhereTheMistakeWasWritten) {
  const int line = __LINE__ + 1;
  const Scenario scenario = with(when(is_message<Gone>()).then(drop()));
  EXPECT_EQ(error_of(scenario, testing::servers()),
            std::string(__FILE__) + ":" + std::to_string(line) +
                ": no node handles messages of type Gone; the nodes handle Ask, Answer, Tick");
}

TEST(Validate, AcceptsWhatMakesSense) {
  Scenario scenario("test");
  const Who r = scenario.draw("r", {1, 2});
  const Partition halves = scenario.partition("halves", std::vector<int>{1, 2});
  Machine machine("start");
  machine.on("start", is_receive() && is_message<Ask>() && to(3), "asked")
      .on("asked", ended() && holds("all answer"), Machine::kSuccess)
      .on("asked", !holds("agreement"), Machine::kFailure);
  scenario
      .filter(when(is_send() && halves.across() && counter("a") < 2).then(count("a"), hold("s")))
      .filter(when(in_state("asked") && in_set("s")).then(release("s")))
      .filter(when(is_message<Ask>() && from(r)).then(mutate_field("ballot.round", 3)))
      .filter(when(once(state_is<Server>([](const Server& s) {
                return s.answers > 0;
              }))).then(crash(2), restart(2), inject(1, 3, Ask{})))
      .isolate(1)
      .machine(machine)
      .script({"crash 2",
               "deliver Ask{ballot: Ballot{round: 1, leader: 1}, earlier: -} 1→3 [choose 1]",
               "timer t at 1", "heal"})
      .require("all answer")
      .expect(Expect::at_least(3));
  EXPECT_EQ(refusal(scenario), "");
}

// --- Names ---------------------------------------------------------------------------------------

TEST(Validate, RefusesUnknownMessageTypes) {
  EXPECT_EQ(refusal(with(when(is_message("Asc") && from(1)).then(drop()))),
            "no node handles messages of type Asc (did you mean 'Ask'?); the nodes handle Ask, "
            "Answer, Tick");
}

TEST(Validate, RefusesUnknownNodes) {
  EXPECT_EQ(refusal(with(when(is_send() && from(7)).then(drop()))),
            "there is no node 7; there are nodes 1 to 3");
  EXPECT_EQ(refusal(with(when(between(1, 9)).then(drop()))),
            "there is no node 9; there are nodes 1 to 3");
  EXPECT_EQ(refusal(with(when(is_send() && to(Who::drawn("r"))).then(drop()))),
            "no node called 'r' is drawn; draw it with scenario.draw(\"r\")");
}

TEST(Validate, RefusesDrawsFromNobody) {
  Scenario scenario("test");
  scenario.draw("r", {1, 8});
  EXPECT_EQ(refusal(scenario),
            "'r' is drawn among others from node 8, which does not exist; there are nodes 1 to 3");
  Scenario twice("test");
  twice.draw("r");
  twice.draw("r");
  EXPECT_EQ(refusal(twice), "a node called 'r' is drawn twice; give each a name of its own");
}

TEST(Validate, RefusesPartitionsThatDoNotDivideTheNodes) {
  const auto parts = [](auto declare) {
    Scenario scenario("test");
    scenario.partition("p", declare);
    return refusal(scenario);
  };
  using Sizes = std::vector<int>;
  using Blocks = std::vector<std::vector<NodeId>>;
  EXPECT_EQ(parts(Sizes{2, 2}),
            "partition 'p' has parts of 4 nodes in all, but there are 3; the sizes must add up to "
            "the nodes");
  EXPECT_EQ(parts(Sizes{3, 0}), "partition 'p' has a part of size 0; give every part a node");
  EXPECT_EQ(parts(Blocks{{1, 2}, {2, 3}}),
            "partition 'p' has node 2 in parts 0 and 1; a node is in one part");
  EXPECT_EQ(parts(Blocks{{1}, {3}}), "partition 'p' leaves out node 2; every node is in a part");
  EXPECT_EQ(parts(Blocks{{1, 2, 3}, {5}}),
            "partition 'p' has node 5 in part 1, which does not exist; there are nodes 1 to 3");
  EXPECT_EQ(parts(Blocks{{1, 2, 3}, {}}),
            "partition 'p' has nobody in part 1; give every part a node");
}

TEST(Validate, RefusesUnknownPartitionsAndParts) {
  EXPECT_EQ(refusal(with(when(Partition("p").across()).then(drop()))),
            "there is no partition 'p'; declare it with scenario.partition(\"p\", …)");
  Scenario scenario("test");
  const Partition p = scenario.partition("p", std::vector<int>{1, 2});
  scenario.filter(when(p.from_part(2)).then(drop()));
  EXPECT_EQ(refusal(scenario), "partition 'p' has no part 2; its parts are 0 to 1");
}

TEST(Validate, RefusesUnknownStatesAndProperties) {
  EXPECT_EQ(refusal(with(when(in_state("led")).then(count("x")))),
            "in_state(\"led\"): the scenario has no machine; give it one with machine()");
  Scenario scenario("test");
  scenario.machine(Machine("start").on("start", is_send(), Machine::kSuccess));
  scenario.filter(when(in_state("strat")).then(count("x")));
  EXPECT_EQ(refusal(scenario),
            "the machine has no state 'strat' (did you mean 'start'?); it has 'start', 'success'");
  EXPECT_EQ(refusal(with(when(!holds("agrement")).then(count("x")))),
            "the system has no property 'agrement' (did you mean 'agreement'?); it has 'no handler "
            "fails', 'agreement', 'all answer'");
}

TEST(Validate, RefusesToAskForWhatIsNeverRemembered) {
  EXPECT_EQ(refusal(with(when(is_receive()).then(release("late")))),
            "set 'late' stays empty: no filter has hold(\"late\")");
  EXPECT_EQ(
      refusal(with(when(is_send()).then(hold("late")), when(set_size("lat") > 2).then(deliver()))),
      "set 'lat' stays empty: no filter has hold(\"lat\") (did you mean 'late'?)");
  EXPECT_EQ(refusal(with(when(in_set("late")).then(count("x")))),
            "set 'late' stays empty: no filter has hold(\"late\")");
  EXPECT_EQ(refusal(with(when(counter("votes") < 2).then(deliver()))),
            "counter 'votes' stays 0: no filter has count(\"votes\")");
  EXPECT_EQ(refusal(with(when(is_receive()).then(resend("first")))),
            "label 'first' stays empty: no filter has record(\"first\")");
}

TEST(Validate, TrustsReactionsOfTheUserToRemember) {
  EXPECT_EQ(refusal(with(when(is_message<Ask>())
                             .then(reaction("own",
                                            [](const Event&, ScenarioContext& ctx) {
                                              ctx.count("asks");
                                              ctx.hold("late");
                                            })),
                         when(counter("asks") < -1).then(release("late")))),
            "");
}

TEST(Validate, RefusesStatesThatNoNodeHas) {
  EXPECT_EQ(
      refusal(with(when(state_is<Ballot>([](const Ballot&) { return true; })).then(count("x")))),
      "no node is a Ballot; the nodes are Server, Witness, Clock");
}

struct Live {};
TEST(Validate, RefusesToReadTheStateOfOpaqueObjects) {
  System system;
  system.add_opaque<Live>(1, [](NodeId) { return std::make_unique<Live>(); });
  EXPECT_EQ(
      refusal(with(when(state_is<Server>([](const Server&) { return true; })).then(count("x"))),
              system),
      "no node is a Server whose state can be read: nodes added with add_opaque() are opaque "
      "objects; use what they send, log and decide");
}

// --- Reactions -----------------------------------------------------------------------------------

TEST(Validate, RefusesReactionsThatContradictEachOther) {
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(deliver(), count("x"), drop()))),
            "deliver() and drop() contradict each other in one filter; keep one of them, or give "
            "each a filter of its own");
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(hold("a"), delay(3)))),
            "hold(\"a\") and delay(3) contradict each other in one filter; keep one of them, or "
            "give each a filter of its own");
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(drop(), duplicate()))),
            "drop() and duplicate() contradict each other in one filter; keep one of them, or give "
            "each a filter of its own");
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(once(drop()), deliver()))),
            "once(drop()) and deliver() contradict each other in one filter; keep one of them, or "
            "give each a filter of its own");
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(deliver(), once(drop())))), "");
}

TEST(Validate, RefusesToDecideAboutWhatHasHappened) {
  EXPECT_EQ(refusal(with(when(is_receive() && is_message<Ask>()).then(drop()))),
            "drop() says what becomes of something on its way, but is_receive() && "
            "is_message<Ask>() is only true of what has happened; use is_send(), timer_set() or "
            "is_on_its_way()");
  EXPECT_EQ(refusal(with(when(timer_fires("t")).then(record("x")))),
            "record(\"x\") records a message, but timer_fires(\"t\") is true of none; use "
            "is_message()");
  EXPECT_EQ(refusal(with(when(timer_set("t")).then(duplicate()))),
            "duplicate() doubles messages and posted events, but timer_set(\"t\") is true of none "
            "of them");
}

TEST(Validate, RefusesAmountsOfNothing) {
  EXPECT_EQ(refusal(with(when(is_send()).then(delay(0)))),
            "delay(0) delays nothing; say for how many steps");
  EXPECT_EQ(refusal(with(when(is_send()).then(duplicate(0)))),
            "duplicate(0) adds nothing; say how many copies come to it");
}

TEST(Validate, RefusesMutationsOfAnotherType) {
  EXPECT_EQ(
      refusal(with(when(is_message<Ask>()).then(mutate<Answer>([](Answer& a) { a.yes = true; })))),
      "mutate<Answer>(…) never finds a Answer: is_message<Ask>() lets through Ask");
  EXPECT_EQ(
      refusal(with(when(is_send() && to(3)).then(mutate<Answer>([](Answer& a) { a.yes = true; })))),
      "mutate<Answer>(…) never finds a Answer: is_send() && to(3) lets through Ask");
}

TEST(Validate, RefusesFieldsThatDoNotExistOrDoNotFit) {
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(mutate_field("ballot.rond", 1)))),
            "mutate_field(\"ballot.rond\", 1) does not fit Ask: Ask has no field \"ballot.rond\": "
            "it is Ask{ballot: Ballot{round: 0, leader: -1}, earlier: -}");
  const std::string wrong =
      refusal(with(when(is_message<Ask>()).then(mutate_field("ballot.round", std::string("x")))));
  EXPECT_EQ(wrong.rfind("mutate_field(\"ballot.round\", \"x\") does not fit Ask: ", 0), 0U)
      << wrong;
  EXPECT_NE(wrong.find("round"), std::string::npos) << wrong;
  EXPECT_EQ(refusal(with(when(is_send() && from(1)).then(mutate_field("yes", true)))),
            "mutate_field(\"yes\", true) does not fit Ask: Ask has no field \"yes\": it is "
            "Ask{ballot: Ballot{round: 0, leader: -1}, earlier: -}; say which messages are meant "
            "with is_message<…>()");
  // What an optional holds only a message tells.
  EXPECT_EQ(refusal(with(when(is_message<Ask>()).then(mutate_field("earlier.round", 1)))), "");
}

TEST(Validate, RefusesToInjectWhatIsNotHandled) {
  EXPECT_EQ(refusal(with(when(is_receive()).then(inject(1, 3, Answer{})))),
            "node 3 does not handle Answer; it handles Ask");
  EXPECT_EQ(refusal(with(when(is_receive()).then(inject(1, 6, Answer{})))),
            "there is no node 6; there are nodes 1 to 3");
  EXPECT_EQ(refusal(with(when(is_receive()).then(inject(1, 4, Answer{})))),
            "node 4 is the component 'clock': no message can be injected there; inject what it "
            "would post");
}

TEST(Validate, RefusesCrashesThatTheSystemDoesNotAllow) {
  EXPECT_EQ(refusal(with(when(is_receive()).then(crash(1)))),
            "node 1 may not crash, so it cannot crash; of this system node 2 may");
  EXPECT_EQ(refusal(with(when(is_receive()).then(fire(4, "t")))),
            "node 4 is the component 'clock', which does not fire a timer; there are nodes 1 to 3");
  System mortal;
  mortal.add<Server>(2);
  EXPECT_EQ(refusal(with(when(is_receive()).then(crash(1))), mortal),
            "no node of this system may crash, so node 1 cannot crash; say which may with "
            "System::crash()");
  mortal.crash({1});
  EXPECT_EQ(refusal(with(when(is_receive()).then(restart(1))), mortal),
            "crashed nodes of this system stay down; let them come back with "
            "System::recoveries()");
  Scenario drawn("test");
  const Who r = drawn.draw("r");
  drawn.filter(when(is_receive()).then(crash(r)));
  EXPECT_EQ(refusal(drawn), "node 1 may not crash, so it cannot crash; of this system node 2 may");
}

TEST(Validate, RefusesToStopTimersOfATimedSystem) {
  System system = testing::servers();
  system.timed();
  EXPECT_EQ(refusal(with(when(timer_set("t")).then(delay(2))), system),
            "delay(2) would stop a timer of a timed system, where virtual time says when it fires; "
            "say is_message() to leave timers alone");
  EXPECT_EQ(refusal(with(when(is_message()).then(delay(2))), system), "");
}

TEST(Validate, RefusesToHoldWhatStopsTime) {
  System system = testing::servers();
  system.prompt();
  EXPECT_EQ(refusal(with(when(is_message()).then(delay(2))), system),
            "delay(2) would stop time: in a prompt system it passes only where nothing can be "
            "delivered, and what is held still could be; drop it, or leave prompt() out");
  EXPECT_EQ(refusal(with(when(is_message()).then(drop())), system), "");
}

// --- Filters that never fire ---------------------------------------------------------------------

std::string never(const Condition& condition) {
  return refusal(with(when(condition).then(count("a"))));
}

TEST(Validate, RefusesConditionsThatCanNeverBeTrue) {
  EXPECT_EQ(never(is_send() && from(1) && from(2)),
            "when(is_send() && from(1) && from(2)).then(count(\"a\")) can never match: no event is "
            "from(1) && from(2); write || where either will do, or leave one of them out");
  EXPECT_EQ(never(is_send() && is_receive()),
            "when(is_send() && is_receive()).then(count(\"a\")) can never match: no event is "
            "is_send() && is_receive(); write || where either will do, or leave one of them out");
  EXPECT_EQ(never(counter("a") < 2 && is_send() && counter("a") > 5),
            "when(counter(\"a\") < 2 && is_send() && counter(\"a\") > 5).then(count(\"a\")) can "
            "never match: no event is counter(\"a\") < 2 && counter(\"a\") > 5; write || where "
            "either will do, or leave one of them out");
  EXPECT_EQ(never(is_message<Answer>() && to(3)),
            "when(is_message<Answer>() && to(3)).then(count(\"a\")) can never match: no event is "
            "is_message<Answer>() && to(3); node 3 handles Ask");
  EXPECT_EQ(never(from(4)),
            "when(from(4)).then(count(\"a\")) can never match: no event is from(4); 4 is the "
            "component 'clock': what nodes send to it is handled at once, and what it posts is no "
            "message but is_event(EventKind::kPost)");
  EXPECT_EQ(never(ended()),
            "when(ended()).then(count(\"a\")) can never match: no event is ended(); only property "
            "machines see the end of a run");
}

TEST(Validate, KnowsWhatExcludesWhat) {
  const std::string can_never = "can never match";
  const auto dead = [&](const Condition& c) {
    return never(c).find(can_never) != std::string::npos;
  };
  const auto odd = condition("odd", [](const Event&, const ScenarioContext&) { return true; });
  EXPECT_TRUE(dead(counter("a") == 1 && counter("a") != 1));
  EXPECT_TRUE(dead(counter("a") > 1 && counter("a") < 3 && counter("a") != 2));
  EXPECT_TRUE(dead(counter("a") < 0));
  EXPECT_TRUE(dead(odd && !odd));
  EXPECT_TRUE(dead(at(1) && is_send() && from(2)));
  EXPECT_TRUE(dead(at(3) && state_is<Server>([](const Server&) { return true; })));
  EXPECT_TRUE(dead(timer_fires("a") && timer_fires("b")));
  EXPECT_TRUE(dead(timer_fires("a") && is_message()));
  EXPECT_TRUE(dead(crashes() && at(1)));
  EXPECT_TRUE(dead(carries("Go") && is_message()));
  EXPECT_TRUE(dead(between(1, 2) && to(3)));
  EXPECT_TRUE(dead(is_message<Ask>() && carries<Answer>()));
  EXPECT_TRUE(dead(once(is_send()) && is_receive()));
  EXPECT_TRUE(dead(!(is_send() || !is_send())));
  EXPECT_TRUE(dead(!holds("agreement") && holds("agreement")));

  EXPECT_FALSE(dead(counter("a") >= 2 && counter("a") <= 2));
  EXPECT_FALSE(
      dead(odd && !condition("other", [](const Event&, const ScenarioContext&) { return true; })));
  EXPECT_FALSE(dead(crashes() && at(2)));
  EXPECT_FALSE(dead(carries("Go") && at(1)));
  EXPECT_FALSE(dead(carries("Verdict") && decides()));
  EXPECT_FALSE(dead(is_event(EventKind::kPost) && at(4)));
  EXPECT_FALSE(dead(is_send() && from(1) && to(1)));
  EXPECT_FALSE(dead(!once(is_send()) && is_send()));
  const auto moody = condition(
      "moody", [n = 0](const Event&, const ScenarioContext&) mutable { return ++n % 2 == 0; });
  EXPECT_FALSE(dead(moody && !moody));
}

TEST(Validate, KnowsWhatPartitionsDrawsAndSetsExclude) {
  Scenario base("test");
  const Partition sizes = base.partition("sizes", std::vector<int>{1, 2});
  const Partition blocks = base.partition("blocks", std::vector<std::vector<NodeId>>{{1, 2}, {3}});
  const Who r = base.draw("r", {1, 2});
  base.filter(when(is_message<Ask>() && counter("n") == 77).then(hold("s"), count("n")));
  const auto dead = [&](const Condition& c) {
    Scenario scenario = base;
    scenario.filter(when(c).then(count("a")));
    return refusal(scenario).find("can never match") != std::string::npos;
  };
  EXPECT_TRUE(dead(sizes.across() && sizes.within()));
  EXPECT_TRUE(dead(sizes.within() && is_send() && from(1) && to(2) && sizes.from_part(0)));
  EXPECT_FALSE(dead(sizes.within() && from(1) && to(2) && sizes.from_part(1)));
  EXPECT_TRUE(dead(blocks.across() && from(1) && to(2)));
  EXPECT_FALSE(dead(blocks.across() && from(1) && to(3)));
  base.machine(Machine("a").on("a", is_send(), "b"));
  EXPECT_TRUE(dead(in_state("a") && in_state("b")));
  EXPECT_FALSE(dead(in_state("a") || in_state("b")));
  EXPECT_TRUE(dead(from(r) && from(3)));
  EXPECT_FALSE(dead(from(r) && from(2)));
  EXPECT_TRUE(dead(from(r) && from(1) && to(r) && to(2)));
  EXPECT_FALSE(dead(!from(r) && from(1)));
  EXPECT_TRUE(dead(in_set("s") && set_size("s") == 0));
  EXPECT_TRUE(dead(set_size("s") < 0));
  EXPECT_TRUE(dead(in_set("s") && timer_fires("t")));
}

TEST(Validate, RefusesFiltersThatEarlierOnesShadow) {
  const Scenario scenario = with(when(is_message<Ask>()).then(drop()),
                                 when(is_send() && is_message<Ask>() && from(1)).then(hold("s")));
  const uint32_t line = scenario.declaration().filters[0].where.line();
  EXPECT_EQ(refusal(scenario),
            "when(is_send() && is_message<Ask>() && from(1)).then(hold(\"s\")) never has an event: "
            "the first filter that matches has it, and all that this one matches has "
            "is_message<Ask>() (line " +
                std::to_string(line) +
                ") before it; put it before that one, or let that one match less");
}

TEST(Validate, RefusesFiltersThatSeveralEarlierOnesShadowTogether) {
  Scenario scenario("test");
  scenario.filter(when(is_receive()).then(count("r")))
      .filter(when(is_send() && counter("a") < 2).then(count("a")))
      .filter(when(is_send() && counter("a") >= 2).then(drop()))
      .filter(when(is_send() && from(2)).then(deliver()));
  const std::string text = refusal(scenario);
  EXPECT_NE(text.find("all that this one matches have is_send() && counter(\"a\") < 2 (line"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("is_receive()"), std::string::npos) << text;
  Scenario once_only("test");
  once_only.filter(when(once(is_send())).then(drop())).filter(when(is_send()).then(deliver()));
  EXPECT_EQ(refusal(once_only), "");
}

// Nine things in eight places, no two in one: impossible, but it takes long to see.
TEST(Validate, ClaimsNothingWhereItWouldHaveToTryTooMuch) {
  std::vector<std::vector<Condition>> is_in(9);
  Condition all = is_send();
  for (std::vector<Condition>& thing : is_in) {
    for (int place = 0; place < 8; ++place) {
      thing.push_back(condition("in", [](const Event&, const ScenarioContext&) { return true; }));
    }
    Condition somewhere = thing[0];
    for (int place = 1; place < 8; ++place) somewhere = somewhere || thing[place];
    all = all && somewhere;
  }
  for (int place = 0; place < 8; ++place) {
    for (int a = 0; a < 9; ++a) {
      for (int b = 0; b < a; ++b) all = all && !(is_in[a][place] && is_in[b][place]);
    }
  }
  EXPECT_EQ(never(all), "");
}

struct Counting {
  struct State {
    int n = 0;
  };
  std::vector<State> initial() const { return {{}}; }
  void actions(const State&, std::vector<int>& out) const { out = {1}; }
  using Action = int;
  std::optional<State> next(const State& s, const int& a) const { return State{s.n + a}; }
};

TEST(Validate, KnowsThatARawModelSendsNothing) {
  const Model<Counting> model;
  EXPECT_EQ(refusal(with(when(is_send()).then(drop())), model),
            "when(is_send()).then(drop()) can never match: no event is is_send(); a raw model has "
            "steps only: is_event(EventKind::kStep)");
  EXPECT_EQ(refusal(with(when(is_event(EventKind::kStep)).then(drop())), model),
            "drop() says what becomes of something on its way, but is_event(EventKind::kStep) is "
            "only true of what has happened; use is_send(), timer_set() or is_on_its_way()");
  EXPECT_EQ(refusal(with(when(is_event(EventKind::kStep)).then(count("a"))), model), "");
  Scenario drawn("test");
  drawn.draw("r");
  EXPECT_EQ(refusal(drawn, model), "'r' is to be drawn, but a raw model has no nodes");
}

// --- Machines ------------------------------------------------------------------------------------

TEST(Validate, RefusesTransitionsThatCanNeverBeTaken) {
  EXPECT_EQ(refusal(with(Machine("a").on("a", is_send() && is_receive(), Machine::kSuccess))),
            "the transition 'a' → 'success' on is_send() && is_receive() can never be taken: no "
            "event is is_send() && is_receive(); write || where either will do, or leave one of "
            "them out");
  EXPECT_EQ(refusal(with(Machine("a")
                             .on("a", is_send(), "b")
                             .on("b", is_receive() && in_state("a"), Machine::kSuccess))),
            "the transition 'b' → 'success' on is_receive() && in_state(\"a\") can never be taken: "
            "no event is in_state(\"a\"); leave it out");
  EXPECT_EQ(refusal(with(Machine("a")
                             .on("a", is_message<Ask>(), "b")
                             .on("a", is_receive() && is_message<Ask>(), Machine::kSuccess))),
            "the transition 'a' → 'success' on is_receive() && is_message<Ask>() can never be "
            "taken: earlier transitions from 'a' have all such events; declare it before them");
  EXPECT_EQ(
      refusal(with(Machine("a")
                       .on("a", is_send(), Machine::kFailure)
                       .on(Machine::kFailure, is_receive(), Machine::kSuccess))),
      "the transition 'failure' → 'success' on is_receive() can never be taken: a run ends in "
      "'failure'; leave it out");
}

TEST(Validate, RefusesASuccessThatCannotBeReached) {
  EXPECT_EQ(refusal(with(Machine("a").on("b", is_send(), Machine::kSuccess))),
            "state 'b' of the machine is never reached from 'a'; a transition into it is missing");
  EXPECT_EQ(refusal(with(Machine("a").on("a", is_send(), "b").success("done"))),
            "state 'done' of the machine is never reached from 'a', so that success is never "
            "declared there; a transition into it is missing");
}

TEST(Validate, RefusesStatesThatContradictThemselves) {
  EXPECT_EQ(refusal(with(Machine("a").on("a", is_send(), Machine::kSuccess).failure("success"))),
            "state 'success' of the machine means both success and failure; let it mean one of "
            "them");
  EXPECT_EQ(refusal(with(Machine("a").on("a", is_send(), "b").failure("b").success("b"))),
            "state 'b' of the machine means both success and failure; let it mean one of them");
  EXPECT_EQ(refusal(with(Machine("a").on("a", is_send(), "b").failure("a"))),
            "the machine starts in a failure state: every run fails before it begins; start in "
            "another");
}

// --- The scenario as a whole ---------------------------------------------------------------------

TEST(Validate, RefusesExpectationsThatCannotBeMet) {
  EXPECT_EQ(refusal(Scenario("test").iterations(0)),
            "iterations(0) runs nothing; ask for at least one run");
  const Machine machine = Machine("a").on("a", is_send(), Machine::kSuccess);
  EXPECT_EQ(refusal(Scenario("test").machine(machine).iterations(5).expect(Expect::at_least(6))),
            "at least 6 runs succeed of 5 cannot be met; expect at most as many as there are "
            "iterations");
  EXPECT_EQ(refusal(Scenario("test").expect(Expect::never())),
            "the expectation is about runs that succeed, and only a machine says which do; give "
            "the scenario one with machine()");
}

TEST(Validate, RefusesToRequireWhatIsNoEventually) {
  EXPECT_EQ(refusal(Scenario("test").require("agreement")),
            "require(\"agreement\"): that is an `always`; it is checked in every scenario, leave "
            "it out");
  EXPECT_EQ(refusal(Scenario("test").require("all")),
            "the system has no property 'all' (did you mean 'all answer'?); it has 'no handler "
            "fails', 'agreement', 'all answer'");
}

TEST(Validate, RefusesScriptLinesThatAreNoActions) {
  const auto line = [](const std::string& text) {
    return refusal(Scenario("test").script({text}));
  };
  EXPECT_EQ(line("delivr Ask 1→2"),
            "script: \"delivr Ask 1→2\": 'delivr' is no kind of action (did you mean 'deliver'?); "
            "the kinds are deliver, request, event, timer, detect, restore, choose, crash, "
            "recover, drop, duplicate, partition, heal, suspect");
  EXPECT_EQ(line("crash 9"), "script: \"crash 9\": there is no node 9; there are nodes 1 to 3");
  EXPECT_EQ(line("crash two"),
            "script: \"crash two\": 'two' is no node; write its number at the end");
  EXPECT_EQ(line("deliver Ask{}"),
            "script: \"deliver Ask{}\": between whom? write sender→receiver at the end");
  EXPECT_EQ(line("timer t"), "script: \"timer t\": where? write ' at ' and the node at the end");
  EXPECT_EQ(
      line("deliver Anser{yes: true} 1→3"),
      "script: \"deliver Anser{yes: true} 1→3\": node 3 does not handle Anser; it handles Ask");
  EXPECT_EQ(line("deliver Anser{yes: true} 1→2"),
            "script: \"deliver Anser{yes: true} 1→2\": node 2 does not handle Anser (did you mean "
            "'Answer'?); it handles Ask, Answer, Tick");
}

}  // namespace
}  // namespace ordeal
