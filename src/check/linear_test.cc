#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/history.h"

namespace ordeal {
namespace {

using value::Any;
using IntRegister = RegisterSpec<int>;

// Tries every order that respects real time, without memo or shortcuts, with the state of every
// key.
template <class Spec>
struct BruteForce {
  const History& history;
  Spec spec;
  std::vector<OpRef> ops;
  std::vector<bool> placed;

  explicit BruteForce(const History& h) : history(h) {
    for (const History::Client& client : h.clients()) {
      const uint32_t count =
          static_cast<uint32_t>(client.completed.size()) + (client.pending ? 1 : 0);
      for (uint32_t i = 0; i < count; ++i) ops.push_back({client.id, i});
    }
    placed.resize(ops.size());
  }

  static std::string key(const typename Spec::Call& call) {
    if constexpr (PartitionedSpec<Spec>) return Spec{}.partition(call);
    return {};
  }

  // Applies one operation to the states; false when its result is wrong.
  bool apply(OpRef ref, std::map<std::string, typename Spec::State>& states) const {
    const History::Operation& op = operation(history, ref);
    typename Spec::Call call;
    typename Spec::Return result;
    EXPECT_TRUE(detail::Unpack<typename Spec::Call>::from(op.call, call));
    const bool known = !op.result.empty();
    EXPECT_TRUE(!known || detail::Unpack<typename Spec::Return>::from(op.result, result));
    auto& state = states.try_emplace(key(call), spec.initial()).first->second;
    auto after = spec.step(state, call, known ? &result : nullptr);
    if (after) state = *after;
    return after.has_value();
  }

  bool search(const std::map<std::string, typename Spec::State>& states) {
    bool done = true;
    for (size_t i = 0; i < ops.size(); ++i) {
      done = done && (placed[i] || operation(history, ops[i]).result.empty());
    }
    if (done) return true;
    for (size_t i = 0; i < ops.size(); ++i) {
      if (placed[i]) continue;
      bool first = true;
      for (size_t k = 0; k < ops.size(); ++k) {
        first = first && (placed[k] || !precedes(history, ops[k], ops[i]));
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

struct RegisterMaker {
  static Any call(Rng& rng, bool cas) {
    const int v = static_cast<int>(rng.below(3)), w = static_cast<int>(rng.below(3));
    switch (rng.below(cas ? 3 : 2)) {
      case 0:
        return Any::of(reg::Write<int>{v});
      case 1:
        return Any::of(reg::Read{});
      default:
        return Any::of(reg::Cas<int>{v, w});
    }
  }
  static Any result(Rng& rng, const Any& call) {
    if (call.has<reg::Write<int>>()) return Any::of(reg::WriteOk{});
    if (call.has<reg::Read>()) return Any::of(reg::ReadOk<int>{static_cast<int>(rng.below(3))});
    return rng.below(2) == 0 ? Any::of(reg::CasOk{}) : Any::of(reg::CasFailed{});
  }
};

struct KvMaker {
  static std::string letter(Rng& rng) { return rng.below(2) == 0 ? "a" : "b"; }
  static Any call(Rng& rng, bool) {
    const std::string key = rng.below(4) == 0 ? "k" : "l";
    switch (rng.below(4)) {
      case 0:
        return Any::of(kv::Put{key, letter(rng)});
      case 1:
        return Any::of(kv::Append{key, letter(rng)});
      default:
        return Any::of(kv::Get{key});
    }
  }
  static Any result(Rng& rng, const Any& call) {
    if (!call.has<kv::Get>()) return Any::of(kv::Done{});
    std::string value;
    for (uint64_t n = rng.below(3); n > 0; --n) value += letter(rng);
    return Any::of(kv::Got{value});
  }
};

// `lost`: how many of ten operations never return; their clients go on under another name.
template <class Maker>
History random_history(Rng& rng, int most_ops, bool cas, uint64_t lost) {
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

template <class Spec, class Maker>
void compare_with_brute_force(uint64_t seed, int cases, bool cas, uint64_t lost = 0) {
  Rng rng(seed);
  detail::HistoryChecker<Spec> in_layers;
  in_layers.set_quick_bytes(0);
  int ok = 0;
  for (int i = 0; i < cases; ++i) {
    const History history = random_history<Maker>(rng, lost == 0 ? 6 : 7, cas, lost);
    BruteForce<Spec> brute(history);
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
      ASSERT_FALSE(result.unplaced.empty());
      // The first one has returned, is not in the order, and does not fit right after it.
      const OpRef first = result.unplaced.front();
      ASSERT_FALSE(operation(history, first).result.empty());
      std::vector<OpRef> longer = result.order;
      for (OpRef ref : longer) ASSERT_FALSE(ref == first);
      longer.push_back(first);
      ASSERT_FALSE(brute.valid(longer)) << shown;
      ASSERT_NE(result.explanation.find("client " + std::to_string(first.client.value)),
                std::string::npos);
    }
  }
  // Both answers must occur often, or the comparison says little.
  EXPECT_GT(ok, cases / 20);
  EXPECT_LT(ok, cases - cases / 20);
}

TEST(Linearizable, AgreesWithBruteForceOnRegisters) {
  compare_with_brute_force<IntRegister, RegisterMaker>(1, 4000, false);
}

TEST(Linearizable, AgreesWithBruteForceOnCompareAndSwap) {
  compare_with_brute_force<IntRegister, RegisterMaker>(2, 4000, true);
}

TEST(Linearizable, AgreesWithBruteForceOnKeyValueMaps) {
  compare_with_brute_force<KeyValueSpec, KvMaker>(3, 4000, false);
}

// A queue without any of the optional hints; a push on a full one is lost.
struct Push {
  int value;
};
struct Pop {};
struct Pushed {};
struct Popped {
  std::optional<int> value;
};
template <size_t kMost>
struct BoundedQueue {
  using State = std::vector<int>;
  using Call = std::variant<Push, Pop>;
  using Return = std::variant<Pushed, Popped>;
  State initial() const { return {}; }
  std::optional<State> step(const State& queue, const Call& call, const Return* result) const {
    State after = queue;
    if (const Push* push = std::get_if<Push>(&call)) {
      if (after.size() < kMost) after.push_back(push->value);
      return after;
    }
    std::optional<int> head;
    if (!after.empty()) {
      head = after.front();
      after.erase(after.begin());
    }
    if (result != nullptr && std::get<Popped>(*result).value != head) return std::nullopt;
    return after;
  }
};

using QueueSpec = BoundedQueue<SIZE_MAX>;

struct QueueMaker {
  static Any call(Rng& rng, bool) {
    return rng.below(2) == 0 ? Any::of(Push{static_cast<int>(rng.below(2))}) : Any::of(Pop{});
  }
  static Any result(Rng& rng, const Any& call) {
    if (call.has<Push>()) return Any::of(Pushed{});
    const int n = static_cast<int>(rng.below(3));
    return Any::of(Popped{n == 2 ? std::nullopt : std::optional(n)});
  }
};

TEST(Linearizable, AgreesWithBruteForceOnASpecificationOfTheUser) {
  compare_with_brute_force<QueueSpec, QueueMaker>(4, 4000, false);
}

TEST(Linearizable, AgreesWithBruteForceWhereManyOperationsNeverReturn) {
  compare_with_brute_force<IntRegister, RegisterMaker>(5, 6000, false, 4);
  compare_with_brute_force<IntRegister, RegisterMaker>(6, 6000, true, 4);
  compare_with_brute_force<KeyValueSpec, KvMaker>(7, 6000, false, 4);
  compare_with_brute_force<BoundedQueue<2>, QueueMaker>(8, 6000, false, 4);
}

TEST(Linearizable, AWriteOfTheValueThatIsThereMayStillHaveToWait) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Write<int>{0})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Write<int>{5})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::WriteOk{})));
  ASSERT_TRUE(h.ret(2, Any::of(reg::WriteOk{})));
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::ReadOk<int>{0})));
  EXPECT_TRUE(linearizable<IntRegister>(h).ok);
}

