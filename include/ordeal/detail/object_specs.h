// Sequential specifications of more objects: a mutex, a set, several registers that transactions
// read and write, and one object of any kind for each key. Queues are in queue_specs.h.
//
//   History h;
//   h.invoke(1, value::Any::of(mutex_ops::Acquire{}));
//   h.invoke(2, value::Any::of(mutex_ops::Acquire{}));
//   h.ret(1, value::Any::of(mutex_ops::Done{}));
//   h.ret(2, value::Any::of(mutex_ops::Refused{}));
//   linearizable<MutexSpec>(h).ok;  // true
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "ordeal/detail/sequential_spec.h"

namespace ordeal {

// The calls and results of a mutex.
namespace mutex_ops {

struct Acquire {
  friend bool operator==(const Acquire&, const Acquire&) = default;
};
struct Release {
  friend bool operator==(const Release&, const Release&) = default;
};

// It is acquired, or released.
struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};
// An acquire that found it held, or a release that found it free: nothing changed.
struct Refused {
  friend bool operator==(const Refused&, const Refused&) = default;
};

}  // namespace mutex_ops

// A mutex, free at first. It does not ask who releases it.
struct MutexSpec {
  using State = bool;  // whether it is held
  using Call = std::variant<mutex_ops::Acquire, mutex_ops::Release>;
  using Return = std::variant<mutex_ops::Done, mutex_ops::Refused>;

  State initial() const { return false; }

  std::optional<State> step(const State& held, const Call& call, const Return* result) const {
    const bool acquires = std::holds_alternative<mutex_ops::Acquire>(call);
    const bool fits = acquires != held;
    const bool refused = result != nullptr && std::holds_alternative<mutex_ops::Refused>(*result);
    if (fits == refused) return std::nullopt;
    return refused ? held : acquires;
  }

  bool is_query(const Call&, const Return* result) const {
    return result != nullptr && std::holds_alternative<mutex_ops::Refused>(*result);
  }
};

// The calls and results of a set that only grows.
namespace set_ops {

template <class V>
struct Add {
  V value{};
  friend bool operator==(const Add&, const Add&) = default;
};
struct Read {
  friend bool operator==(const Read&, const Read&) = default;
};

struct Added {
  friend bool operator==(const Added&, const Added&) = default;
};
// All that is in it.
template <class V>
struct Contents {
  std::set<V> values;
  friend bool operator==(const Contents&, const Contents&) = default;
};

}  // namespace set_ops

// A set with add and read, empty at first. To add what is there is no error.
template <class V>
struct SetSpec {
  using State = std::vector<V>;  // in ascending order
  using Call = std::variant<set_ops::Add<V>, set_ops::Read>;
  using Return = std::variant<set_ops::Added, set_ops::Contents<V>>;

