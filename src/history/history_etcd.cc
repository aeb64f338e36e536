#include "history/history_etcd.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace ordeal {
namespace {

constexpr size_t kLongestLine = size_t{1} << 20;

// One line, and the place of its errors.
struct Line {
  const std::string& name;
  size_t number;
  std::string_view text;

  // `at` points into text.
  Error error(std::string_view field, std::string_view at, const std::string& what) const {
    const size_t column = static_cast<size_t>(at.data() - text.data()) + 1;
    return Error{fmt::format("{}:{}: {} (column {}): {}", name, number, field, column, what)};
  }
  Error error(const std::string& what) const {
    return Error{fmt::format("{}:{}: {}", name, number, what)};
  }
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

// The text up to the next blank. At the end of the line it is empty, and points there.
std::string_view take_word(std::string_view& rest) {
  skip_blanks(rest);
  size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::string found(std::string_view text) {
  return text.empty() ? "the line ends here" : "found " + quoted_for_message(text);
}

std::optional<int64_t> to_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Calls handle(line) for each line that is not blank, until it returns an error.
template <class Handle>
Result<void> for_each_line(const std::string& name, std::string_view text, const Handle& handle) {
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = text.find('\n');
    std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const Line line{name, number, content};
    if (content.size() > kLongestLine) {
      return line.error(fmt::format("the line is {} bytes long; at most {} are read as one event",
                                    content.size(), kLongestLine));
    }
    for (const char& c : content) {
      if ((static_cast<unsigned char>(c) < 0x20 && !is_blank(c)) || c == 0x7f) {
        return line.error("text", std::string_view(&c, 1),
                          fmt::format("byte 0x{:02x} does not occur in a history; the file must be "
                                      "text, one event per line",
                                      static_cast<unsigned char>(c)));
      }
    }
    skip_blanks(content);
    if (content.empty()) continue;
    if (Result<void> handled = handle(line); !handled) return handled;
  }
  return {};
}

// Pairs calls and returns.
class Pairing {
 public:
  using Call = EtcdSpec::Call;
  using Return = EtcdSpec::Return;

  Result<void> invoke(const Line& line, int64_t process, Call call) {
    auto [slot, fresh] = pending_.try_emplace(process);
    if (!fresh && !slot->second.timed_out) {
      return line.error(
          fmt::format("process {} invokes an operation, but the one it invoked on line {} has not "
                      "returned; a process has one operation at a time",
                      process, history_.origins[slot->second.op].called.line));
    }
    slot->second = {static_cast<uint32_t>(history_.origins.size()), false};
    history_.origins.push_back({process, {line.number}, {}});
    history_.ops.calls.push_back(std::move(call));
    history_.ops.results.emplace_back();
    history_.ops.intervals.push_back({position_++, detail::kNeverReturns, 0});
    return {};
  }

  // The call that `process` has under way.
  Result<const Call*> under_way(const Line& line, int64_t process, std::string_view kind) const {
    const auto slot = pending_.find(process);
    if (slot == pending_.end()) {
      return line.error(fmt::format(
          "{} for process {}, which has no operation under way; an :invoke must come before it",
          kind, process));
    }
    return &history_.ops.calls[slot->second.op];
  }
  size_t call_line(int64_t process) const {
    return history_.origins[pending_.at(process).op].called.line;
  }

  // REQUIRES: under_way(process), for both.
  void time_out(int64_t process) { pending_.at(process).timed_out = true; }
  void ret(const Line& line, int64_t process, std::optional<Return> result) {
    const uint32_t op = pending_.at(process).op;
    pending_.erase(process);
    history_.origins[op].returned.line = line.number;
    history_.ops.results[op] = std::move(result);
    history_.ops.intervals[op].ret = position_++;
  }

  Result<RecordedHistory<EtcdSpec>> finish(const std::string& name) {
    if (history_.origins.empty()) {
      return Error{name + ": no event in it; a history has at least one operation"};
    }
    return std::move(history_);
  }

