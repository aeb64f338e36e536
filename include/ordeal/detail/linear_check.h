// Joins a sequential specification to the search: typed operations in, an order or the reason why
// there is none out. Keys are checked one by one where the specification has a partition.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ordeal/detail/linear_search.h"
#include "ordeal/detail/sequential_spec.h"
#include "ordeal/detail/spec_model.h"

namespace ordeal::detail {

// What operations do, as a table over all states that they can lead to. Operations with the same
// call and result share a kind. State 0 is the first.
struct FiniteModel {
  static constexpr uint32_t kMisfit = UINT32_MAX;

  uint32_t states = 0;
  uint32_t kinds = 0;
  std::vector<uint32_t> after;    // state * kinds + kind: the state after it, or kMisfit
  std::vector<uint32_t> kind_of;  // by operation
};

struct LayeredOutcome {
  LinearVerdict verdict = LinearVerdict::kUndecided;
  std::vector<uint32_t> order;  // as LinearSearch::order(), and so on
  uint32_t blocked = 0;
  uint32_t blocked_return = 0;
  size_t configurations = 0;
};

// The search for histories that are too hard for LinearSearch: from return to return, with all
// configurations at once. See src/history/layered_search.cc.
LayeredOutcome search_in_layers(FiniteModel model, std::span<const Interval> ops,
                                const LinearLimits& limits);

// Finds all states that the operations can lead to; nothing when they are too many.
template <SequentialSpec Spec>
class StateExplorer {
 public:
  using Model = SpecModel<Spec>;

  StateExplorer(const Model& model, size_t ops, const LinearLimits& limits) : model_(model) {
    const auto deadline = std::chrono::steady_clock::now() + limits.time;
    table_.kind_of.resize(ops);
    for (uint32_t op = 0; op < ops; ++op) table_.kind_of[op] = kind(op);
    table_.kinds = static_cast<uint32_t>(first_.size());
    states_.reset();
    intern(model.initial());
    for (uint32_t state = 0; state < states_.size(); ++state) {
      if (states_.size() > kFewStates + 8 * ops) return;
      if (bytes_ > kMostBytes || states_.size() * first_.size() > kMostEntries) return;
      if (limits.time.count() != 0 && std::chrono::steady_clock::now() > deadline) return;
      for (const uint32_t op : first_) {
        auto after = model.step(states_[state], op);
        table_.after.push_back(after ? intern(std::move(*after)) : FiniteModel::kMisfit);
      }
    }
    table_.states = static_cast<uint32_t>(states_.size());
  }

  // Valid if it has states.
  FiniteModel& table() { return table_; }

 private:
  static constexpr size_t kFewStates = 256;
  static constexpr size_t kMostEntries = size_t{1} << 23;
  static constexpr size_t kMostBytes = size_t{64} << 20;

  uint32_t kind(uint32_t op) {
    auto& alike = by_hash_[model_.operation_hash(op)];
    for (const uint32_t kind : alike) {
      if (model_.same_operation(first_[kind], op)) return kind;
    }
    alike.push_back(static_cast<uint32_t>(first_.size()));
    first_.push_back(op);
    return alike.back();
  }
  uint32_t intern(typename Model::State&& state) {
    const auto equal = [&](const auto& a, const auto& b) { return model_.equal(a, b); };
    const size_t before = states_.size();
    const uint32_t id = states_.intern(std::move(state), model_.hash(state), equal);
    if (states_.size() != before) bytes_ += model_.bytes(states_[id]);
    return id;
  }

  const Model& model_;
  FiniteModel table_;
  StateTable<typename Model::State> states_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_hash_;
  std::vector<uint32_t> first_;  // of each kind, an operation
  size_t bytes_ = 0;
};

struct SpecOutcome {
  LinearVerdict verdict = LinearVerdict::kLinearizable;
  // Linearizable: all operations that took effect, in an order that works. Otherwise the longest
  // partial order found, of the one key that `unplaced` is about.
  std::vector<uint32_t> order;
  // Otherwise: the operations that may come next by real time and do not fit, the first to return
  // among them first.
  std::vector<uint32_t> unplaced;
  bool is_about_few = false;  // operations, of which no order exists whatever the others do
  size_t configurations = 0;  // that were looked at
};

// Keeps its memory from one check to the next.
template <SequentialSpec Spec>
class SpecChecker {
 public:
  // How much memory the first, quick search may use before the other one takes over; 0: there is
  // no quick search.
  void set_quick_bytes(size_t bytes) { quick_bytes_ = bytes; }

