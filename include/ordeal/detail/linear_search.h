// The search behind linearizable(): does some order of the operations, one that respects real time,
// make every returned result right?
//
// Wing and Gong's search with Lowe's memo. The events of the operations that returned lie in a
// doubly linked list; an operation whose call stands before the first return in the list may come
// next; it is lifted out of the list, and put back when the search comes back. A configuration
// (which operations are placed, state) is tried once; the memo compares it exactly, never by hash.
//
// Four observations keep the search small. Each one leaves the answer unchanged:
//  - An operation that changes no state (a read) can be placed at once where it fits, without
//    trying anything else: whatever order works, it also works with that one first. An operation
//    that happens not to change this state (a write of the same value) cannot.
//  - An operation that never returned need not be placed. It is tried only where it changes the
//    state, and after all those that returned.
//  - Equal operations that never returned are interchangeable: they are used in order of call.
//  - A configuration that has used more of those, and is otherwise like one that was tried, can do
//    nothing that the other could not.
//
// A Model says what the operations do; the search knows them by index only:
//
//   struct Model {
//     using State = int;  // any type
//     State initial() const;
//     std::optional<State> step(const State&, uint32_t op) const;  // nullopt: the result is wrong
//     uint64_t hash(const State&) const;
//     bool equal(const State&, const State&) const;
//     size_t bytes(const State&) const;                            // memory held, for the limit
//     bool is_query(uint32_t op) const;   // whether op, with its result, changes no state at all
//     // Optional, to look ahead: whether any order of `others` can lead from the state to one in
//     // which the query `op` fits.
//     bool may_fit(const State&, uint32_t op, std::span<const uint32_t> others) const;
//     // Optional, too: what can be seen of the future in a state when `ready` and all called after
//     // `now` are not placed, and what that says about one of them coming next.
//     Prospect prospect(const State&, std::span<const uint32_t> ready, uint32_t now) const;
//     Advice advice(const Prospect&, uint32_t op) const;
//   };
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ordeal/detail/linear_memo.h"
#include "ordeal/detail/sequential_spec.h"  // Advice

namespace ordeal {

// How far a check may go before it gives up as undecided. Zero: no limit.
struct LinearLimits {
  std::chrono::milliseconds time{0};
  size_t memory_bytes = 0;
};

enum class LinearVerdict { kLinearizable, kNotLinearizable, kUndecided };

namespace detail {

inline constexpr uint32_t kNeverReturns = UINT32_MAX;

// One operation, as the search sees it: the positions of its call and of its return in the order of
// all events. Operations that never return and are equal (same call) share a `kind`; for the others
// it is not looked at.
struct Interval {
  uint32_t call = 0;
  uint32_t ret = kNeverReturns;
  uint32_t kind = 0;
};

// The object keeps its memory from one run to the next: a caller with many histories to check uses
// one object for all of them.
template <class Model>
class LinearSearch {
 public:
  LinearVerdict run(const Model& model, std::span<const Interval> ops,
                    const LinearLimits& limits = {}) {
    model_ = &model;
    limits_ = limits;
    deadline_ = std::chrono::steady_clock::now() + limits.time;
    most_configurations_ = SIZE_MAX;
    look_ahead_ = true;
    prepare(ops);
    const LinearVerdict verdict = search();
    if (verdict == LinearVerdict::kNotLinearizable && looked_ahead_ && !kIsAdvised) {
      // Looking ahead ends an order before it is stuck. To tell a person, go on until it is.
      most_configurations_ = kForExplanation;
      look_ahead_ = false;
      prepare(ops);
      search();
    }
    if (verdict == LinearVerdict::kLinearizable) record(kNeverReturns, kNone);
    return verdict;
  }

  // After a run: the operations (indices into `ops`) in an order that works; when there is none,
  // the partial order that got furthest in time, and among those the one with most operations that
  // returned.
  const std::vector<uint32_t>& order() const { return best_; }

  // After a run that found no order: the operation at which order() ends, that is the first to
  // return among those that are not in it. A search that follows advice may end before it is stuck.
  uint32_t blocked() const { return best_blocked_; }
  uint32_t blocked_return() const { return best_frontier_; }

  size_t configurations() const { return memo_.size(); }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMisfit = UINT32_MAX;
  static constexpr bool kIsAdvised =
      requires(const Model& model, const typename Model::State& state) {
    model.prospect(state, {}, 0);
  };
  static constexpr size_t kForExplanation = 1 << 16;

