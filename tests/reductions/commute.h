// Independence, tried out: wherever the engine says that two actions do not touch each other, both
// orders must be possible and lead to the same state, each action keeping its name and its nature.
// All partial-order reduction rests on this.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/footprint.h"
#include "ordeal/world.h"
#include "tests/reductions/suite.h"

namespace ordeal::oracle {

class Commuting {
 public:
  explicit Commuting(const Checkable& system)
      : space_(system.space()), engine_(space_->explorer()) {}

  // The first pair that does not commute though it should, for a person; empty: all do.
  std::string walk(Tally& tally) {
    const auto initial = space_->initial();
    if (!initial.ok()) return "";
    for (const StateSpace::Initial& state : *initial) meet({state.fingerprint, state.state});
    while (!queue_.empty()) {
      const Packed state = std::move(queue_.front());
      queue_.pop_front();
      if (!engine_->within(state.words)) continue;
      const std::string problem = try_pairs(state, tally);
      if (!problem.empty()) return problem;
    }
    return "";
  }

 private:
  struct Packed {
    uint64_t fingerprint = 0;
    std::vector<uint32_t> words;
  };
  struct Named {
    Choice choice;
    uint64_t key = 0;
    std::string text;
  };

  void meet(Packed state) {
    if (!seen_.insert(state.fingerprint).second) return;
    queue_.push_back(std::move(state));
  }

  std::vector<Named> actions(const Packed& state, bool with_text) {
    std::vector<Choice> choices;
    engine_->enumerate(state.words, choices);
    std::vector<Named> out;
    for (const Choice& choice : choices) {
      out.push_back({choice, engine_->key(state.words, choice), ""});
      if (with_text) out.back().text = show(engine_->action(state.words, choice));
    }
    return out;
  }

  // Takes action number i of a state. What choices refer to lasts until the next enumeration.
  Packed take(const Packed& state, size_t i) {
    std::vector<Choice> choices;
    engine_->enumerate(state.words, choices);
    Packed next;
    next.fingerprint = engine_->apply(state.words, state.fingerprint, choices[i], next.words);
    return next;
  }

  // The action with that name in a state; -1 if there is none, -2 if there are several.
  static int find(const std::vector<Named>& all, uint64_t key) {
    int at = -1;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].key == key) at = at == -1 ? static_cast<int>(i) : -2;
    }
    return at;
  }

  std::string try_pairs(const Packed& state, Tally& tally) {
    const std::vector<Named> all = actions(state, false);
    std::vector<Footprint> footprints(all.size());
    {
      std::vector<Choice> choices;
      engine_->enumerate(state.words, choices);
      for (size_t i = 0; i < all.size(); ++i) {
        engine_->footprint(state.words, choices[i], footprints[i]);
      }
    }
    std::vector<Packed> after(all.size());
    std::vector<std::vector<Named>> then(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      if (find(all, all[i].key) < 0) return "two actions of one state have one name";
      if (all[i].choice.fails) continue;
      after[i] = take(state, i);
      then[i] = actions(after[i], false);
      meet(after[i]);
    }
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = i + 1; j < all.size(); ++j) {
        tally.count("pairs of actions");
        if (!independent(footprints[i], footprints[j])) continue;
        tally.count("independent pairs");
        const std::string problem = try_pair(all, after, then, i, j);
        if (problem.empty()) continue;
        const std::vector<Named> named = actions(state, true);
        return "'" + named[i].text + "' and '" + named[j].text +
               "' are said to be independent, but " + problem;
      }
    }
    return "";
  }

  std::string try_pair(const std::vector<Named>& all, const std::vector<Packed>& after,
                       const std::vector<std::vector<Named>>& then, size_t i, size_t j) {
    uint64_t reached[2] = {0, 0};
    bool both = true;
    for (const auto& [first, second] : {std::pair(i, j), std::pair(j, i)}) {
      if (all[first].choice.fails) {
        both = false;
        continue;
      }
      const std::string which = first == i ? "the second" : "the first";
      const int at = find(then[first], all[second].key);
      if (at == -1) return which + " is gone (or renamed) after the other";
      if (at == -2) return which + " is there twice after the other";
      const Choice& choice = then[first][static_cast<size_t>(at)].choice;
      if (choice.fails != all[second].choice.fails) return which + " fails in one order only";
      if (choice.progress != all[second].choice.progress) return which + " changes its nature";
      if (choice.fails) {
        both = false;
      } else {
        reached[first == i ? 0 : 1] = take(after[first], static_cast<size_t>(at)).fingerprint;
      }
    }
    return both && reached[0] != reached[1] ? "the two orders lead to different states" : "";
  }

  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> engine_;
  std::set<uint64_t> seen_;
  std::deque<Packed> queue_;
};

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
  return over_systems(extent, {},
                      [](const Case& item, const reference::Exploration&, Tally& tally) {
                        disagree(tally, item, Commuting(item.system).walk(tally));
                        disagree(tally, item, problem_with_second_fingerprints(item.system));
                      });
}

}  // namespace ordeal::oracle
