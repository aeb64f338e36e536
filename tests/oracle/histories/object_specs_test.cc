// The specifications of include/ordeal/detail/object_specs.h and queue_specs.h, with all their
// hints to the search, against every order tried by plain words.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "ordeal/history.h"
#include "tests/oracle/histories/brute_force.h"

namespace ordeal::histories {
namespace {

using value::Any;

int small(Rng& rng, uint64_t bound) { return static_cast<int>(rng.below(bound)); }

struct MutexMaker {
  static Any call(Rng& rng, bool) {
    return rng.below(2) == 0 ? Any::of(mutex_ops::Acquire{}) : Any::of(mutex_ops::Release{});
  }
  static Any result(Rng& rng, const Any&) {
    return rng.below(3) != 0 ? Any::of(mutex_ops::Done{}) : Any::of(mutex_ops::Refused{});
  }
};

struct PlainMutex {
  using State = int;
  using Call = MutexSpec::Call;
  using Return = MutexSpec::Return;
  State initial() const { return 0; }
  std::optional<State> step(const State& holders, const Call& call, const Return* result) const {
    const int after = holders + (std::holds_alternative<mutex_ops::Acquire>(call) ? 1 : -1);
    const bool possible = after == 0 || after == 1;
    const bool done = result == nullptr || std::holds_alternative<mutex_ops::Done>(*result);
    if (possible != done) return std::nullopt;
    return done ? after : holders;
  }
};

TEST(ObjectSpecs, AMutexIsWhatTryingAllOrdersSays) {
  compare_with_brute_force<MutexSpec, MutexMaker, PlainMutex>(1, 4000, false);
  compare_with_brute_force<MutexSpec, MutexMaker, PlainMutex>(2, 4000, false, 4);
}

// `kValues`: few make values come and leave several times; many, nearly always once.
template <uint64_t kValues, bool kEmpty>
struct QueueMaker {
  static Any call(Rng& rng, bool) {
    if (rng.below(2) == 0) return Any::of(queue_ops::Dequeue{});
    return Any::of(queue_ops::Enqueue<int>{small(rng, kValues)});
  }
  static Any result(Rng& rng, const Any& call) {
    if (!call.has<queue_ops::Dequeue>()) return Any::of(queue_ops::Enqueued{});
    if (kEmpty && rng.below(3) == 0) return Any::of(queue_ops::Empty{});
    return Any::of(queue_ops::Dequeued<int>{small(rng, kValues)});
  }
};

struct PlainFifo {
  using State = std::string;
  using Call = FifoQueueSpec<int>::Call;
  using Return = FifoQueueSpec<int>::Return;
  State initial() const { return {}; }
  std::optional<State> step(const State& queue, const Call& call, const Return* result) const {
    if (const auto* enqueue = std::get_if<queue_ops::Enqueue<int>>(&call)) {
      return queue + static_cast<char>('a' + enqueue->value);
    }
    if (queue.empty()) {
      if (result == nullptr || std::holds_alternative<queue_ops::Empty>(*result)) return queue;
      return std::nullopt;
    }
    if (result != nullptr) {
      const auto* got = std::get_if<queue_ops::Dequeued<int>>(result);
      if (got == nullptr || 'a' + got->value != queue[0]) return std::nullopt;
    }
    return queue.substr(1);
  }
};

template <uint64_t kValues, bool kEmpty>
void compare_queues(uint64_t seed) {
  using Maker = QueueMaker<kValues, kEmpty>;
  for (const uint64_t lost : {0, 2, 5}) {
    compare_with_brute_force<FifoQueueSpec<int>, Maker, PlainFifo>(seed + lost, 4000, false, lost);
  }
}

TEST(ObjectSpecs, AFifoQueueOfFewValuesIsWhatTryingAllOrdersSays) {
  compare_queues<2, false>(10);
  compare_queues<2, true>(20);
}

TEST(ObjectSpecs, AFifoQueueOfSomeValuesIsWhatTryingAllOrdersSays) {
  compare_queues<3, false>(30);
  compare_queues<4, true>(40);
}

struct PlainBag {
  using State = std::string;
  using Call = UnorderedQueueSpec<int>::Call;
  using Return = UnorderedQueueSpec<int>::Return;
  State initial() const { return {}; }
  std::optional<State> step(const State& bag, const Call& call, const Return* result) const {
    State after = bag;
    if (const auto* enqueue = std::get_if<queue_ops::Enqueue<int>>(&call)) {
      after += static_cast<char>('a' + enqueue->value);
      return after;
    }
    if (result == nullptr || std::holds_alternative<queue_ops::Empty>(*result)) return after;
    const auto at =
        after.find(static_cast<char>('a' + std::get<queue_ops::Dequeued<int>>(*result).value));
    if (at == after.npos) return std::nullopt;
    return after.erase(at, 1);
  }
};

TEST(ObjectSpecs, AnUnorderedQueueIsWhatTryingAllOrdersSays) {
  using Spec = UnorderedQueueSpec<int>;
  compare_with_brute_force<Spec, QueueMaker<2, true>, PlainBag>(50, 4000, false);
  compare_with_brute_force<Spec, QueueMaker<2, false>, PlainBag>(51, 4000, false, 4);
  compare_with_brute_force<Spec, QueueMaker<3, true>, PlainBag>(52, 4000, false, 2);
}

struct SetMaker {
  static Any call(Rng& rng, bool) {
    if (rng.below(2) == 0) return Any::of(set_ops::Read{});
    return Any::of(set_ops::Add<int>{small(rng, 3)});
  }
  static Any result(Rng& rng, const Any& call) {
    if (!call.has<set_ops::Read>()) return Any::of(set_ops::Added{});
    set_ops::Contents<int> contents;
    for (int v = 0; v < 3; ++v) {
      if (rng.below(2) == 0) contents.values.insert(v);
    }
    return Any::of(contents);
  }
};

struct PlainSet {
  using State = std::vector<bool>;
  using Call = SetSpec<int>::Call;
  using Return = SetSpec<int>::Return;
  State initial() const { return State(3); }
  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    State after = state;
    if (const auto* add = std::get_if<set_ops::Add<int>>(&call)) {
      after[static_cast<size_t>(add->value)] = true;
    } else if (result != nullptr) {
      for (int v = 0; v < 3; ++v) {
        if (std::get<set_ops::Contents<int>>(*result).values.contains(v) !=
            state[static_cast<size_t>(v)]) {
          return std::nullopt;
        }
      }
    }
    return after;
  }
};

TEST(ObjectSpecs, ASetIsWhatTryingAllOrdersSays) {
  compare_with_brute_force<SetSpec<int>, SetMaker, PlainSet>(60, 4000, false);
  compare_with_brute_force<SetSpec<int>, SetMaker, PlainSet>(61, 4000, false, 4);
}

using Transaction = txn_ops::Transaction<char, int>;

struct TransactionMaker {
  static Any call(Rng& rng, bool) {
    Transaction out;
    for (uint64_t n = 1 + rng.below(3); n > 0; --n) {
      const char key = rng.below(2) == 0 ? 'x' : 'y';
      if (rng.below(2) == 0) {
        out.parts.push_back(txn_ops::Read<char>{key});
      } else {
        out.parts.push_back(txn_ops::Write<char, int>{key, small(rng, 2)});
      }
    }
    return Any::of(out);
  }
  static Any result(Rng& rng, const Any& call) {
    txn_ops::Committed<int> out;
    for (const auto& part : call.try_get<Transaction>()->parts) {
      if (part.index() == 0) out.read.push_back(small(rng, 2));
    }
    return Any::of(out);
  }
};

struct PlainRegisters {
  using State = std::pair<int, int>;  // x and y
  using Call = Transaction;
  using Return = txn_ops::Committed<int>;
  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    State after = state;
    size_t reads = 0;
    for (const auto& part : call.parts) {
      if (const auto* write = std::get_if<txn_ops::Write<char, int>>(&part)) {
        (write->key == 'x' ? after.first : after.second) = write->value;
      } else if (result != nullptr) {
        const char key = std::get<txn_ops::Read<char>>(part).key;
        if (result->read[reads++] != (key == 'x' ? after.first : after.second)) return std::nullopt;
      }
    }
    return after;
  }
};

