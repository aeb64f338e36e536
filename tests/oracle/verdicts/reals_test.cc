// 0.0 and -0.0 are two values for a program, and so they are for every strategy.
#include <gtest/gtest.h>

#include <cmath>

#include "ordeal/check.h"
#include "ordeal/model.h"
#include "ordeal/system.h"
#include "tests/oracle/verdicts/strategies.h"

namespace ordeal::reals_tests {
namespace {

struct Turn {};
struct Meter {
  using Requests = Types<Turn>;
  double level = 0;
  bool below = false;
  void request(Context&, const Turn&) {
    if (std::signbit(level)) below = true;
    level = -level;
  }
};

TEST(Reals, ANodeThatHoldsANegativeZeroIsInAnotherState) {
  System system;
  system.add<Meter>().request(1, Turn{}).request(1, Turn{});
  system.always("never below", each<Meter>([](const Meter& m) { return !m.below; }));
  expect_violated(system, "never below");
}

struct Swing {
  struct State {
    double at = 0;
    int steps = 0;
  };
  enum class Action : uint8_t { kStay, kTurn };
  std::vector<State> initial() const { return {{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.steps < 2) out = {Action::kStay, Action::kTurn};
  }
  std::optional<State> next(const State& s, const Action& a) const {
    if (s.steps == 1 && std::signbit(s.at)) return State{7, 2};
    return State{a == Action::kTurn ? -s.at : s.at, s.steps + 1};
  }
};

TEST(Reals, AModelThatHoldsANegativeZeroIsInAnotherState) {
  Model<Swing> model;
  model.always("never seven", [](const Swing::State& s) { return s.at != 7; });
  expect_violated(model, "never seven");
}

}  // namespace
}  // namespace ordeal::reals_tests