  struct Frame {
    uint32_t item;      // a returned operation (by order of call), or a class of open ones
    uint32_t state;     // before it
    uint32_t frontier;  // for an open one: the first return in the list
    bool open;
    bool forced;  // placed without an alternative
    bool late;    // among those to try last
  };

  // What is still to be tried in a configuration.
  struct Rest {
    uint32_t cursor;      // the next one that returned
    uint32_t open_class;  // the next class of those that did not
    uint32_t frontier;
    bool late;  // only those to try last
  };

  struct OpenClass {
    uint32_t begin, end, used;  // a range of open_, in order of call; how many of it are placed
  };

  // Entry 2j is the call of returned operation j, 2j + 1 its return; the last entry is the head.
  static bool is_return(uint32_t entry) { return (entry & 1) != 0; }

  void prepare(std::span<const Interval> ops) {
    ops_ = ops;
    closed_.clear();
    open_.clear();
    classes_.clear();
    for (uint32_t i = 0; i < ops.size(); ++i) {
      (ops[i].ret == kNeverReturns ? open_ : closed_).push_back(i);
    }
    const auto by_call = [&](uint32_t a, uint32_t b) { return ops[a].call < ops[b].call; };
    std::sort(closed_.begin(), closed_.end(), by_call);
    std::sort(open_.begin(), open_.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(ops[a].kind, ops[a].call) < std::pair(ops[b].kind, ops[b].call);
    });
    for (uint32_t i = 0; i < open_.size(); ++i) {
      if (i == 0 || ops[open_[i]].kind != ops[open_[i - 1]].kind) classes_.push_back({i, i, i});
      classes_.back().end = i + 1;
    }

    const uint32_t count = static_cast<uint32_t>(closed_.size());
    by_position_.clear();
    query_.clear();
    for (uint32_t j = 0; j < count; ++j) {
      query_.push_back(model_->is_query(closed_[j]) ? 1 : 0);
      by_position_.emplace_back(ops[closed_[j]].call, 2 * j);
      by_position_.emplace_back(ops[closed_[j]].ret, 2 * j + 1);
    }
    std::sort(by_position_.begin(), by_position_.end());
    head_ = 2 * count;
    next_.resize(2 * count + 1);
    prev_.resize(2 * count + 1);
    uint32_t last = head_;
    // Every operation placed after the first unplaced one was called before that one returned: the
    // memo needs only that window of the set of placed operations.
    uint32_t calls = 0, window = 0;
    for (const auto& [position, entry] : by_position_) {
      next_[last] = entry;
      prev_[entry] = last;
      last = entry;
      if (is_return(entry)) {
        window = std::max(window, calls - entry / 2);
      } else {
        ++calls;
      }
    }
    next_[last] = head_;
    prev_[head_] = last;

    window_words_ = (window + 63) / 64;
    placed_.assign(count / 64 + window_words_ + 2, 0);
    open_words_ = (open_.size() + 63) / 64;
    open_placed_.assign(open_words_, 0);
    memo_.reset(1 + window_words_, open_words_);
    key_.resize(1 + window_words_ + open_words_);
    states_.reset();
    state_bytes_ = 0;
    size_t slots = 16;
    while (slots < 8 * ops.size() && slots < (1u << 15)) slots *= 2;
    steps_.assign(slots, {UINT64_MAX, 0});
    stack_.clear();
    looked_ahead_ = false;
    best_.clear();
    best_frontier_ = 0;
    best_closed_ = 0;
    best_blocked_ = kNone;
    open_used_ = 0;
  }

  LinearVerdict search() {
    state_ = intern(model_->initial());
    while (true) {
      const uint32_t frontier = settle();
      if (frontier == head_) return LinearVerdict::kLinearizable;
      Rest rest{next_[head_], 0, frontier, false};
      bool fresh = remember();  // otherwise there is nothing to try
      if (fresh && over_limit()) {
        if (best_blocked_ == kNone) note_dead_end(frontier);
        return LinearVerdict::kUndecided;
      }
      // Take the next untried alternative of this configuration, else go back to one that has some.
      while (!fresh || !take_alternative(rest)) {
        if (fresh) note_dead_end(rest.frontier);
        fresh = true;
        if (!back(rest)) return LinearVerdict::kNotLinearizable;
      }
    }
  }

  // Places every operation that fits and changes nothing; returns the first return left in the list
  // (the head: none is left).
  uint32_t settle() {
    uint32_t entry = next_[head_];
    while (entry != head_ && !is_return(entry)) {
      const uint32_t j = entry / 2;
      if (query_[j] && step(closed_[j]) == state_) {
        stack_.push_back({j, state_, kNone, false, true, false});
        lift(j);
      }
      entry = next_[entry];
    }
    return entry;
  }

