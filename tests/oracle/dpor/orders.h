// Partial orders of runs counted without any theory: enumerate all runs of a small system, join
// those that differ by one swap of neighbours that are independent in the state where they meet,
// count what is left. A run ends where no progress action is enabled; a handler that fails leaves
// the state as it is and ends everything that depends on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/dpor/dpor.h"
#include "ordeal/footprint.h"
#include "ordeal/world.h"

namespace ordeal::oracle {

class AllRuns {
 public:
  AllRuns(StateSpace& space, size_t most_runs, size_t most_steps)
      : space_(space), explorer_(space.explorer()), most_runs_(most_runs), most_steps_(most_steps) {
    explorer_->watch_properties();
  }

  // False: there are too many, or they are too long.
  bool enumerate() {
    const auto initial = space_.initial();
    if (!initial.ok()) return false;
    for (size_t i = 0; i < initial->size(); ++i) {
      keys_.assign(1, i);  // runs from different initial states are different
      acts_.assign(1, {});
      if (!go((*initial)[i].state, {})) return false;
    }
    parent_.resize(runs_.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const auto& [a, b] : swaps_) {
      const auto other = runs_.find(b);
      if (other == runs_.end()) {
        problem_ = "an independent pair cannot be swapped";
        return true;
      }
      join(runs_.at(a), other->second);
    }
    return true;
  }

  const std::string& problem() const { return problem_; }
  size_t runs() const { return runs_.size(); }
  size_t orders() {
    size_t count = 0;
    for (size_t i = 0; i < parent_.size(); ++i) count += find(i) == i ? 1 : 0;
    return count;
  }
  // Each by the number of its initial state and the keys of its actions.
  std::vector<std::vector<uint64_t>> all() const {
    std::vector<std::vector<uint64_t>> out;
    for (const auto& [run, id] : runs_) out.push_back(run);
    return out;
  }
  // The partial order of a run; none: there is no such run.
  std::optional<size_t> order_of(const std::vector<uint64_t>& run) {
    const auto at = runs_.find(run);
    if (at == runs_.end()) return std::nullopt;
    return find(at->second);
  }

 private:
  using Run = std::vector<uint64_t>;
  struct Enabled {
    uint64_t key;
    Footprint touch;
    bool progress, fails;
    Choice choice;
  };

  size_t find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(size_t a, size_t b) { parent_[find(a)] = find(b); }

  bool go(const std::vector<uint32_t>& state, const std::vector<Footprint>& failed) {
    std::vector<Choice> choices;
    explorer_->enumerate(state, choices);
    std::vector<Enabled> enabled;
    bool goes_on = false;
    for (const Choice& choice : choices) {
      Enabled one{explorer_->key(state, choice), {}, choice.progress, choice.fails, choice};
      explorer_->footprint(state, choice, one.touch);
      const bool out = std::any_of(failed.begin(), failed.end(), [&](const Footprint& footprint) {
        return !independent(footprint, one.touch);
      });
      if (out) continue;
      goes_on = goes_on || choice.progress;
      enabled.push_back(std::move(one));
    }
    if (!goes_on && !finish()) return false;
    if (keys_.size() > most_steps_) return false;
    for (const Enabled& act : enabled) {
      std::vector<uint32_t> next = state;
      std::vector<Footprint> dead = failed;
      if (act.fails) {
        dead.push_back(act.touch);
      } else {
        choices.clear();
        explorer_->enumerate(state, choices);
        const auto same = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
          return explorer_->key(state, choice) == act.key;
        });
        next.clear();
        explorer_->apply(state, explorer_->fingerprint(state), *same, next);
      }
      keys_.push_back(act.key);
      // What the step before would have touched had it been second is what it touched first: both
      // are compared in the state where the first was taken.
      acts_.push_back(enabled);
      const bool ok = go(next, dead);
      keys_.pop_back();
      acts_.pop_back();
      if (!ok) return false;
    }
    return true;
  }

  static const Enabled* among(const std::vector<Enabled>& enabled, uint64_t key) {
    for (const Enabled& one : enabled) {
      if (one.key == key) return &one;
    }
    return nullptr;
  }

  bool finish() {
    if (runs_.size() >= most_runs_) return false;
    const size_t id = runs_.size();
    runs_.emplace(keys_, id);
    for (size_t i = 1; i + 1 < keys_.size(); ++i) {
      const Enabled* first = among(acts_[i], keys_[i]);
      const Enabled* second = among(acts_[i], keys_[i + 1]);
      if (second == nullptr || keys_[i] == keys_[i + 1]) continue;
      if (!independent(first->touch, second->touch)) continue;
      Run swapped = keys_;
      std::swap(swapped[i], swapped[i + 1]);
      swaps_.emplace_back(keys_, std::move(swapped));
    }
    return true;
  }

  StateSpace& space_;
  std::unique_ptr<Explorer> explorer_;
  size_t most_runs_;
  size_t most_steps_;
  Run keys_;                                // of the current run; first the initial state
  std::vector<std::vector<Enabled>> acts_;  // what was enabled before each step of it
  std::map<Run, size_t> runs_;
  std::vector<std::pair<Run, Run>> swaps_;
  std::vector<size_t> parent_;
  std::string problem_;
};

struct OrderCount {
  uint64_t compared = 0;
  uint64_t too_many = 0;
  uint64_t runs = 0;
  uint64_t orders = 0;
};

// What is wrong with the runs that dpor explores; empty: nothing, or there are too many to say.
inline std::string problem_with_orders(StateSpace& space, size_t most_runs, OrderCount& count) {
  AllRuns all(space, most_runs, 24);
  if (!all.enumerate()) {
    ++count.too_many;
    return "";
  }
  if (!all.problem().empty()) return all.problem();
  ++count.compared;
  const size_t orders = all.orders();
  count.runs += all.runs();
  count.orders += orders;
  std::map<size_t, size_t> hits;
  std::string problem;
  uint64_t initial = 0;
  Options options;
  options.keep_going = true;
  options.max_runs = orders + 50;
  const auto seen = [&](const std::vector<uint64_t>& keys) {
    // The initial state is not told: the run is one of any of them.
    std::vector<uint64_t> run(1, initial);
    run.insert(run.end(), keys.begin(), keys.end() - 1);
    const auto order = all.order_of(run);
    if (!order) {
      problem = "dpor explores what is no run";
    } else if (++hits[*order] > 1) {
      problem = "dpor explores a partial order twice";
    }
  };
  const size_t initials = space.initial()->size();
  for (; initial < initials; ++initial) {
    options.guide = ShortForm{};
    options.guide->initial = static_cast<uint32_t>(initial);
    const explore::Exploration explored = explore::explore_orders(&space, nullptr, options, seen);
    for (const std::string& note : explored.notes) {
      if (note.find("nowhere") != std::string::npos) problem = note;
    }
  }
  if (!problem.empty()) return problem;
  if (hits.size() != orders) {
    return "dpor explores " + std::to_string(hits.size()) + " of " + std::to_string(orders) +
           " partial orders";
  }
  return "";
}

}  // namespace ordeal::oracle
