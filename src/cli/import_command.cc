#include <fmt/format.h>

#include <set>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "ordeal/report.h"
#include "trace/import.h"

namespace ordeal::cli {
namespace {

// "chord" of "logs/chord.log": what the run is called.
std::string name_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  name = name.substr(0, name.find('.', 1));
  return name.empty() ? "run" : name;
}

std::string summary_of(const Trace& trace, const std::vector<std::string>& notes,
                       const std::string& path) {
  size_t arrived = 0;
  size_t sent = trace.initially_sent.size();
  std::set<int> clients;
  for (const TraceStep& step : trace.steps) {
    if (step.detail.action.kind == ActionKind::kDeliver) ++arrived;
    sent += step.detail.sent.size();
    for (const HistoryEvent& event : step.detail.history) clients.insert(event.client);
  }
  std::string out = one_line(path) + "\n";
  const auto fact = [&](const char* name, const std::string& text) {
    out += fmt::format("  {:<12}{}\n", name, text);
  };
  fact("format", trace.source.empty() ? "a trace of Ordeal" : one_line(trace.source));
  std::vector<std::string> names;
  for (const int node : trace.nodes) {
    const auto named = trace.node_names.find(node);
    names.push_back(named == trace.node_names.end() ? std::to_string(node)
                                                    : one_line(named->second));
  }
  const std::string nodes = fmt::format("{}: {}", grouped(names.size()), join(names, ", "));
  bool first = true;
  for (const std::string& line : wrapped(cut_to(nodes, 600), 84)) {
    fact(first ? "nodes" : "", line);
    first = false;
  }
  fact("length", counted(trace.steps.size(), "step"));
  fact("messages", fmt::format("{} sent, {} received", grouped(sent), grouped(arrived)));
  if (!clients.empty()) fact("clients", grouped(clients.size()));
  for (const std::string& note : notes) fact("note", note);
  return out;
}

}  // namespace

int run_trace_import(const Program& program, const Words& words) {
  const std::string name = "trace import";
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  const auto refuse = [&](const std::string& message) { return trouble(program, name, message); };
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return refuse(outputs.error().message);
  if (const Result<void> writable = outputs->check(); !writable) {
    return refuse(writable.error().message);
  }
  ImportOptions options;
  options.format = parsed.get("from", "auto");
  options.parser = parsed.get("parser");
  options.delimiter = parsed.get("delimiter");
  if (parsed.has("execution")) {
    const Result<uint64_t> number =
        parse_number("--execution", parsed.get("execution"), 1, 1'000'000);
    if (!number) return refuse(number.error().message);
    options.execution = static_cast<uint32_t>(*number);
  }
  const std::string& path = parsed.words[0];
  const Result<std::string> text = read_file(path);
  if (!text) return refuse(text.error().message);
  options.name = name_of(path);
  std::vector<std::string> notes;
  const Result<Trace> trace = import_run(*text, options, &notes);
  if (!trace) return refuse(fmt::format("{}: {}", path, trace.error().message));

  Results results;
  results.trace = &*trace;
  results.text = [&](const TextOptions&) { return summary_of(*trace, notes, path); };
  results.html = [&](const TextOptions& shown) { return to_html(*trace, shown); };
  TextOptions shown;
  shown.program = shell_word(program.path);
  const Result<void> written = outputs->write(results, shown);
  return written ? kExitHolds : refuse(written.error().message);
}

}  // namespace ordeal::cli
