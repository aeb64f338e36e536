// All runs of a small system, and how many of them differ by more than the order of independent
// actions: what an optimal reduction of runs must come down to.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/footprint.h"
#include "ordeal/world.h"

namespace ordeal::oracle {

struct Traces {
  uint64_t runs = 0;
  uint64_t traces = 0;  // classes of runs
};

// Two runs are in one class if swapping neighbours leads from one to the other, each swap of two
// actions that are enabled together and independent where they are taken.
class TraceCounter {
 public:
  TraceCounter(const Checkable& system, uint64_t most_runs, size_t most_steps)
      : space_(system.space()),
        engine_(space_->explorer()),
        most_runs_(most_runs),
        most_steps_(most_steps) {}

  // Nothing: there are too many runs or too long ones, or some that do not end by themselves (a
  // handler that fails, a terminal state in which faults may still strike).
  std::optional<Traces> count() {
    const auto initial = space_->initial();
    if (!initial.ok()) return std::nullopt;
    for (size_t i = 0; i < initial->size(); ++i) {
      steps_ = {i};
      if (!go((*initial)[i].fingerprint, (*initial)[i].state)) return std::nullopt;
    }
    std::vector<uint32_t> leader(runs_.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](uint32_t v) {
      while (leader[v] != v) v = leader[v] = leader[leader[v]];
      return v;
    };
    for (const auto& [run, number] : runs_) {
      for (const size_t at : swaps_[number]) {
        std::vector<uint64_t> other = run;
        std::swap(other[at], other[at + 1]);
        const auto found = runs_.find(other);
        if (found == runs_.end()) return std::nullopt;  // not independent after all: said elsewhere
        leader[find(number)] = find(found->second);
      }
    }
    Traces out;
    out.runs = runs_.size();
    for (uint32_t v = 0; v < leader.size(); ++v) out.traces += leader[v] == v ? 1 : 0;
    return out;
  }

 private:
  bool go(uint64_t fingerprint, const std::vector<uint32_t>& state) {
    if (!engine_->within(state) || steps_.size() > most_steps_) return false;
    std::vector<Choice> choices;
    engine_->enumerate(state, choices);
    bool progress = false;
    for (const Choice& choice : choices) {
      if (choice.fails) return false;
      progress = progress || choice.progress;
    }
    if (!progress) {
      if (!choices.empty() || runs_.size() >= most_runs_) return false;
      const auto number = static_cast<uint32_t>(runs_.size());
      runs_.emplace(steps_, number);
      swaps_.push_back(swappable_);
      return true;
    }
    std::vector<Footprint> footprints(choices.size());
    std::vector<uint64_t> keys;
    std::vector<std::pair<uint64_t, std::vector<uint32_t>>> next(choices.size());
    for (size_t i = 0; i < choices.size(); ++i) {
      engine_->footprint(state, choices[i], footprints[i]);
      keys.push_back(engine_->key(state, choices[i]));
      next[i].first = engine_->apply(state, fingerprint, choices[i], next[i].second);
    }
    const Before outer = std::exchange(before_, {keys, footprints});
    for (size_t i = 0; i < choices.size(); ++i) {
      // This step and the one before it: were both enabled there, and independent?
      const bool swaps = were_independent(outer, steps_.back(), keys[i]);
      if (swaps) swappable_.push_back(steps_.size() - 1);
      steps_.push_back(keys[i]);
      const bool fine = go(next[i].first, next[i].second);
      steps_.pop_back();
      if (swaps) swappable_.pop_back();
      if (!fine) return false;
    }
    before_ = outer;
    return true;
  }

  // The actions of a state of the run.
  struct Before {
    std::vector<uint64_t> keys;
    std::vector<Footprint> footprints;
  };

  static bool were_independent(const Before& state, uint64_t a, uint64_t b) {
    const Footprint* first = nullptr;
    const Footprint* second = nullptr;
    for (size_t i = 0; i < state.keys.size(); ++i) {
      if (state.keys[i] == a) first = &state.footprints[i];
      if (state.keys[i] == b) second = &state.footprints[i];
    }
    return first != nullptr && second != nullptr && first != second && independent(*first, *second);
  }

  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> engine_;
  const uint64_t most_runs_;
  const size_t most_steps_;
  Before before_;                  // of the state that the current one was reached from
  std::vector<uint64_t> steps_;    // which initial state, then the names of the actions
  std::vector<size_t> swappable_;  // steps of which each may be swapped with the next
  std::map<std::vector<uint64_t>, uint32_t> runs_;
  std::vector<std::vector<size_t>> swaps_;  // by run
};

}  // namespace ordeal::oracle
