// Nodes of run time: what is wrong with them is told, and they are like any other in a system.
#include "ordeal/dynamic_node.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

using dynamic::ConstRef;
using dynamic::Ref;

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.error().message;
  return *result;
}

const value::Type* ping() { return must(dynamic::record("Ping", {{"n", dynamic::type<int>()}})); }
const value::Type* counter() {
  return must(dynamic::record("Counter", {{"count", dynamic::type<int>()}}));
}

value::Any ping_of(int n) {
  dynamic::Value out(ping());
  out["n"].set(n);
  return out;
}

// Says something to the others, and counts what it hears.
dynamic::NodeType player(const std::string& name = "Player") {
  dynamic::NodeType out(name, counter());
  out.start([](Ref, Context& ctx) { ctx.broadcast(ping_of(1)); });
  out.on(ping(), [](Ref self, Context&, NodeId, ConstRef m) {
    self["count"].as<int>() += m["n"].as<int>();
  });
  return out;
}

std::string refusal(const System& system) {
  const auto report = check(system, {.threads = 1});
  return report ? "no error" : report.error().message;
}

TEST(DynamicNode, IsCheckedLikeAnyOther) {
  System system;
  system.add(player(), 3);
  system.always("few",
                dynamic::each(counter(), [](ConstRef s) { return s["count"].integer() < 2; }));
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
  ASSERT_EQ(report->violations.size(), 1U);
  EXPECT_EQ(report->violations[0].trace->steps.size(), 2U);
  const auto replayed = replay(system, *report->violations[0].trace);
  ASSERT_TRUE(replayed.ok());
  EXPECT_TRUE(replayed->reproduced) << replayed->why;
}

TEST(DynamicNode, OfTheSameStateAndNameButMadeApartAreTwoKinds) {
  System system;
  system.add(player(), 2).add(player(), 1);
  system.always("alone", dynamic::pairs(counter(), [](ConstRef a, ConstRef b) {
                  return a["count"].integer() + b["count"].integer() <= 2;
                }));
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  // Only the first two are peers of each other.
  EXPECT_EQ(report->distinct_states, 4U);
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  ASSERT_EQ(report->steps.size(), 2U);
  EXPECT_EQ(report->steps[0].what, "Ping at Player #1");
}

struct Tally {
  int count = 0;
};

TEST(DynamicNode, MayHaveAStateOfTheCompiler) {
  dynamic::NodeType node("Clerk", dynamic::type<Tally>());
  int most = 2;  // what a closure captures is constant
  node.start([](Ref, Context& ctx) { ctx.set_timer("tick"); });
  node.timer([most](Ref self, Context& ctx, const std::string& name) {
    if (++self.as<Tally>().count < most) ctx.set_timer(name);
  });
  System system;
  system.add(node, 2, [](NodeId) { return value::Any::of(Tally{}); });
  system.always("few", each<Tally>([](const Tally& t) { return t.count <= 2; }));
  system.always("the same", [](const View& view) {
    return view.node<Tally>(1).count == dynamic::state(view, 1).as<Tally>().count;
  });
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_EQ(report->distinct_states, 9U);
}

TEST(DynamicNode, OfOneTypeMayBeAlike) {
  System system;
  const dynamic::NodeType type = player();
  system.add(type, 3).alike(type);
  const auto whole = check(system, {.threads = 1});
  const auto classes = check(system, {.threads = 1, .symmetry = true});
  ASSERT_TRUE(classes.ok()) << classes.error().message;
  EXPECT_EQ(whole->distinct_states, 64U);
  EXPECT_EQ(classes->distinct_states, 16U);
  System other;
  other.add(player(), 3).alike(type);
  EXPECT_EQ(refusal(other), "nodes of type Player are declared alike, but there are none");
}

namespace compiled {
struct Ping {
  int n = 0;
};
}  // namespace compiled

