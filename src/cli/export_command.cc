#include "base/file.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "ordeal/report.h"
#include "report/export/export.h"
#include "trace/event_log.h"

namespace ordeal::cli {
namespace {

Result<std::string> exported(const Trace& trace, const std::string& format, bool ascii) {
  if (format == "shiviz") return report::to_shiviz(trace);
  if (format == "mermaid") return report::to_mermaid(trace);
  if (format == "svg") return to_svg(trace);
  if (format == "log") return trace::to_event_log(trace);
  return report::to_drawing(trace, {.ascii = ascii});
}

}  // namespace

int run_trace_export(const Program& program, const Words& words) {
  const std::string name = "trace export";
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  const std::string format = parsed.get("format", "text");
  const std::string out = parsed.get("out", "-");
  const auto refuse = [&](const std::string& message) { return trouble(program, name, message); };
  if (parsed.has("ascii") && format != "text") {
    return refuse("--ascii is for --format text; this is " + format);
  }
  if (out.empty()) return refuse("--out needs a path");
  if (out != "-") {
    if (const Result<void> writable = check_writable(out); !writable) {
      return refuse(writable.error().message);
    }
  }
  const Result<Trace> trace = read_trace(parsed.words[0]);
  if (!trace) return refuse(trace.error().message);
  const Result<std::string> text = exported(*trace, format, parsed.has("ascii"));
  if (!text) return refuse(text.error().message);
  const Ink ink = format == "text" ? Ink::kPlain : Ink::kDocument;
  const Result<void> written = out == "-" ? print(*text, ink) : write_file_atomically(out, *text);
  return written ? kExitHolds : refuse(written.error().message);
}

}  // namespace ordeal::cli
