#include "history/history_file.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "base/file.h"
#include "base/text.h"
#include "history/history_etcd.h"
#include "history/history_models.h"

namespace ordeal {
namespace {

struct ShowEtcd {
  using Value = std::optional<int64_t>;

  static std::string show(const Value& value) { return value ? std::to_string(*value) : "nil"; }

  std::string call(const EtcdSpec::Call& call) const {
    if (const auto* write = std::get_if<reg::Write<Value>>(&call)) {
      return "write " + show(write->value);
    }
    if (const auto* cas = std::get_if<reg::Cas<Value>>(&call)) {
      return fmt::format("cas {} -> {}", show(cas->from), show(cas->to));
    }
    return "read";
  }
  std::string result(const EtcdSpec::Return& result) const {
    if (const auto* read = std::get_if<reg::ReadOk<Value>>(&result)) return show(read->value);
    return std::holds_alternative<reg::CasFailed>(result) ? "failed" : "ok";
  }
  std::string state(const Value& held) const { return show(held); }
  std::string situation(const Value& held) const { return "the register holds " + show(held); }
};

Result<HistoryFormat> detect(const std::string& name, std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return Error{name + ": the file is empty; a history has at least one operation"};
  }
  text.remove_prefix(first);
  if (text.starts_with("INFO")) return HistoryFormat::kEtcd;
  // EDN begins with a map, a vector, a list, a tag or a comment, perhaps behind a byte order mark.
  if (std::string_view("{[(#;,\xEF").find(text[0]) != std::string_view::npos) {
    return HistoryFormat::kEdn;
  }
  return Error{fmt::format(
      "{}: neither of the known formats: it begins with {}; events begin with \"{{:process\" (EDN) "
      "or \"INFO  jepsen.util -\" (a log of a register)",
      name, quoted_for_message(text.substr(0, text.find('\n'))))};
}

Result<HistoryVerdict> check_etcd(const std::string& name, std::string_view text,
                                  const HistoryOptions& options) {
  if (!options.model.empty() && options.model != "cas-register") {
    return Error{
        fmt::format("{}: a log of a register, which has no other model than cas-register", name)};
  }
  if (options.initial || options.independent || options.nil_is_unknown) {
    return Error{fmt::format(
        "{}: a log of a register; --initial, --independent and --nil-unknown are for EDN", name)};
  }
  Result<RecordedHistory<EtcdSpec>> history = parse_etcd_history(name, text);
  if (!history) return history.error();
  HistoryVerdict verdict;
  verdict.format = HistoryFormat::kEtcd;
  verdict.model = "cas-register";
  verdict.thing = "register";
  judge(EtcdSpec{}, *history, options.limits, ShowEtcd{}, verdict);
  return verdict;
}

}  // namespace

Result<HistoryVerdict> check_history_text(const std::string& name, std::string_view text,
                                          const HistoryOptions& options) {
  Result<HistoryFormat> format = options.format;
  if (*format == HistoryFormat::kAuto) format = detect(name, text);
  if (!format) return format.error();
  if (*format == HistoryFormat::kEtcd) return check_etcd(name, text, options);
  Result<EdnHistory> history = read_edn_history(name, text, options.independent);
  if (!history) return history.error();
  return check_edn_history(*history, options);
}

Result<HistoryVerdict> check_history_file(const std::string& path, const HistoryOptions& options) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return check_history_text(path, *text, options);
}

}  // namespace ordeal
