#include "base/text.h"

#include <fmt/format.h>

#include "ordeal/report.h"
#include "report/text/terminal.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::add_fact;
using report::Painter;

// "election --nodes 3": what was checked.
std::string subject_of(const Report& report, const TextOptions& options) {
  return options.subject.empty() ? report::subject_words(report.system, report.parameters)
                                 : options.subject;
}

std::string headline(const Report& report, const TextOptions& options, const Painter& paint) {
  const std::string within =
      report.verdict == Verdict::kHolds && report.constrained ? " within the constraint" : "";
  return fmt::format("{}{}: {}\n", paint.verdict(report.verdict), within,
                     subject_of(report, options));
}

// The properties by verdict, with what there is to say about each.
std::string property_line(const Report& report) {
  std::vector<std::string> parts;
  for (const PropertyResult& result : report.properties) {
    std::string part = one_line(result.property.name);
    if (result.verdict != report.verdict) {
      part += fmt::format(" [{}]", to_string(result.verdict));
    }
    if (!result.note.empty()) part += fmt::format(" ({})", one_line(result.note));
    parts.push_back(std::move(part));
  }
  return join(parts, ", ");
}

// What occurred, and what did not. Where a search stopped at a violation, that means nothing.
void add_steps(const Report& report, const Painter& paint, std::string& out) {
  const bool stopped = report.verdict == Verdict::kViolated || report.verdict == Verdict::kError;
  if (stopped && !report.complete) return;
  const std::string occurred = report::occurred_words(report.steps);
  const std::string missing = report::missing_words(report.steps);
  if (!occurred.empty()) add_fact("steps", {occurred}, paint, out);
  if (!missing.empty()) add_fact(report.complete ? "never" : "not seen", {missing}, paint, out);
}

// What a strategy that learns has covered, and how far along its waypoints it came.
void add_learning(const Report& report, const Painter& paint, std::string& out) {
  if (!report.learning) return;
  const Learning& learning = *report.learning;
  const bool learns = !learning.environment.empty();
  std::vector<std::string> lines = {fmt::format(
      "{} covered in {} of {}{}", counted(learning.coverage, "abstract state"),
      counted(learning.steps, "step"), counted(learning.episodes, learns ? "episode" : "run"),
      learns ? " (environment " + learning.environment + ")" : "")};
  if (learning.target_coverage) {
    lines.push_back(fmt::format("{} of them from where {} was so, in {}",
                                grouped(*learning.target_coverage), one_line(learning.target),
                                counted(learning.target_episodes, learns ? "episode" : "run")));
  }
  if (learning.pairs > 0) {
    lines.push_back(fmt::format("{} of a state and an action, {}",
                                counted(learning.pairs, "known pair"),
                                bytes_text(learning.table_bytes)));
  }
  add_fact(learns ? "learned" : "covered", lines, paint, out);
  lines.clear();
  add_fact("waypoints", report::waypoint_words(learning), paint, out);
  add_fact("machine", report::machine_words(learning), paint, out);
}

// Which members of a portfolio had how many runs, and what these brought.
void add_members(const Report& report, const Painter& paint, std::string& out) {
  std::vector<std::string> lines;
  for (const PortfolioMember& member : report.members) {
    std::string line =
        fmt::format("{}: {}, {}, {}", one_line(member.strategy), counted(member.runs, "run"),
                    counted(member.steps, "step"), counted(member.new_states, "new state"));
    std::vector<std::string> found;
    for (const Violation& violation : report.violations) {
      if (violation.by == member.strategy) found.push_back(one_line(violation.property));
    }
    if (!found.empty()) line += "; found " + enumeration(found);
    lines.push_back(std::move(line));
  }
  add_fact("members", lines, paint, out);
  for (const PortfolioMember& member : report.members) {
    if (!member.learning) continue;
    add_fact("waypoints", report::waypoint_words(*member.learning), paint, out);
    add_fact("machine", report::machine_words(*member.learning), paint, out);
  }
}

// How likely a run comes to something.
void add_hitting(const Report& report, const Painter& paint, std::string& out) {
  std::vector<std::string> lines;
  for (const Hitting& hitting : report.hitting) {
    lines.push_back(fmt::format(
        "{}: in {} of {}, a probability of {} to {}", one_line(hitting.what), grouped(hitting.hits),
        counted(hitting.runs, "run"), report::probability_words(hitting.low),
        report::probability_words(hitting.high)));
  }
  if (!lines.empty()) {
    const Hitting& first = report.hitting.front();
    lines.push_back(fmt::format(
        "with confidence {}{}", report::probability_words(first.confidence),
        first.planned ? "" : ", approximately: so many runs were not planned beforehand"));
  }
  add_fact("how likely", lines, paint, out);
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out;
  std::vector<Violation> findings = report.violations;
  if (report.trouble) {
    findings.insert(findings.begin(), report::trouble_of(report));
    if (report.trouble->run > 0) {
      findings[0].by = fmt::format("run {} of seed {}", grouped(report.trouble->run), report.seed) +
                       (report.trouble->by.empty() ? "" : ", by " + report.trouble->by);
    }
  }
  for (const Violation& finding : findings) {
    report::add_violation(report.strategy, finding, "state", paint, out);
  }
  if (findings.empty()) {
    out += headline(report, options, paint);
  } else {
    add_fact("checked", {subject_of(report, options)}, paint, out);
  }
  if (!report.properties.empty()) add_fact("properties", {property_line(report)}, paint, out);
  std::vector<std::string> bounds;
  for (const std::string& bound : report::bounds_of(report)) bounds.push_back(one_line(bound));
  add_fact("explored", report::coverage_of(report), paint, out);
  add_fact(report.verdict == Verdict::kUndecided ? "undecided" : "not all", bounds, paint, out);
  if (!report.assumption.empty()) {
    add_fact("assumed", {one_line(report.assumption)}, paint, out);
  }
  add_steps(report, paint, out);
  add_learning(report, paint, out);
  add_members(report, paint, out);
  add_hitting(report, paint, out);
  for (const std::string& note : report.notes) add_fact("note", {one_line(note)}, paint, out);
  if (!options.trace_path.empty()) add_fact("trace", {one_line(options.trace_path)}, paint, out);
  report::add_next(findings, options, paint, out);
  return out;
}

std::string summary_of(const Violation& violation) {
  return one_line(fmt::format("{} ({}) is violated{}{}", violation.property,
                              report::kind_words(violation), violation.why.empty() ? "" : ": ",
                              violation.why));
}

std::string to_text(const Trace& trace, const TextOptions& options) {
  const Painter paint(options.colour);
  const std::string subject = options.subject.empty()
                                  ? report::subject_words(trace.system, trace.parameters)
                                  : options.subject;
  std::string out = fmt::format("{}{}, {}\n", subject, report::under_words(trace),
                                counted(trace.steps.size(), "step"));
  out += report::step_table(trace, paint);
  if (!trace.verdict.property.empty()) {
    const Violation violation = report::violation_of(trace);
    out += fmt::format("{}: {} ({}), {}\n", paint.verdict(report::verdict_of(violation)),
                       paint.bold(one_line(violation.property)),
                       one_line(report::kind_words(violation)), report::place_of(violation));
    if (!violation.why.empty()) out += "  " + one_line(violation.why) + "\n";
  }
  return out;
}

}  // namespace ordeal