  State initial() const { return {}; }

  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    if (const auto* add = std::get_if<set_ops::Add<V>>(&call)) {
      if (result != nullptr && !std::holds_alternative<set_ops::Added>(*result)) {
        return std::nullopt;
      }
      const auto at = std::lower_bound(state.begin(), state.end(), add->value);
      if (at != state.end() && *at == add->value) return state;
      State after;
      after.reserve(state.size() + 1);
      after.assign(state.begin(), at);
      after.push_back(add->value);
      after.insert(after.end(), at, state.end());
      return after;
    }
    if (result != nullptr) {
      const auto* read = std::get_if<set_ops::Contents<V>>(result);
      if (read == nullptr ||
          !std::equal(state.begin(), state.end(), read->values.begin(), read->values.end())) {
        return std::nullopt;
      }
    }
    return state;
  }

  bool is_query(const Call& call, const Return*) const {
    return std::holds_alternative<set_ops::Read>(call);
  }

  // Which reads are without a value. As long as one of them is to come, the value must not be
  // added; from then on it cannot be added too soon.
  struct Foresight {
    std::vector<TimedOperation<Call, Return>> operations;
    std::map<V, uint32_t> last_without;  // when the last such read is called; of values in reads
    uint32_t last_read = 0;              // when the last read is called
  };
  Foresight foresight(std::span<const TimedOperation<Call, Return>> operations) const {
    Foresight out;
    out.operations.assign(operations.begin(), operations.end());
    std::vector<std::pair<uint32_t, const std::set<V>*>> reads;
    for (const auto& operation : operations) {
      if (const std::set<V>* values = read_by(operation)) {
        reads.emplace_back(operation.called, values);
      }
    }
    std::sort(reads.rbegin(), reads.rend());
    if (!reads.empty()) out.last_read = reads[0].first;
    std::map<V, size_t> in_all_of;  // the last so many reads
    for (size_t i = 0; i < reads.size(); ++i) {
      for (const V& value : *reads[i].second) {
        size_t& streak = in_all_of.try_emplace(value, 0).first->second;
        if (streak == i) ++streak;
      }
    }
    for (const auto& [value, streak] : in_all_of) {
      out.last_without[value] = streak < reads.size() ? reads[streak].first : 0;
    }
    return out;
  }
  struct Prospect {
    uint32_t now = 0;
    std::vector<const std::set<V>*> reads;  // that are called before, and still to come
  };
  Prospect prospect(const State&, const Foresight& foresight, std::span<const uint32_t> ready,
                    uint32_t now) const {
    Prospect out{now, {}};
    for (const uint32_t op : ready) {
      if (const std::set<V>* values = read_by(foresight.operations[op]))
        out.reads.push_back(values);
    }
    return out;
  }
  Advice advice(const Prospect& prospect, const Foresight& foresight, uint32_t op) const {
    const auto* add = std::get_if<set_ops::Add<V>>(foresight.operations[op].call);
    if (add == nullptr) return Advice::kTry;
    const auto without = foresight.last_without.find(add->value);
    const bool is_read = without != foresight.last_without.end();
    if (!is_read && foresight.operations[op].returned == TimedOperation<Call, Return>::kNever) {
      return Advice::kSkip;
    }
    if ((is_read ? without->second : foresight.last_read) > prospect.now) return Advice::kSkip;
    for (const std::set<V>* values : prospect.reads) {
      if (!values->contains(add->value)) return Advice::kSkip;
    }
    return Advice::kTake;
  }

 private:
  static const std::set<V>* read_by(const TimedOperation<Call, Return>& operation) {
    const bool is_known =
        operation.result != nullptr && operation.returned != TimedOperation<Call, Return>::kNever;
    const auto* read = is_known ? std::get_if<set_ops::Contents<V>>(operation.result) : nullptr;
    return read != nullptr ? &read->values : nullptr;
  }
};

// The parts, the call and the result of a transaction.
namespace txn_ops {

template <class K>
struct Read {
  K key{};
  friend bool operator==(const Read&, const Read&) = default;
};
template <class K, class V>
struct Write {
  K key{};
  V value{};
  friend bool operator==(const Write&, const Write&) = default;
};

// What it does, one after another and all at once: a read sees the writes before it.
template <class K, class V>
struct Transaction {
  std::vector<std::variant<Read<K>, Write<K, V>>> parts;
  friend bool operator==(const Transaction&, const Transaction&) = default;
};
// What its reads returned, in their order.
template <class V>
struct Committed {
  std::vector<V> read;
  friend bool operator==(const Committed&, const Committed&) = default;
};

}  // namespace txn_ops

// Registers with keys; a transaction reads and writes any of them. `start` is what they hold at
// first, V{} those that it does not name.
template <class K, class V>
struct MultiRegisterSpec {
  using State = std::map<K, V>;  // without those that hold V{}
  using Call = txn_ops::Transaction<K, V>;
  using Return = txn_ops::Committed<V>;

  State start;

