#include "ordeal/action.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ordeal {
namespace {

constexpr int kKinds = static_cast<int>(ActionKind::kDescribed) + 1;

Action message(ActionKind kind) {
  Action action;
  action.kind = kind;
  action.node = 2;
  action.from = 1;
  action.type = "Prepare";
  action.payload = value::Tree::record("Prepare");
  action.payload.add("ballot", value::Tree::number(1));
  return action;
}

TEST(Action, EveryKindHasAnOwnName) {
  std::set<std::string> names;
  for (int kind = 0; kind < kKinds; ++kind) {
    names.insert(to_string(static_cast<ActionKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kKinds));
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(Action, FaultsAreNoProgress) {
  EXPECT_TRUE(is_progress(ActionKind::kDeliver));
  EXPECT_TRUE(is_progress(ActionKind::kRestore));
  EXPECT_TRUE(is_progress(ActionKind::kStep));
  EXPECT_FALSE(is_progress(ActionKind::kCrash));
  EXPECT_FALSE(is_progress(ActionKind::kRecover));
  EXPECT_FALSE(is_progress(ActionKind::kHeal));
  EXPECT_FALSE(is_progress(ActionKind::kSuspect));
}

TEST(Action, ShowsOneLineForPeople) {
  EXPECT_EQ(show(message(ActionKind::kDeliver)), "deliver Prepare{ballot: 1} 1→2");
  EXPECT_EQ(show(message(ActionKind::kDrop)), "drop Prepare{ballot: 1} 1→2");
  Action timer;
  timer.kind = ActionKind::kTimer;
  timer.node = 3;
  timer.type = "election";
  EXPECT_EQ(show(timer), "timer election at 3");
  timer.choices = {1, 0};
  timer.crash_at_persist = 2;
  EXPECT_EQ(show(timer), "timer election at 3 [choose 1, 0] [crash after persist 2]");
  Action crash;
  crash.kind = ActionKind::kCrash;
  crash.node = 2;
  EXPECT_EQ(show(crash), "crash 2");
  Action raw;
  raw.type = "Up";
  EXPECT_EQ(show(raw), "Up");
  raw.payload = value::Tree::number(3);
  EXPECT_EQ(show(raw), "Up 3");
}

TEST(Action, IdentityIgnoresThePayloadsTreeAndHeedsEverythingElse) {
  const Action a = message(ActionKind::kDeliver);
  Action b = a;
  b.payload = {};
  EXPECT_TRUE(same_identity(a, b));
  const auto differs = [&](auto change) {
    Action other = a;
    change(other);
    return !same_identity(a, other);
  };
  EXPECT_TRUE(differs([](Action& x) { x.kind = ActionKind::kDrop; }));
  EXPECT_TRUE(differs([](Action& x) { x.node = 3; }));
  EXPECT_TRUE(differs([](Action& x) { x.from = 3; }));
  EXPECT_TRUE(differs([](Action& x) { x.type = "Accept"; }));
  EXPECT_TRUE(differs([](Action& x) { x.payload_digest = 1; }));
  EXPECT_TRUE(differs([](Action& x) { x.choices = {0}; }));
  EXPECT_TRUE(differs([](Action& x) { x.crash_at_persist = 1; }));
}

}  // namespace
}  // namespace ordeal
