// Changes to what is pending that no action makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/system.h"
#include "tests/oracle/events/drive.h"

namespace ordeal::oracle {
namespace {

using Lines = std::vector<std::string>;

struct Item {
  int n = 0;
};
struct Begin {};

struct Sender {
  using Messages = Types<Item>;
  using Requests = Types<Begin>;
  int got = 0;

  void start(Context& ctx) { ctx.set_timer("alarm"); }
  void request(Context& ctx, const Begin&) {
    ctx.send(2, Item{1});
    ctx.send(2, Item{2});
    ctx.send(2, Item{1});
  }
  void on(Context&, NodeId, const Item& item) { got = got * 10 + item.n; }
  void timer(Context&, const std::string&) {}
  void crashed(Context&, NodeId) {}
};

Amendment item(Amendment::Kind kind, int from, int to, int n) {
  return {kind, ActionKind::kDeliver, from, to, value::Any::of(Item{n})};
}
constexpr auto kRemove = Amendment::Kind::kRemove;
constexpr auto kAdd = Amendment::Kind::kAdd;

class Amending : public testing::TestWithParam<bool> {
 protected:
  // The names of what is pending after the request and these changes, in canonical order.
  Lines pending_after(System system, const std::vector<Amendment>& changes) {
    add(system);
    system.request(1, Begin{});
    Drive drive(system);
    if (!drive.take("request Begin at 1")) return {};
    drive.world().amend(changes);
    Lines out;
    for (const Event& event : drive.on_its_way()) {
      if (event.kind != EventKind::kSetTimer) out.push_back(show(event));
    }
    return out;
  }
  void add(System& system) const {
    if (GetParam()) {
      system.add_opaque<Sender>(2, [](NodeId) { return std::make_unique<Sender>(); });
    } else {
      system.add<Sender>(2);
    }
  }
};

const std::string kOne = "send Item{n: 1} 1→2";
const std::string kTwo = "send Item{n: 2} 1→2";

Lines sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_P(Amending, ABagLosesAndGainsOneCopy) {
  EXPECT_EQ(sorted(pending_after({}, {item(kRemove, 1, 2, 1)})), (Lines{kOne, kTwo}));
  EXPECT_EQ(sorted(pending_after({}, {item(kAdd, 1, 2, 2), item(kAdd, 1, 2, 2)})),
            (Lines{kOne, kOne, kTwo, kTwo, kTwo}));
}

TEST_P(Amending, WhatIsNotPendingCannotGo) {
  EXPECT_EQ(sorted(pending_after({}, {item(kRemove, 1, 2, 7), item(kRemove, 2, 2, 1)})),
            (Lines{kOne, kOne, kTwo}));
}

TEST_P(Amending, NodesThatDoNotExistAreIgnored) {
  EXPECT_EQ(sorted(pending_after({}, {item(kAdd, 1, 9, 1), item(kAdd, 9, 1, 1)})),
            (Lines{kOne, kOne, kTwo}));
}

TEST_P(Amending, AQueueLosesItsNewestAndGrowsAtItsEnd) {
  System ordered;
  ordered.network(Network::kOrdered);
  EXPECT_EQ(pending_after(std::move(ordered), {item(kRemove, 1, 2, 1)}), (Lines{kOne, kTwo}));
  System again;
  again.network(Network::kOrdered);
  EXPECT_EQ(pending_after(std::move(again), {item(kAdd, 1, 2, 2)}),
            (Lines{kOne, kTwo, kOne, kTwo}));
}

TEST_P(Amending, AQueueKeepsThePlaceOfWhatIsReplacedOrCopied) {
  System ordered;
  ordered.network(Network::kOrdered);
  Amendment replace = item(Amendment::Kind::kReplace, 1, 2, 2);
  replace.other = value::Any::of(Item{7});
  EXPECT_EQ(pending_after(std::move(ordered), {replace}),
            (Lines{kOne, "send Item{n: 7} 1→2", kOne}));
  System again;
  again.network(Network::kOrdered);
  const Amendment copy = item(Amendment::Kind::kCopy, 1, 2, 2);
  const Amendment nothing = item(Amendment::Kind::kCopy, 1, 2, 9);
  EXPECT_EQ(pending_after(std::move(again), {copy, nothing}), (Lines{kOne, kTwo, kTwo, kOne}));
}

TEST_P(Amending, ABagReplacesAndCopiesOne) {
  Amendment replace = item(Amendment::Kind::kReplace, 1, 2, 1);
  replace.other = value::Any::of(Item{2});
  const Amendment copy = item(Amendment::Kind::kCopy, 1, 2, 2);
  EXPECT_EQ(sorted(pending_after({}, {replace, copy})), (Lines{kOne, kTwo, kTwo, kTwo}));
}

TEST_P(Amending, ASetHasNoSecondCopy) {
  System set;
  set.network(Network::kSet);
  EXPECT_EQ(sorted(pending_after(std::move(set), {item(kAdd, 1, 2, 1)})), (Lines{kOne, kTwo}));
}

TEST_P(Amending, WhatIsSentToANodeThatIsDownForGoodIsLost) {
  System system;
  add(system);
  system.crash({2}).detector(Detector::kPerfect);
  Drive drive(system);
  ASSERT_TRUE(drive.take("crash 2"));
  EXPECT_EQ(drive.on_its_way().size(), 2U);  // the notice, and the alarm of node 1
  drive.world().amend(std::vector<Amendment>{item(kAdd, 1, 2, 1)});
  EXPECT_EQ(drive.on_its_way().size(), 2U);
  // A notice can be kept from its node, too.
  drive.world().amend(std::vector<Amendment>{{kRemove, ActionKind::kDetect, 2, 1, value::Any()}});
  EXPECT_EQ(shown(drive.on_its_way()), (Lines{"set timer alarm at 1"}));
}

TEST_P(Amending, ARemovedTimerDoesNotFire) {
  System system;
  add(system);
  Drive drive(system);
  const uint64_t before = drive.world().fingerprint();
  EXPECT_EQ(drive.offers().size(), 2U);
  drive.world().amend(std::vector<Amendment>{
      {kRemove, ActionKind::kTimer, -1, 1, value::Any::of(std::string("alarm"))}});
  EXPECT_EQ(shown(drive.on_its_way()), (Lines{"set timer alarm at 2"}));
  const Offer other = offer_of(ActionKind::kTimer, 2, -1, value::Any::of(std::string("alarm")));
  EXPECT_EQ(drive.offers(), (std::vector{other}));
  EXPECT_NE(drive.world().fingerprint(), before);
}

TEST_P(Amending, RequestsCanBeInvented) {
  System system;
  add(system);
  Drive drive(system);
  drive.world().amend(
      std::vector<Amendment>{{kAdd, ActionKind::kRequest, -1, 1, value::Any::of(Begin{})}});
  EXPECT_EQ(drive.events_of("request Begin at 1").size(), 4U);
}

TEST_P(Amending, WhatWasInventedIsHandledAsIfSent) {
  System system;
  add(system);
  Drive drive(system);
  drive.world().amend(std::vector<Amendment>{item(kAdd, 2, 1, 5)});
  EXPECT_EQ(drive.events_of("deliver Item{n: 5} 2→1"), (Lines{"receive Item{n: 5} 2→1"}));
}

INSTANTIATE_TEST_SUITE_P(Nodes, Amending, testing::Bool(),
                         [](const auto& info) { return info.param ? "LiveObjects" : "Values"; });

}  // namespace
}  // namespace ordeal::oracle