  State initial() const {
    State state = start;
    std::erase_if(state, [](const auto& held) { return held.second == V{}; });
    return state;
  }

  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    State after = state;
    size_t reads = 0;
    for (const auto& part : call.parts) {
      if (const auto* write = std::get_if<txn_ops::Write<K, V>>(&part)) {
        if (write->value == V{}) {
          after.erase(write->key);
        } else {
          after.insert_or_assign(write->key, write->value);
        }
        continue;
      }
      if (result == nullptr) continue;
      if (reads == result->read.size()) return std::nullopt;
      const auto held = after.find(std::get<txn_ops::Read<K>>(part).key);
      if (!(result->read[reads++] == (held != after.end() ? held->second : V{}))) {
        return std::nullopt;
      }
    }
    if (result != nullptr && reads != result->read.size()) return std::nullopt;
    return after;
  }

  bool is_query(const Call& call, const Return*) const {
    return std::all_of(call.parts.begin(), call.parts.end(), [](const auto& part) {
      return std::holds_alternative<txn_ops::Read<K>>(part);
    });
  }
};

// A call to the object that has this key.
template <class K, class C>
struct KeyedCall {
  K key{};
  C call{};
  friend bool operator==(const KeyedCall&, const KeyedCall&) = default;
};

namespace detail {

template <class Spec>
struct OutlookFrom {};
template <Simplifies Spec>
struct OutlookFrom<Spec> {
  using Outlook = typename Spec::Outlook;
};
template <class Spec>
struct ForesightFrom {};
template <Foresees Spec>
struct ForesightFrom<Spec> {
  using Foresight = typename Spec::Foresight;
};

}  // namespace detail

// One object for each key, all of them as `object` says; each is checked by itself.
template <class K, SequentialSpec Spec>
struct KeyedSpec : detail::OutlookFrom<Spec>, detail::ForesightFrom<Spec> {
  using State = typename Spec::State;
  using Call = KeyedCall<K, typename Spec::Call>;
  using Return = typename Spec::Return;

  Spec object;

  KeyedSpec() = default;
  explicit KeyedSpec(Spec spec) : object(std::move(spec)) {}

  State initial() const { return object.initial(); }

  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    return object.step(state, call.call, result);
  }

  auto partition(const Call& call, const Return* result) const {
    if constexpr (PartitionedSpec<Spec>) {
      return std::pair(call.key, detail::partition_of(object, call.call, result));
    } else {
      return call.key;
    }
  }

  bool is_query(const Call& call, const Return* result) const {
    if constexpr (requires { object.is_query(call.call, result); }) {
      return object.is_query(call.call, result);
    } else {
      return false;
    }
  }

  auto outlook(const std::vector<const Return*>& results) const requires detail::Simplifies<Spec> {
    return object.outlook(results);
  }
  template <class Outlook>
  void simplify(State& state, const Outlook& outlook) const {
    object.simplify(state, outlook);
  }

  bool may_fit(const State& state, const Call& call, const Return& result,
               std::span<const Call* const> others) const requires detail::LooksAhead<Spec> {
    std::vector<const typename Spec::Call*> calls;
    calls.reserve(others.size());
    for (const Call* other : others) calls.push_back(&other->call);
    return object.may_fit(state, call.call, result, calls);
  }

  auto foresight(std::span<const TimedOperation<Call, Return>> operations)
      const requires detail::Foresees<Spec> {
    std::vector<TimedOperation<typename Spec::Call, Return>> inner;
    for (const auto& [call, result, called, returned] : operations) {
      inner.push_back({&call->call, result, called, returned});
    }
    return object.foresight(inner);
  }
  template <class Foresight>
  auto prospect(const State& state, const Foresight& foresight, std::span<const uint32_t> ready,
                uint32_t now) const {
    return object.prospect(state, foresight, ready, now);
  }
  template <class Prospect, class Foresight>
  Advice advice(const Prospect& prospect, const Foresight& foresight, uint32_t op) const {
    return object.advice(prospect, foresight, op);
  }
  template <class Foresight>
  std::vector<uint32_t> refute(const Foresight& foresight) const requires detail::Refutes<Spec> {
    return object.refute(foresight);
  }
};

}  // namespace ordeal
