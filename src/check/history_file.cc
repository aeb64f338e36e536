#include "check/history_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/file.h"
#include "base/text.h"
#include "check/history_parse.h"

namespace ordeal {
namespace {

std::string show(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "nil";
}
std::string show(const std::string& value) { return quoted_for_message(value); }

// A long value differs from its neighbours at its end: that is the part to show.
std::string show_state(const std::optional<int64_t>& state) { return show(state); }
std::string show_state(const std::string& state) {
  constexpr size_t kShown = 40;
  if (state.size() <= kShown) return show(state);
  return fmt::format("...{} ({} bytes)", show(state.substr(state.size() - kShown)), state.size());
}

struct ShowEtcd {
  std::string operator()(const reg::Read&) const { return "read"; }
  std::string operator()(const reg::Write<std::optional<int64_t>>& c) const {
    return "write " + show(c.value);
  }
  std::string operator()(const reg::Cas<std::optional<int64_t>>& c) const {
    return fmt::format("cas {} -> {}", show(c.from), show(c.to));
  }
  std::string operator()(const reg::WriteOk&) const { return "ok"; }
  std::string operator()(const reg::ReadOk<std::optional<int64_t>>& r) const {
    return show_state(r.value);
  }
  std::string operator()(const reg::CasOk&) const { return "ok"; }
  std::string operator()(const reg::CasFailed&) const { return "failed"; }
};

struct ShowKv {
  std::string operator()(const kv::Put& c) const {
    return fmt::format("put {} {}", show(c.key), show(c.value));
  }
  std::string operator()(const kv::Append& c) const {
    return fmt::format("append {} {}", show(c.key), show(c.value));
  }
  std::string operator()(const kv::Get& c) const { return "get " + show(c.key); }
  std::string operator()(const kv::Done&) const { return "ok"; }
  std::string operator()(const kv::Got& r) const { return show_state(r.value); }
};

// "read = 3", "write 2 = ok", "cas 1 -> 2 (no result)".
std::string describe(const RecordedOperation& op) {
  return op.result.empty() ? op.call + " (no result)" : op.call + " = " + op.result;
}

std::string where(const RecordedOperation& op) {
  const std::string end =
      op.return_line == 0 ? "never returned" : fmt::format("returned on line {}", op.return_line);
  return fmt::format("line {}: process {}: {} ({})", op.call_line, op.process, describe(op), end);
}

template <class Spec, class Show>
HistoryVerdict check(const Spec& spec, RecordedHistory<Spec>& history, const LinearLimits& limits,
                     const Show& show_part, HistoryFormat format, std::string_view subject) {
  HistoryVerdict verdict;
  verdict.format = format;
  std::set<int64_t> processes;
  for (size_t i = 0; i < history.origins.size(); ++i) {
    const auto& origin = history.origins[i];
    processes.insert(origin.process);
    const auto& result = history.ops.results[i];
    verdict.operations.push_back({origin.process, origin.call_line, origin.return_line,
                                  std::visit(show_part, history.ops.calls[i]),
                                  result ? std::visit(show_part, *result) : std::string()});
  }
  verdict.processes = processes.size();
  if constexpr (PartitionedSpec<Spec>) {
    std::set<std::string> keys;
    for (const auto& call : history.ops.calls) keys.insert(spec.partition(call));
    verdict.keys = keys.size();
  }

  detail::SpecChecker<Spec> checker;
  const detail::SpecOutcome outcome = checker.check(spec, history.ops, limits);
  verdict.verdict = outcome.verdict;
  verdict.configurations = outcome.configurations;
  verdict.order.assign(outcome.order.begin(), outcome.order.end());
  verdict.unplaced.assign(outcome.unplaced.begin(), outcome.unplaced.end());

  // The order may mix keys: each has its own state.
  std::map<std::string, typename Spec::State> states;
  const auto state_of = [&](size_t op) -> typename Spec::State& {
    std::string key;
    if constexpr (PartitionedSpec<Spec>) key = spec.partition(history.ops.calls[op]);
    return states.try_emplace(key, spec.initial()).first->second;
  };
  for (const size_t op : verdict.order) {
    typename Spec::State& state = state_of(op);
    const auto& result = history.ops.results[op];
    state = *spec.step(state, history.ops.calls[op], result ? &*result : nullptr);
    verdict.states.push_back(show_state(state));
  }

  if (verdict.verdict == LinearVerdict::kNotLinearizable) {
    const size_t first = verdict.unplaced.front();
    const RecordedOperation& op = verdict.operations[first];
    verdict.explanation = fmt::format(
        "process {}'s {}, invoked on line {}, cannot be placed before its return on line {}: after "
        "the longest order found {} holds {}",
        op.process, describe(op), op.call_line, op.return_line, subject,
        show_state(state_of(first)));
  } else if (verdict.verdict == LinearVerdict::kUndecided) {
    verdict.explanation = "the limit on time or memory was reached before an order was found";
  }
  return verdict;
}

Result<HistoryFormat> detect(const std::string& name, std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return Error{name + ": the file is empty; a history has at least one operation"};
  }
  text.remove_prefix(first);
  if (text.starts_with('{')) return HistoryFormat::kKeyValue;
  if (text.starts_with("INFO")) return HistoryFormat::kEtcd;
  return Error{
      fmt::format("{}: neither of the known formats: it begins with {}; events begin with \"INFO  "
                  "jepsen.util -\""
                  " (register) or \"{{:process\" (key-value)",
                  name, quoted_for_message(text.substr(0, text.find('\n'))))};
}

}  // namespace