TEST(ObjectSpecs, RegistersUnderTransactionsAreWhatTryingAllOrdersSays) {
  using Spec = MultiRegisterSpec<char, int>;
  compare_with_brute_force<Spec, TransactionMaker, PlainRegisters>(70, 4000, false);
  compare_with_brute_force<Spec, TransactionMaker, PlainRegisters>(71, 4000, false, 4);
}

TEST(ObjectSpecs, RegistersThatAreNotNamedAtFirstHoldTheDefault) {
  MultiRegisterSpec<char, int> spec;
  spec.start = {{'x', 1}, {'z', 0}};
  History h;
  const Transaction reads{
      {txn_ops::Read<char>{'x'}, txn_ops::Read<char>{'y'}, txn_ops::Read<char>{'z'}}};
  ASSERT_TRUE(h.invoke(1, Any::of(reads)));
  ASSERT_TRUE(h.ret(1, Any::of(txn_ops::Committed<int>{{1, 0, 0}})));
  EXPECT_TRUE(linearizable(h, spec).ok);
  spec.start['y'] = 2;
  EXPECT_FALSE(linearizable(h, spec).ok);
}

// Objects with keys: of queues, which have foresight, and of maps, which have an outlook and may
// look ahead.
template <class Maker, class Call>
struct KeyedMaker {
  static Any call(Rng& rng, bool flag) {
    Call call;
    EXPECT_TRUE(detail::Unpack<Call>::from(Maker::call(rng, flag), call));
    return Any::of(KeyedCall<int, Call>{small(rng, 2), call});
  }
  static Any result(Rng& rng, const Any& call) {
    return std::visit([&](const auto& inner) { return Maker::result(rng, Any::of(inner)); },
                      call.try_get<KeyedCall<int, Call>>()->call);
  }
};

