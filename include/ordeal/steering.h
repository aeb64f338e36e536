// Steering: what exploration can be led and measured by, beside properties. Colourings say which
// states look alike, predicates name places worth going to, waypoints are ways there, and reward
// machines are ways that branch and loop.
//
//   System& steer(System& system) {
//     return system
//         .colour<Server>([](const Server& s) { return std::min(s.term, 5); })
//         .predicate("LeaderInTerm", "a server leads in this term or a later one",
//                    [](int term) {
//                      return [term](const View& v) { return highest_leading_term(v) >= term; };
//                    })
//         .waypoints("two-leaders", "LeaderInTerm(1), LeaderInTerm(2)")
//         .reward_machine("led-and-lost", "start: LeaderInTerm(1) -> led;"
//                                         "led: !LeaderInTerm(1) -> success");
//   }
//
// Nothing of this can be violated, and nothing of it changes what a check claims.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/result.h"

namespace ordeal {

// An abstraction of states: of every node by itself, or of the whole state of a raw model.
struct Colouring {
  std::string name;
  std::string what = {};
};
inline constexpr const char* kDefaultColouring = "default";
// The colour of a node that is down.
inline constexpr uint64_t kCrashedColour = 0xc4a5'4ed0'c010'0421ULL;

// A named predicate, or a family of them: LogDiff takes one whole number, as in LogDiff(2).
struct PredicateFamily {
  std::string name;
  std::string what;
  uint32_t arguments = 0;
  bool graded = false;  // it also says how far it is from being so
};

// A way to somewhere: predicates in the order in which they should become true, the last of which
// is the target. Each is one predicate, or several joined by '&'.
struct Waypoints {
  std::string name;
  std::vector<std::string> predicates;
  std::string what = {};
};

// A way that may branch and loop: a property machine (ordeal/machine.h) whose conditions are about
// predicates, written as text: "start: LeaderInTerm(1) -> led; led: !LeaderInTerm(1) -> start pays
// 0; led: LeaderInTerm(2) & LogDiff(1) | LeaderInTerm(3) -> success". The state that is named first
// is where it begins; "success" is the target, and a run that comes to "failure" is not worth going
// on with. docs/reference/learning.md defines it.
struct RewardMachine {
  std::string name;
  std::string text;
  std::string what = {};
};

struct Steering {
  std::vector<Colouring> colourings;  // the default one, which is always there, left out
  std::vector<PredicateFamily> predicates;
  std::vector<Waypoints> waypoints;
  std::vector<RewardMachine> machines = {};
};

// A transition of a reward machine.
struct RewardStep {
  struct Literal {
    std::string predicate;
    bool is_so = true;  // false: written with '!'
  };
  std::string from;
  // It is taken where all of any of these are so. Empty: always ("otherwise").
  std::vector<std::vector<Literal>> when;
  std::string to;
  std::optional<double> pays;  // none: what a waypoint does
  bool once = false;           // it pays once in an episode
};
// An Error says which transition is not what it should be.
Result<std::vector<RewardStep>> parse_reward_machine(const std::string& text);
// An Error where it cannot be parsed, asks for predicates that there are not, has states that
// nothing leads to, or no way to success.
Result<void> validate_reward_machine(const std::string& text,
                                     const std::vector<PredicateFamily>& families);

// "LogDiff(2)", as its name and numbers.
struct PredicateCall {
  std::string name;
  std::vector<int64_t> arguments;
};
// An Error says where the text is not what it should be.
Result<PredicateCall> parse_predicate(const std::string& text);
// "a(1), b & c(2, 3)" as its parts: "a(1)", "b & c(2, 3)". By ',' or by '&', outside of brackets.
std::vector<std::string> split_predicates(const std::string& text, char by);
// The family that is called, by its place. An Error: there is none, the nearest are named; or the
// number of arguments is another.
Result<uint32_t> find_predicate(const std::vector<PredicateFamily>& families,
                                const PredicateCall& call);
// An Error where names are no names or taken twice, or waypoints speak of what is not there.
Result<void> validate_steering(const Steering& steering);

namespace detail {

// What is farther is as far as this.
inline constexpr int64_t kFarthest = 1'000'000;
constexpr uint32_t bounded_distance(int64_t far) {
  return static_cast<uint32_t>(far < 0 ? 0 : far > kFarthest ? kFarthest : far);
}

template <class F>
constexpr uint32_t arguments_of() {
  if constexpr (std::is_invocable_v<const F&>) {
    return 0;
  } else if constexpr (std::is_invocable_v<const F&, int>) {
    return 1;
  } else if constexpr (std::is_invocable_v<const F&, int, int>) {
    return 2;
  } else {
    static_assert(std::is_invocable_v<const F&, int, int, int>,
                  "ordeal: a family of predicates is a const function of at most three whole "
                  "numbers that returns a predicate");
    return 3;
  }
}

// F, of as many numbers as it takes.
template <class R, class F>
std::function<R(std::span<const int64_t>)> with_arguments(F make) {
  return [make = std::move(make)](std::span<const int64_t> given) -> R {
    constexpr uint32_t kCount = arguments_of<F>();
    const auto number = [&](size_t i) { return static_cast<int>(given[i]); };
    if constexpr (kCount == 0) return R(make());
    if constexpr (kCount == 1) return R(make(number(0)));
    if constexpr (kCount == 2) return R(make(number(0), number(1)));
    if constexpr (kCount == 3) return R(make(number(0), number(1), number(2)));
  };
}

}  // namespace detail
}  // namespace ordeal
