// Independence, tried out: wherever the engine says that two actions do not touch each other, both
// orders must be possible and lead to the same state, each action keeping its name and its nature.
// All partial-order reduction rests on this.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/world.h"
#include "tests/oracle/dpor/commute.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

// Both halves of a wide fingerprint tell the same states apart; "": they do.
inline std::string problem_with_second_fingerprints(const Checkable& system) {
  const std::shared_ptr<StateSpace> space = system.space();
  const std::unique_ptr<Explorer> engine = space->explorer();
  const auto initial = space->initial();
  if (!initial.ok()) return "";
  std::map<uint64_t, uint64_t> second_of, first_of;
  std::deque<std::pair<uint64_t, std::vector<uint32_t>>> queue;
  std::string problem;
  const auto meet = [&](uint64_t fingerprint, const std::vector<uint32_t>& words) {
    const uint64_t second = engine->second_fingerprint(words);
    const auto [by_first, fresh] = second_of.emplace(fingerprint, second);
    const auto [by_second, fresh_too] = first_of.emplace(second, fingerprint);
    if (by_first->second != second) problem = "one state has two second fingerprints";
    if (by_second->second != fingerprint) problem = "two states share a second fingerprint";
    if (second == fingerprint) problem = "both fingerprints are the same";
    if (fresh && fresh_too) queue.emplace_back(fingerprint, words);
  };
  for (const StateSpace::Initial& state : *initial) meet(state.fingerprint, state.state);
  while (!queue.empty() && problem.empty()) {
    const auto [fingerprint, words] = std::move(queue.front());
    queue.pop_front();
    if (!engine->within(words)) continue;
    std::vector<Choice> choices;
    engine->enumerate(words, choices);
    for (const Choice& choice : choices) {
      if (choice.fails) continue;
      std::vector<uint32_t> next;
      const uint64_t reached = engine->apply(words, fingerprint, choice, next);
      meet(reached, next);
    }
  }
  return problem;
}

inline Tally run_commuting(const Extent& extent) {
  return over_systems(
      extent, {}, [](const Case& item, const reference::Exploration&, Tally& tally) {
        CommuteCount count;
        disagree(tally, item, Commutation(*item.system.space()).walk(UINT64_MAX, count));
        tally.add("pairs of actions", count.pairs);
        tally.add("independent pairs", count.independent);
        disagree(tally, item, problem_with_second_fingerprints(item.system));
      });
}

}  // namespace ordeal::oracle
