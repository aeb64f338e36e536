// Sequential specifications: what an object does when its operations come one after another.
//
// A specification names the type of the object's state, of its calls and of their results, and
// answers one question: after this call in this state, which state is it, if the call may return
// this result? A null result is one nobody knows, of an operation that never returned.
//
//   struct CounterSpec {
//     using State = int;
//     using Call = std::variant<Add, Get>;        // or one type, where there is only one
//     using Return = std::variant<AddOk, GetOk>;
//     State initial() const { return 0; }
//     std::optional<State> step(const State& n, const Call& call, const Return* result) const {
//       if (const Add* add = std::get_if<Add>(&call)) return n + add->amount;
//       if (result == nullptr || *result == Return(GetOk{n})) return n;
//       return std::nullopt;
//     }
//   };
//
// A specification may also have
//   K partition(const Call&) const          calls with different keys do not touch each other: each
//                                           key is then checked by itself, which is much faster;
//                                           the state is that of one key. Where the result tells
//                                           the key: partition(const Call&, const Return*).
//   Outlook outlook(const std::vector<const Return*>&) const   all known results of one key; and
//   void simplify(State&, const Outlook&) const    replaces a state by one that behaves alike with
//                                           those results, so that fewer states are told apart.
//   bool is_query(const Call&, const Return*) const    whether the call, when it returns this,
//                                           changes no state whatever it finds: reads.
//   bool may_fit(const State&, const Call&, const Return&, others) const    for a query: false only
//                                           when no order of the calls `others` can lead from the
//                                           state to one where the call returns that.
//   Foresight foresight(std::span<const TimedOperation<Call, Return>>) const    all operations of
//                                           one key, with their times; with that
//   P prospect(const State&, const Foresight&, std::span<const uint32_t> ready, uint32_t now) const
//                                           what can be seen of the future in this state when some
//                                           operations are still to come: `ready`, numbers in that
//                                           span, and all that are called after `now`;
//   Advice advice(const P&, const Foresight&, uint32_t op) const    whether one of them should come
//                                           next. To skip it must be no loss: it would lead
//                                           nowhere, or nowhere else than if it came later or,
//                                           where it never returned, not at all. To take it, if it
//                                           fits, neither: whatever order works does so with it
//                                           next;
//   std::vector<uint32_t> refute(const Foresight&) const    operations that no order explains,
//                                           whatever the others do, if such are seen; optional.
// All but the first only make the check faster. KeyValueSpec has an outlook, FifoQueueSpec and
// SetSpec have foresight.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ordeal {

template <class S>
concept SequentialSpec = requires(const S& spec, const typename S::State& state,
                                  const typename S::Call& call, const typename S::Return* result) {
  { spec.initial() } -> std::convertible_to<typename S::State>;
  { spec.step(state, call, result) } -> std::same_as<std::optional<typename S::State>>;
};

// An operation, and the positions of its call and return among those of all operations.
template <class Call, class Return>
struct TimedOperation {
  static constexpr uint32_t kNever = UINT32_MAX;

  const Call* call = nullptr;
  const Return* result = nullptr;  // null: nobody knows
  uint32_t called = 0;
  uint32_t returned = kNever;
};

// Whether to try, in the search for an order, an operation next.
enum class Advice { kTry, kTryLast, kTake, kSkip };

namespace detail {

template <class S>
concept PartitionedByCall = requires(const S& spec, const typename S::Call& call) {
  spec.partition(call);
};
template <class S>
concept PartitionedByResult = requires(const S& spec, const typename S::Call& call,
                                       const typename S::Return* result) {
  spec.partition(call, result);
};
template <class S>
concept Simplifies = requires {
  typename S::Outlook;
};
template <class S>
concept LooksAhead = requires(const S& spec, const typename S::State& state,
                              const typename S::Call& call, const typename S::Return& result,
                              std::span<const typename S::Call* const> others) {
  spec.may_fit(state, call, result, others);
};
template <class S>
concept Foresees = requires {
  typename S::Foresight;
};
template <class S>
concept Refutes = Foresees<S> && requires(const S& spec, const typename S::Foresight& foresight) {
  spec.refute(foresight);
};

}  // namespace detail

template <class S>
concept PartitionedSpec = SequentialSpec<S> &&
    (detail::PartitionedByCall<S> || detail::PartitionedByResult<S>);

namespace detail {

// The key of an operation.
template <PartitionedSpec S>
auto partition_of(const S& spec, const typename S::Call& call, const typename S::Return* result) {
  if constexpr (PartitionedByCall<S>) {
    return spec.partition(call);
  } else {
    return spec.partition(call, result);
  }
}

}  // namespace detail

// The calls and results of a register.
namespace reg {

template <class V>
struct Write {
  V value{};
  friend bool operator==(const Write&, const Write&) = default;
};
struct Read {
  friend bool operator==(const Read&, const Read&) = default;
};
// Writes `to` if the register holds `from`.
template <class V>
struct Cas {
  V from{};
  V to{};
  friend bool operator==(const Cas&, const Cas&) = default;
};

struct WriteOk {
  friend bool operator==(const WriteOk&, const WriteOk&) = default;
};
template <class V>
struct ReadOk {
  V value{};
  friend bool operator==(const ReadOk&, const ReadOk&) = default;
};
struct CasOk {
  friend bool operator==(const CasOk&, const CasOk&) = default;
};
struct CasFailed {
  friend bool operator==(const CasFailed&, const CasFailed&) = default;
};

}  // namespace reg

