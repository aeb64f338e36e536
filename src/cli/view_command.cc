#include <fmt/format.h>

#include <deque>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "report/page/page.h"
#include "serve/walks.h"
#include "trace/import.h"

namespace ordeal::cli {

int run_trace_view(const Program& program, const Words& words) {
  const std::string name = "trace view";
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  const auto refuse = [&](const std::string& message) { return trouble(program, name, message); };
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return refuse(outputs.error().message);
  if (!parsed.has("html")) return refuse("--html FILE is missing: where should the page go?");
  if (const Result<void> writable = outputs->check(); !writable) {
    return refuse(writable.error().message);
  }
  std::deque<Trace> traces;  // stay where they are
  std::vector<report::ViewRun> runs;
  for (const std::string& path : parsed.words) {
    Result<Trace> trace = read_run(path);
    if (!trace) return refuse(trace.error().message);
    traces.push_back(serve::with_states(program.suite, *std::move(trace)));
    runs.push_back(report::view_run(traces.back()));
    runs.back().name = std::filesystem::path(path).filename().string();
  }
  TextOptions shown;
  shown.program = shell_word(program.path);
  const std::string page = report::page_of_runs(runs, shown);
  const Result<void> written = write_file_atomically(parsed.get("html"), page);
  return written ? kExitHolds : refuse(written.error().message);
}

}  // namespace ordeal::cli
