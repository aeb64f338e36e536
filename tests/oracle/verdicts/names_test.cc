// Types that people know by one name are different types, wherever a value can be.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"
#include "tests/oracle/verdicts/hidden.h"
#include "tests/oracle/verdicts/strategies.h"

namespace ordeal {
namespace {

struct Prepare {};
struct Commit {};
template <class What>
struct Signed {
  int by = 0;
};
namespace x {
struct Vote {
  int term = 0;
};
}  // namespace x
namespace y {
struct Vote {
  int term = 0;
};
}  // namespace y
struct Go {};
struct Note {  // as another file has one
  int n = 0;
};

// Sends one of two messages that differ in their type alone; only the second is bad.
template <class Fine, class Bad>
struct Sender {
  using Messages = Types<Fine, Bad>;
  using Requests = Types<Go>;
  bool bad = false;
  void request(Context& ctx, const Go&) {
    if (ctx.choose(2) == 0) {
      ctx.broadcast(Fine{1});
    } else {
      ctx.broadcast(Bad{1});
    }
  }
  void on(Context&, const Fine&) {}
  void on(Context&, const Bad&) { bad = true; }
};

template <class Fine, class Bad>
System sending() {
  using Node = Sender<Fine, Bad>;
  System system;
  system.add<Node>(2).request(1, Go{});
  system.always("nothing bad arrives", each<Node>([](const Node& n) { return !n.bad; }));
  return system;
}

TEST(Names, MessagesThatDifferInTheirTypeAloneAreDifferent) {
  expect_violated(sending<Signed<Prepare>, Signed<Commit>>(), "nothing bad arrives");
  expect_violated(sending<x::Vote, y::Vote>(), "nothing bad arrives");
  expect_violated(sending<y::Vote, x::Vote>(), "nothing bad arrives");
}

template <class Fine, class Bad>
struct Decider {
  using Requests = Types<Go>;
  int decided = 0;  // the same on both ways
  void request(Context& ctx, const Go&) {
    ++decided;
    if (ctx.choose(2) == 0) {
      ctx.decide(Fine{1});
    } else {
      ctx.decide(Bad{1});
    }
  }
};

TEST(Names, DecisionsThatDifferInTheirTypeAloneAreDifferent) {
  System system;
  system.add<Decider<x::Vote, y::Vote>>().request(1, Go{});
  system.always("only x", every_decision<x::Vote>([](const x::Vote&) { return true; }));
  expect_violated(system, "only x");

  System two;
  two.add<Decider<x::Vote, y::Vote>>(2).request(1, Go{}).request(2, Go{});
  two.always("agreement", agreement());
  const auto report = expect_violated(two, "agreement");
  // Who reads that two nodes decided Vote{term: 1} is told what the difference is.
  EXPECT_NE(report.violations[0].why.find("x::Vote"), std::string::npos)
      << report.violations[0].why;
  EXPECT_NE(report.violations[0].why.find("y::Vote"), std::string::npos)
      << report.violations[0].why;
}

struct Client {
  using Requests = Types<Go>;
  int calls = 0;
  void request(Context& ctx, const Go&) {
    ++calls;
    if (ctx.choose(2) == 0) {
      ctx.invoke(reg::Write<char>{'a'});
    } else {
      ctx.invoke(reg::Write<int8_t>{'a'});
    }
    ctx.returns(reg::WriteOk{});
  }
};

TEST(Names, OperationsThatDifferInTheirTypeAloneAreDifferent) {
  System system;
  system.add<Client>().request(1, Go{});
  system.always("linearizable", linearizable<RegisterSpec<char>>());
  expect_violated(system, "linearizable");
}

TEST(Names, TracesShowWhichOfTwoTypesIsMeant) {
  const auto report = check(sending<x::Vote, y::Vote>());
  ASSERT_TRUE(report.ok() && !report->violations.empty());
  const Trace& trace = *report->violations[0].trace;
  EXPECT_EQ(show(trace.steps.back().detail.action), "deliver y::Vote{term: 1} 1→2");
  const auto templated = check(sending<Signed<Prepare>, Signed<Commit>>());
  ASSERT_TRUE(templated.ok() && !templated->violations.empty());
  EXPECT_EQ(show(templated->violations[0].trace->steps.back().detail.action),
            "deliver Signed<Commit>{by: 1} 1→2");
  // Where there is but one, its short name will do.
  const auto alone = check(sending<x::Vote, Signed<Commit>>());
  ASSERT_TRUE(alone.ok() && !alone->violations.empty());
  EXPECT_EQ(show(alone->violations[0].trace->steps.back().detail.action),
            "deliver Signed{by: 1} 1→2");
}

TEST(Names, FiltersTellMessagesOfOneNameApart) {
  const System system = sending<x::Vote, y::Vote>();
  Scenario scenario("x votes are lost");
  scenario.filter(when(is_send() && is_message<y::Vote>()).then(drop()));
  const auto lost = run(scenario, system, {.strategy = "bfs"});
  ASSERT_TRUE(lost.ok()) << lost.error().message;
  EXPECT_EQ(lost->verdict, Verdict::kHolds);

  Scenario other("the others are lost");
  other.filter(when(is_send() && is_message<x::Vote>()).then(drop()));
  const auto kept = run(other, system, {.strategy = "bfs"});
  ASSERT_TRUE(kept.ok()) << kept.error().message;
  EXPECT_EQ(kept->verdict, Verdict::kViolated);

  Scenario vague("some votes are lost");
  vague.filter(when(is_send() && is_message("Vote")).then(drop()));
  const auto refused = run(vague, system, {.strategy = "bfs"});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("2 types of messages are called Vote"), std::string::npos)
      << refused.error().message;
}

// --- Types that not even a linker can tell apart ------------------------------------------------

struct Forger {
  using Requests = Types<Go>;
  int decided = 0;
  void request(Context& ctx, const Go&) {
    ++decided;
    if (ctx.choose(2) == 0) {
      ctx.decide(Note{1});
    } else {
      hidden::decide_a_note(ctx);  // of another file
    }
  }
};

TEST(Names, TypesOfOneNameInTwoAnonymousNamespacesAreRefusedWhereBothOccur) {
  System system;
  system.add<Forger>().request(1, Go{});
  for (const std::string strategy : {"bfs", "dfs", "prefix", "random"}) {
    const auto report = check(system, {.strategy = strategy});
    ASSERT_FALSE(report.ok()) << strategy;
    EXPECT_NE(report.error().message.find("two different values have the same hash"),
              std::string::npos)
        << report.error().message;
  }
  const auto campaign = run(Scenario("any"), system, {.strategy = "random"});
  ASSERT_FALSE(campaign.ok());
}

}  // namespace
}  // namespace ordeal
