// Client histories and linearizability.
//
//   History h;
//   h.invoke(1, value::Any::of(reg::Write<int>{7}));      // client 1 calls
//   h.invoke(2, value::Any::of(reg::Read{}));             // client 2 calls, before 1 has returned
//   h.ret(1, value::Any::of(reg::WriteOk{}));
//   h.ret(2, value::Any::of(reg::ReadOk<int>{0}));
//   LinearResult r = linearizable<RegisterSpec<int>>(h);  // r.ok: the read came first
//
// A History is a value: it holds what can be told about the operations and not how they came about.
// Each operation knows how many operations every other client had completed when it was called;
// that is exactly the real-time order, so two runs that differ in nothing a client can see have
// equal histories, with equal hashes.
//
// What an object should do is said by a sequential specification: RegisterSpec<V>, KeyValueSpec;
// FifoQueueSpec<V>, UnorderedQueueSpec<V> (detail/queue_specs.h); MutexSpec, SetSpec<V>,
// MultiRegisterSpec<K, V>, and KeyedSpec<K, Spec> for an object of each key
// (detail/object_specs.h); or one of your own (detail/sequential_spec.h has an example).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ordeal/detail/linear_check.h"
#include "ordeal/detail/linear_core.h"
#include "ordeal/detail/object_specs.h"
#include "ordeal/detail/queue_specs.h"
#include "ordeal/detail/sequential_spec.h"
#include "ordeal/node_id.h"
#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal {

class History {
 public:
  // How many operations of another client were complete; a client with none is not listed.
  struct Seen {
    NodeId client;
    uint32_t completed = 0;
  };
  struct Operation {
    value::Any call;
    value::Any result;       // empty while it is pending
    std::vector<Seen> seen;  // at the call, in order of client
  };
  struct Client {
    NodeId id;
    std::vector<Operation> completed;
    std::optional<Operation> pending;
  };

  // A client has one operation at a time: an error while it has one pending.
  Result<void> invoke(NodeId client, value::Any call);
  // An error when the client has none pending.
  Result<void> ret(NodeId client, value::Any result);

  // Those that ever called, in order of id.
  const std::vector<Client>& clients() const { return clients_; }
  bool empty() const { return clients_.empty(); }
  size_t size() const;  // operations, pending ones too

  // Of the content, like those of the value layer.
  uint64_t hash() const;
  uint64_t second_hash() const;  // independent of the first
  uint64_t digest() const;       // with types by their short names: see value::Any::digest()
  std::strong_ordering compare(const History& other) const;
  bool operator==(const History& other) const { return compare(other) == 0; }
  value::Tree tree() const;
  // Clients renamed, and the nodes inside calls and results too.
  History renamed(const value::Renaming& renaming) const;
  // As bytes, see value::write_any(). False for malformed ones.
  void write(std::string& bytes) const;
  bool read(std::string_view& bytes);

 private:
  std::vector<Client> clients_;
};

// An operation of a history: the index-th of its client; the one after the completed ones is the
// pending one.
struct OpRef {
  NodeId client;
  uint32_t index = 0;

  friend bool operator==(const OpRef& a, const OpRef& b) {
    return a.client.value == b.client.value && a.index == b.index;
  }
};

// REQUIRES: the history has it.
const History::Operation& operation(const History& history, OpRef ref);

// Whether a returned before b was called.
bool precedes(const History& history, OpRef a, OpRef b);

struct LinearResult {
  bool ok = false;
  bool undecided = false;  // a limit was reached; ok is false then
  // ok: the operations that took effect, in an order that works. Otherwise such an order of all but
  // the unplaced ones; where that was too hard to find, the longest order of a part of the history
  // (of one key, with a partition).
  std::vector<OpRef> order;
  // Not ok: operations that have no place in it. The first is the one that the explanation names.
  std::vector<OpRef> unplaced;
  // Not ok: operations that have no order, even if each of the others took effect at any time,
  // whatever it returned, or never; in order of their calls. Each of them is needed for that,
  // unless `core_is_minimal` is false: looking for fewer has a bound. Empty where undecided.
  std::vector<OpRef> core;
  bool core_is_minimal = true;
  std::string explanation;  // empty if ok
};

namespace detail {

// For whoever wants to know in which order operations took effect, or why in none: see
// src/history/order_listener.h.
void tell_order(const LinearResult& result);

// The operations of a history in a fixed order, with positions of calls and returns on one line.
// Any history has such a line: the operations before each call include one another.
struct HistoryLine {
  std::vector<OpRef> refs;
  std::vector<const History::Operation*> operations;
  std::vector<Interval> intervals;

