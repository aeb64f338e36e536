// When the values of a first-in, first-out queue leave it, read off the history before it is
// searched: most wrong orders are seen as soon as a value is enqueued, not only when it is
// dequeued. Of histories in which every value is enqueued once, every dequeue tells what it got and
// none found the queue empty, refute() even decides: a history without such a contradiction is
// linearizable (Bouajjani, Emmi, Enea and Hamza, On reducing linearizability to state reachability,
// 2015).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ordeal/detail/sequential_spec.h"
#include "ordeal/value.h"

namespace ordeal::detail {

template <class V>
class QueueForesight {
 public:
  static constexpr uint32_t kNever = UINT32_MAX;

  // Operations point to what is known about their values, which a copy would not take along.
  QueueForesight() = default;
  QueueForesight(QueueForesight&&) noexcept = default;
  QueueForesight& operator=(QueueForesight&&) noexcept = default;

  // The operations in their order; times are positions of calls and returns.
  void add_enqueue(const V& value, uint32_t called, uint32_t returned) {
    Stay& stay = stays_[value];
    ++stay.enqueues;
    stay.enqueue = count();
    operations_.push_back({&stay, called, returned, true});
  }
  // What it got; null: nothing, or nobody knows.
  void add_dequeue(const V* got, bool known, uint32_t called, uint32_t returned) {
    Stay* stay = got != nullptr ? &stays_[*got] : nullptr;
    if (stay != nullptr) {
      stay->dequeues += returned != kNever ? 1 : 2;  // which may have happened or not
      stay->dequeue = count();
    }
    if (!known) unknown_.push_back(count());
    if (!known && returned != kNever) takers_have_time_ = false;
    operations_.push_back({stay, called, returned, false});
  }
  void finish() {
    for (const Operation& op : operations_) {
      if (!op.enqueues || !op.stay->is_single()) continue;
      if (op.stay->dequeues == 1) {
        op.stay->leaves_after = operations_[op.stay->dequeue].called;
        op.stay->leaves_before = operations_[op.stay->dequeue].returned;
      } else if (unknown_.empty()) {
        op.stay->leaves_after = kNever;
      }
      if (op.stay->dequeues == 1) upcoming_.emplace_back(op.called, op.stay->leaves_before);
    }
    std::sort(upcoming_.begin(), upcoming_.end());
    for (size_t i = upcoming_.size(); i-- > 1;) {
      upcoming_[i - 1].second = std::min(upcoming_[i - 1].second, upcoming_[i].second);
    }
  }

  struct Prospect {
    uint32_t now = 0;
    uint32_t after = 0;           // when the last of those in the queue leaves, at the earliest
    bool head_is_wanted = false;  // one dequeue gets the head, and says so
    // Of the values that are still to come, when the first and the next one leave, at the latest.
    uint32_t first = kNever, second = kNever;
    const void* first_to_leave = nullptr;
  };
  Prospect prospect(const std::vector<V>& queue, std::span<const uint32_t> ready,
                    uint32_t now) const {
    Prospect out;
    out.now = now;
    for (const V& value : queue) {
      out.after = std::max(out.after, stays_.find(value)->second.leaves_after);
    }
    if (!queue.empty()) {
      const Stay& head = stays_.find(queue.front())->second;
      out.head_is_wanted = head.is_single() && head.dequeues == 1;
    }
    const auto next = std::lower_bound(upcoming_.begin(), upcoming_.end(), std::pair(now, 0u));
    if (next != upcoming_.end()) out.first = next->second;
    for (const uint32_t op : ready) {
      const auto& [stay, called, returned, enqueues] = operations_[op];
      if (!enqueues) continue;
      if (stay->leaves_before < out.first) {
        out.second = out.first;
        out.first = stay->leaves_before;
        out.first_to_leave = stay;
      } else {
        out.second = std::min(out.second, stay->leaves_before);
      }
    }
    return out;
  }

  Advice advice(const Prospect& prospect, uint32_t op) const {
    const auto& [stay, called, returned, enqueues] = operations_[op];
    if (!enqueues) {
      if (stay != nullptr || returned != kNever) return Advice::kTry;
      // Who never returned takes what nobody else gets, and only when something waits behind it.
      return prospect.head_is_wanted ? Advice::kSkip : Advice::kTryLast;
    }
    // What nobody gets, or only a dequeue that never returned, comes as late as it can, if at all.
    const bool unwanted = stay->is_single() && stay->dequeues == 0 && takers_have_time_;
    if (unwanted && returned != prospect.now) return Advice::kSkip;
    // What leaves before something that is in the queue, or after something still to come has left.
    const bool is_first = stay == prospect.first_to_leave;
    if (stay->leaves_before < prospect.after ||
        (is_first ? prospect.second : prospect.first) < stay->leaves_after) {
      return Advice::kSkip;
    }
    return unwanted ? Advice::kTryLast : Advice::kTry;
  }