  // Only the answer: nothing is allocated once the object has seen a history of this size, unless
  // the specification has an outlook or foresight.
  // REQUIRES: ops stays in place and unchanged during the call (kinds are filled in here).
  LinearVerdict verdict(const Spec& spec, SpecOps<Spec>& ops, const LinearLimits& limits = {}) {
    if constexpr (PartitionedSpec<Spec>) {
      return check(spec, ops, limits).verdict;
    } else {
      return search(SpecModel<Spec>(spec, ops, nullptr), ops, ops.intervals, limits);
    }
  }

  SpecOutcome check(const Spec& spec, SpecOps<Spec>& ops, const LinearLimits& limits = {}) {
    SpecOutcome outcome;
    if constexpr (PartitionedSpec<Spec>) {
      using Key = decltype(partition_of(spec, ops.calls[0], nullptr));
      std::map<Key, std::vector<uint32_t>> groups;
      for (uint32_t i = 0; i < ops.calls.size(); ++i) {
        const auto& result = ops.results[i];
        groups[partition_of(spec, ops.calls[i], result ? &*result : nullptr)].push_back(i);
      }
      const auto start = std::chrono::steady_clock::now();
      Merge merge{ops.intervals, {}};
      uint32_t earliest = kNeverReturns;
      for (const auto& [key, members] : groups) {
        LinearLimits left = limits;
        if (limits.time.count() != 0) {
          const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
              std::chrono::steady_clock::now() - start);
          left.time = std::max(limits.time - spent, std::chrono::milliseconds(1));
        }
        group_.clear();
        for (uint32_t i : members) group_.push_back(ops.intervals[i]);
        const SpecModel<Spec> model(spec, ops, &members);
        const LinearVerdict verdict = search(model, ops, group_, left);
        if constexpr (Foresees<Spec>) {
          if (verdict == LinearVerdict::kNotLinearizable) find_misfit(model, ops, group_, left);
        }
        outcome.configurations += configurations_;
        if (verdict == LinearVerdict::kLinearizable) {
          if (outcome.verdict == verdict) merge.add(model, order());
          continue;
        }
        // Of several keys that fail, tell of the one that fails first in time; a key that fails
        // outweighs one that is undecided.
        const bool firmer = outcome.verdict != LinearVerdict::kNotLinearizable &&
                            (verdict == LinearVerdict::kNotLinearizable ||
                             outcome.verdict == LinearVerdict::kLinearizable);
        if (!firmer && (verdict != outcome.verdict || blocked_return() >= earliest)) {
          continue;
        }
        outcome.verdict = verdict;
        earliest = blocked_return();
        explain(model, group_, outcome);
      }
      if (outcome.verdict == LinearVerdict::kLinearizable) outcome.order = merge.order();
    } else {
      const SpecModel<Spec> model(spec, ops, nullptr);
      outcome.verdict = search(model, ops, ops.intervals, limits);
      if constexpr (Foresees<Spec>) {
        if (outcome.verdict == LinearVerdict::kNotLinearizable) {
          find_misfit(model, ops, ops.intervals, limits);
        }
      }
      outcome.configurations = configurations_;
      explain(model, ops.intervals, outcome);
    }
    return outcome;
  }

 private:
  // Merges the orders of the keys into one: each operation takes effect at the latest call among
  // those up to it in its key's order, which lies before its return.
  struct Merge {
    std::span<const Interval> intervals;
    std::vector<std::pair<uint32_t, uint32_t>> points;

