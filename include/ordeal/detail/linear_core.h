// The reason why a history has no order: the few operations that have none among themselves, and an
// order of all but as few as possible.
//
// What is left out of a core is not thrown away, or a read would have no place for no other reason
// than that the write it saw is gone. It is freed: it may take effect at any time, whatever it
// returned, or never. So a core needs nothing of the others but that they were called at all. Free
// operations only allow more, so what has no order has none with more operations bound, either, and
// leaving operations out one by one ends at a core of which each is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ordeal/detail/linear_check.h"

namespace ordeal::detail {

struct LinearReason {
  // Have no order, whatever the others do; in order of their calls.
  std::vector<uint32_t> core;
  bool is_minimal = true;  // false: looking for fewer was given up
  // Left out, there is an order of the others. They have returned, and each is needed for that; the
  // first is in the core.
  std::vector<uint32_t> unplaced;
  std::vector<uint32_t> order;  // of the others
};

// REQUIRES: the operations have no order; ops stays in place and unchanged meanwhile.
template <SequentialSpec Spec>
class ReasonFinder {
 public:
  ReasonFinder(const Spec& spec, const SpecOps<Spec>& ops) : spec_(spec), ops_(ops) {}

  // `found` is what the search had to say.
  LinearReason find(const SpecOutcome& found) {
    LinearReason reason = core(found);
    find_rest(found, reason);
    return reason;
  }

  // The core alone, without an order of the others.
  LinearReason core(const SpecOutcome& found) {
    LinearReason reason;
    find_core(found.unplaced.front(), reason);
    return reason;
  }

 private:
  // Bounds that are the same on every machine: of the work of all searches, in operations and
  // configurations; and of one search. Each configuration may go on with any free operation.
  static constexpr size_t kMostWork = size_t{1} << 20;
  static constexpr size_t kFewFree = 64, kMostFree = 1024;
  static constexpr size_t kMostBytes = size_t{6} << 20;  // with few free ones; else a sixth

  enum class Role : char { kBound, kFree, kAbsent };

  SpecOutcome check(const std::vector<Role>& roles) {
    size_t free_ones = 0;
    for (uint32_t op = 0; op < roles.size(); ++op) {
      free_ones += roles[op] == Role::kFree && !is_query(op);
    }
    if (free_ones > kMostFree) {
      work_ += roles.size() / 16 + 1;
      SpecOutcome given_up;
      given_up.verdict = LinearVerdict::kUndecided;
      return given_up;
    }
    SpecOps<Spec> part;
    members_.clear();
    for (uint32_t op = 0; op < ops_.calls.size(); ++op) {
      if (roles[op] == Role::kAbsent || (roles[op] == Role::kFree && is_query(op))) continue;
      const bool free = roles[op] == Role::kFree;
      members_.push_back(op);
      part.calls.push_back(ops_.calls[op]);
      part.results.emplace_back();
      if (!free) part.results.back() = ops_.results[op];
      part.intervals.push_back(free ? Interval{} : ops_.intervals[op]);
    }
    LinearLimits limits;
    limits.memory_bytes = free_ones <= kFewFree ? kMostBytes : kMostBytes / 6;
    SpecOutcome outcome = checker_.check(spec_, part, limits);
    work_ += part.calls.size() + outcome.configurations * (1 + free_ones / 8);
    return outcome;
  }
  // Free, it can be left out.
  bool is_query(uint32_t op) const {
    if constexpr (requires { spec_.is_query(ops_.calls[op], nullptr); }) {
      return spec_.is_query(ops_.calls[op], nullptr);
    } else {
      return false;
    }
  }

  // By return, those that never did last; then by number.
  bool returns_before(uint32_t a, uint32_t b) const {
    return std::pair(ops_.intervals[a].ret, a) < std::pair(ops_.intervals[b].ret, b);
  }

  // Keys do not touch each other: only those of one key can be the reason.
  std::vector<uint32_t> of_same_key(uint32_t blocked) const {
    std::vector<uint32_t> same;
    for (uint32_t op = 0; op < ops_.calls.size(); ++op) {
      if constexpr (PartitionedSpec<Spec>) {
        if (!(key(op) == key(blocked))) continue;
      }
      same.push_back(op);
    }
    return same;
  }
  auto key(uint32_t op) const requires PartitionedSpec<Spec> {
    return partition_of(spec_, ops_.calls[op], ops_.results[op] ? &*ops_.results[op] : nullptr);
  }