  bool take_alternative(Rest rest) {
    const auto prospect = look_from(rest.frontier);
    while (true) {
      for (; !is_return(rest.cursor); rest.cursor = next_[rest.cursor]) {
        const uint32_t j = rest.cursor / 2;
        const Advice advice = advice_on(prospect, closed_[j]);
        if (!has_turn(advice, rest.late)) continue;
        const uint32_t after = step(closed_[j]);
        if (after == kMisfit) continue;
        stack_.push_back({j, state_, kNone, false, advice == Advice::kTake, rest.late});
        lift(j);
        state_ = after;
        return true;
      }
      const uint32_t limit = by_return(rest.frontier);
      for (; rest.open_class < classes_.size(); ++rest.open_class) {
        OpenClass& open = classes_[rest.open_class];
        if (open.used == open.end || ops_[open_[open.used]].call > limit) continue;
        const Advice advice = advice_on(prospect, open_[open.used]);
        if (!has_turn(advice, rest.late)) continue;
        const uint32_t after = step(open_[open.used]);
        if (after == kMisfit || after == state_) continue;
        stack_.push_back(
            {rest.open_class, state_, rest.frontier, true, advice == Advice::kTake, rest.late});
        open_placed_[open.used / 64] |= uint64_t{1} << (open.used % 64);
        ++open.used;
        ++open_used_;
        state_ = after;
        return true;
      }
      if (!kIsAdvised || rest.late) return false;
      rest = {next_[head_], 0, rest.frontier, true};
    }
  }

  // What can be seen from this configuration, for advice_on().
  auto look_from(uint32_t frontier) {
    if constexpr (kIsAdvised) {
      others_.clear();
      for (uint32_t entry = next_[head_]; entry != frontier; entry = next_[entry]) {
        others_.push_back(closed_[entry / 2]);
      }
      for (const OpenClass& open : classes_) {
        for (uint32_t i = open.used; i < open.end; ++i) {
          if (ops_[open_[i]].call < by_return(frontier)) others_.push_back(open_[i]);
        }
      }
      return model_->prospect(states_[state_], others_, by_return(frontier));
    } else {
      return kNone;
    }
  }
  template <class Prospect>
  Advice advice_on(const Prospect& prospect, uint32_t op) {
    if constexpr (kIsAdvised) {
      return model_->advice(prospect, op);
    } else {
      return Advice::kTry;
    }
  }
  static bool has_turn(Advice advice, bool late) {
    return advice != Advice::kSkip && (advice == Advice::kTryLast) == late;
  }

  // Takes back the last operation that had alternatives, and says what is left of them.
  bool back(Rest& rest) {
    while (!stack_.empty()) {
      const Frame frame = stack_.back();
      stack_.pop_back();
      state_ = frame.state;
      if (frame.open) {
        OpenClass& open = classes_[frame.item];
        --open.used;
        --open_used_;
        open_placed_[open.used / 64] &= ~(uint64_t{1} << (open.used % 64));
        if (frame.forced) continue;
        rest = {frame.frontier, frame.item + 1, frame.frontier, frame.late};
        return true;
      }
      unlift(frame.item);
      if (frame.forced) continue;
      rest = {next_[2 * frame.item], 0, next_[2 * frame.item], frame.late};
      while (!is_return(rest.frontier)) rest.frontier = next_[rest.frontier];
      return true;
    }
    return false;
  }

  // The return leaves first, so that the call's own link stays right when the two are neighbours.
  void lift(uint32_t j) {
    unlink(2 * j + 1);
    unlink(2 * j);
    placed_[j / 64] |= uint64_t{1} << (j % 64);
  }
  void unlift(uint32_t j) {
    relink(2 * j);
    relink(2 * j + 1);
    placed_[j / 64] &= ~(uint64_t{1} << (j % 64));
  }
  void unlink(uint32_t entry) {
    next_[prev_[entry]] = next_[entry];
    prev_[next_[entry]] = prev_[entry];
  }
  void relink(uint32_t entry) {
    next_[prev_[entry]] = entry;
    prev_[next_[entry]] = entry;
  }

  uint32_t by_return(uint32_t entry) const { return ops_[closed_[entry / 2]].ret; }

