// Two jugs of 3 and 5 litres, a tap, and a wish for exactly 4 litres.
#include <ordeal/ordeal.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace {

// [model]
struct Jugs {
  struct State {
    int small = 0;  // of 3 litres
    int large = 0;  // of 5 litres
  };
  enum class Action { kFillSmall, kFillLarge, kEmptySmall, kEmptyLarge, kToLarge, kToSmall };

  std::vector<State> initial() const { return {State{}}; }

  void actions(const State&, std::vector<Action>& out) const {
    out = {Action::kFillSmall,  Action::kFillLarge, Action::kEmptySmall,
           Action::kEmptyLarge, Action::kToLarge,   Action::kToSmall};
  }

  std::optional<State> next(const State& s, const Action& action) const {
    const int to_large = std::min(s.small, 5 - s.large);
    const int to_small = std::min(s.large, 3 - s.small);
    switch (action) {
      case Action::kFillSmall:
        return State{3, s.large};
      case Action::kFillLarge:
        return State{s.small, 5};
      case Action::kEmptySmall:
        return State{0, s.large};
      case Action::kEmptyLarge:
        return State{s.small, 0};
      case Action::kToLarge:
        return State{s.small - to_large, s.large + to_large};
      case Action::kToSmall:
        return State{s.small + to_small, s.large - to_small};
    }
    return std::nullopt;
  }
};
// [/model]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "jugs",
             .what = "measure litres with jugs of 3 and 5; the check fails with the solution",
             .parameters = {{"wish", "4", "litres wanted in the large jug", 0, 9}},
             .build = [](const ordeal::Arguments& args) {
               const int wish = args.number<int>("wish");
               // [check]
               ordeal::Model<Jugs> model;
               model.always("never that much",
                            [=](const Jugs::State& s) { return s.large != wish; });
               // [/check]
               return model;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
