// A trace is followed by what its actions are, not by the numbers that they had.
#include <gtest/gtest.h>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::follow_tests {
namespace {

struct Ping {};
struct Peer {
  using Messages = Types<Ping>;
  int got = 0;
  void start(Context& ctx) { ctx.broadcast(Ping{}); }
  void on(Context&, const Ping&) { ++got; }
};

System peers(const std::vector<NodeId>& may_crash) {
  System system;
  system.add<Peer>(3);
  if (!may_crash.empty()) system.crash(may_crash);
  system.always("not two", each<Peer>([](const Peer& p) { return p.got < 2; }));
  return system;
}

TEST(Follow, FindsActionsWhereOthersHaveComeBeforeThem) {
  const System calm = peers({});
  const auto report = check(calm);
  ASSERT_TRUE(report.ok() && !report->violations.empty());
  const Trace& trace = *report->violations[0].trace;
  // With crashes, every number is another.
  const System stormy = peers({1, 2, 3});
  const auto form = follow(stormy, trace);
  ASSERT_TRUE(form.ok()) << form.error().message;
  const auto taken = record(stormy, *form, {});
  ASSERT_TRUE(taken.ok());
  ASSERT_EQ(taken->steps.size(), trace.steps.size());
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    EXPECT_EQ(show(taken->steps[i].detail.action), show(trace.steps[i].detail.action));
  }
  const auto guided = check(stormy, {.strategy = "random", .guide = *form});
  ASSERT_TRUE(guided.ok());
  EXPECT_EQ(guided->verdict, Verdict::kViolated);
}

TEST(Follow, NamesTheStepThatCannotBeTaken) {
  System stormy = peers({3});
  stormy.always("all are up", [](const View& view) { return view.up(3); });
  const auto report = check(stormy, {.keep_going = true});
  ASSERT_TRUE(report.ok());
  for (const Violation& violation : report->violations) {
    if (violation.property != "all are up") continue;
    const auto form = follow(peers({}), *violation.trace);
    ASSERT_FALSE(form.ok());
    EXPECT_EQ(form.error().message.find("step 1 cannot be taken: crash 3 is not enabled; enabled "
                                        "are: deliver Ping 2→1; "),
              0U)
        << form.error().message;
    return;
  }
  ADD_FAILURE() << "no crash was found";
}

}  // namespace
}  // namespace ordeal::follow_tests
