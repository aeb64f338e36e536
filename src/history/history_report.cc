#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "history/history_file.h"
#include "history/history_judge.h"

namespace ordeal {
namespace {

constexpr size_t kTableWidth = 120;
constexpr size_t kMostOfACore = 20;  // a reason is read by a person

std::string where(const RecordedOperation& op) {
  const std::string end = op.returned.line == 0
                              ? "never returned"
                              : fmt::format("returned on line {}", to_string(op.returned));
  return fmt::format("line {}: process {}: {} ({})", to_string(op.called), op.process, describe(op),
                     end);
}

// What is not among the operations.
std::string what_else(const HistoryVerdict& verdict) {
  std::string out = "model " + verdict.model;
  if (verdict.failed != 0) {
    out += fmt::format("; {} failed and did not happen", counted(verdict.failed, "more operation"));
  }
  if (verdict.left_out != 0) {
    out += fmt::format("; {} of {} left out", counted(verdict.left_out, "event"),
                       join(verdict.not_clients, ", "));
  }
  return out;
}

// The operations that have no order, whatever the others did: the reason.
std::string core_text(const HistoryVerdict& verdict) {
  if (verdict.core.empty()) return "";
  const size_t others = verdict.operations.size() - verdict.core.size();
  std::string out = verdict.core.size() == 1
                        ? "\nThis operation has no place"
                        : fmt::format("\nThese {} have no order together",
                                      counted(verdict.core.size(), "operation"));
  if (others > 0) {
    out += fmt::format(", whatever the other {} did", others == 1 ? "one" : grouped(others));
  }
  out +=
      verdict.core_is_minimal ? ":\n" : " (fewer may be enough: looking for them was given up):\n";
  for (size_t i = 0; i < std::min(kMostOfACore, verdict.core.size()); ++i) {
    out += "  " + where(verdict.operations[verdict.core[i]]) + "\n";
  }
  if (verdict.core.size() > kMostOfACore) {
    out += fmt::format("  ... {} more\n", grouped(verdict.core.size() - kMostOfACore));
  }
  return out;
}

}  // namespace

std::string to_string(const RecordedPlace& place) {
  return place.column == 0 ? std::to_string(place.line)
                           : fmt::format("{}:{}", place.line, place.column);
}

std::string describe(const RecordedOperation& op) {
  return op.result.empty() ? op.call + " (no result)" : op.call + " = " + op.result;
}

std::string render(const HistoryVerdict& verdict, size_t max_steps) {
  std::string out;
  const char* answer = verdict.verdict == LinearVerdict::kLinearizable      ? "linearizable"
                       : verdict.verdict == LinearVerdict::kNotLinearizable ? "NOT linearizable"
                                                                            : "undecided";
  const size_t open = static_cast<size_t>(
      std::count_if(verdict.operations.begin(), verdict.operations.end(),
                    [](const RecordedOperation& op) { return op.returned.line == 0; }));
  const std::string processes =
      verdict.processes == 1 ? "1 process" : grouped(verdict.processes) + " processes";
  const std::string keys =
      verdict.keys != 0 ? " on " + counted(verdict.keys, "key") : std::string();
  out += fmt::format("{}: {} by {}{}, {} of them never returned\n", answer,
                     counted(verdict.operations.size(), "operation"), processes, keys, open);
  if (verdict.format == HistoryFormat::kEdn) out += what_else(verdict) + "\n";
  if (verdict.verdict == LinearVerdict::kLinearizable) return out;

  out += verdict.explanation + "\n";
  out += core_text(verdict);
  if (!verdict.unplaced.empty()) {
    out += verdict.verdict == LinearVerdict::kNotLinearizable
               ? "\nFirst operation that cannot be placed:\n"
               : "\nThe search was stuck most recently at:\n";
    out += "  " + where(verdict.operations[verdict.unplaced.front()]) + "\n";
    if (verdict.unplaced.size() > 1)
      out += "Others under way at that time and not placed either:\n";
    for (size_t i = 1; i < verdict.unplaced.size(); ++i) {
      out += "  " + where(verdict.operations[verdict.unplaced[i]]) + "\n";
    }
  }
  out += fmt::format("\nLongest order found ({}{}{}), with the {} after each:\n",
                     counted(verdict.order.size(), "operation"), verdict.part.empty() ? "" : " ",
                     verdict.part, verdict.thing);
  const size_t skipped = verdict.order.size() > max_steps ? verdict.order.size() - max_steps : 0;
  if (skipped != 0) out += fmt::format("  ... {} operations before these\n", skipped);
  for (size_t i = skipped; i < verdict.order.size(); ++i) {
    const RecordedOperation& op = verdict.operations[verdict.order[i]];
    const std::string row =
        fmt::format("  {:4}. line {:>4}  process {:3}  {:<28} {}", i + 1, to_string(op.called),
                    op.process, describe(op), verdict.states[i]);
    out += cut_to(row, kTableWidth) + "\n";
  }
  return out;
}

}  // namespace ordeal
