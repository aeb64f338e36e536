// A property that names one of several like nodes is found out, whatever it is written with.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/oracle/verdicts/servers.h"

namespace ordeal::verdicts::symmetry_tests {
namespace {

TEST(SymmetryAndEach, AConstantInsideIsFoundOut) { EXPECT_EQ(problem_with_constants(), ""); }

TEST(SymmetryAndEach, WhatComparesIdsWithEachOtherNeedsNoNote) {
  System system = servers(3);
  system.always("known", each<Server>([](const Server& s) { return s.leader.value >= 0; }));
  system.always("decided", agreement());
  EXPECT_EQ(told(system).find("violated"), 0U) << told(system);
  EXPECT_EQ(told(system).find("known"), std::string::npos) << told(system);
}

// Remembers in which order it heard of the others.
struct Listener {
  using Messages = Types<Hail>;
  std::vector<NodeId> heard;
  void start(Context& ctx) {
    if (ctx.self() != 1) ctx.send(1, Hail{});
  }
  void on(Context&, NodeId from, const Hail&) { heard.push_back(from); }
};

std::string told_of_listeners(int count) {
  System system;
  system.add<Listener>(1 + count);
  std::vector<NodeId> others;
  for (int i = 2; i <= 1 + count; ++i) others.emplace_back(i);
  system.alike(others);
  system.always("known", each<Listener>([](const Listener& l) { return l.heard.size() < 9; }));
  return told(system);
}

TEST(SymmetryAndEach, OfManyLikeNodesItIsSaidThatNotAllRenamingsWereTried) {
  EXPECT_EQ(told_of_listeners(4), "holds");
  EXPECT_NE(told_of_listeners(5).find("\"known\" was tried on some renamings of every node, not "
                                      "on all"),
            std::string::npos)
      << told_of_listeners(5);
}

TEST(SymmetryAndEach, OtherFunctionsAreLabelledAsSampled) {
  System pairs_of = servers(3);
  pairs_of.always("in any order", pairs<Server>([](const Server& a, const Server& b) {
                    return (a.leader == 0) == (b.leader == 0) || true;
                  }));
  EXPECT_NE(told(pairs_of).find("\"in any order\" was found symmetric on"), std::string::npos)
      << told(pairs_of);

  System decisions = servers(3);
  decisions.always("valid", every_decision<NodeId>([](NodeId id) { return id.value > 0; }));
  EXPECT_NE(told(decisions).find("\"valid\" was found symmetric on"), std::string::npos)
      << told(decisions);

  System constant = servers(3);
  constant.always("not 2", every_decision<NodeId>([](NodeId id) { return id != 2; }));
  EXPECT_NE(told(constant).find("\"not 2\" does not treat like nodes alike"), std::string::npos)
      << told(constant);
}

struct Count {
  using Requests = Types<Lead>;
  int asked = 0;
  void request(Context& ctx, const Lead&) {
    ++asked;
    ctx.decide(asked);
  }
};

TEST(SymmetryAndEach, WhatHoldsNoIdsNeedsNoLabel) {
  System system;
  system.add<Count>(3).alike<Count>();
  for (int i = 1; i <= 3; ++i) system.request(i, Lead{});
  system.always("once", each<Count>([](const Count& c) { return c.asked <= 1; }));
  system.always("alike", pairs<Count>([](const Count& a, const Count& b) {
                  return a.asked <= 1 && b.asked <= 1;
                }));
  system.always("one", every_decision<int>([](int v) { return v == 1; }));
  EXPECT_EQ(told(system), "holds");
}

}  // namespace
}  // namespace ordeal::verdicts::symmetry_tests