  // The operations of a value that leaves before it comes, or more often than it comes; of two that
  // leave in another order than they came in; of values that must have left before another one did,
  // with too few dequeues that can have taken them.
  std::vector<uint32_t> refute() const {
    std::vector<uint32_t> got, lost;  // enqueues
    for (uint32_t op = 0; op < count(); ++op) {
      const Stay* stay = operations_[op].stay;
      if (stay == nullptr) continue;
      if (operations_[op].enqueues) {
        if (stay->is_single()) (stay->dequeues == 1 ? got : lost).push_back(op);
      } else if (stay->dequeues > stay->enqueues ||
                 (stay->is_single() &&
                  operations_[op].returned < operations_[stay->enqueue].called)) {
        return all_with(stay);
      }
    }
    std::vector<uint32_t> returned = got;
    sort_by(got, &Operation::called);
    sort_by(returned, &Operation::returned);
    sort_by(lost, &Operation::returned);
    std::vector<uint32_t> unknown = unknown_;
    sort_by(unknown, &Operation::called);
    size_t before = 0, lost_before = 0;
    const Stay* last = nullptr;  // of those that came before, the last to leave
    for (const uint32_t op : got) {
      const Stay* stay = operations_[op].stay;
      for (; operations_[returned[before]].returned < operations_[op].called; ++before) {
        const Stay* other = operations_[returned[before]].stay;
        if (last == nullptr || other->leaves_after > last->leaves_after) last = other;
      }
      if (last != nullptr && last->leaves_after > stay->leaves_before) {
        return {last->enqueue, last->dequeue, op, stay->dequeue};
      }
      while (lost_before < lost.size() &&
             operations_[lost[lost_before]].returned < operations_[op].called) {
        ++lost_before;
      }
      const size_t takers = how_many_before(unknown, stay->leaves_before);
      if (lost_before <= takers) continue;
      std::vector<uint32_t> found(lost.begin(), lost.begin() + static_cast<ptrdiff_t>(takers) + 1);
      found.insert(found.end(), unknown.begin(), unknown.begin() + static_cast<ptrdiff_t>(takers));
      found.insert(found.end(), {op, stay->dequeue});
      return found;
    }
    return {};
  }

 private:
  // Of a value in the queue. Where it comes or leaves several times, anything is possible.
  struct Stay {
    uint32_t enqueues = 0, dequeues = 0;
    uint32_t enqueue = 0, dequeue = 0;  // the last of them
    uint32_t leaves_after = 0, leaves_before = kNever;

    bool is_single() const { return enqueues == 1 && dequeues <= 1; }
  };
  struct Operation {
    Stay* stay;  // of its value
    uint32_t called, returned;
    bool enqueues;
  };
  struct Hash {
    size_t operator()(const V& v) const { return value::hash(v); }
  };
  struct Equal {
    bool operator()(const V& a, const V& b) const { return value::equal(a, b); }
  };

  uint32_t count() const { return static_cast<uint32_t>(operations_.size()); }

  std::vector<uint32_t> all_with(const Stay* stay) const {
    std::vector<uint32_t> out;
    for (uint32_t op = 0; op < count(); ++op) {
      if (operations_[op].stay == stay) out.push_back(op);
    }
    return out;
  }
  // How many of them, which are in order of call, were called before.
  size_t how_many_before(const std::vector<uint32_t>& ops, uint32_t time) const {
    const auto called_before = [&](uint32_t op) { return operations_[op].called < time; };
    return static_cast<size_t>(std::partition_point(ops.begin(), ops.end(), called_before) -
                               ops.begin());
  }
  void sort_by(std::vector<uint32_t>& ops, uint32_t Operation::*time) const {
    std::sort(ops.begin(), ops.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(operations_[a].*time, a) < std::pair(operations_[b].*time, b);
    });
  }

  std::unordered_map<V, Stay, Hash, Equal> stays_;  // whose elements stay in place
  std::vector<Operation> operations_;
  std::vector<std::pair<uint32_t, uint32_t>> upcoming_;  // call; least leaves_before from it on
  std::vector<uint32_t> unknown_;                        // dequeues that do not say what they got
  bool takers_have_time_ = true;                         // none of those returned
};

}  // namespace ordeal::detail
