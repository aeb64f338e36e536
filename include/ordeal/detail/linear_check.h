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

struct SpecOutcome {
  LinearVerdict verdict = LinearVerdict::kLinearizable;
  // Linearizable: all operations that took effect, in an order that works. Otherwise the longest
  // partial order found, of the one key that `unplaced` is about.
  std::vector<uint32_t> order;
  // Otherwise: the operations that may come next by real time and do not fit, the first to return
  // among them first.
  std::vector<uint32_t> unplaced;
};

// Keeps its memory from one check to the next.
template <SequentialSpec Spec>
class SpecChecker {
 public:
  // Only the answer: nothing is allocated once the object has seen a history of this size.
  // REQUIRES: ops stays in place and unchanged during the call (kinds are filled in here).
  LinearVerdict verdict(const Spec& spec, SpecOps<Spec>& ops, const LinearLimits& limits = {}) {
    if constexpr (PartitionedSpec<Spec>) {
      return check(spec, ops, limits).verdict;
    } else {
      set_kinds(ops.calls, ops.intervals, nullptr);
      return search_.run(SpecModel<Spec>(spec, ops, nullptr), ops.intervals, limits);
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
        set_kinds(ops.calls, group_, &members);
        const SpecModel<Spec> model(spec, ops, &members);
        const LinearVerdict verdict = search_.run(model, group_, left);
        if (verdict == LinearVerdict::kLinearizable) {
          if (outcome.verdict == verdict) merge.add(model, search_.order());
          continue;
        }
        // Of several keys that fail, tell of the one that fails first in time; a key that fails
        // outweighs one that is undecided.
        const bool firmer = outcome.verdict != LinearVerdict::kNotLinearizable &&
                            (verdict == LinearVerdict::kNotLinearizable ||
                             outcome.verdict == LinearVerdict::kLinearizable);
        if (!firmer && (verdict != outcome.verdict || search_.blocked_return() >= earliest)) {
          continue;
        }
        outcome.verdict = verdict;
        earliest = search_.blocked_return();
        explain(model, group_, outcome);
      }
      if (outcome.verdict == LinearVerdict::kLinearizable) outcome.order = merge.order();
    } else {
      set_kinds(ops.calls, ops.intervals, nullptr);
      const SpecModel<Spec> model(spec, ops, nullptr);
      outcome.verdict = search_.run(model, ops.intervals, limits);
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

  void explain(const SpecModel<Spec>& model, std::span<const Interval> intervals,
               SpecOutcome& outcome) {
    outcome.order.clear();
    outcome.unplaced.clear();
    for (uint32_t op : search_.order()) outcome.order.push_back(model.global(op));
    if (outcome.verdict == LinearVerdict::kLinearizable) return;
    std::vector<char> placed(intervals.size(), 0);
    for (uint32_t op : search_.order()) placed[op] = 1;
    outcome.unplaced.push_back(model.global(search_.blocked()));
    for (uint32_t op = 0; op < intervals.size(); ++op) {
      if (op == search_.blocked() || placed[op] || intervals[op].ret == kNeverReturns) continue;
      if (intervals[op].call < search_.blocked_return()) {
        outcome.unplaced.push_back(model.global(op));
      }
    }
  }

  LinearSearch<SpecModel<Spec>> search_;
  std::vector<Interval> group_;
  std::vector<const typename Spec::Call*> kinds_;
};

}  // namespace ordeal::detail
