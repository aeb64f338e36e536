// Joins a sequential specification to the search: typed operations in, an order or the reason why
// there is none out. Keys are checked one by one where the specification has a partition.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ordeal/detail/linear_search.h"
#include "ordeal/detail/sequential_spec.h"
#include "ordeal/value.h"

namespace ordeal::detail {

// Operations of one history, in parallel arrays. An operation without a result may still have
// returned (the answer got lost); one with a result has returned.
template <SequentialSpec Spec>
struct SpecOps {
  std::vector<typename Spec::Call> calls;
  std::vector<std::optional<typename Spec::Return>> results;
  std::vector<Interval> intervals;

  void clear() {
    calls.clear();
    results.clear();
    intervals.clear();
  }
};

template <class Spec>
inline constexpr bool kSimplifies = requires {
  typename Spec::Outlook;
};
template <class Spec>
struct OutlookOf {
  struct Type {};
};
template <class Spec>
requires kSimplifies<Spec>
struct OutlookOf<Spec> {
  using Type = typename Spec::Outlook;
};

template <class Spec>
concept LooksAhead = requires(const Spec& spec, const typename Spec::State& state,
                              const typename Spec::Call& call, const typename Spec::Return& result,
                              std::span<const typename Spec::Call* const> others) {
  spec.may_fit(state, call, result, others);
};

template <SequentialSpec Spec>
class SpecModel {
 public:
  using State = typename Spec::State;

  // Operation i of the search is operation members[i]; all of them when `members` is null.
  SpecModel(const Spec& spec, const SpecOps<Spec>& ops, const std::vector<uint32_t>* members)
      : spec_(spec), ops_(ops), members_(members) {
    if constexpr (kSimplifies<Spec>) {
      std::vector<const typename Spec::Return*> results;
      const size_t count = members_ != nullptr ? members_->size() : ops_.calls.size();
      for (uint32_t op = 0; op < count; ++op) {
        if (result(op) != nullptr) results.push_back(result(op));
      }
      outlook_ = spec_.outlook(results);
    }
  }

  uint32_t global(uint32_t op) const { return members_ != nullptr ? (*members_)[op] : op; }

  State initial() const { return spec_.initial(); }
  std::optional<State> step(const State& state, uint32_t op) const {
    std::optional<State> after = spec_.step(state, ops_.calls[global(op)], result(op));
    if constexpr (kSimplifies<Spec>) {
      if (after) spec_.simplify(*after, outlook_);
    }
    return after;
  }
  uint64_t hash(const State& state) const { return value::hash(state); }
  bool equal(const State& a, const State& b) const { return value::equal(a, b); }
  size_t bytes(const State& state) const {
    if constexpr (std::is_same_v<State, std::string>) {
      return sizeof(state) + state.capacity();
    } else {
      // A guess for states that hold memory elsewhere.
      return sizeof(state) * (std::is_trivially_copyable_v<State> ? 1 : 8);
    }
  }

  bool is_query(uint32_t op) const {
    if constexpr (requires { spec_.is_query(ops_.calls[0], result(op)); }) {
      return spec_.is_query(ops_.calls[global(op)], result(op));
    } else {
      return false;
    }
  }
  // Of the call and the result.
  uint64_t operation_hash(uint32_t op) const {
    const uint64_t call = value::hash(ops_.calls[global(op)]);
    return linear_mix(call) ^ (result(op) != nullptr ? value::hash(*result(op)) : 0);
  }
  bool same_operation(uint32_t a, uint32_t b) const {
    if (!value::equal(ops_.calls[global(a)], ops_.calls[global(b)])) return false;
    if (result(a) == nullptr || result(b) == nullptr) return result(a) == result(b);
    return value::equal(*result(a), *result(b));
  }
  bool may_fit(const State& state, uint32_t op,
               std::span<const uint32_t> others) const requires LooksAhead<Spec> {
    if (result(op) == nullptr) return true;
    others_.clear();
    for (uint32_t other : others) others_.push_back(&ops_.calls[global(other)]);
    return spec_.may_fit(state, ops_.calls[global(op)], *result(op), others_);
  }

 private:
  const typename Spec::Return* result(uint32_t op) const {
    const auto& result = ops_.results[global(op)];
    return result ? &*result : nullptr;
  }

  const Spec& spec_;
  const SpecOps<Spec>& ops_;
  const std::vector<uint32_t>* members_;
  typename OutlookOf<Spec>::Type outlook_;
  mutable std::vector<const typename Spec::Call*> others_;
};

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
// configurations at once. See src/check/layered_search.cc.
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
  size_t configurations = 0;  // that were looked at
};

// Keeps its memory from one check to the next.
template <SequentialSpec Spec>
class SpecChecker {
 public:
  // How much memory the first, quick search may use before the other one takes over; 0: there is
  // no quick search.
  void set_quick_bytes(size_t bytes) { quick_bytes_ = bytes; }

  // Only the answer: nothing is allocated once the object has seen a history of this size.
  // REQUIRES: ops stays in place and unchanged during the call (kinds are filled in here).
  LinearVerdict verdict(const Spec& spec, SpecOps<Spec>& ops, const LinearLimits& limits = {}) {
    if constexpr (PartitionedSpec<Spec>) {
      return check(spec, ops, limits).verdict;
    } else {
      return search(SpecModel<Spec>(spec, ops, nullptr), ops, ops.intervals, nullptr, limits);
    }
  }

  SpecOutcome check(const Spec& spec, SpecOps<Spec>& ops, const LinearLimits& limits = {}) {
    SpecOutcome outcome;
    if constexpr (PartitionedSpec<Spec>) {
      using Key = std::remove_cvref_t<decltype(spec.partition(ops.calls[0]))>;
      std::map<Key, std::vector<uint32_t>> groups;
      for (uint32_t i = 0; i < ops.calls.size(); ++i) {
        groups[spec.partition(ops.calls[i])].push_back(i);
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
        const LinearVerdict verdict = search(model, ops, group_, &members, left);
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
      outcome.verdict = search(model, ops, ops.intervals, nullptr, limits);
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

  void set_kinds(const std::vector<typename Spec::Call>& calls, std::vector<Interval>& intervals,
                 const std::vector<uint32_t>* members) {
    kinds_.clear();
    for (uint32_t i = 0; i < intervals.size(); ++i) {
      if (intervals[i].ret != kNeverReturns) continue;
      const auto& call = calls[members != nullptr ? (*members)[i] : i];
      uint32_t kind = 0;
      while (kind < kinds_.size() && !value::equal(*kinds_[kind], call)) ++kind;
      if (kind == kinds_.size()) kinds_.push_back(&call);
      intervals[i].kind = kind;
    }
  }

  // First the search that is quick on what is easy, then the one that is sure on what is hard; that
  // one needs all states, so the first goes on alone where those are too many.
  LinearVerdict search(const SpecModel<Spec>& model, SpecOps<Spec>& ops,
                       std::vector<Interval>& intervals, const std::vector<uint32_t>* members,
                       const LinearLimits& limits) {
    layered_.reset();
    configurations_ = 0;
    set_kinds(ops.calls, intervals, members);
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
    for (uint32_t op : order()) outcome.order.push_back(model.global(op));
    if (outcome.verdict == LinearVerdict::kLinearizable) return;
    std::vector<char> placed(intervals.size(), 0);
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
  size_t configurations_ = 0;
  std::vector<Interval> group_;
  std::vector<const typename Spec::Call*> kinds_;
};

}  // namespace ordeal::detail