TEST(DynamicNode, AMessageOfTheNameOfACompiledOneIsAnother) {
  dynamic::NodeType node("Player", counter());
  node.start([](Ref, Context& ctx) {
    ctx.send(ctx.self(), ping_of(1));
    ctx.send(ctx.self(), compiled::Ping{1});
  });
  node.on(ping(), [](Ref self, Context&, NodeId, ConstRef) { self["count"].as<int>() += 1; });
  node.on(dynamic::type<compiled::Ping>(),
          [](Ref self, Context&, NodeId, ConstRef) { self["count"].as<int>() += 10; });
  System system;
  system.add(node).always("one of each", dynamic::each(counter(), [](ConstRef s) {
                            return s["count"].integer() != 2 && s["count"].integer() != 20;
                          }));
  const auto report = check(system, {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
  EXPECT_EQ(report->distinct_states, 4U);
  ASSERT_EQ(report->steps.size(), 2U);
  EXPECT_NE(report->steps[0].what, report->steps[1].what);
}

TEST(DynamicNode, FiltersKnowItsMessagesAndMayChangeThem) {
  System system;
  system.add(player(), 2);
  system.eventually("lied to", [](const View& view) {
    return dynamic::state(view, 1)["count"].integer() == 1 &&
           dynamic::state(view, 2)["count"].integer() == 7;
  });
  Scenario scenario("one hears something else");
  scenario.filter(when(is_message("Ping") && to(2)).then(mutate_field("n", 7)));
  scenario.require("lied to").strategy("bfs");
  const auto report = run(scenario, system);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
}

TEST(DynamicNode, FiltersMayInventItsMessages) {
  System system;
  dynamic::NodeType type("Player", counter());
  type.start([](Ref, Context& ctx) { ctx.set_timer("t"); });
  type.timer([](Ref, Context&, const std::string&) {});
  type.on(ping(), [](Ref self, Context&, NodeId, ConstRef m) { self["count"].assign(m["n"]); });
  system.add(type, 2);
  system.eventually(
      "lied to", [](const View& view) { return dynamic::state(view, 2)["count"].integer() == 7; });
  const auto ran = [&](const value::Any& message) {
    Scenario scenario("somebody says something");
    scenario.filter(when(is_event(EventKind::kTimer) && at(1)).then(inject(1, 2, message)));
    scenario.require("lied to").strategy("bfs");
    const auto report = run(scenario, system);
    return report ? to_string(report->verdict) : report.error().message;
  };
  EXPECT_EQ(ran(ping_of(7)), "holds");
  EXPECT_EQ(ran(ping_of(6)), "violated");
  EXPECT_NE(ran(value::Any()).find("what is injected here carries no value"), std::string::npos);
}

// --- What is wrong with one ----------------------------------------------------------------------

TEST(DynamicNode, TwoHandlersForOneMessageAreRefused) {
  System system;
  dynamic::NodeType twice = player();
  twice.on(ping(), [](Ref, Context&, NodeId, ConstRef) {});
  system.add(twice);
  EXPECT_EQ(refusal(system), "the node type Player has two handlers `on` for Ping");
}

TEST(DynamicNode, HandlersThatAreNotThereAreRefused) {
  const auto with = [](const auto& change) {
    dynamic::NodeType type = player();
    change(type);
    System system;
    system.add(type);
    return refusal(system);
  };
  using dynamic::NodeType;
  EXPECT_EQ(with([](NodeType& t) { t.on(nullptr, [](Ref, Context&, NodeId, ConstRef) {}); }),
            "the node type Player has a handler `on` for a type that is null");
  EXPECT_EQ(with([](NodeType& t) { t.timer(NodeType::Timer()); }),
            "the node type Player has a handler `timer` that is empty");
  EXPECT_EQ(with([](NodeType& t) { t.start([](Ref, Context&) {}); }),
            "the node type Player has two handlers `start`");
  EXPECT_EQ(with([](NodeType& t) { t.disk(nullptr); }),
            "the node type Player has a disk whose type is null");
  EXPECT_EQ(with([](NodeType& t) { t.recover([](Ref, Context&, ConstRef) {}); }),
            "the node type Player has a handler `recover` that is given a disk, and no disk: see "
            "dynamic::NodeType::disk");
  System system;
  system.add(NodeType("Player", nullptr));
  EXPECT_EQ(refusal(system), "the node type Player has no type for its state");
}

TEST(DynamicNode, AFactoryThatMakesSomethingElseIsRefused) {
  System other;
  other.add(player(), 1, [](NodeId) { return ping_of(1); });
  EXPECT_EQ(refusal(other),
            "the factory of node 1 (Player) fails: exception: it makes a Ping, and the state of a "
            "Player is a "
            "Counter");
  System nothing;
  nothing.add(player(), 1, [](NodeId) { return value::Any(); });
  EXPECT_EQ(refusal(nothing),
            "the factory of node 1 (Player) fails: exception: it makes nothing, and the state of a "
            "Player is "
            "a Counter");
}

TEST(DynamicNode, RequestsThatNobodyHandlesAreRefused) {
  System system;
  system.add(player()).request(1, ping_of(1));
  EXPECT_EQ(refusal(system),
            "request Ping to node 1: Player does not list it in its Requests, or has no handler "
            "for it");
  System nothing;
  nothing.add(player()).request(1, value::Any());
  EXPECT_EQ(refusal(nothing), "a request to node 1 carries no value");
}

TEST(DynamicNode, PropertiesOfNodesThatAreNotThereAreRefused) {
  System system;
  system.add(player()).always("many", dynamic::each(ping(), [](ConstRef) { return true; }));
  EXPECT_EQ(refusal(system),
            "\"many\" is about nodes of type Ping, but there are none; the nodes are Counter");
  System nothing;
  nothing.add(player()).always("many", dynamic::each(nullptr, [](ConstRef) { return true; }));
  EXPECT_EQ(refusal(nothing),
            "\"many\" is about nodes of type null, but there are none; the nodes are Counter");
}

std::string failure_of(const dynamic::NodeType::Timer& handler) {
  dynamic::NodeType type("Player", counter());
  type.disk(ping());
  type.start([](Ref, Context& ctx) { ctx.set_timer("t"); }).timer(handler);
  type.on(ping(), [](Ref, Context&, NodeId, ConstRef) {});
  System system;
  system.add(type);
  const auto report = check(system, {.threads = 1});
  if (!report || report->violations.empty()) return "no failure";
  return report->violations[0].why;
}

TEST(DynamicNode, ASlipInAHandlerIsAViolation) {
  EXPECT_NE(failure_of([](Ref self, Context&, const std::string&) {
              self["cuont"];
            }).find("a Counter has no field cuont; its fields are count"),
            std::string::npos);
  EXPECT_NE(failure_of([](Ref self, Context&, const std::string&) {
              self["count"].set(true);
            }).find("an int was taken for a bool"),
            std::string::npos);
  EXPECT_NE(failure_of([](Ref, Context& ctx, const std::string&) {
              ctx.send(1, value::Any());
            }).find("an empty value"),
            std::string::npos);
  EXPECT_NE(failure_of([](Ref self, Context& ctx, const std::string&) {
              ctx.persist(self.any());
            }).find("persisted Counter, but the node's Disk is Ping"),
            std::string::npos);
  EXPECT_NE(failure_of([](Ref self, Context& ctx, const std::string&) {
              ctx.send(1, self.any());
            }).find("has no handler for message Counter"),
            std::string::npos);
  EXPECT_EQ(failure_of([](Ref, Context&, const std::string&) {}), "no failure");
}

TEST(DynamicNode, ACheckpointIsOfTheTextThatItInterprets) {
  const auto searched = [](const std::string& source, const std::string& file, uint64_t most) {
    dynamic::NodeType type = player();
    if (!source.empty()) type.source(source);
    System system;
    system.add(type, 3);
    const auto report =
        check(system, {.strategy = "bfs", .threads = 1, .max_states = most, .checkpoint = file});
    return report ? to_string(report->verdict) : report.error().message;
  };
  const std::string file = ::testing::TempDir() + "/dynamic_node.checkpoint";
  std::remove(file.c_str());
  EXPECT_EQ(searched("", file, 0),
            "checkpoint: the node type Player was made at run time and does not say what it "
            "interprets: see dynamic::NodeType::source");
  EXPECT_EQ(searched("one text", file, 10), "undecided");
  EXPECT_NE(searched("another text", file, 0).find("the hash of what nodes interpret was"),
            std::string::npos);
  EXPECT_EQ(searched("one text", file, 0), "holds");
}

TEST(DynamicNode, AClosureThatRemembersSomethingIsFoundOut) {
  const auto remembered = std::make_shared<int>(0);
  dynamic::NodeType type("Player", counter());
  type.start([](Ref, Context& ctx) { ctx.set_timer("t"); });
  type.timer([remembered](Ref self, Context& ctx, const std::string& name) {
    self["count"].set(++*remembered);
    if (*remembered < 100) ctx.set_timer(name);
  });
  System system;
  system.add(type, 2);
  EXPECT_NE(refusal(system).find("did something else on an object that was kept"),
            std::string::npos);
}

}  // namespace
}  // namespace ordeal