template <class Spec>
struct PlainKeyed {
  using State = std::map<int, typename Spec::State>;
  using Call = KeyedCall<int, typename Spec::Call>;
  using Return = typename Spec::Return;
  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    State after = state;
    auto& object = after.try_emplace(call.key, Spec{}.initial()).first->second;
    const auto next = Spec{}.step(object, call.call, result);
    if (!next) return std::nullopt;
    object = *next;
    return after;
  }
};

struct LetterMaker {
  static Any call(Rng& rng, bool) {
    const std::string letter = rng.below(2) == 0 ? "a" : "b";
    switch (rng.below(4)) {
      case 0:
        return Any::of(kv::Put{"k", letter});
      case 1:
        return Any::of(kv::Append{"k", letter});
      default:
        return Any::of(kv::Get{"k"});
    }
  }
  static Any result(Rng& rng, const Any& call) {
    if (!call.has<kv::Get>()) return Any::of(kv::Done{});
    std::string value;
    for (uint64_t n = rng.below(3); n > 0; --n) value += rng.below(2) == 0 ? "a" : "b";
    return Any::of(kv::Got{value});
  }
};

TEST(ObjectSpecs, ObjectsWithKeysAreWhatTryingAllOrdersSays) {
  using Fifo = FifoQueueSpec<int>;
  compare_with_brute_force<KeyedSpec<int, Fifo>, KeyedMaker<QueueMaker<3, true>, Fifo::Call>,
                           PlainKeyed<PlainFifo>>(80, 4000, false, 3);
  compare_with_brute_force<KeyedSpec<int, KeyValueSpec>,
                           KeyedMaker<LetterMaker, KeyValueSpec::Call>, PlainKeyed<KeyValueSpec>>(
      81, 4000, false, 3);
  using Bag = UnorderedQueueSpec<int>;
  compare_with_brute_force<KeyedSpec<int, Bag>, KeyedMaker<QueueMaker<2, true>, Bag::Call>,
                           PlainKeyed<PlainBag>>(82, 4000, false, 3);
  compare_with_brute_force<KeyedSpec<int, SetSpec<int>>, KeyedMaker<SetMaker, SetSpec<int>::Call>,
                           PlainKeyed<PlainSet>>(83, 4000, false, 3);
}

}  // namespace
}  // namespace ordeal::histories
