#include "trace/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"

namespace ordeal {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

// "host {…}": the line of a ShiViz log that has the clock.
bool is_clock_line(std::string_view line) {
  const size_t space = line.find(' ');
  if (space == 0 || space == line.npos || space + 2 >= line.size()) return false;
  return line[space + 1] == '{' && line[space + 2] == '"' && line.back() == '}';
}

std::string guess(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  std::string_view rest = text.substr(begin);
  if (rest[0] == '{' && rest.substr(0, 4096).find("\"ordeal-trace\"") != rest.npos) return "trace";
  constexpr size_t kLook = 200;  // lines
  std::string_view lines = text;
  for (size_t i = 0; i < kLook && !lines.empty(); ++i) {
    const size_t end = lines.find('\n');
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    if (line.ends_with("\r")) line.remove_suffix(1);
    if (line.find("(?<clock>") != line.npos) return "shiviz";
    if (line.find(" :send ") != line.npos || line.find(" :recv ") != line.npos) return "maelstrom";
    if (is_clock_line(line)) return "shiviz";
  }
  if (rest[0] == '[' || rest[0] == '(') {  // a list of maps, or the date of a log
    rest.remove_prefix(std::min(rest.size() - 1, rest.find_first_not_of(" \t\r\n", 1)));
  }
  return std::string_view("{#;").find(rest[0]) != std::string_view::npos ? "maelstrom" : "";
}

}  // namespace

Result<Trace> import_run(std::string_view text, const ImportOptions& options,
                         std::vector<std::string>* notes) {
  if (is_blank(text)) return Error{"the file is empty; expected a run"};
  static const std::vector<std::string> kFormats = {"auto", "trace", "shiviz", "maelstrom"};
  if (std::count(kFormats.begin(), kFormats.end(), options.format) == 0) {
    return Error{fmt::format("there is no format '{}'{}; expected one of {}",
                             one_line(options.format), did_you_mean(options.format, kFormats),
                             join(kFormats, ", "))};
  }
  std::string format = options.format;
  if (format == "auto") format = options.parser.empty() ? guess(text) : "shiviz";
  if (format.empty()) {
    return Error{
        "this is no run in a known format; expected a trace of Ordeal (JSON), a ShiViz log (lines "
        "with vector clocks) or messages of Maelstrom (a JSON or EDN map a line). If it is one, "
        "name "
        "its format"};
  }
  std::vector<std::string> ignored;
  std::vector<std::string>& said = notes == nullptr ? ignored : *notes;
  if (format == "trace") return trace_from_json(text);
  if (format == "shiviz") return trace::import_shiviz(text, options, said);
  return trace::import_maelstrom(text, options, said);
}

Result<Trace> read_run(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  ImportOptions options;
  options.name = std::filesystem::path(path).stem().string();
  Result<Trace> trace = import_run(*text, options);
  if (!trace) return Error{fmt::format("{}: {}", path, trace.error().message)};
  return trace;
}

namespace trace {

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", one_line(cut_to(text, 60)));
}

}  // namespace trace
}  // namespace ordeal
