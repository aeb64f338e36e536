// Footprints against what they promise: in every state, two actions that are said to be independent
// can be taken in both orders, lead to the same state, keep their names, and touch the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ordeal/footprint.h"
#include "ordeal/world.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle {

struct CommuteCount {
  uint64_t states = 0;
  uint64_t pairs = 0;
  uint64_t independent = 0;
};

class Commutation {
 public:
  explicit Commutation(StateSpace& space) : space_(space), explorer_(space.explorer()) {}

  // The first independent pair that does not commute, for a person; empty: there is none.
  std::string walk(uint64_t cap, CommuteCount& count) {
    const auto initial = space_.initial();
    if (!initial.ok()) return "";
    std::vector<std::vector<uint32_t>> stack;
    for (const auto& state : *initial) {
      if (seen_.insert(state.fingerprint).second) stack.push_back(state.state);
    }
    while (!stack.empty() && seen_.size() < cap) {
      const std::vector<uint32_t> state = std::move(stack.back());
      stack.pop_back();
      ++count.states;
      const std::string problem = check(state, count);
      if (!problem.empty()) return problem;
      for (size_t i = 0; i < enabled(state).size(); ++i) {
        const std::vector<Choice> choices = enabled(state);
        if (choices[i].fails) continue;
        std::vector<uint32_t> next;
        const uint64_t fingerprint =
            explorer_->apply(state, explorer_->fingerprint(state), choices[i], next);
        if (explorer_->within(next) && seen_.insert(fingerprint).second) stack.push_back(next);
      }
    }
    return "";
  }

 private:
  struct Named {
    uint64_t key = 0;
    std::string shown;
    Footprint footprint;
    bool fails = false;
    bool progress = false;
    std::vector<uint32_t> next;
  };

  std::vector<Choice> enabled(const std::vector<uint32_t>& state) {
    std::vector<Choice> choices;
    explorer_->enumerate(state, choices);
    return choices;
  }

  std::vector<Named> actions(const std::vector<uint32_t>& state) {
    std::vector<Named> out;
    const std::vector<Choice> choices = enabled(state);
    for (const Choice& choice : choices) {
      Named named;
      named.key = explorer_->key(state, choice);
      named.shown = show(explorer_->action(state, choice));
      named.fails = choice.fails;
      named.progress = choice.progress;
      explorer_->footprint(state, choice, named.footprint);
      out.push_back(std::move(named));
    }
    for (size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].fails) continue;
      explorer_->apply(state, explorer_->fingerprint(state), choices[i], out[i].next);
    }
    return out;
  }

  static const Named* find(const std::vector<Named>& actions, uint64_t key) {
    const auto at = std::find_if(actions.begin(), actions.end(),
                                 [&](const Named& named) { return named.key == key; });
    return at == actions.end() ? nullptr : &*at;
  }

  static bool same_touch(Footprint a, Footprint b) {
    std::sort(a.writes.begin(), a.writes.end());
    std::sort(b.writes.begin(), b.writes.end());
    std::sort(a.reads.begin(), a.reads.end());
    std::sort(b.reads.begin(), b.reads.end());
    return a.everything == b.everything && a.writes == b.writes && a.reads == b.reads &&
           a.adds == b.adds;
  }

  std::string check(const std::vector<uint32_t>& state, CommuteCount& count) {
    const std::vector<Named> here = actions(state);
    std::set<uint64_t> keys;
    for (const Named& named : here) keys.insert(named.key);
    if (keys.size() != here.size()) return "two actions of one state have one key";
    std::vector<std::vector<Named>> after(here.size());
    for (size_t i = 0; i < here.size(); ++i) {
      if (!here[i].fails) after[i] = actions(here[i].next);
    }
    for (size_t i = 0; i < here.size(); ++i) {
      for (size_t j = i + 1; j < here.size(); ++j) {
        ++count.pairs;
        if (!independent(here[i].footprint, here[j].footprint)) continue;
        ++count.independent;
        const std::string both = "'" + here[i].shown + "' and '" + here[j].shown + "'";
        const Named* second = here[i].fails ? nullptr : find(after[i], here[j].key);
        const Named* first = here[j].fails ? nullptr : find(after[j], here[i].key);
        if (!here[i].fails && second == nullptr) return both + ": the first disables the second";
        if (!here[j].fails && first == nullptr) return both + ": the second disables the first";
        const auto like = [](const Named& alone, const Named& behind) {
          return alone.fails == behind.fails && alone.progress == behind.progress &&
                 alone.shown == behind.shown && same_touch(alone.footprint, behind.footprint);
        };
        if (second != nullptr && !like(here[j], *second)) return both + ": the second differs";
        if (first != nullptr && !like(here[i], *first)) return both + ": the first differs";
        if (here[i].fails || here[j].fails) continue;
        if (explorer_->fingerprint(second->next) != explorer_->fingerprint(first->next)) {
          return both + ": the orders lead to different states";
        }
      }
    }
    return "";
  }

  StateSpace& space_;
  std::unique_ptr<Explorer> explorer_;
  std::set<uint64_t> seen_;
};

// The first system with a pair that does not commute; empty: none.
inline std::string problem_with_footprints(uint64_t first_seed, uint64_t systems, uint64_t cap,
                                           CommuteCount& count) {
  for (uint64_t seed = first_seed; seed < first_seed + systems; ++seed) {
    const Case item = generate(seed);
    const std::string problem = Commutation(*item.system.space()).walk(cap, count);
    if (!problem.empty()) return "seed " + std::to_string(seed) + ": " + problem;
  }
  return "";
}

}  // namespace ordeal::oracle
