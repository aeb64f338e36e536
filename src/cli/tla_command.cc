// Specifications in TLA+: check and simulate are 'check' with names of files.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/subject.h"
#include "cli/tla_subject.h"
#include "language/tla/model/coverage.h"
#include "suite/specifications.h"

namespace ordeal::cli {
namespace {

// Checks all of a directory; the code is the worst.
int check_directory(const Program& program, const std::string& directory, const Parsed& parsed) {
  const std::string name = "tla check";
  for (const char* option : {"config", "trace", "json", "junit", "html", "checkpoint", "guide"}) {
    if (parsed.has(option)) {
      return trouble(program, name,
                     fmt::format("--{} is about one specification, and {} is a directory", option,
                                 one_line(directory)));
    }
  }
  const Result<std::vector<std::string>> paths = specifications_in(directory);
  if (!paths) return trouble(program, name, paths.error().message);
  if (paths->empty()) {
    return trouble(program, name,
                   fmt::format("{}: there is no specification with a configuration beside it",
                               one_line(directory)));
  }
  size_t width = 0;
  for (const std::string& path : *paths) width = std::max(width, columns_of(one_line(path)));
  const StopOnSignal signals;
  int worst = kExitHolds;
  const auto tell = [&](const std::string& path, const std::string& what) {
    return parsed.has("quiet")
               ? Result<void>()
               : print(fmt::format("{}{}  {}\n", one_line(path),
                                   std::string(width - columns_of(one_line(path)), ' '), what));
  };
  // 1 is worse than 2, and 3 worse than both.
  const auto rank = [](int exit) {
    return exit == kExitUndecided ? 1 : exit == kExitViolated ? 2 : exit;
  };
  for (const std::string& path : *paths) {
    int exit = kExitTrouble;
    std::string what;
    const Result<const Subject*> subject = specification_named(path);
    Result<Options> options = search_options(parsed);
    if (!options) return trouble(program, name, options.error().message);
    Result<Chosen> chosen = subject ? choose(program.suite, address_in(**subject, parsed))
                                    : Result<Chosen>(subject.error());
    if (chosen) {
      chosen->label(*options);
      options->stop = &signals.flag();
      const Result<Report> report = ordeal::check(*chosen->checkable, *options);
      if (report) {
        exit = exit_code(report->verdict);
        what = fmt::format("{:<10} {} distinct, {} generated, {}", to_string(report->verdict),
                           grouped(report->distinct_states), grouped(report->generated_states),
                           seconds_text(report->seconds));
      } else {
        what = "error      " + one_line(report.error().message);
      }
    } else {
      what = "error      " + one_line(chosen.error().message);
    }
    if (rank(exit) > rank(worst)) worst = exit;
    if (const Result<void> printed = tell(path, what); !printed) {
      return trouble(program, name, printed.error().message);
    }
    if (signals.flag()) break;
  }
  return worst;
}

// What was evaluated of what the check has come to, on a specification that counts.
Result<void> tell_coverage(const Program& program, const Parsed& parsed, const Report& report,
                           const Options& options, Results& results) {
  auto specification = specification_in(program, parsed);
  if (!specification) return specification.error();
  tla::CoverageBounds bounds;
  if (!report.complete) bounds.max_states = std::max<uint64_t>(report.distinct_states, 1);
  bounds.stop = options.stop;
  auto coverage = tla::measure_coverage(*std::move(specification), bounds);
  if (!coverage) return coverage.error();
  const auto known = std::make_shared<tla::Coverage>(*std::move(coverage));
  results.text = [known, text = results.text](const TextOptions& how) {
    return text(how) + tla::coverage_text(*known);
  };
  results.json = [known, json = results.json] {
    std::string out = json();
    const size_t end = out.rfind("\n}");
    out.insert(end, ",\n  \"coverage\": " + tla::coverage_json(*known, "  "));
    return out;
  };
  return {};
}

int check_as(const Program& program, const std::string& name, const Words& words,
             const std::string& strategy) {
  Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  Parsed& parsed = parsing.parsed;
  if (!strategy.empty()) parsed.values.try_emplace("strategy", strategy);
  const std::string path = parsed.words[0];
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    if (name == "tla check") return check_directory(program, path, parsed);
    return trouble(program, name,
                   fmt::format("{} is a directory; name one specification", one_line(path)));
  }
  const Result<const Subject*> subject = specification_named(path);
  if (!subject) return trouble(program, name, subject.error().message);
  if (!parsed.has("coverage")) return check_subject(program, name, **subject, parsed);
  return check_subject(
      program, name, **subject, parsed,
      [&](const Report& report, const Options& options, const Chosen&, Results& results) {
        return tell_coverage(program, parsed, report, options, results);
      });
}

}  // namespace

int run_tla_check(const Program& program, const Words& words) {
  return check_as(program, "tla check", words, "");
}

int run_tla_simulate(const Program& program, const Words& words) {
  return check_as(program, "tla simulate", words, "random");
}

}  // namespace ordeal::cli
