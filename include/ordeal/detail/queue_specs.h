// Sequential specifications of queues, ordered and not.
//
//   History h;
//   h.invoke(1, value::Any::of(queue_ops::Enqueue<int>{7}));
//   h.ret(1, value::Any::of(queue_ops::Enqueued{}));
//   h.invoke(2, value::Any::of(queue_ops::Dequeue{}));
//   h.ret(2, value::Any::of(queue_ops::Dequeued<int>{7}));
//   linearizable<FifoQueueSpec<int>>(h).ok;  // true
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "ordeal/detail/queue_foresight.h"
#include "ordeal/detail/sequential_spec.h"

namespace ordeal {

// The calls and results of a queue.
namespace queue_ops {

template <class V>
struct Enqueue {
  V value{};
  friend bool operator==(const Enqueue&, const Enqueue&) = default;
};
struct Dequeue {
  friend bool operator==(const Dequeue&, const Dequeue&) = default;
};

struct Enqueued {
  friend bool operator==(const Enqueued&, const Enqueued&) = default;
};
template <class V>
struct Dequeued {
  V value{};
  friend bool operator==(const Dequeued&, const Dequeued&) = default;
};
// A dequeue that got nothing.
struct Empty {
  friend bool operator==(const Empty&, const Empty&) = default;
};

}  // namespace queue_ops

// First in, first out. A dequeue gets nothing only where nothing is in the queue.
template <class V>
struct FifoQueueSpec {
  using State = std::vector<V>;  // the first to leave first
  using Call = std::variant<queue_ops::Enqueue<V>, queue_ops::Dequeue>;
  using Return = std::variant<queue_ops::Enqueued, queue_ops::Dequeued<V>, queue_ops::Empty>;

  State initial() const { return {}; }

  std::optional<State> step(const State& queue, const Call& call, const Return* result) const {
    if (const auto* enqueue = std::get_if<queue_ops::Enqueue<V>>(&call)) {
      if (result != nullptr && !std::holds_alternative<queue_ops::Enqueued>(*result)) {
        return std::nullopt;
      }
      State after;
      after.reserve(queue.size() + 1);
      after = queue;
      after.push_back(enqueue->value);
      return after;
    }
    if (result != nullptr) {
      const auto* got = std::get_if<queue_ops::Dequeued<V>>(result);
      const bool right = got != nullptr
                             ? !queue.empty() && got->value == queue.front()
                             : queue.empty() && std::holds_alternative<queue_ops::Empty>(*result);
      if (!right) return std::nullopt;
    }
    if (queue.empty()) return queue;
    return State(queue.begin() + 1, queue.end());
  }

  bool is_query(const Call&, const Return* result) const {
    return result != nullptr && std::holds_alternative<queue_ops::Empty>(*result);
  }

  using Foresight = detail::QueueForesight<V>;
  Foresight foresight(std::span<const TimedOperation<Call, Return>> operations) const {
    Foresight out;
    for (const auto& [call, result, called, returned] : operations) {
      if (const auto* enqueue = std::get_if<queue_ops::Enqueue<V>>(call)) {
        out.add_enqueue(enqueue->value, called, returned);
      } else {
        const auto* got = result != nullptr ? std::get_if<queue_ops::Dequeued<V>>(result) : nullptr;
        out.add_dequeue(got != nullptr ? &got->value : nullptr, result != nullptr, called,
                        returned);
      }
    }
    out.finish();
    return out;
  }
  auto prospect(const State& queue, const Foresight& foresight, std::span<const uint32_t> ready,
                uint32_t now) const {
    return foresight.prospect(queue, ready, now);
  }
  Advice advice(const typename Foresight::Prospect& prospect, const Foresight& foresight,
                uint32_t op) const {
    return foresight.advice(prospect, op);
  }
  std::vector<uint32_t> refute(const Foresight& foresight) const { return foresight.refute(); }
};

// Whatever is in it may leave first, and a dequeue may get nothing at any time. So equal values are
// an object of their own, and a State says how many of one value are in it. A dequeue that never
// returned took something or nothing; as nobody can miss what it took, it needs no place.
template <class V>
struct UnorderedQueueSpec {
  using State = uint32_t;
  using Call = std::variant<queue_ops::Enqueue<V>, queue_ops::Dequeue>;
  using Return = std::variant<queue_ops::Enqueued, queue_ops::Dequeued<V>, queue_ops::Empty>;

  State initial() const { return 0; }

  std::optional<State> step(const State& count, const Call& call, const Return* result) const {
    if (std::holds_alternative<queue_ops::Enqueue<V>>(call)) {
      if (result != nullptr && !std::holds_alternative<queue_ops::Enqueued>(*result)) {
        return std::nullopt;
      }
      return count + 1;
    }
    if (result == nullptr || std::holds_alternative<queue_ops::Empty>(*result)) return count;
    if (count == 0 || !std::holds_alternative<queue_ops::Dequeued<V>>(*result)) {
      return std::nullopt;
    }
    return count - 1;
  }

  // The value that it puts in or takes out; none if it takes out nothing.
  std::optional<V> partition(const Call& call, const Return* result) const {
    if (const auto* enqueue = std::get_if<queue_ops::Enqueue<V>>(&call)) return enqueue->value;
    if (result == nullptr) return std::nullopt;
    const auto* got = std::get_if<queue_ops::Dequeued<V>>(result);
    return got != nullptr ? std::optional<V>(got->value) : std::nullopt;
  }

  bool is_query(const Call& call, const Return* result) const {
    return std::holds_alternative<queue_ops::Dequeue>(call) &&
           (result == nullptr || std::holds_alternative<queue_ops::Empty>(*result));
  }
};

}  // namespace ordeal
