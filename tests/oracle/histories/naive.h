// Objects in the plainest words, as Jepsen's histories speak of them, with nothing of the engine in
// it: what a call may do to a state, one answer for each way it may go. And linearizability over
// them, by trying every order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"

namespace ordeal::histories {

using Numbers = std::vector<int>;

struct NaiveCall {
  std::string f;
  Numbers argument;
};

// What a call returned, or would have.
struct NaiveStep {
  Numbers state;
  Numbers result;
};

class NaiveObject {
 public:
  virtual ~NaiveObject() = default;

  virtual std::string model() const = 0;
  virtual NaiveCall random_call(Rng& rng) const = 0;
  virtual Numbers random_result(Rng& rng, const NaiveCall& call) const = 0;
  // All ways that the call may go in this state; none: it cannot happen.
  virtual std::vector<NaiveStep> steps(const Numbers& state, const NaiveCall& call) const = 0;
  // The values of events, in EDN.
  virtual std::string argument_text(Rng& rng, const NaiveCall& call) const = 0;
  virtual std::string result_text(Rng& rng, const NaiveCall& call, const Numbers& result) const = 0;

  virtual Numbers initial() const { return {}; }

  // How its histories are to be read.
  virtual std::string initial_text() const { return ""; }  // in EDN, if it is to be told
  virtual bool has_pairs() const { return false; }         // of keys and values
  virtual bool nil_is_unknown() const { return false; }
};

struct NaiveOperation {
  NaiveCall call;
  std::optional<Numbers> result;  // none: it never returned
  size_t called = 0, returned = 0;
};

// Whether some order that respects real time explains all results.
class NaiveSearch {
 public:
  NaiveSearch(const NaiveObject& object, const std::vector<NaiveOperation>& operations)
      : object_(object), operations_(operations), placed_(operations.size()) {}

  bool finds_an_order() { return search(object_.initial()); }

  // Whether this order, of numbers of operations, is one; a part of one if `is_whole` is false.
  bool explains(const std::vector<size_t>& order, bool is_whole) const {
    std::vector<Numbers> states = {object_.initial()};
    std::vector<bool> placed(operations_.size());
    for (const size_t op : order) {
      if (placed[op]) return false;
      for (size_t other = 0; other < operations_.size(); ++other) {
        if (placed[other] && precedes(op, other)) return false;
      }
      placed[op] = true;
      std::vector<Numbers> after;
      for (const Numbers& state : states) {
        for (const NaiveStep& step : object_.steps(state, operations_[op].call)) {
          if (!operations_[op].result || *operations_[op].result == step.result) {
            after.push_back(step.state);
          }
        }
      }
      states = std::move(after);
      if (states.empty()) return false;
    }
    for (size_t op = 0; is_whole && op < operations_.size(); ++op) {
      if (operations_[op].result && !placed[op]) return false;
    }
    return true;
  }

 private:
  bool precedes(size_t a, size_t b) const {
    return operations_[a].result && operations_[a].returned < operations_[b].called;
  }
  bool search(const Numbers& state) {
    bool done = true;
    for (size_t op = 0; op < operations_.size(); ++op) {
      done = done && (placed_[op] || !operations_[op].result);
    }
    if (done) return true;
    for (size_t op = 0; op < operations_.size(); ++op) {
      if (placed_[op]) continue;
      bool is_first = true;
      for (size_t other = 0; other < operations_.size(); ++other) {
        is_first = is_first && (placed_[other] || !precedes(other, op));
      }
      if (!is_first) continue;
      placed_[op] = true;
      for (const NaiveStep& step : object_.steps(state, operations_[op].call)) {
        if (operations_[op].result && *operations_[op].result != step.result) continue;
        if (search(step.state)) return true;
      }
      placed_[op] = false;
    }
    return false;
  }

  const NaiveObject& object_;
  const std::vector<NaiveOperation>& operations_;
  std::vector<bool> placed_;
};

}  // namespace ordeal::histories
