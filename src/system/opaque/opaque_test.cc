// Opaque nodes: any class behind a factory. Their runs are those of the same nodes as values.
#include <gtest/gtest.h>

#include <memory>
#include <unordered_map>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

struct Ask {
  int number = 0;
};
struct Answer {
  int number = 0;
};
struct Begin {
  int number = 0;
};

struct ValueNode {
  using Messages = Types<Ask, Answer>;
  using Requests = Types<Begin>;
  int sum = 0;

  void request(Context& ctx, const Begin& begin) { ctx.broadcast(Ask{begin.number}); }
  void on(Context& ctx, NodeId, const Ask& ask) {
    ctx.reply(Answer{ask.number + static_cast<int>(ctx.choose(2))});
  }
  void on(Context& ctx, NodeId, const Answer& answer) {
    sum += answer.number;
    if (sum > 0) ctx.decide(sum);
  }
  void crashed(Context&, NodeId) { sum += 100; }
};

// The same, with state that no value layer could describe.
class OpaqueNode {
 public:
  using Messages = Types<Ask, Answer>;
  using Requests = Types<Begin>;

  void request(Context& ctx, const Begin& begin) { ctx.broadcast(Ask{begin.number}); }
  void on(Context& ctx, NodeId, const Ask& ask) {
    ctx.reply(Answer{ask.number + static_cast<int>(ctx.choose(2))});
  }
  void on(Context& ctx, NodeId, const Answer& answer) {
    (*table_)[0] += answer.number;
    if ((*table_)[0] > 0) ctx.decide((*table_)[0]);
  }
  void crashed(Context&, NodeId) { (*table_)[0] += 100; }
  std::string show() const { return "sum " + std::to_string((*table_)[0]); }
  uint64_t digest() const { return static_cast<uint64_t>((*table_)[0]); }
  int sum() const { return (*table_)[0]; }

 private:
  std::unique_ptr<std::unordered_map<int, int>> table_ =
      std::make_unique<std::unordered_map<int, int>>(std::unordered_map<int, int>{{0, 0}});
};

template <class Declare>
System make(Declare declare) {
  System system;
  declare(system);
  system.request(1, Begin{1}).crash({2}).detector(Detector::kPerfect);
  system.sometimes("decides 4", every_decision<int>([](int v) { return v != 4; }));
  system.eventually("all is said", [](const View& view) { return !view.nodes().empty(); });
  return system;
}

TEST(Opaque, HasTheSameRunsAsTheSameNodesAsValues) {
  const System values = make([](System& s) { s.add<ValueNode>(3); });
  const System opaque = make([](System& s) {
    s.add_opaque<OpaqueNode>(3, [](NodeId) { return std::make_unique<OpaqueNode>(); });
  });
  const auto expected = check(values, {.strategy = "prefix"});
  const auto got = check(opaque, {.strategy = "prefix"});
  ASSERT_TRUE(expected.ok() && got.ok());
  EXPECT_EQ(got->verdict, expected->verdict);
  EXPECT_TRUE(got->complete);
  EXPECT_EQ(got->runs, expected->runs);
}

TEST(Opaque, PropertiesSeeTheLiveObjects) {
  System system;
  system.add_opaque<OpaqueNode>(3, [](NodeId) { return std::make_unique<OpaqueNode>(); });
  system.request(1, Begin{1});
  system.always("sum below 4", each<OpaqueNode>([](const OpaqueNode& n) { return n.sum() < 4; }));
  const auto report = check(system, {.strategy = "prefix"});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->verdict, Verdict::kViolated);
  EXPECT_NE(report->violations[0].why.find("sum 4"), std::string::npos)
      << report->violations[0].why;
  const auto again = replay(system, *report->violations[0].trace);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->reproduced) << again->why;
  bool chose = false;
  for (const TraceStep& step : report->violations[0].trace->steps) {
    chose = chose || step.detail.action.kind == ActionKind::kChoose;
  }
  EXPECT_TRUE(chose);
}

TEST(Opaque, RefusesStatefulSearchAndNamesWhatFits) {
  System system;
  system.add_opaque<OpaqueNode>(2, [](NodeId) { return std::make_unique<OpaqueNode>(); });
  const auto report = check(system, {.strategy = "bfs"});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("strategies that fit: prefix, dpor, random"),
            std::string::npos)
      << report.error().message;
}

}  // namespace
}  // namespace ordeal