  void lay(const History& history);

 private:
  std::vector<uint32_t> levels_;
};

std::string explain_misfit(const HistoryLine& line, const LinearReason& reason);
std::string explain_unknown(const HistoryLine& line, uint32_t op, bool is_call);

// Reads a T, or one of the alternatives if T is a variant.
template <class T>
struct Unpack {
  static bool from(const value::Any& any, T& out) {
    const T* value = any.try_get<T>();
    if (value == nullptr) return false;
    out = *value;
    return true;
  }
};
template <class... A>
struct Unpack<std::variant<A...>> {
  static bool from(const value::Any& any, std::variant<A...>& out) {
    const auto take = [&]<class T>(const T* value) {
      if (value != nullptr) out = *value;
      return value != nullptr;
    };
    return take(any.try_get<std::variant<A...>>()) || (take(any.try_get<A>()) || ...);
  }
};

// Checks one history after another and keeps its memory between them.
template <SequentialSpec Spec>
class HistoryChecker {
 public:
  void set_quick_bytes(size_t bytes) { checker_.set_quick_bytes(bytes); }

  LinearResult check(const History& history, const Spec& spec, const LinearLimits& limits) {
    LinearResult result;
    if (!load(history, result.explanation)) return result;
    const SpecOutcome outcome = checker_.check(spec, ops_, limits);
    result.ok = outcome.verdict == LinearVerdict::kLinearizable;
    result.undecided = outcome.verdict == LinearVerdict::kUndecided;
    if (result.ok || result.undecided) {
      result.order = refs(outcome.order);
      result.unplaced = refs(outcome.unplaced);
      if (result.undecided) {
        result.explanation = "undecided: the limit on time or memory was reached";
      }
      return result;
    }
    const LinearReason reason = ReasonFinder<Spec>(spec, ops_).find(outcome);
    result.order = refs(reason.order);
    result.unplaced = refs(reason.unplaced);
    result.core = refs(reason.core);
    result.core_is_minimal = reason.is_minimal;
    result.explanation = explain_misfit(line_, reason);
    return result;
  }

  LinearVerdict verdict(const History& history, const Spec& spec, const LinearLimits& limits) {
    std::string ignored;
    if (!load(history, ignored)) return LinearVerdict::kNotLinearizable;
    return checker_.verdict(spec, ops_, limits);
  }

 private:
  // False, with the reason, where the history has something that the specification does not know.
  bool load(const History& history, std::string& why) {
    line_.lay(history);
    ops_.clear();
    for (uint32_t i = 0; i < line_.operations.size(); ++i) {
      const History::Operation& op = *line_.operations[i];
      ops_.calls.emplace_back();
      ops_.results.emplace_back();
      if (!Unpack<typename Spec::Call>::from(op.call, ops_.calls.back())) {
        why = explain_unknown(line_, i, true);
        return false;
      }
      if (op.result.empty()) continue;
      if (!Unpack<typename Spec::Return>::from(op.result, ops_.results.back().emplace())) {
        why = explain_unknown(line_, i, false);
        return false;
      }
    }
    ops_.intervals = line_.intervals;
    return true;
  }

  std::vector<OpRef> refs(const std::vector<uint32_t>& ops) const {
    std::vector<OpRef> out;
    out.reserve(ops.size());
    for (const uint32_t op : ops) out.push_back(line_.refs[op]);
    return out;
  }

  HistoryLine line_;
  SpecOps<Spec> ops_;
  SpecChecker<Spec> checker_;
};

template <SequentialSpec Spec>
HistoryChecker<Spec>& history_checker() {
  static thread_local HistoryChecker<Spec> checker;
  return checker;
}

}  // namespace detail

// Whether the history's operations, pending ones at will, can be put in one order that respects
// real time and in which every result is what the specification says.
template <SequentialSpec Spec>
LinearResult linearizable(const History& history, const Spec& spec = Spec{},
                          const LinearLimits& limits = {}) {
  return detail::history_checker<Spec>().check(history, spec, limits);
}

// Only the verdict, for callers with very many small histories.
template <SequentialSpec Spec>
LinearVerdict linear_verdict(const History& history, const Spec& spec = Spec{},
                             const LinearLimits& limits = {}) {
  return detail::history_checker<Spec>().verdict(history, spec, limits);
}

}  // namespace ordeal
