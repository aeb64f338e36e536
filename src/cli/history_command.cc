#include <fmt/format.h>

#include <chrono>

#include "cli/commands.h"
#include "cli/output.h"
#include "history/history_file.h"

namespace ordeal::cli {
namespace {

Result<HistoryOptions> history_options(const Parsed& parsed) {
  HistoryOptions options;
  const std::string format = parsed.get("format", "auto");
  if (format == "etcd") options.format = HistoryFormat::kEtcd;
  if (format == "edn") options.format = HistoryFormat::kEdn;
  options.model = parsed.get("model", "");
  if (parsed.has("initial")) options.initial = parsed.get("initial");
  options.independent = parsed.has("independent");
  options.nil_is_unknown = parsed.has("nil-unknown");
  if (parsed.has("max-time")) {
    const Result<double> seconds = parse_seconds("--max-time", parsed.get("max-time"));
    if (!seconds) return seconds.error();
    // A limit of 0 would mean none.
    options.limits.time =
        std::chrono::milliseconds(std::max<int64_t>(1, static_cast<int64_t>(*seconds * 1000)));
  }
  if (parsed.has("max-memory")) {
    const Result<uint64_t> bytes = parse_bytes("--max-memory", parsed.get("max-memory"));
    if (!bytes) return bytes.error();
    options.limits.memory_bytes = *bytes;
  }
  return options;
}

int exit_code(LinearVerdict verdict) {
  switch (verdict) {
    case LinearVerdict::kLinearizable:
      return kExitHolds;
    case LinearVerdict::kNotLinearizable:
      return kExitViolated;
    case LinearVerdict::kUndecided:
      return kExitUndecided;
  }
  return kExitTrouble;
}

}  // namespace

int run_history(const Program& program, const Words& words) {
  const Parsing parsing = parse(program, "history", words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  const Result<HistoryOptions> options = history_options(parsed);
  if (!options) return trouble(program, "history", options.error().message);
  const Result<HistoryVerdict> verdict = check_history_file(parsed.words[0], *options);
  if (!verdict) return trouble(program, "history", verdict.error().message);
  if (!parsed.has("quiet")) {
    if (const Result<void> printed = print(render(*verdict)); !printed) {
      return trouble(program, "history", printed.error().message);
    }
  }
  return exit_code(verdict->verdict);
}

}  // namespace ordeal::cli
