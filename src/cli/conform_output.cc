#include "cli/conform_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"

namespace ordeal::cli {
namespace {

constexpr double kPlainProgress = 5;  // seconds

int tell(const Program& program, const std::string& command, const Parsed& parsed,
         const std::string& path, const conform::Conformance& found) {
  const std::string json = parsed.get("json");
  if (!json.empty()) {
    const Result<void> done = json == "-" ? print(conform::to_json(found), Ink::kDocument)
                                          : write_file_atomically(json, conform::to_json(found));
    if (!done) return trouble(program, command, done.error().message);
  }
  if (!parsed.has("quiet") && json != "-") {
    const Result<void> done = print(conform::to_text(found, path == "-" ? "the log" : path));
    if (!done) return trouble(program, command, done.error().message);
  }
  if (!found.conforms) return kExitUndecided;
  return *found.conforms ? kExitHolds : kExitViolated;
}

}  // namespace

std::vector<OptionSpec> conform_options() {
  return {{"max-frontier", "N",
           "keep no more than N states that the model could be in (default 10,000); where there "
           "were more, a departure is undecided"},
          {"nearest", "N", "of what the model would have allowed, tell the nearest N (default 5)"},
          {"json", "FILE", "write the result as JSON; '-' is standard output"},
          {"quiet", "", "print nothing; the exit code tells the result"},
          {"progress",
           "WHEN",
           "progress on standard error: auto, always or never",
           {"auto", "always", "never"}}};
}

int follow_log(const Program& program, const std::string& command, const Parsed& parsed,
               const std::string& path, const FollowLog& follow) {
  const auto fail = [&](const std::string& message) { return trouble(program, command, message); };
  conform::ConformOptions options;
  const Result<uint64_t> most =
      parse_number("--max-frontier",
                   parsed.get("max-frontier", std::to_string(options.max_frontier)), 1, 10'000'000);
  if (!most) return fail(most.error().message);
  options.max_frontier = *most;
  const Result<uint64_t> nearest =
      parse_number("--nearest", parsed.get("nearest", std::to_string(options.nearest)), 0, 1000);
  if (!nearest) return fail(nearest.error().message);
  options.nearest = static_cast<size_t>(*nearest);
  if (const std::string json = parsed.get("json"); parsed.has("json") && json != "-") {
    if (json.empty()) return fail("--json needs a path");
    if (const auto writable = check_writable(json); !writable) {
      return fail(writable.error().message);
    }
  }
  std::ifstream file;
  if (path != "-") {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      return fail(fmt::format("{} is a folder; name a log with one JSON object in each line",
                              one_line(path)));
    }
    file.open(path, std::ios::binary);
    if (!file) {
      return fail(fmt::format("cannot read {}: {}", one_line(path),
                              std::generic_category().message(errno)));
    }
  }
  const StopOnSignal signals;
  options.stop = &signals.flag();
  Result<conform::Conformance> found = [&] {
    ProgressPrinter progress(ProgressPrinter::mode_for(parsed.get("progress", "auto")),
                             kPlainProgress);
    options.progress = [&](const conform::LogProgress& now) {
      progress(now.seconds, conform::progress_line(now));
    };
    return follow(path == "-" ? std::cin : file, options);
  }();
  if (!found) {
    print_error(fmt::format("{} {}: {}\n", program.name, command, found.error().message));
    return kExitTrouble;
  }
  return tell(program, command, parsed, path, *found);
}

}  // namespace ordeal::cli