  // Frees as many as it can, first many at once: the last to return first, and `blocked` last of
  // all.
  void find_core(uint32_t blocked, LinearReason& reason) {
    std::vector<uint32_t> bound = of_same_key(blocked);
    std::sort(bound.begin(), bound.end(), [&](uint32_t a, uint32_t b) {
      if ((a == blocked) != (b == blocked)) return b == blocked;
      return returns_before(b, a);
    });
    std::vector<Role> roles(ops_.calls.size(), Role::kAbsent);
    for (const uint32_t op : bound) roles[op] = Role::kBound;
    for (size_t chunk = std::max<size_t>(1, bound.size() / 2);; chunk /= 2) {
      std::vector<uint32_t> kept;
      for (size_t begin = 0; begin < bound.size(); begin += chunk) {
        const size_t end = std::min(bound.size(), begin + chunk);
        bool can_go = false;
        if (work_ < kMostWork) {
          for (size_t i = begin; i < end; ++i) roles[bound[i]] = Role::kFree;
          const LinearVerdict verdict = check(roles).verdict;
          can_go = verdict == LinearVerdict::kNotLinearizable;
          // Nobody knows whether they are needed.
          if (verdict == LinearVerdict::kUndecided && chunk == 1) reason.is_minimal = false;
        } else {
          reason.is_minimal = false;
        }
        for (size_t i = begin; i < end && !can_go; ++i) {
          roles[bound[i]] = Role::kBound;
          kept.push_back(bound[i]);
        }
      }
      bound = std::move(kept);
      if (chunk == 1) break;
    }
    std::sort(bound.begin(), bound.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(ops_.intervals[a].call, a) < std::pair(ops_.intervals[b].call, b);
    });
    reason.core = std::move(bound);
  }

  // Leaves out what does not fit until the others have an order, then takes back what does.
  void find_rest(const SpecOutcome& found, LinearReason& reason) {
    work_ = 0;
    std::vector<Role> roles(ops_.calls.size(), Role::kBound);
    if (!leave_one(found.unplaced.front(), roles, reason) && !leave_several(found, roles, reason)) {
      // Given up: what the search had found.
      reason.order = found.order;
      reason.unplaced = found.unplaced;
      if (!in_core(found.unplaced.front(), reason)) {
        reason.core.push_back(found.unplaced.front());
        reason.is_minimal = false;
      }
    }
    // Whatever is left out for an order of the others, one of the core is among it.
    std::stable_partition(reason.unplaced.begin(), reason.unplaced.end(),
                          [&](uint32_t op) { return in_core(op, reason); });
  }
  static bool in_core(uint32_t op, const LinearReason& reason) {
    return std::find(reason.core.begin(), reason.core.end(), op) != reason.core.end();
  }

  // The operations of the core that returned, the likeliest to have no place first.
  std::vector<uint32_t> candidates(uint32_t blocked, const LinearReason& reason) const {
    std::vector<uint32_t> out;
    for (const uint32_t op : reason.core) {
      if (ops_.intervals[op].ret != kNeverReturns) out.push_back(op);
    }
    std::sort(out.begin(), out.end(), [&](uint32_t a, uint32_t b) {
      if ((a == blocked) != (b == blocked)) return a == blocked;
      return returns_before(b, a);
    });
    return out;
  }

  bool leave_one(uint32_t blocked, std::vector<Role>& roles, LinearReason& reason) {
    for (const uint32_t op : candidates(blocked, reason)) {
      if (work_ >= kMostWork) return false;
      roles[op] = Role::kAbsent;
      if (is_in_order(roles, reason)) {
        reason.unplaced = {op};
        return true;
      }
      roles[op] = Role::kBound;
    }
    return false;
  }

  bool leave_several(const SpecOutcome& found, std::vector<Role>& roles, LinearReason& reason) {
    std::vector<uint32_t> out = {candidates(found.unplaced.front(), reason).front()};
    while (true) {
      roles[out.back()] = Role::kAbsent;
      const SpecOutcome outcome = check(roles);
      if (outcome.verdict == LinearVerdict::kLinearizable) {
        keep(outcome, reason);
        break;
      }
      if (outcome.verdict == LinearVerdict::kUndecided || work_ >= kMostWork) return false;
      out.push_back(members_[outcome.unplaced.front()]);
    }
    std::vector<uint32_t> needed;
    for (const uint32_t op : out) {
      roles[op] = Role::kBound;
      if (work_ < kMostWork && is_in_order(roles, reason)) continue;
      roles[op] = Role::kAbsent;
      needed.push_back(op);
    }
    reason.unplaced = std::move(needed);
    return true;
  }

  bool is_in_order(const std::vector<Role>& roles, LinearReason& reason) {
    const SpecOutcome outcome = check(roles);
    if (outcome.verdict != LinearVerdict::kLinearizable) return false;
    keep(outcome, reason);
    return true;
  }

  void keep(const SpecOutcome& outcome, LinearReason& reason) const {
    reason.order.clear();
    for (const uint32_t op : outcome.order) reason.order.push_back(members_[op]);
  }

  const Spec& spec_;
  const SpecOps<Spec>& ops_;
  SpecChecker<Spec> checker_;
  std::vector<uint32_t> members_;  // of the last check
  size_t work_ = 0;
};

}  // namespace ordeal::detail
