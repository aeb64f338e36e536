// dpor over opaque objects: what they do is known only when it is done, which node and which
// message an action touches is known before.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::opaque_tests {
namespace {

struct Msg {
  int n = 0;
};

struct Plan {
  NodeId to = -1;  // -1: none
  uint32_t choices = 0;
  bool calls = false;  // it is a client
};

class Live {
 public:
  using Messages = Types<Msg>;
  explicit Live(Plan plan) : plan_(plan) {}

  void start(Context& ctx) {
    if (plan_.to.value >= 0) ctx.send(plan_.to, Msg{1});
  }
  void on(Context& ctx, NodeId from, const Msg&) {
    if (plan_.calls) ctx.invoke(Msg{1});
    got_ += std::to_string(from.value);
    if (plan_.choices > 0) got_ += "." + std::to_string(ctx.choose(plan_.choices));
    if (plan_.calls) ctx.returns(Msg{1});
  }
  std::string show() const { return got_; }

 private:
  Plan plan_;
  std::string got_;
};

// `senders` nodes, then `receivers` nodes; sender i sends to receiver i, or all to the only one.
System system_of(int senders, int receivers, uint32_t choices = 0, bool calls = false) {
  System system;
  system.add_opaque<Live>(senders + receivers, [=](NodeId id) {
    Plan plan;
    if (id.value <= senders) {
      plan.to = receivers == 1 ? senders + 1 : senders + id.value;
    } else {
      plan.choices = choices;
      plan.calls = calls;
    }
    return std::make_unique<Live>(plan);
  });
  return system;
}

uint64_t runs(const System& system, const std::string& strategy) {
  const Result<Report> report = check(system, {.strategy = strategy, .keep_going = true});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? report->runs : 0;
}

TEST(OpaqueObjects, MessagesToDifferentObjectsHaveNoOrder) {
  EXPECT_EQ(runs(system_of(4, 4), "dpor"), 1U);
  EXPECT_EQ(runs(system_of(4, 4), "prefix"), 24U);
  EXPECT_EQ(runs(system_of(3, 1), "dpor"), 6U);
  EXPECT_EQ(runs(system_of(4, 1), "dpor"), 24U);
}

TEST(OpaqueObjects, FaultsCountAsForValues) {
  System drops = system_of(3, 3);
  drops.drops(1);
  EXPECT_EQ(runs(drops, "dpor"), 4U);
  System crash = system_of(2, 1);
  crash.crash({3}, 1);
  EXPECT_EQ(runs(crash, "dpor"), 7U);  // 0, 1 or 2 messages and the crash: 1 + 2 + 2; or none: 2
}

TEST(OpaqueObjects, QuestionsAndClientsMakeEverythingDependent) {
  // In the middle of a handler nothing else can happen, and what clients do is not known before.
  EXPECT_EQ(runs(system_of(2, 2, 2), "dpor"), runs(system_of(2, 2, 2), "prefix"));
  EXPECT_EQ(runs(system_of(3, 3, 0, true), "dpor"), 6U);
}

}  // namespace
}  // namespace ordeal::opaque_tests
