// What may be declared alike, and how what is not true is found out.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "ordeal/ordeal.h"

namespace ordeal {
namespace {

struct Vote {
  NodeId from;
};

// Everybody votes for somebody once, and remembers who voted for whom.
struct Voter {
  using Messages = Types<Vote>;
  std::set<NodeId> votes;
  std::optional<NodeId> leader;

  void start(Context& ctx) { ctx.set_timer("vote"); }
  void timer(Context& ctx, const std::string&) {
    const auto& group = ctx.peers();
    ctx.send(group[ctx.choose(static_cast<uint32_t>(group.size()))], Vote{ctx.self()});
  }
  void on(Context& ctx, const Vote& vote) {
    votes.insert(vote.from);
    if (votes.size() < 2) return;
    leader = ctx.self();
    ctx.decide(1);
  }
};

struct Other {};

System voters() {
  System system;
  system.add<Voter>(3);
  return system;
}

Result<Report> classes(const System& system) {
  return check(system, {.strategy = "bfs", .threads = 1, .symmetry = true});
}

std::string refusal(const System& system) {
  const Result<Report> report = classes(system);
  return report.ok() ? "" : report.error().message;
}

void expect_refused(const System& system, const std::string& because) {
  const std::string why = refusal(system);
  EXPECT_NE(why.find(because), std::string::npos) << why;
}

TEST(Alike, NeedsNodesThatExistOnce) {
  expect_refused(voters(), "nothing is declared alike");
  System unknown = voters();
  unknown.alike({1, 4});
  expect_refused(unknown, "node 4 is declared alike, but there is no such node");
  System twice = voters();
  twice.alike({1, 2}).alike({2, 3});
  expect_refused(twice, "node 2 is declared alike twice");
  System empty = voters();
  empty.alike({});
  expect_refused(empty, "got none");
  System none = voters();
  none.alike<Other>();
  expect_refused(none, "but there are none");
}

TEST(Alike, NeedsNodesOfOneTypeAndNoComponents) {
  System types = voters();
  types.add<Other>(1);
  types.alike({3, 4});
  expect_refused(types, "of different types: Voter and Other");
  System component = voters();
  const NodeId id = component.component("oracle", Other{});
  component.alike({1, id});
  expect_refused(component, "it is the component oracle");
}

TEST(Alike, IsForStrategiesThatStoreStates) {
  System system = voters();
  system.alike<Voter>();
  for (const char* strategy : {"random", "prefix"}) {
    const Result<Report> report = check(system, {.strategy = strategy, .symmetry = true});
    ASSERT_FALSE(report.ok());
    EXPECT_NE(report.error().message.find("bfs, dfs"), std::string::npos);
  }
  const Result<Report> guided = check(system, {.symmetry = true, .guide = ShortForm{}});
  EXPECT_FALSE(guided.ok());
}

TEST(Alike, TellsWhatWasRenamedAndWhatWasOnlySampled) {
  System system = voters();
  system.alike<Voter>();
  system.always("agreement", agreement());
  system.always("few", [](const View& view) { return view.nodes().size() < 9; });
  const Result<Report> report = classes(system);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->symmetry, "nodes 1 to 3");
  ASSERT_EQ(report->notes.size(), 1U);
  EXPECT_EQ(report->notes[0].find("symmetry: \"few\" was found symmetric on "), 0U);
}

TEST(Alike, APropertyThatNamesANodeIsRefused) {
  System system = voters();
  system.alike<Voter>();
  system.always("the first", [](const View& view) { return view.node<Voter>(1).votes.size() < 4; });
  expect_refused(system, "\"the first\" names node 1");
  System constrained = voters();
  constrained.alike<Voter>();
  constrained.within([](const View& view) { return view.up(2); });
  expect_refused(constrained, "a constraint names node 2");
}

TEST(Alike, APropertyMayFollowIdsThatItFindsInStates) {
  System system = voters();
  system.alike<Voter>();
  system.always("leaders have votes", [](const View& view) {
    for (NodeId node : view.nodes()) {
      const auto& leader = view.node<Voter>(node).leader;
      if (leader && view.node<Voter>(*leader).votes.size() < 2) return false;
    }
    return true;
  });
  EXPECT_EQ(refusal(system), "");
}

TEST(Alike, APropertyThatComparesWithAnIdIsFoundBySampling) {
  System system = voters();
  system.alike<Voter>();
  system.sometimes("node 1 leads", each<Voter>([](const Voter& voter) {
                     return !voter.leader || *voter.leader != NodeId(1);
                   }));
  expect_refused(system, "\"node 1 leads\" does not treat like nodes alike");
}

TEST(Alike, AFunctionOfPairsMustNotCareWhoComesFirst) {
  System system = voters();
  system.alike<Voter>();
  system.always("more votes", pairs<Voter>([](const Voter& a, const Voter& b) {
                  return a.votes.size() <= b.votes.size();
                }));
  expect_refused(system, "\"more votes\" does not treat like nodes alike");
}

// Counts far beyond where samples go.
struct Counter {
  int count = 0;
  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    if (++count < 90) ctx.set_timer("tick");
  }
};