Result<HistoryVerdict> check_history_text(const std::string& name, std::string_view text,
                                          const HistoryOptions& options) {
  Result<HistoryFormat> format = detect(name, text);
  if (options.format == HistoryFormat::kAuto) {
    if (!format) return format.error();
  } else {
    format = options.format;
  }
  if (*format == HistoryFormat::kEtcd) {
    Result<RecordedHistory<EtcdSpec>> history = parse_etcd_history(name, text);
    if (!history) return history.error();
    return check(EtcdSpec{}, *history, options.limits, ShowEtcd{}, *format, "the register");
  }
  Result<RecordedHistory<KeyValueSpec>> history = parse_kv_history(name, text);
  if (!history) return history.error();
  return check(KeyValueSpec{}, *history, options.limits, ShowKv{}, *format, "the key");
}

Result<HistoryVerdict> check_history_file(const std::string& path, const HistoryOptions& options) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return check_history_text(path, *text, options);
}

std::string render(const HistoryVerdict& verdict, size_t max_steps) {
  std::string out;
  const bool keyed = verdict.format == HistoryFormat::kKeyValue;
  const char* answer = verdict.verdict == LinearVerdict::kLinearizable      ? "linearizable"
                       : verdict.verdict == LinearVerdict::kNotLinearizable ? "NOT linearizable"
                                                                            : "undecided";
  const size_t open = static_cast<size_t>(
      std::count_if(verdict.operations.begin(), verdict.operations.end(),
                    [](const RecordedOperation& op) { return op.return_line == 0; }));
  const std::string processes =
      verdict.processes == 1 ? "1 process" : grouped(verdict.processes) + " processes";
  const std::string keys = keyed ? " on " + counted(verdict.keys, "key") : std::string();
  out += fmt::format("{}: {} by {}{}, {} of them never returned\n", answer,
                     counted(verdict.operations.size(), "operation"), processes, keys, open);
  if (verdict.verdict == LinearVerdict::kLinearizable) return out;

  out += verdict.explanation + "\n";
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
  out +=
      fmt::format("\nLongest order found ({} operations{}), with the {} after each:\n",
                  verdict.order.size(), keyed ? " on that key" : "", keyed ? "value" : "register");
  const size_t skipped = verdict.order.size() > max_steps ? verdict.order.size() - max_steps : 0;
  if (skipped != 0) out += fmt::format("  ... {} operations before these\n", skipped);
  for (size_t i = skipped; i < verdict.order.size(); ++i) {
    const RecordedOperation& op = verdict.operations[verdict.order[i]];
    out += fmt::format("  {:4}. line {:4}  process {:3}  {:<28} {}\n", i + 1, op.call_line,
                       op.process, describe(op), verdict.states[i]);
  }
  return out;
}

}  // namespace ordeal
