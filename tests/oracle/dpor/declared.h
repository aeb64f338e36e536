// Raw models whose footprints are declared, rightly or wrongly: counters that threads read and
// write. A footprint that leaves something out must be found out before a reduction believes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/check.h"
#include "ordeal/model.h"

namespace ordeal::oracle {

struct Counters {
  static constexpr uint8_t kThreads = 3;
  static constexpr uint8_t kSteps = 2;

  // A step of a thread: cell `to` becomes cell `from` plus one.
  struct Move {
    uint8_t from = 0;
    uint8_t to = 0;
  };
  struct State {
    std::array<uint8_t, kThreads> at{};
    std::array<uint8_t, kThreads> cells{};
  };
  struct Action {
    uint8_t thread = 0;
    uint8_t step = 0;
  };
  enum class Lie : uint8_t { kNone, kNoReads, kNoWrites, kNoOrderOfAThread };

  std::array<std::array<Move, kSteps>, kThreads> program{};
  Lie lie = Lie::kNone;

  std::vector<State> initial() const { return {{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    for (uint8_t t = 0; t < kThreads; ++t) {
      if (s.at[t] < kSteps) out.push_back({t, s.at[t]});
    }
  }
  std::optional<State> next(const State& s, const Action& a) const {
    State out = s;
    const Move& move = program[a.thread][a.step];
    ++out.at[a.thread];
    out.cells[move.to] = static_cast<uint8_t>(s.cells[move.from] + 1);
    return out;
  }
  void footprint(const State&, const Action& a, Footprint& out) const {
    const Move& move = program[a.thread][a.step];
    if (lie != Lie::kNoOrderOfAThread) out.writes.push_back(100 + a.thread);
    if (lie != Lie::kNoReads) out.reads.push_back(move.from);
    if (lie != Lie::kNoWrites) out.writes.push_back(move.to);
  }
};

// A model of random threads; the truth, or a lie that matters.
inline Counters random_counters(uint64_t seed) {
  Rng rng(seed);
  Counters out;
  for (auto& thread : out.program) {
    for (Counters::Move& move : thread) {
      move.from = static_cast<uint8_t>(rng.below(Counters::kThreads));
      move.to = static_cast<uint8_t>(rng.below(Counters::kThreads));
    }
  }
  out.lie = static_cast<Counters::Lie>(rng.below(4));
  return out;
}

// What every run can end in, by the strategy: dpor must show all of it, or refuse.
inline std::string problem_with_declared_footprints(uint64_t seeds, uint64_t& refused) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Counters counters = random_counters(seed);
    Model<Counters> model(counters);
    const auto states = check(model, {.strategy = "bfs", .threads = 1});
    if (!states) return states.error().message;
    for (const Options& options : {Options{.strategy = "dpor"},
                                   Options{.strategy = "bfs", .threads = 1, .reduce = "sleep"}}) {
      const std::string who = "seed " + std::to_string(seed) + ", " + options.strategy + ": ";
      const auto reduced = check(model, options);
      const bool is_lie = counters.lie != Counters::Lie::kNone;
      if (!reduced) {
        ++refused;
        if (is_lie && reduced.error().message.find("declared independent") != std::string::npos) {
          continue;
        }
        return who + reduced.error().message;
      }
      if (reduced->terminal_states != states->terminal_states) {
        return who + std::to_string(reduced->terminal_states) + " terminal states of " +
               std::to_string(states->terminal_states);
      }
    }
  }
  return "";
}

}  // namespace ordeal::oracle
