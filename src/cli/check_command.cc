#include <fmt/format.h>

#include <limits>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/subject.h"
#include "cli/tla_subject.h"
#include "explore/strategy/strategy.h"
#include "suite/specifications.h"

namespace ordeal::cli {
namespace {

// Sets `target` from the option if it is given; false (with `error`) where it makes no sense.
template <class T>
bool set_number(const Parsed& parsed, const char* name, uint64_t least, T& target, Error& error) {
  if (!parsed.has(name)) return true;
  const Result<uint64_t> number =
      parse_number(std::string("--") + name, parsed.get(name), least,
                   static_cast<uint64_t>(std::numeric_limits<T>::max()));
  if (!number) {
    error = number.error();
    return false;
  }
  target = static_cast<T>(*number);
  return true;
}

// The options of strategies that are given.
Result<void> set_strategy_options(const Parsed& parsed, Options& options) {
  for (const explore::KnownOption& known : explore::strategy_options()) {
    const explore::StrategyOption& option = known.option;
    if (!parsed.has(option.name)) continue;
    const bool is_flag = option.kind == explore::StrategyOption::Kind::kFlag;
    const std::string text = is_flag ? "yes" : parsed.get(option.name);
    auto valid = explore::check_value(option, "--" + option.name, text);
    if (!valid) return valid;
    option.set(text, options);
    // What check() cannot tell from what it has anyway.
    if (!option.get(options) && !known.is_for(options.strategy)) {
      return Error{
          fmt::format("--{} is only for --strategy {}", option.name, join(known.users, ", "))};
    }
  }
  return {};
}

}  // namespace

Result<Options> search_options(const Parsed& parsed) {
  Options options;
  options.strategy = parsed.get("strategy");
  if (const auto set = set_strategy_options(parsed, options); !set) return set.error();
  Error error;
  if (parsed.has("threads")) {
    const Result<uint64_t> threads = parse_number("--threads", parsed.get("threads"), 1, 1024);
    if (!threads) return threads.error();
    options.threads = static_cast<int>(*threads);
  }
  if (!set_number(parsed, "seed", 0, options.seed, error) ||
      !set_number(parsed, "max-depth", 1, options.max_depth, error) ||
      !set_number(parsed, "max-runs", 1, options.max_runs, error) ||
      !set_number(parsed, "max-states", 1, options.max_states, error) ||
      !set_number(parsed, "max-steps", 1, options.max_steps, error)) {
    return error;
  }
  if (parsed.has("max-time")) {
    const Result<double> seconds = parse_seconds("--max-time", parsed.get("max-time"));
    if (!seconds) return seconds.error();
    options.max_seconds = *seconds;
  }
  if (parsed.has("max-memory")) {
    const Result<uint64_t> bytes = parse_bytes("--max-memory", parsed.get("max-memory"));
    if (!bytes) return bytes.error();
    options.max_bytes = *bytes;
  }
  options.spill = parsed.get("spill");
  options.checkpoint = parsed.get("checkpoint");
  options.reduce = parsed.get("reduce", "none");
  options.wide_fingerprints = parsed.get("fingerprint", "64") == "128";
  if (parsed.has("checkpoint-every")) {
    if (!parsed.has("checkpoint")) return Error{"--checkpoint-every is only for --checkpoint FILE"};
    const std::string every = parsed.get("checkpoint-every");
    const Result<double> seconds =
        every == "0" ? Result<double>(0.0) : parse_seconds("--checkpoint-every", every);
    if (!seconds) return seconds.error();
    options.checkpoint_seconds = *seconds;
  }
  options.keep_going = parsed.has("keep-going");
  options.minimise = !parsed.has("no-minimise");
  options.audit = parsed.has("audit");
  options.require_coverage = parsed.has("require-coverage");
  options.symmetry = parsed.has("symmetry");
  const std::string fairness = parsed.get("fairness");
  options.fairness = fairness == "none"     ? Fairness::kNone
                     : fairness == "weak"   ? Fairness::kWeak
                     : fairness == "strong" ? Fairness::kStrong
                                            : Fairness::kDeclared;
  return options;
}

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return kExitHolds;
    case Verdict::kViolated:
      return kExitViolated;
    case Verdict::kUndecided:
      return kExitUndecided;
    case Verdict::kError:
      return kExitTrouble;
  }
  return kExitTrouble;
}

int run_check(const Program& program, const Words& words) {
  const Result<const Subject*> named = subject_in(program, "check", words);
  if (!named) return trouble(program, "check", named.error().message);
  const Subject* const subject = *named;
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, "check", words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  if (subject == nullptr) return trouble(program, "check", which_subject(program));
  return check_subject(program, "check", *subject, parsing.parsed);
}

int check_subject(const Program& program, const std::string& name, const Subject& subject,
                  const Parsed& parsed, const TellMore& more) {
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return trouble(program, name, outputs.error().message);
  Result<Options> options = search_options(parsed);
  if (!options) return trouble(program, name, options.error().message);
  const Result<Chosen> chosen = choose(program.suite, address_in(subject, parsed));
  // Errors of specifications have lines: the place, underlined.
  const auto refuse = [&](const Error& error) {
    return names_specification(subject.name) ? complain(program, name, error)
                                             : trouble(program, name, error.message);
  };
  if (!chosen) return refuse(chosen.error());
  if (parsed.has("guide")) {
    Result<ShortForm> guide = find_run("--guide", parsed.get("guide"), *chosen->checkable);
    if (!guide) return trouble(program, name, guide.error().message);
    options->guide = *std::move(guide);
  }
  if (const Result<void> writable = outputs->check(); !writable) {
    return trouble(program, name, writable.error().message);
  }
  if (!options->checkpoint.empty()) {
    const Result<void> writable = check_writable(options->checkpoint);
    if (!writable) return trouble(program, name, writable.error().message);
  }

  const StopOnSignal signals;
  options->stop = &signals.flag();
  options->states = outputs->wants_states();
  chosen->label(*options);
  const std::string when = parsed.get("progress", outputs->quiet() ? "never" : "auto");
  const double interval = when == "always" ? 1 : 10;
  Result<Report> report = Error{};
  {
    ProgressPrinter progress(ProgressPrinter::mode_for(when), interval);
    options->progress = [&](const Progress& p) { progress(p); };
    report = ordeal::check(*chosen->checkable, *options);
  }
  if (!report) return refuse(report.error());
  TextOptions text;
  text.program = shell_word(program.path);
  text.subject = chosen->command_words;
  Results results = results_of(*report);
  if (more) {
    const Result<void> told = more(*report, *options, *chosen, results);
    if (!told) return refuse(told.error());
  }
  if (const Result<void> written = outputs->write(results, text); !written) {
    return trouble(program, name, written.error().message);
  }
  return exit_code(report->verdict);
}

}  // namespace ordeal::cli
