#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/history.h"
#include "tests/oracle/histories/brute_force.h"

namespace ordeal {
namespace {

using histories::compare_with_brute_force;
using value::Any;
using IntRegister = RegisterSpec<int>;

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
            "not linearizable: no place for client 2: Read = ReadOk{value: 0} beside client 1: "
            "Write{value: 7} = WriteOk (returned before its call)");
}

TEST(Linearizable, TheReasonLeavesOutWhatItDoesNotNeed) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Write<int>{7})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::WriteOk{})));
  ASSERT_TRUE(h.ret(2, Any::of(reg::ReadOk<int>{0})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(2, Any::of(reg::ReadOk<int>{0})));
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_EQ(result.core, (std::vector<OpRef>{{1, 0}, {2, 1}}));
  EXPECT_EQ(result.unplaced, (std::vector<OpRef>{{2, 1}}));
  EXPECT_EQ(result.order, (std::vector<OpRef>{{2, 0}, {1, 0}}));
  EXPECT_EQ(result.explanation,
            "not linearizable: no place for client 2: Read = ReadOk{value: 0} beside client 1: "
            "Write{value: 7} = WriteOk (returned before its call), whatever the other operation "
            "did");
}

TEST(Linearizable, AReadIsNoReasonAloneIfItsWriteWasCalledTooLate) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::ReadOk<int>{7})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Write<int>{7})));
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_EQ(result.core, (std::vector<OpRef>{{1, 0}, {2, 0}}));
  EXPECT_EQ(result.explanation,
            "not linearizable: no place for client 1: Read = ReadOk{value: 7} beside client 2: "
            "Write{value: 7} (pending) (called after its return)");
}

TEST(Linearizable, AValueThatNobodyWroteIsAReasonAlone) {
  History h;
  ASSERT_TRUE(h.invoke(1, Any::of(reg::Write<int>{1})));
  ASSERT_TRUE(h.ret(1, Any::of(reg::WriteOk{})));
  ASSERT_TRUE(h.invoke(2, Any::of(reg::Read{})));
  ASSERT_TRUE(h.ret(2, Any::of(reg::ReadOk<int>{7})));
  const LinearResult result = linearizable<IntRegister>(h);
  EXPECT_EQ(result.core, (std::vector<OpRef>{{2, 0}}));
  EXPECT_EQ(result.explanation,
            "not linearizable: no place for client 2: Read = ReadOk{value: 7}, whatever the other "
            "operation did");
}

TEST(Linearizable, AReasonThatIsTooHardToShortenSaysSo) {
  History h;
  // Whoever frees some of these writes has their orders to try.
  for (int i = 1; i <= 400; ++i) {
    const int client = 1 + i % 8;
    ASSERT_TRUE(h.invoke(client, Any::of(Push{i})));
    ASSERT_TRUE(h.ret(client, Any::of(Pushed{})));
  }
  for (int i = 1; i <= 400; ++i) {
    ASSERT_TRUE(h.invoke(1, Any::of(Pop{})));
    ASSERT_TRUE(h.ret(1, Any::of(Popped{i == 399 ? 400 : i == 400 ? 399 : i})));
  }
  const LinearResult result = linearizable<QueueSpec>(h);
  ASSERT_FALSE(result.ok || result.undecided);
  EXPECT_FALSE(result.core_is_minimal);
  EXPECT_NE(std::find(result.core.begin(), result.core.end(), result.unplaced.front()),
            result.core.end());
  EXPECT_NE(result.explanation.find("fewer of these may be enough: looking for them was given up"),
            std::string::npos);
  EXPECT_LT(result.explanation.size(), 2000u);
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