    void add(const SpecModel<Spec>& model, const std::vector<uint32_t>& order) {
      uint32_t point = 0;
      for (uint32_t local : order) {
        const uint32_t op = model.global(local);
        point = std::max(point, intervals[op].call);
        points.emplace_back(point, op);
      }
    }
    std::vector<uint32_t> order() {
      // Stable: operations of a key that share a point stay in that key's order.
      std::stable_sort(points.begin(), points.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      std::vector<uint32_t> order;
      for (const auto& [point, op] : points) order.push_back(op);
      return order;
    }
  };

  void set_kinds(const SpecModel<Spec>& model, std::span<Interval> intervals) {
    kinds_.clear();
    for (uint32_t i = 0; i < intervals.size(); ++i) {
      if (intervals[i].ret != kNeverReturns) continue;
      uint32_t kind = 0;
      while (kind < kinds_.size() && !model.same_operation(kinds_[kind], i)) ++kind;
      if (kind == kinds_.size()) kinds_.push_back(i);
      intervals[i].kind = kind;
    }
  }

  // First the search that is quick on what is easy, then the one that is sure on what is hard; that
  // one needs all states, so the first goes on alone where those are too many.
  LinearVerdict search(const SpecModel<Spec>& model, SpecOps<Spec>& ops,
                       std::vector<Interval>& intervals, const LinearLimits& limits) {
    layered_.reset();
    refuted_.clear();
    configurations_ = 0;
    set_kinds(model, intervals);
    if constexpr (Refutes<Spec>) {
      if (refutes(model, ops, intervals, limits)) return LinearVerdict::kNotLinearizable;
    }
    const auto start = std::chrono::steady_clock::now();
    LinearVerdict verdict = LinearVerdict::kUndecided;
    const bool whole = limits.memory_bytes != 0 && limits.memory_bytes <= quick_bytes_;
    if (quick_bytes_ != 0) {
      LinearLimits quick = limits;
      if (!whole) quick.memory_bytes = quick_bytes_;
      if (quick.memory_bytes < kKeptBytes) search_ = {};  // what it keeps counts, too
      verdict = search_.run(model, intervals, quick);
      configurations_ = search_.configurations();
      if (verdict != LinearVerdict::kUndecided) return verdict;
    }

    LinearLimits left = limits;
    if (!time_left(start, limits, left)) return verdict;
    StateExplorer<Spec> explorer(model, intervals.size(), left);
    if (!time_left(start, limits, left)) return verdict;
    if (explorer.table().states != 0) {
      layered_ = search_in_layers(std::move(explorer.table()), intervals, left);
      configurations_ += layered_->configurations;
      return layered_->verdict;
    }
    if (whole) return verdict;
    verdict = search_.run(model, intervals, left);
    configurations_ += search_.configurations();
    return verdict;
  }

  // Searches operations `chosen` of a search alone; those marked need not take effect.
  LinearVerdict search_alone(const SpecModel<Spec>& model, const SpecOps<Spec>& ops,
                             std::span<const Interval> intervals, std::span<const uint32_t> chosen,
                             const std::vector<char>& optional, const LinearLimits& limits) {
    SpecOps<Spec> part;
    for (const uint32_t op : chosen) {
      part.calls.push_back(ops.calls[model.global(op)]);
      part.results.push_back(ops.results[model.global(op)]);
      part.intervals.push_back(intervals[op]);
      if (optional[op]) part.intervals.back().ret = kNeverReturns;
    }
    const SpecModel<Spec> alone(model.spec(), part, nullptr);
    set_kinds(alone, part.intervals);
    const LinearVerdict verdict = search_.run(alone, part.intervals, limits);
    configurations_ += search_.configurations();
    return verdict;
  }

  // Whether a few of the operations are enough to see that there is no order.
  bool refutes(const SpecModel<Spec>& model, const SpecOps<Spec>& ops,
               std::span<const Interval> intervals, const LinearLimits& limits) {
    std::vector<uint32_t> chosen = model.refute();
    if (chosen.empty()) return false;
    const std::vector<char> none(intervals.size(), 0);
    if (search_alone(model, ops, intervals, chosen, none, limits) !=
        LinearVerdict::kNotLinearizable) {
      return false;
    }
    refuted_ = std::move(chosen);
    return true;
  }

