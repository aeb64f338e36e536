// Linearizability by trying every order, to compare with; and random histories of typed operations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/history.h"

namespace ordeal::histories {

// Tries every order that respects real time, without memo or shortcuts, with the state of every
// key.
template <class Spec>
struct BruteForce {
  // A free operation may take effect at any time, whatever it returned, or never.
  enum class Role { kBound, kFree, kAbsent };

  const History& history;
  Spec spec;
  std::vector<OpRef> ops;
  std::vector<bool> placed;
  std::vector<Role> roles;

  explicit BruteForce(const History& h) : history(h) {
    for (const History::Client& client : h.clients()) {
      const uint32_t count =
          static_cast<uint32_t>(client.completed.size()) + (client.pending ? 1 : 0);
      for (uint32_t i = 0; i < count; ++i) ops.push_back({client.id, i});
    }
    placed.resize(ops.size());
    roles.resize(ops.size());
  }

  size_t number(OpRef ref) const {
    return static_cast<size_t>(std::find(ops.begin(), ops.end(), ref) - ops.begin());
  }
  bool may_stay_out(size_t op) const {
    return roles[op] != Role::kBound || operation(history, ops[op]).result.empty();
  }

  // Whether there is an order of the operations in their roles, all others in the role `rest`.
  bool search_as(const std::vector<OpRef>& chosen, Role role, Role rest) {
    roles.assign(ops.size(), rest);
    for (const OpRef ref : chosen) roles[number(ref)] = role;
    const bool found = search({});
    roles.assign(ops.size(), Role::kBound);
    return found;
  }

  static std::string key(const typename Spec::Call& call) {
    if constexpr (detail::PartitionedByCall<Spec>) return Spec{}.partition(call);
    return {};
  }

  // Applies one operation to the states; false when its result is wrong.
  bool apply(OpRef ref, std::map<std::string, typename Spec::State>& states) const {
    const History::Operation& op = operation(history, ref);
    typename Spec::Call call;
    typename Spec::Return result;
    EXPECT_TRUE(detail::Unpack<typename Spec::Call>::from(op.call, call));
    const bool known = !op.result.empty() && roles[number(ref)] == Role::kBound;
    EXPECT_TRUE(!known || detail::Unpack<typename Spec::Return>::from(op.result, result));
    auto& state = states.try_emplace(key(call), spec.initial()).first->second;
    auto after = spec.step(state, call, known ? &result : nullptr);
    if (after) state = *after;
    return after.has_value();
  }

  bool search(const std::map<std::string, typename Spec::State>& states) {
    bool done = true;
    for (size_t i = 0; i < ops.size(); ++i) {
      done = done && (placed[i] || may_stay_out(i));
    }
    if (done) return true;
    for (size_t i = 0; i < ops.size(); ++i) {
      if (placed[i] || roles[i] == Role::kAbsent) continue;
      bool first = true;
      for (size_t k = 0; k < ops.size(); ++k) {
        const bool ordered = roles[i] == Role::kBound && roles[k] == Role::kBound;
        first = first && (placed[k] || !ordered || !precedes(history, ops[k], ops[i]));
      }
      auto after = states;
      if (!first || !apply(ops[i], after)) continue;
      placed[i] = true;
      const bool found = search(after);
      placed[i] = false;
      if (found) return true;
    }
    return false;
  }

  // Whether the order is one of distinct operations that respects real time and the specification.
  bool valid(const std::vector<OpRef>& order) const {
    std::map<std::string, typename Spec::State> states;
    for (size_t i = 0; i < order.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (order[k] == order[i] || precedes(history, order[i], order[k])) return false;
      }
      if (!apply(order[i], states)) return false;
    }
    return true;
  }
};

