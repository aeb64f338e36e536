// Opaque objects that choose: what they were answered is part of what they are.
#include <gtest/gtest.h>

#include <memory>

#include "ordeal/check.h"
#include "ordeal/system.h"
#include "tests/oracle/verdicts/answers.h"
#include "tests/oracle/verdicts/strategies.h"

namespace ordeal::verdicts::live_objects_tests {
namespace {

TEST(LiveObjects, ThatWereAnsweredDifferentlyAreNotTheSame) {
  EXPECT_EQ(problem_with_answers(), "");
  System system = tossing<Silent>(2);
  system.always("at most one head", each<Silent>([](const Silent& s) { return s.heads() < 2; }));
  expect_violated(system, "at most one head");
}

TEST(LiveObjects, AGoalBehindAnAnswerIsReached) {
  System system = tossing<Silent>(2);
  system.sometimes("two heads", [](const View& view) { return view.node<Silent>(1).heads() == 2; });
  const auto report = check(system, {.strategy = "prefix"});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
}

// Chooses before the first step.
class Undecided {
 public:
  using Requests = Types<Toss>;
  void start(Context& ctx) { side_ = static_cast<int>(ctx.choose(3)); }
  void request(Context&, const Toss&) { ++side_; }
  int side() const { return side_; }

 private:
  int side_ = 0;
};

class Telling : public Undecided {
 public:
  uint64_t digest() const { return static_cast<uint64_t>(side()); }
};

template <class Node>
void expect_starts_replay() {
  System system;
  system.add_opaque<Node>(2, [](NodeId) { return std::make_unique<Node>(); });
  system.request(1, Toss{}).request(2, Toss{});
  system.always("not three", [](const View& view) {
    return view.node<Node>(1).side() + view.node<Node>(2).side() != 5;
  });
  const Report report = expect_violated(system, "not three");
  ASSERT_FALSE(report.violations.empty());
  const Trace& trace = *report.violations[0].trace;
  ASSERT_GE(trace.steps.size(), 3U);
  EXPECT_EQ(trace.steps[0].detail.action.kind, ActionKind::kChoose);
  EXPECT_EQ(trace.steps[0].detail.action.node, 1);
  EXPECT_EQ(trace.nodes, (std::vector<int>{1, 2})) << "whoever has not started is there, too";
}

TEST(LiveObjects, ThatChooseWhileTheyStartLeaveTracesThatReplay) {
  expect_starts_replay<Undecided>();
  expect_starts_replay<Telling>();
}

}  // namespace
}  // namespace ordeal::verdicts::live_objects_tests