  // Of a history without an order, finds the first return that no order reaches, and an order of
  // all operations that return before: where a search ends that sees the future tells nothing about
  // that.
  void find_misfit(const SpecModel<Spec>& model, const SpecOps<Spec>& ops,
                   std::span<const Interval> intervals, const LinearLimits& limits) {
    std::vector<uint32_t> all = refuted_;
    if (all.empty()) {
      all.resize(intervals.size());
      std::iota(all.begin(), all.end(), 0);
    }
    std::vector<uint32_t> returning;
    for (const uint32_t op : all) {
      if (intervals[op].ret != kNeverReturns) returning.push_back(op);
    }
    std::sort(returning.begin(), returning.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(intervals[a].ret, a) < std::pair(intervals[b].ret, b);
    });
    const auto start = std::chrono::steady_clock::now();
    LinearLimits left = limits;
    LayeredOutcome found;
    size_t good = 0, bad = returning.size();
    while (bad - good > 1 && time_left(start, limits, left)) {
      const size_t middle = good + (bad - good) / 2;
      const uint32_t end = intervals[returning[middle - 1]].ret;
      std::vector<char> optional(intervals.size(), 0);
      for (size_t i = middle; i < returning.size(); ++i) optional[returning[i]] = 1;
      std::vector<uint32_t> chosen;
      std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                   [&](uint32_t op) { return intervals[op].call < end; });
      const LinearVerdict verdict = search_alone(model, ops, intervals, chosen, optional, left);
      if (verdict == LinearVerdict::kUndecided) break;
      if (verdict == LinearVerdict::kNotLinearizable) {
        bad = middle;
        continue;
      }
      good = middle;
      found.order.clear();
      for (const uint32_t op : search_.order()) found.order.push_back(chosen[op]);
    }
    found.blocked = returning[bad - 1];
    found.blocked_return = intervals[found.blocked].ret;
    layered_ = std::move(found);
  }

  static bool time_left(std::chrono::steady_clock::time_point start, const LinearLimits& limits,
                        LinearLimits& left) {
    if (limits.time.count() == 0) return true;
    left.time = limits.time - std::chrono::duration_cast<std::chrono::milliseconds>(
                                  std::chrono::steady_clock::now() - start);
    return left.time.count() > 0;
  }

  // Of the search that had the last word.
  const std::vector<uint32_t>& order() const {
    return layered_ ? layered_->order : search_.order();
  }
  uint32_t blocked() const { return layered_ ? layered_->blocked : search_.blocked(); }
  uint32_t blocked_return() const {
    return layered_ ? layered_->blocked_return : search_.blocked_return();
  }

  void explain(const SpecModel<Spec>& model, std::span<const Interval> intervals,
               SpecOutcome& outcome) {
    outcome.order.clear();
    outcome.unplaced.clear();
    outcome.is_about_few = !refuted_.empty();
    for (uint32_t op : order()) outcome.order.push_back(model.global(op));
    if (outcome.verdict == LinearVerdict::kLinearizable) return;
    // What was left out of the search counts as placed.
    std::vector<char> placed(intervals.size(), refuted_.empty() ? 0 : 1);
    for (uint32_t op : refuted_) placed[op] = 0;
    for (uint32_t op : order()) placed[op] = 1;
    outcome.unplaced.push_back(model.global(blocked()));
    for (uint32_t op = 0; op < intervals.size(); ++op) {
      if (op == blocked() || placed[op] || intervals[op].ret == kNeverReturns) continue;
      if (intervals[op].call < blocked_return()) {
        outcome.unplaced.push_back(model.global(op));
      }
    }
  }

  static constexpr size_t kQuickBytes = size_t{8} << 20;
  static constexpr size_t kKeptBytes = size_t{5} << 20;

  size_t quick_bytes_ = kQuickBytes;
  LinearSearch<SpecModel<Spec>> search_;
  std::optional<LayeredOutcome> layered_;
  std::vector<uint32_t> refuted_;  // what the search was about, if not all
  size_t configurations_ = 0;
  std::vector<Interval> group_;
  std::vector<uint32_t> kinds_;  // of each, an operation
};

}  // namespace ordeal::detail
