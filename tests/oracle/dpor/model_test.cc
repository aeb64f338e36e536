// Raw models that say what their actions touch.
#include "ordeal/model.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "explore/dpor/dpor.h"
#include "ordeal/check.h"

namespace ordeal::model_tests {
namespace {

// Threads that do something of their own, take a mutex, write behind it, and release it.
struct Threads {
  int count = 2;
  bool own_steps = false;

  struct State {
    std::array<uint8_t, 6> at{};  // 0: own step, 1: lock, 2: unlock, 3: done
    uint8_t holder = 0;           // thread + 1
    uint32_t order = 0;           // who held it, in order
  };
  struct Action {
    uint8_t thread = 0;
    uint8_t step = 0;
  };

  std::vector<State> initial() const {
    State state;
    for (uint8_t& at : state.at) at = own_steps ? 0 : 1;
    return {state};
  }
  void actions(const State& s, std::vector<Action>& out) const {
    for (uint8_t t = 0; t < count; ++t) {
      if (s.at[t] == 3 || (s.at[t] == 1 && s.holder != 0)) continue;
      out.push_back({t, s.at[t]});
    }
  }
  std::optional<State> next(const State& s, const Action& a) const {
    State out = s;
    ++out.at[a.thread];
    if (a.step == 1) {
      out.holder = static_cast<uint8_t>(a.thread + 1);
      out.order = out.order * 10 + a.thread + 1;
    }
    if (a.step == 2) out.holder = 0;
    return out;
  }
  // [footprint]
  void footprint(const State&, const Action& a, Footprint& out) const {
    out.writes.push_back(a.thread);              // its own variables
    if (a.step > 0) out.writes.push_back(1000);  // it takes the mutex, or releases it
  }
  // [/footprint]
};

uint64_t executions(const Checkable& model) {
  const Result<Report> report = check(model, {.strategy = "dpor", .keep_going = true});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? report->runs : 0;
}

TEST(RawModels, ThreadsThatTakeOneMutexDoSoInEveryOrder) {
  uint64_t factorial = 1;
  for (int n = 1; n <= 6; ++n) {
    factorial *= static_cast<uint64_t>(n);
    EXPECT_EQ(executions(Model<Threads>({n, false})), factorial) << n;
    EXPECT_EQ(executions(Model<Threads>({n, true})), factorial) << n;
  }
}

// Says that taking and releasing the mutex are independent.
struct Wrong : Threads {
  using State = Threads::State;
  using Action = Threads::Action;
  void footprint(const State&, const Action& a, Footprint& out) const {
    out.writes.push_back(a.thread * 10 + a.step);
  }
};

TEST(RawModels, AFalseFootprintProvesNothing) {
  Wrong two;
  const Result<Report> report = check(Model<Wrong>(two), {.strategy = "dpor"});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("declared independent, but are not: the first makes the "
                                        "second"),
            std::string::npos)
      << report.error().message;
  // Were it believed, the strategy itself would notice, and claim nothing.
  const Model<Wrong> model(two);
  const explore::Exploration believed =
      explore::explore_orders(model.space().get(), nullptr, {.strategy = "dpor"});
  ASSERT_EQ(believed.bounds.size(), 1U);
  EXPECT_EQ(believed.bounds[0].kind, Bound::Kind::kBroken);
  EXPECT_NE(believed.bounds[0].text.find("said to be independent"), std::string::npos);
}

// The same without saying what is touched: every interleaving.
struct Blind : Threads {
  using State = Threads::State;
  using Action = Threads::Action;
  void footprint(const State&, const Action&, Footprint& out) const { out.everything = true; }
};

TEST(RawModels, WhatIsNotSaidIsDependent) {
  Blind two;
  two.own_steps = true;
  const Result<Report> every = check(Model<Blind>(two), {.strategy = "prefix"});
  EXPECT_EQ(executions(Model<Blind>(two)), every->runs);
}

}  // namespace
}  // namespace ordeal::model_tests