  // Whether the configuration is new and worth trying.
  bool remember() {
    const uint32_t first = next_[head_] / 2;
    key_[0] = (uint64_t{first} << 32) | state_;
    for (size_t w = 0; w < window_words_; ++w) {
      const size_t bit = size_t{first} + 1 + 64 * w;
      const size_t shift = bit % 64;
      uint64_t word = placed_[bit / 64] >> shift;
      if (shift != 0) word |= placed_[bit / 64 + 1] << (64 - shift);
      key_[1 + w] = word;
    }
    std::copy(open_placed_.begin(), open_placed_.end(), key_.data() + 1 + window_words_);
    if (!memo_.insert(key_)) return false;
    if constexpr (requires { model_->may_fit(states_[0], first, others_); }) {
      if (look_ahead_ && !worth_trying()) {
        looked_ahead_ = true;
        return false;
      }
    }
    return true;
  }

  // Looks ahead to the next query that returns: can what is called before that still lead there?
  bool worth_trying() {
    others_.clear();
    uint32_t entry = next_[head_];
    for (; entry != head_; entry = next_[entry]) {
      const uint32_t op = closed_[entry / 2];
      if (!is_return(entry)) {
        others_.push_back(op);
      } else if (query_[entry / 2]) {
        break;
      }
    }
    if (entry == head_) return true;
    const uint32_t limit = by_return(entry);
    for (const OpenClass& open : classes_) {
      if (open.used < open.end && ops_[open_[open.used]].call < limit) {
        others_.push_back(open_[open.used]);
      }
    }
    return model_->may_fit(states_[state_], closed_[entry / 2], others_);
  }

  bool over_limit() {
    if (memo_.size() > most_configurations_) return true;
    if (limits_.memory_bytes != 0 && memo_.bytes() + state_bytes_ > limits_.memory_bytes) {
      return true;
    }
    return limits_.time.count() != 0 && memo_.size() % 64 == 0 &&
           std::chrono::steady_clock::now() > deadline_;
  }

  void note_dead_end(uint32_t frontier) {
    const uint32_t position = by_return(frontier);
    const size_t closed = stack_.size() - open_used_;
    if (best_blocked_ != kNone &&
        std::pair(position, closed) <= std::pair(best_frontier_, best_closed_)) {
      return;
    }
    record(position, closed_[frontier / 2]);
  }

  void record(uint32_t position, uint32_t blocked) {
    best_frontier_ = position;
    best_closed_ = stack_.size() - open_used_;
    best_blocked_ = blocked;
    best_.clear();
    for (OpenClass& open : classes_) open.used = open.begin;
    for (const Frame& frame : stack_) {
      best_.push_back(frame.open ? open_[classes_[frame.item].used++] : closed_[frame.item]);
    }
  }

  uint32_t intern(typename Model::State&& state) {
    const uint64_t hash = model_->hash(state);
    const auto equal = [&](const auto& a, const auto& b) { return model_->equal(a, b); };
    const size_t before = states_.size();
    const uint32_t id = states_.intern(std::move(state), hash, equal);
    if (states_.size() != before) state_bytes_ += model_->bytes(states_[id]) + 16;
    return id;
  }

  // The state after `op` in the current one. Remembers recent answers.
  uint32_t step(uint32_t op) {
    const uint64_t key = (uint64_t{state_} << 32) | op;
    auto& slot = steps_[linear_mix(key) & (steps_.size() - 1)];
    if (slot.first != key) {
      std::optional<typename Model::State> after = model_->step(states_[state_], op);
      slot = {key, after ? intern(std::move(*after)) : kMisfit};
    }
    return slot.second;
  }

  const Model* model_ = nullptr;
  LinearLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
  std::span<const Interval> ops_;
  std::vector<uint32_t> closed_;  // operations that returned, in order of call
  std::vector<uint32_t> open_;    // those that did not, by class and then in order of call
  std::vector<char> query_;       // parallel to closed_
  std::vector<OpenClass> classes_;
  std::vector<std::pair<uint32_t, uint32_t>> by_position_;
  std::vector<uint32_t> next_, prev_;
  uint32_t head_ = 0;
  size_t window_words_ = 0, open_words_ = 0;
  std::vector<uint64_t> placed_, open_placed_, key_;
  LinearMemo memo_;
  StateTable<typename Model::State> states_;
  size_t state_bytes_ = 0;
  std::vector<std::pair<uint64_t, uint32_t>> steps_;
  std::vector<uint32_t> others_;
  size_t most_configurations_ = SIZE_MAX;
  bool look_ahead_ = true, looked_ahead_ = false;  // whether to, and whether it ended an order
  uint32_t state_ = 0;
  std::vector<Frame> stack_;
  std::vector<uint32_t> best_;
  size_t open_used_ = 0;  // open operations on the stack
  uint32_t best_frontier_ = 0, best_blocked_ = kNone;
  size_t best_closed_ = 0;
};

}  // namespace detail
}  // namespace ordeal
