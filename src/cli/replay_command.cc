#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "explore/explain/follow.h"
#include "report/page/page.h"
#include "report/words.h"
#include "trace/short_form.h"

namespace ordeal::cli {
namespace {

Verdict verdict_of(const Trace& trace) {
  if (trace.verdict.property.empty()) return Verdict::kUndecided;
  return trace.verdict.is_trouble() ? Verdict::kError : Verdict::kViolated;
}

int exit_of(const Trace& trace) {
  return trace.verdict.property.empty() ? kExitHolds : exit_code(verdict_of(trace));
}

// What a replay found, in the form of a report.
Report report_of(const Trace& trace, Verdict verdict, const std::string& note) {
  Report report;
  report.verdict = verdict;
  report.system = trace.system;
  report.parameters = trace.parameters;
  report.strategy = "replay";
  report.seed = trace.seed;
  report.transitions = trace.steps.size();
  report.depth = static_cast<uint32_t>(trace.steps.size());
  report.runs = 1;
  report.bounds = {{Bound::Kind::kReplay}};
  report.notes = {note};
  if (verdict == Verdict::kViolated) {
    report.violations.push_back(report::violation_of(trace));
  }
  if (verdict == Verdict::kError) {
    report.bounds.push_back({Bound::Kind::kTrouble});
    report.trouble.emplace();
    report.trouble->message = trace.verdict.why;
    report.trouble->trace = trace;
  }
  return report;
}

// A trace file or a short form, with the subject it belongs to.
struct Request {
  const Subject* subject = nullptr;
  std::optional<Trace> trace;  // of a file
  Address address;
  std::string source;
};

Result<Request> request_for(const Program& program, const std::string& run, std::string name) {
  Request request;
  request.source = run;
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(run, ignored);
  if (!is_file && looks_like_short_form(run)) {
    const Result<ShortForm> form = parse_short_form(run);
    if (!form) return form.error();
    request.address.way = *form;
    if (const Subject* only = only_subject(program); only != nullptr && name.empty()) {
      name = only->name;
    }
    if (name.empty()) {
      return Error{fmt::format("a short form needs its subject: replay {} SUBJECT", run)};
    }
  } else {
    Result<Trace> trace = read_trace(run);
    if (!trace) return trace.error();
    request.trace = *std::move(trace);
    if (!request.trace->source.empty()) {
      return Error{fmt::format(
          "{} was imported ({}): it can be looked at ('trace info', 'trace export'), not replayed, "
          "for there is no program here that could run it again",
          run, one_line(request.trace->source))};
    }
    request.address = address_of(*request.trace);
    if (!name.empty() && name != request.trace->system) {
      return Error{fmt::format("{} is a trace of '{}', not of '{}'", run,
                               one_line(request.trace->system), one_line(name))};
    }
  }
  const Result<const Subject*> subject =
      find_subject(program.suite, request.trace ? request.trace->system : name);
  if (!subject) {
    return Error{request.trace ? fmt::format("{}: system: {}", run, subject.error().message)
                               : subject.error().message};
  }
  request.subject = *subject;
  request.address.system = request.subject->name;
  return request;
}

struct Replayed {
  Report report;
  Trace trace;
  int exit = kExitTrouble;
};

Result<Replayed> run_file(const Chosen& chosen, const Trace& trace, uint32_t break_at) {
  const Result<ReplayResult> result =
      explore::replay_with_break(chosen.explored(), trace, break_at);
  if (!result) return result.error();
  Replayed replayed;
  Trace& again = replayed.trace;
  again = result->trace;
  again.parameters = chosen.parameters;
  again.minimised_from = trace.minimised_from;
  again.free_faults = trace.free_faults;
  if (result->reproduced) {
    replayed.exit = exit_of(again);
    const Verdict verdict = verdict_of(again);
    replayed.report = report_of(
        again, verdict,
        fmt::format("reproduced: {} as in the trace{}", counted(again.steps.size(), "step"),
                    verdict == Verdict::kViolated ? ", and the same violation"
                    : verdict == Verdict::kError  ? ", and the same error"
                                                  : "; nothing is violated"));
    return replayed;
  }
  const std::string where =
      result->diverged_at > 0
          ? fmt::format("at step {} of {}", result->diverged_at, trace.steps.size())
          : "in its verdict";
  const std::string divergence = fmt::format("{}: {}", where, result->why);
  replayed.report = report_of(again, Verdict::kUndecided, "diverged " + divergence);
  replayed.report.divergence = divergence;
  return replayed;
}

Result<Replayed> run_form(const Chosen& chosen, const ShortForm& form) {
  Options options;
  chosen.label(options);
  options.strategy = "replay";
  Result<Trace> trace = record(chosen.explored(), form, options);
  if (!trace) return trace.error();
  trace->scenario = chosen.scenario;
  const Verdict verdict = verdict_of(*trace);
  Replayed replayed;
  replayed.exit = exit_of(*trace);
  replayed.report =
      report_of(*trace, verdict,
                verdict == Verdict::kViolated ? "the run violates the property above"
                : verdict == Verdict::kError  ? "the run ends where something could not be said"
                                              : "the run violates nothing");
  replayed.trace = *trace;
  return replayed;
}

// The same run with its states, for a page. What was replayed stays where that fails.
Trace with_states(const Chosen& chosen, const Trace& replayed) {
  Options options;
  options.system = replayed.system;
  options.parameters = replayed.parameters;
  options.strategy = replayed.strategy;
  options.seed = replayed.seed;
  options.states = true;
  Result<Trace> recorded = record(chosen.explored(), trace::way_of(replayed), options);
  if (!recorded) return replayed;
  recorded->scenario = replayed.scenario;
  recorded->verdict = replayed.verdict;
  recorded->minimised_from = replayed.minimised_from;
  recorded->free_faults = replayed.free_faults;
  return *std::move(recorded);
}

// The run as it went now; where it went another way than the file says, with the file's beside it.
std::string page_of(const Replayed& replayed, const std::optional<Trace>& file,
                    const Chosen& chosen, const TextOptions& text) {
  const Trace now = with_states(chosen, replayed.trace);
  std::vector<report::ViewRun> runs = {report::view_run(now)};
  if (file && !replayed.report.divergence.empty()) {
    runs[0].name = "now, diverged";
    runs[0].divergence = replayed.report.divergence;
    runs.push_back(report::view_run(*file));
    runs[1].name = "in the file: " + runs[1].name;
  }
  return report::page_of_runs(runs, text);
}

int finish(const Program& program, const Replayed& replayed, const std::optional<Trace>& file,
           const Outputs& outputs, const Parsed& parsed, const Chosen& chosen) {
  Results results = results_of(replayed.report);
  results.trace = &replayed.trace;
  const std::string note = replayed.report.notes[0];
  results.text = [&](const TextOptions& text) {
    // What a replay is asked for first: whether it went as the trace has it.
    if (!replayed.report.divergence.empty()) {
      return one_line(note) + "\n" + to_text(replayed.trace, text);
    }
    return to_text(replayed.trace, text) + one_line(note) + "\n";
  };
  results.html = [&](const TextOptions& text) { return page_of(replayed, file, chosen, text); };
  if (parsed.has("short")) {
    results.text = [&](const TextOptions&) { return short_form(replayed.trace) + "\n"; };
  }
  TextOptions text;
  text.program = shell_word(program.path);
  text.subject = chosen.command_words;
  if (const Result<void> written = outputs.write(results, text); !written) {
    return trouble(program, "replay", written.error().message);
  }
  // The report has said so, where there was one.
  if (replayed.exit == kExitTrouble && (outputs.quiet() || parsed.has("short"))) {
    return trouble(program, "replay", note);
  }
  return replayed.exit;
}

}  // namespace

int run_replay(const Program& program, const Words& words) {
  const CommandSpec& spec = command("replay");
  const auto fail = [&](const std::string& message) { return trouble(program, "replay", message); };
  const std::string run = first_word(program, spec, words);
  const bool wants_help = std::find(words.begin(), words.end(), "--help") != words.end();
  if (run.empty() || wants_help) {
    const Parsing parsing = parse(program, "replay", words);
    return parsing.exit >= 0 ? parsing.exit : fail("which run?");
  }
  const Result<Request> request = request_for(program, run, first_word(program, spec, words, 1));
  if (!request) return fail(request.error().message);
  const Parsing parsing = parse(program, "replay", words, parameter_options(*request->subject));
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;

  Address address = request->address;
  address.scenario = parsed.get("scenario", address.scenario);
  for (const auto& [name, value] : given_parameters(*request->subject, parsed)) {
    address.parameters[name] = value;
  }
  const Result<Chosen> chosen = choose(program.suite, address);
  if (!chosen) {
    return fail(request->trace ? fmt::format("{}: {}", run, chosen.error().message)
                               : chosen.error().message);
  }
  const Result<Outputs> outputs = Outputs::from(parsed);
  if (!outputs) return fail(outputs.error().message);
  if (const Result<void> writable = outputs->check(); !writable) {
    return fail(writable.error().message);
  }
  uint64_t break_at = 0;
  if (parsed.has("break-at")) {
    if (!request->trace) return fail("--break-at is only for a trace file");
    const Result<uint64_t> step =
        parse_number("--break-at", parsed.get("break-at"), 1, request->trace->steps.size());
    if (!step) return fail(step.error().message);
    break_at = *step;
  }
  const Result<Replayed> replayed =
      request->trace ? run_file(*chosen, *request->trace, static_cast<uint32_t>(break_at))
                     : run_form(*chosen, address.way);
  if (!replayed) return fail(replayed.error().message);
  return finish(program, *replayed, request->trace, *outputs, parsed, *chosen);
}

}  // namespace ordeal::cli