TEST(Alike, AFunctionOfPairsIsAskedBothWaysInEveryState) {
  System system;
  system.add<Counter>(2);
  system.alike({1, 2});
  system.always("far", pairs<Counter>([](const Counter& a, const Counter& b) {
                  return a.count != 80 || b.count != 85;
                }));
  expect_refused(system, "the other way round");
}

TEST(Alike, AViolationThatIsNoneForRenamedNodesIsNeverReported) {
  System system;
  system.add<Counter>(2);
  system.alike({1, 2});
  // Cares who is first, but only where samples do not go. One of the two is violated by the state
  // that stands for the class.
  const auto differs = [](int first, int second) {
    return [=](const View& view) {
      std::vector<int> counts;
      for (NodeId node : view.nodes()) counts.push_back(view.node<Counter>(node).count);
      return counts[0] != first || counts[1] != second;
    };
  };
  system.always("first", differs(80, 85));
  system.always("second", differs(85, 80));
  const Result<Report> report = classes(system);
  if (report.ok()) {
    ASSERT_FALSE(report->violations.empty());
    ASSERT_TRUE(report->violations[0].trace.has_value());
    EXPECT_TRUE(replay(system, *report->violations[0].trace)->reproduced);
  } else {
    EXPECT_NE(report.error().message.find("does not treat like nodes alike"), std::string::npos);
  }
}

// Node 1 does what no other does.
struct Favourite {
  using Messages = Types<Vote>;
  int count = 0;
  void start(Context& ctx) { ctx.set_timer("go"); }
  void timer(Context& ctx, const std::string&) { ctx.send(NodeId(1), Vote{ctx.self()}); }
  void on(Context&, const Vote&) { ++count; }
};

TEST(Alike, AHandlerThatPrefersANodeIsFound) {
  System system;
  system.add<Favourite>(3);
  system.alike({1, 2, 3});
  const std::string why = refusal(system);
  EXPECT_NE(why.find("\"timer go at "), std::string::npos) << why;
  EXPECT_NE(why.find("does not do the same with node "), std::string::npos) << why;
  // Among the others all is well.
  System others;
  others.add<Favourite>(3);
  others.alike({2, 3});
  EXPECT_EQ(refusal(others), "");
}

// A number is no id: nobody renames it.
struct Numbered {
  int number = 0;
};
struct Hidden {
  int first = 0;  // no part of the state
  int turns = 0;
  ORDEAL_FIELDS(turns);
  ORDEAL_CONSTANTS(first);
  void start(Context& ctx) { ctx.set_timer("turn"); }
  void timer(Context& ctx, const std::string&) {
    turns += first;
    if (turns < 6) ctx.set_timer("turn");
  }
};

TEST(Alike, NodesAreMadeAlike) {
  System system;
  system.add<Numbered>(3, [](NodeId id) { return Numbered{id.value}; });
  system.alike<Numbered>();
  expect_refused(system, "node 2 is not made as that says: number is 2, not 1");
  System hidden;
  hidden.add<Hidden>(3, [](NodeId id) { return Hidden{id.value, 0}; });
  hidden.alike<Hidden>();
  expect_refused(hidden, "are declared alike, but are not: \"timer turn at ");
}

TEST(Alike, FaultsStrikeAllOrNone) {
  System crash = voters();
  crash.alike<Voter>().crash({1});
  expect_refused(crash, "node 1 may crash and node 2 may not");
  System split = voters();
  split.alike<Voter>().partitions(1, {{{1}, {2, 3}}});
  expect_refused(split, "the network may split in a way");
  System every = voters();
  every.alike<Voter>().partitions(1);
  EXPECT_EQ(refusal(every), "");
}

struct Ask {};
struct Asked {
  using Requests = Types<Ask>;
  int times = 0;
  void request(Context&, const Ask&) { ++times; }
};

TEST(Alike, ARequestMayGoToOneOfThem) {
  System system;
  system.add<Asked>(3);
  system.request(1, Ask{}).request(2, Ask{}).alike<Asked>();
  const Result<Report> report = classes(system);
  ASSERT_TRUE(report.ok()) << report.error().message;
  // Who was asked first does not matter; that two were asked does.
  EXPECT_EQ(report->distinct_states, 3U);
}

}  // namespace
}  // namespace ordeal