// A register with read, write and compare-and-swap; `start` is what it holds at first.
template <class V>
struct RegisterSpec {
  using State = V;
  using Call = std::variant<reg::Write<V>, reg::Read, reg::Cas<V>>;
  using Return = std::variant<reg::WriteOk, reg::ReadOk<V>, reg::CasOk, reg::CasFailed>;

  V start{};

  State initial() const { return start; }

  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    if (const auto* write = std::get_if<reg::Write<V>>(&call)) {
      if (result != nullptr && !std::holds_alternative<reg::WriteOk>(*result)) return std::nullopt;
      return write->value;
    }
    if (const auto* cas = std::get_if<reg::Cas<V>>(&call)) {
      const bool found = state == cas->from;
      if (result != nullptr) {
        if (found ? !std::holds_alternative<reg::CasOk>(*result)
                  : !std::holds_alternative<reg::CasFailed>(*result)) {
          return std::nullopt;
        }
      }
      return found ? cas->to : state;
    }
    if (result != nullptr) {
      const auto* read = std::get_if<reg::ReadOk<V>>(result);
      if (read == nullptr || !(read->value == state)) return std::nullopt;
    }
    return state;
  }

  bool is_query(const Call& call, const Return* result) const {
    return std::holds_alternative<reg::Read>(call) ||
           (result != nullptr && std::holds_alternative<reg::CasFailed>(*result));
  }
};

// The calls and results of a map from strings to strings.
namespace kv {

struct Put {
  std::string key;
  std::string value;
  friend bool operator==(const Put&, const Put&) = default;
};
struct Append {
  std::string key;
  std::string value;
  friend bool operator==(const Append&, const Append&) = default;
};
struct Get {
  std::string key;
  friend bool operator==(const Get&, const Get&) = default;
};

// What put and append return.
struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};
struct Got {
  std::string value;
  friend bool operator==(const Got&, const Got&) = default;
};

}  // namespace kv

// A map from strings to strings with put, append and get; a key that was never written holds "".
// Keys do not touch each other: a State is the value of one key.
struct KeyValueSpec {
  using State = std::string;
  using Call = std::variant<kv::Put, kv::Append, kv::Get>;
  using Return = std::variant<kv::Done, kv::Got>;

  State initial() const { return {}; }

  std::optional<State> step(const State& state, const Call& call, const Return* result) const {
    if (std::holds_alternative<kv::Get>(call)) {
      if (result != nullptr) {
        const kv::Got* got = std::get_if<kv::Got>(result);
        if (got == nullptr || got->value != state) return std::nullopt;
      }
      return state;
    }
    if (result != nullptr && !std::holds_alternative<kv::Done>(*result)) return std::nullopt;
    if (const kv::Put* put = std::get_if<kv::Put>(&call)) return put->value;
    return state + std::get<kv::Append>(call).value;
  }

  std::string partition(const Call& call) const {
    return std::visit([](const auto& c) { return c.key; }, call);
  }

  // A value that is no prefix of anything a get returned cannot be told from any other such value:
  // all of them become one, which is longer than whatever was returned.
  struct Outlook {
    std::vector<std::string> returned;  // sorted
    std::string useless;
  };
  Outlook outlook(const std::vector<const Return*>& results) const {
    Outlook out;
    for (const Return* result : results) {
      if (const kv::Got* got = std::get_if<kv::Got>(result)) {
        out.returned.push_back(got->value);
        if (got->value.size() > out.useless.size()) out.useless = got->value;
      }
    }
    std::sort(out.returned.begin(), out.returned.end());
    out.useless += '?';
    return out;
  }
  void simplify(State& state, const Outlook& outlook) const {
    const auto at = std::lower_bound(outlook.returned.begin(), outlook.returned.end(), state);
    if (at == outlook.returned.end() || !at->starts_with(state)) state = outlook.useless;
  }

  bool is_query(const Call& call, const Return*) const {
    return std::holds_alternative<kv::Get>(call);
  }

  // Without a put to a prefix of what get returned, the value can only grow towards it, by appends.
  bool may_fit(const State& state, const Call&, const Return& result,
               std::span<const Call* const> others) const {
    const kv::Got* got = std::get_if<kv::Got>(&result);
    if (got == nullptr) return true;
    const std::string_view goal = got->value;
    const bool grows = goal.starts_with(state);
    if (grows && goal.size() == state.size()) return true;
    for (const Call* other : others) {
      if (const kv::Put* put = std::get_if<kv::Put>(other)) {
        if (goal.starts_with(put->value)) return true;
      } else if (const kv::Append* append = std::get_if<kv::Append>(other)) {
        if (grows && goal.substr(state.size()).starts_with(append->value)) return true;
      }
    }
    return false;
  }
};

}  // namespace ordeal