 private:
  struct Pending {
    uint32_t op = 0;
    bool timed_out = false;
  };
  RecordedHistory<EtcdSpec> history_;
  std::unordered_map<int64_t, Pending> pending_;
  uint32_t position_ = 0;
};

Result<int64_t> parse_process(const Line& line, std::string_view word) {
  const std::optional<int64_t> process = to_integer(word);
  if (!process || *process < 0) {
    return line.error("process", word, found(word) + "; the number of a process should stand here");
  }
  return *process;
}

// Whether `call`, which returns, is the one that was invoked.
Result<void> same_call(const Line& line, int64_t process, const EtcdSpec::Call& invoked,
                       const EtcdSpec::Call& call, size_t invoked_on, std::string_view at) {
  if (invoked == call) return {};
  return line.error("value", at,
                    fmt::format("process {} returns another operation than the one that it invoked "
                                "on line {}; function and arguments must be the same",
                                process, invoked_on));
}

using EtcdValue = std::optional<int64_t>;
using EtcdCall = EtcdSpec::Call;
constexpr std::string_view kTimedOut = ":timed-out";

Result<EtcdValue> parse_etcd_value(const Line& line, std::string_view word) {
  if (word == "nil") return EtcdValue{};
  if (const std::optional<int64_t> value = to_integer(word)) return EtcdValue{value};
  return line.error("value", word, found(word) + "; an integer or nil should stand here");
}

// "[1 2]", from the bracket to the end of the line.
Result<EtcdCall> parse_cas(const Line& line, std::string_view text) {
  const Error bad = line.error(
      "value", text,
      found(text) + "; a compare-and-swap has two values, as in \"[1 2]\" (expected, new)");
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return bad;
  std::string_view rest = text.substr(1, text.size() - 2);
  const std::string_view from = take_word(rest), to = take_word(rest);
  skip_blanks(rest);
  if (to.empty() || !rest.empty()) return bad;
  Result<EtcdValue> from_value = parse_etcd_value(line, from);
  if (!from_value) return from_value.error();
  Result<EtcdValue> to_value = parse_etcd_value(line, to);
  if (!to_value) return to_value.error();
  return EtcdCall(reg::Cas<EtcdValue>{*from_value, *to_value});
}

Result<void> etcd_line(Pairing& pairing, const Line& line) {
  std::string_view rest = line.text;
  for (const std::string_view part : {"INFO", "jepsen.util", "-"}) {
    const std::string_view word = take_word(rest);
    if (word != part) {
      return line.error("prefix", word,
                        found(word) +
                            "; an event reads "
                            "\"INFO jepsen.util - PROCESS :KIND :FUNCTION VALUE\"");
    }
  }
  Result<int64_t> process = parse_process(line, take_word(rest));
  if (!process) return process.error();
  const std::string_view kind = take_word(rest);
  if (kind != ":invoke" && kind != ":ok" && kind != ":fail" && kind != ":info") {
    return line.error("kind", kind, found(kind) + "; one of :invoke, :ok, :fail, :info is right");
  }
  const std::string_view function = take_word(rest);
  if (function != ":read" && function != ":write" && function != ":cas") {
    return line.error("function", function,
                      found(function) + "; one of :read, :write, :cas is right");
  }
  skip_blanks(rest);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  const std::string_view value = rest;
  if (value.empty()) {
    return line.error("value", value, "the line ends here; the value of the operation is missing");
  }

  if (kind != ":invoke") {
    Result<const EtcdCall*> invoked = pairing.under_way(line, *process, kind);
    if (!invoked) return invoked.error();
    const std::string_view expected = (*invoked)->index() == 0   ? ":write"
                                      : (*invoked)->index() == 1 ? ":read"
                                                                 : ":cas";
    if (function != expected) {
      return line.error("function", function,
                        fmt::format("{} ends an operation that line {} invoked as {}", function,
                                    pairing.call_line(*process), expected));
    }
  }
  if (kind == ":info") {
    pairing.time_out(*process);
    return {};
  }
  if (kind == ":fail" && value == kTimedOut && function != ":write") {
    if (function == ":read") {
      pairing.ret(line, *process, std::nullopt);
    } else {
      // Nobody knows whether it took effect, nor when.
      pairing.time_out(*process);
    }
    return {};
  }
  if (kind == ":fail" && function != ":cas") {
    return line.error("kind", kind,
                      fmt::format("a {} does not fail; :fail ends a :cas that found another value, "
                                  "or a :read with value :timed-out",
                                  function));
  }
  if (function == ":read") {
    Result<EtcdValue> read = parse_etcd_value(line, value);
    if (!read) return read.error();
    if (kind == ":invoke") return pairing.invoke(line, *process, EtcdCall(reg::Read{}));
    pairing.ret(line, *process, reg::ReadOk<EtcdValue>{*read});
    return {};
  }
  EtcdCall call;
  if (function == ":cas") {
    Result<EtcdCall> cas = parse_cas(line, value);
    if (!cas) return cas.error();
    call = *cas;
  } else {
    Result<EtcdValue> written = parse_etcd_value(line, value);
    if (!written) return written.error();
    call = reg::Write<EtcdValue>{*written};
  }
  if (kind == ":invoke") return pairing.invoke(line, *process, call);
  Result<const EtcdCall*> invoked = pairing.under_way(line, *process, kind);
  Result<void> same =
      same_call(line, *process, **invoked, call, pairing.call_line(*process), value);
  if (!same) return same;
  if (function == ":write") {
    pairing.ret(line, *process, reg::WriteOk{});
  } else if (kind == ":ok") {
    pairing.ret(line, *process, reg::CasOk{});
  } else {
    pairing.ret(line, *process, reg::CasFailed{});
  }
  return {};
}

}  // namespace

Result<RecordedHistory<EtcdSpec>> parse_etcd_history(const std::string& name,
                                                     std::string_view text) {
  Pairing pairing;
  Result<void> read =
      for_each_line(name, text, [&](const Line& line) { return etcd_line(pairing, line); });
  if (!read) return read.error();
  return pairing.finish(name);
}

}  // namespace ordeal
