// A sequential specification as the search sees it: operations by number, with what the
// specification knows about them beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "ordeal/detail/linear_search.h"
#include "ordeal/detail/sequential_spec.h"
#include "ordeal/value.h"

namespace ordeal::detail {

// Operations of one history, in parallel arrays. An operation without a result may still have
// returned (the answer got lost).
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
struct OutlookOf {
  struct Type {};
};
template <Simplifies Spec>
struct OutlookOf<Spec> {
  using Type = typename Spec::Outlook;
};
template <class Spec>
struct ForesightOf {
  struct Type {};
};
template <Foresees Spec>
struct ForesightOf<Spec> {
  using Type = typename Spec::Foresight;
};

template <SequentialSpec Spec>
class SpecModel {
 public:
  using State = typename Spec::State;

  // Operation i of the search is operation members[i]; all of them when `members` is null.
  SpecModel(const Spec& spec, const SpecOps<Spec>& ops, const std::vector<uint32_t>* members)
      : spec_(spec), ops_(ops), members_(members) {
    if constexpr (Simplifies<Spec>) {
      std::vector<const typename Spec::Return*> results;
      const size_t count = members_ != nullptr ? members_->size() : ops_.calls.size();
      for (uint32_t op = 0; op < count; ++op) {
        if (result(op) != nullptr) results.push_back(result(op));
      }
      outlook_ = spec_.outlook(results);
    }
    if constexpr (Foresees<Spec>) {
      std::vector<TimedOperation<typename Spec::Call, typename Spec::Return>> timed;
      const size_t count = members_ != nullptr ? members_->size() : ops_.calls.size();
      for (uint32_t op = 0; op < count; ++op) {
        const Interval& interval = ops_.intervals[global(op)];
        timed.push_back({&ops_.calls[global(op)], result(op), interval.call, interval.ret});
      }
      foresight_ = spec_.foresight(timed);
    }
  }

  const Spec& spec() const { return spec_; }
  uint32_t global(uint32_t op) const { return members_ != nullptr ? (*members_)[op] : op; }

  State initial() const { return spec_.initial(); }
  std::optional<State> step(const State& state, uint32_t op) const {
    std::optional<State> after = spec_.step(state, ops_.calls[global(op)], result(op));
    if constexpr (Simplifies<Spec>) {
      if (after) spec_.simplify(*after, outlook_);
    }
    return after;
  }
  uint64_t hash(const State& state) const { return value::hash(state); }
  bool equal(const State& a, const State& b) const { return value::equal(a, b); }
  size_t bytes(const State& state) const {
    if constexpr (requires { state.capacity() * sizeof(typename State::value_type); }) {
      return sizeof(state) + state.capacity() * sizeof(typename State::value_type);
    } else if constexpr (requires { state.size() * sizeof(typename State::value_type); }) {
      // A tree has a node with three links for each of them.
      return sizeof(state) + state.size() * (sizeof(typename State::value_type) + kTreeNode);
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
  auto prospect(const State& state, std::span<const uint32_t> ready,
                uint32_t now) const requires Foresees<Spec> {
    return spec_.prospect(state, foresight_, ready, now);
  }
  template <class Prospect>
  Advice advice(const Prospect& prospect, uint32_t op) const requires Foresees<Spec> {
    return spec_.advice(prospect, foresight_, op);
  }
  std::vector<uint32_t> refute() const requires Refutes<Spec> { return spec_.refute(foresight_); }

 private:
  static constexpr size_t kTreeNode = 48;

  const typename Spec::Return* result(uint32_t op) const {
    const auto& result = ops_.results[global(op)];
    return result ? &*result : nullptr;
  }

  const Spec& spec_;
  const SpecOps<Spec>& ops_;
  const std::vector<uint32_t>* members_;
  typename OutlookOf<Spec>::Type outlook_;
  typename ForesightOf<Spec>::Type foresight_;
  mutable std::vector<const typename Spec::Call*> others_;
};

}  // namespace ordeal::detail
