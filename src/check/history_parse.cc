#include "check/history_parse.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>
#include <utility>

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
template <class Spec>
class Pairing {
 public:
  using Call = typename Spec::Call;
  using Return = typename Spec::Return;

  Result<void> invoke(const Line& line, int64_t process, Call call) {
    auto [slot, fresh] = pending_.try_emplace(process);
    if (!fresh && !slot->second.timed_out) {
      return line.error(
          fmt::format("process {} invokes an operation, but the one it invoked on line {} has not "
                      "returned; a process has one operation at a time",
                      process, history_.origins[slot->second.op].call_line));
    }
    slot->second = {static_cast<uint32_t>(history_.origins.size()), false};
    history_.origins.push_back({process, line.number, 0});
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
    return history_.origins[pending_.at(process).op].call_line;
  }

  // REQUIRES: under_way(process), for both.
  void time_out(int64_t process) { pending_.at(process).timed_out = true; }
  void ret(const Line& line, int64_t process, std::optional<Return> result) {
    const uint32_t op = pending_.at(process).op;
    pending_.erase(process);
    history_.origins[op].return_line = line.number;
    history_.ops.results[op] = std::move(result);
    history_.ops.intervals[op].ret = position_++;
  }

  Result<RecordedHistory<Spec>> finish(const std::string& name) {
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
  RecordedHistory<Spec> history_;
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
template <class Call>
Result<void> same_call(const Line& line, int64_t process, const Call& invoked, const Call& call,
                       size_t invoked_on, std::string_view at) {
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

Result<void> etcd_line(Pairing<EtcdSpec>& pairing, const Line& line) {
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

// The fields of a key-value event, each as it stands in the line.
struct KvFields {
  std::string_view process, type, f, key, value;
};

// A value inside braces: a string with its quotes, or everything up to a comma or brace.
Result<std::string_view> take_kv_value(const Line& line, std::string_view field,
                                       std::string_view& rest) {
  skip_blanks(rest);
  size_t size = 0;
  if (!rest.empty() && rest.front() == '"') {
    size = 1;
    while (size < rest.size() && rest[size] != '"') size += rest[size] == '\\' ? 2 : 1;
    if (size >= rest.size()) {
      return line.error(field, rest, "the string that begins here has no closing quote");
    }
    ++size;
  } else {
    while (size < rest.size() && rest[size] != ',' && rest[size] != '}' && !is_blank(rest[size])) {
      ++size;
    }
  }
  const std::string_view value = rest.substr(0, size);
  if (value.empty()) return line.error(field, rest, found(rest) + "; a value should stand here");
  rest.remove_prefix(size);
  return value;
}

Result<KvFields> parse_kv_fields(const Line& line) {
  static constexpr std::string_view kShape =
      "{:process 0, :type :invoke, :f :append, :key \"k\", :value \"v\"}";
  KvFields fields;
  std::string_view rest = line.text;
  skip_blanks(rest);
  if (rest.front() != '{') {
    return line.error("event", rest, found(rest) + fmt::format("; an event reads {}", kShape));
  }
  rest.remove_prefix(1);
  while (true) {
    while (!rest.empty() && (is_blank(rest.front()) || rest.front() == ',')) rest.remove_prefix(1);
    if (rest.empty()) {
      return line.error("event", rest,
                        fmt::format("the line ends here; an event reads {}", kShape));
    }
    if (rest.front() == '}') break;
    const std::string_view name = take_word(rest);
    std::string_view* field = name == ":process" ? &fields.process
                              : name == ":type"  ? &fields.type
                              : name == ":f"     ? &fields.f
                              : name == ":key"   ? &fields.key
                              : name == ":value" ? &fields.value
                                                 : nullptr;
    if (field == nullptr) {
      return line.error("field name", name,
                        found(name) + "; one of :process, :type, :f, :key, :value is right");
    }
    if (!field->empty())
      return line.error("field name", name, fmt::format("{} is here twice", name));
    Result<std::string_view> value = take_kv_value(line, name, rest);
    if (!value) return value.error();
    *field = *value;
  }
  rest.remove_prefix(1);
  skip_blanks(rest);
  if (!rest.empty()) return line.error("event", rest, found(rest) + " after the closing brace");
  for (const auto& [name, value] : {std::pair(":process", fields.process),
                                    {":type", fields.type},
                                    {":f", fields.f},
                                    {":key", fields.key},
                                    {":value", fields.value}}) {
    if (value.empty())
      return line.error(fmt::format("{} is missing; an event reads {}", name, kShape));
  }
  return fields;
}

Result<std::string> parse_kv_string(const Line& line, std::string_view field,
                                    std::string_view text) {
  if (text.front() != '"') {
    return line.error(field, text, found(text) + "; a string in quotes should stand here");
  }
  std::string out;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    char c = text[i];
    if (c == '\\') {
      c = text[++i];
      if (c == 'n') {
        c = '\n';
      } else if (c == 't') {
        c = '\t';
      } else if (c == 'r') {
        c = '\r';
      } else if (c != '"' && c != '\\') {
        return line.error(field, text.substr(i - 1, 2),
                          found(text.substr(i - 1, 2)) + R"(; the escapes are \" \\ \n \t and \r)");
      }
    }
    out.push_back(c);
  }
  return out;
}

Result<void> kv_line(Pairing<KeyValueSpec>& pairing, const Line& line) {
  Result<KvFields> fields = parse_kv_fields(line);
  if (!fields) return fields.error();
  Result<int64_t> process = parse_process(line, fields->process);
  if (!process) return process.error();
  const std::string_view type = fields->type, f = fields->f;
  if (type != ":invoke" && type != ":ok" && type != ":fail" && type != ":info") {
    return line.error(":type", type, found(type) + "; one of :invoke, :ok, :fail, :info is right");
  }
  if (f != ":put" && f != ":append" && f != ":get") {
    return line.error(":f", f, found(f) + "; one of :put, :append, :get is right");
  }
  Result<std::string> key = parse_kv_string(line, ":key", fields->key);
  if (!key) return key.error();
  const bool has_value = fields->value.front() == '"';
  std::string value;
  if (has_value || (f != ":get" && (type == ":invoke" || type == ":ok"))) {
    Result<std::string> parsed = parse_kv_string(line, ":value", fields->value);
    if (!parsed) return parsed.error();
    value = std::move(*parsed);
  } else if (fields->value != "nil" && fields->value != kTimedOut) {
    return line.error(":value", fields->value,
                      found(fields->value) + "; a string in quotes or nil should stand here");
  }
  KeyValueSpec::Call call;
  if (f == ":get") {
    call = kv::Get{*key};
  } else if (f == ":put") {
    call = kv::Put{*key, value};
  } else {
    call = kv::Append{*key, value};
  }
  if (type == ":invoke") return pairing.invoke(line, *process, std::move(call));

  Result<const KeyValueSpec::Call*> invoked = pairing.under_way(line, *process, type);
  if (!invoked) return invoked.error();
  if ((*invoked)->index() != call.index()) {
    return line.error(":f", f,
                      fmt::format("{} ends another operation than line {} invoked", f,
                                  pairing.call_line(*process)));
  }
  if (type == ":info") {
    pairing.time_out(*process);
    return {};
  }
  if (type == ":fail") {
    if (f != ":get") {
      return line.error(":type", type,
                        fmt::format("a {} does not fail; :fail ends a :get whose result got lost, "
                                    ":info stands for an operation that may or may not happen",
                                    f));
    }
    pairing.ret(line, *process, std::nullopt);
    return {};
  }
  Result<void> same =
      same_call(line, *process, **invoked, call, pairing.call_line(*process), fields->value);
  if (!same) return same;
  if (f == ":get") {
    pairing.ret(line, *process, kv::Got{std::move(value)});
  } else {
    pairing.ret(line, *process, kv::Done{});
  }
  return {};
}

template <class Spec, class Handle>
Result<RecordedHistory<Spec>> parse(const std::string& name, std::string_view text,
                                    const Handle& handle) {
  Pairing<Spec> pairing;
  Result<void> read =
      for_each_line(name, text, [&](const Line& line) { return handle(pairing, line); });
  if (!read) return read.error();
  return pairing.finish(name);
}

}  // namespace

std::string quoted_for_message(std::string_view text) {
  constexpr size_t kShown = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, kShown)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (text.size() > kShown ? "\"..." : "\"");
}

Result<RecordedHistory<EtcdSpec>> parse_etcd_history(const std::string& name,
                                                     std::string_view text) {
  return parse<EtcdSpec>(name, text, etcd_line);
}

Result<RecordedHistory<KeyValueSpec>> parse_kv_history(const std::string& name,
                                                       std::string_view text) {
  return parse<KeyValueSpec>(name, text, kv_line);
}

}  // namespace ordeal