TEST(Linearizable, AStaleReadIsExplainedWithOperationClientAndValues) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Write<int>{7})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::WriteOk{})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(2, Any::of(reg::ReadOk<int>{0})));
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.order, (std::vector<OpRef>{{1, 0}}));
  EXPECT_EQ(result.unplaced, (std::vector<OpRef>{{2, 0}}));
  EXPECT_EQ(result.explanation,
            "not linearizable: no place for client 2: Read = ReadOk{value: 0}; after the longest "
            "order found (client 1: Write{value: 7} = WriteOk) the state is 7");
}

TEST(Linearizable, ACallThatTheSpecificationDoesNotKnowIsNamed) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(Push{1})));
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.explanation.find("client 1 calls Push{value: 1}"), std::string::npos);
}

TEST(Linearizable, ALimitMakesTheAnswerUndecided) {
  History h;
  for (int c = 0; c < 12; ++c) ASSERT_TRUE(h.invoke(c, Any::of(Push{c})));
  for (int c = 0; c < 12; ++c) ASSERT_TRUE(h.ret(c, Any::of(Pushed{})));
  ASSERT_TRUE(h.invoke(0, Any::of(Pop{})));
  ASSERT_TRUE(h.ret(0, Any::of(Popped{99})));
  const LinearResult result =
      linearizable<QueueSpec>(h, {}, {std::chrono::milliseconds(0), size_t{1} << 20});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.undecided);
}

TEST(Linearizable, ALongHistoryNeedsNoDeepRecursion) {
  History h;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(h.invoke(1, Any::of(reg::Write<int>{i})));
    ASSERT_TRUE(h.ret(1, Any::of(reg::WriteOk{})));
  }
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.order.size(), 3000u);
}

}  // namespace
}  // namespace ordeal
