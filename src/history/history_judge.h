// From typed operations with their places in a file to a verdict that can be shown.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "history/history_file.h"
#include "ordeal/detail/linear_check.h"
#include "ordeal/detail/linear_core.h"

namespace ordeal {

template <SequentialSpec Spec>
struct RecordedHistory {
  struct Origin {
    int64_t process = 0;
    RecordedPlace called;
    RecordedPlace returned;  // line 0: it never returned
  };
  std::vector<Origin> origins;  // parallel to the operations
  detail::SpecOps<Spec> ops;
};

// "read = 3", "write 2 = ok", "cas 1 -> 2 (no result)".
std::string describe(const RecordedOperation& op);

// Fills in all that follows from the operations. `show` puts into words what the specification
// has: call(), result(), state(), and situation() for "the register holds 3"; perhaps difference(),
// for what is wrong with a result in a state.
template <class Spec, class Show>
void judge(const Spec& spec, RecordedHistory<Spec>& history, const LinearLimits& limits,
           const Show& show, HistoryVerdict& verdict) {
  auto& ops = history.ops;
  const auto result_of = [&](size_t op) { return ops.results[op] ? &*ops.results[op] : nullptr; };
  std::unordered_set<int64_t> processes;
  for (size_t i = 0; i < history.origins.size(); ++i) {
    const auto& origin = history.origins[i];
    processes.insert(origin.process);
    verdict.operations.push_back({origin.process, origin.called, origin.returned,
                                  show.call(ops.calls[i]),
                                  result_of(i) != nullptr ? show.result(*result_of(i)) : ""});
  }
  verdict.processes = processes.size();

  detail::SpecChecker<Spec> checker;
  const detail::SpecOutcome outcome = checker.check(spec, ops, limits);
  verdict.verdict = outcome.verdict;
  verdict.configurations = outcome.configurations;
  verdict.order.assign(outcome.order.begin(), outcome.order.end());
  verdict.unplaced.assign(outcome.unplaced.begin(), outcome.unplaced.end());
  if (verdict.verdict == LinearVerdict::kLinearizable) return;
  if (outcome.is_about_few) verdict.part = "of those that contradict each other";

  // The order is one of a single key, if there are keys.
  typename Spec::State state = spec.initial();
  for (const size_t op : verdict.order) {
    state = *spec.step(state, ops.calls[op], result_of(op));
    verdict.states.push_back(show.state(state));
  }
  if (verdict.verdict == LinearVerdict::kUndecided) {
    verdict.explanation = "the limit on time or memory was reached before an order was found";
    return;
  }
  const detail::LinearReason reason = detail::ReasonFinder<Spec>(spec, ops).core(outcome);
  verdict.core.assign(reason.core.begin(), reason.core.end());
  verdict.core_is_minimal = reason.is_minimal;
  const size_t first = verdict.unplaced.front();
  const RecordedOperation& op = verdict.operations[first];
  verdict.explanation = fmt::format(
      "process {}'s {}, invoked on line {}, cannot be placed before its return on line {}: after "
      "the longest order found {}",
      op.process, describe(op), to_string(op.called), to_string(op.returned),
      show.situation(state));
  if constexpr (requires { show.difference(state, *result_of(first)); }) {
    if (result_of(first) != nullptr)
      verdict.explanation += show.difference(state, *result_of(first));
  }
}

}  // namespace ordeal