// The reason for a history without an order is what trying all orders says: the core has none,
// whatever the others do; each of its operations is needed for that; and the order is one of all
// operations but the unplaced ones, of which none can be taken back.
template <class Spec>
void check_reason(const History& history, const LinearResult& result) {
  using Role = typename BruteForce<Spec>::Role;
  BruteForce<Spec> brute(history);
  const auto without = [](std::vector<OpRef> from, OpRef ref) {
    from.erase(std::find(from.begin(), from.end(), ref));
    return from;
  };
  const auto has = [](const std::vector<OpRef>& in, OpRef ref) {
    return std::find(in.begin(), in.end(), ref) != in.end();
  };
  ASSERT_TRUE(result.core_is_minimal);
  ASSERT_FALSE(brute.search_as(result.core, Role::kBound, Role::kFree));
  for (const OpRef ref : result.core) {
    ASSERT_TRUE(brute.search_as(without(result.core, ref), Role::kBound, Role::kFree));
  }
  ASSERT_FALSE(result.unplaced.empty());
  ASSERT_TRUE(has(result.core, result.unplaced.front()));
  for (const OpRef ref : result.unplaced) {
    ASSERT_FALSE(operation(history, ref).result.empty());
    ASSERT_FALSE(has(result.order, ref));
    ASSERT_FALSE(brute.search_as(without(result.unplaced, ref), Role::kAbsent, Role::kBound));
  }
  for (const OpRef ref : brute.ops) {
    ASSERT_TRUE(operation(history, ref).result.empty() || has(result.order, ref) ||
                has(result.unplaced, ref));
  }
}

// `lost`: how many of ten operations never return; their clients go on under another name.
template <class Maker>
History random_history(Rng& rng, int most_ops, bool cas, uint64_t lost) {
  using value::Any;
  History history;
  std::map<int, Any> pending;
  std::map<int, int> named;
  int left = 1 + static_cast<int>(rng.below(static_cast<uint64_t>(most_ops)));
  const int clients = 1 + static_cast<int>(rng.below(3));
  while (left > 0 || (!pending.empty() && rng.below(4) != 0)) {
    const int number = static_cast<int>(rng.below(static_cast<uint64_t>(clients)));
    const int client = number + clients * named[number];
    if (const auto at = pending.find(client); at != pending.end()) {
      if (lost != 0 && rng.below(10) < lost) {
        ++named[number];
      } else {
        EXPECT_TRUE(history.ret(client, Maker::result(rng, at->second)));
      }
      pending.erase(at);
    } else if (left > 0) {
      --left;
      const Any call = Maker::call(rng, cas);
      EXPECT_TRUE(history.invoke(client, call));
      pending.emplace(client, call);
    }
  }
  return history;
}

// What linearizable<Spec> says about random histories is what trying all orders says, by the words
// of `Plain`: a specification with the same calls and results, and without any hints.
template <class Spec, class Maker, class Plain = Spec>
void compare_with_brute_force(uint64_t seed, int cases, bool cas, uint64_t lost = 0) {
  Rng rng(seed);
  detail::HistoryChecker<Spec> in_layers;
  in_layers.set_quick_bytes(0);
  int ok = 0;
  for (int i = 0; i < cases; ++i) {
    const History history = random_history<Maker>(rng, lost == 0 ? 6 : 7, cas, lost);
    BruteForce<Plain> brute(history);
    const bool expected = brute.search({});
    const bool layered = i % 2 != 0;
    const LinearResult result =
        layered ? in_layers.check(history, Spec{}, {}) : linearizable<Spec>(history);
    const std::string shown = value::show(history.tree()) + "\n" + result.explanation;
    ASSERT_EQ(result.ok, expected) << shown;
    ASSERT_EQ(layered ? linear_verdict<Spec>(history) : in_layers.verdict(history, Spec{}, {}),
              expected ? LinearVerdict::kLinearizable : LinearVerdict::kNotLinearizable);
    ASSERT_TRUE(brute.valid(result.order)) << shown;
    ok += expected ? 1 : 0;
    if (expected) {
      size_t completed = 0;
      for (const History::Client& client : history.clients()) completed += client.completed.size();
      size_t placed = 0;
      for (OpRef ref : result.order) placed += operation(history, ref).result.empty() ? 0 : 1;
      ASSERT_EQ(placed, completed) << shown;
    } else {
      ASSERT_NO_FATAL_FAILURE(check_reason<Plain>(history, result)) << shown;
      const OpRef first = result.unplaced.front();
      ASSERT_NE(result.explanation.find("client " + std::to_string(first.client.value)),
                std::string::npos);
    }
  }
  // Both answers must occur often, or the comparison says little.
  EXPECT_GT(ok, cases / 20);
  EXPECT_LT(ok, cases - cases / 20);
}

}  // namespace ordeal::histories
