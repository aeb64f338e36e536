#include <fmt/format.h>

#include <optional>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/page/page.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::add_fact;
using report::esc;

std::string title_of(const std::string& verdict, const std::string& what,
                     const std::string& system) {
  return fmt::format("{}: {} – {}", verdict, one_line(what), one_line(system));
}

void add_coverage(const Report& report, std::string& out) {
  out += "<h2>What was explored</h2>\n<dl>\n";
  std::string coverage;
  for (const std::string& line : report::coverage_of(report)) coverage += esc(line) + "<br>";
  add_fact("coverage", coverage, out);
  add_fact("complete", report.complete ? "yes" : "no", out);
  for (const std::string& bound : report::bounds_of(report)) add_fact("bound", esc(bound), out);
  if (report.handler_calls > 0) add_fact("handler calls", grouped(report.handler_calls), out);
  for (const std::string& note : report.notes) add_fact("note", esc(note), out);
  out += "</dl>\n";
  report::add_steps(report.steps, report.complete, out);
  out += "<h2>Parameters</h2>\n<dl>\n";
  add_fact("system", esc(report.system), out);
  for (const auto& [name, value] : report.parameters) {
    add_fact(name, value.empty() ? "(none)" : esc(value), out);
  }
  out += "</dl>\n";
}

void add_properties(const Report& report, std::string& out) {
  if (report.properties.empty()) return;
  out +=
      "<h2>Properties</h2>\n<table><thead><tr><th scope=\"col\">property</th>"
      "<th scope=\"col\">kind</th><th scope=\"col\">verdict</th><th scope=\"col\">note</th>"
      "</tr></thead><tbody>\n";
  for (const PropertyResult& result : report.properties) {
    const char* verdict = to_string(result.verdict);
    const char* sign = result.verdict == Verdict::kHolds      ? "✓"
                       : result.verdict == Verdict::kViolated ? "✗"
                                                              : "?";
    out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"{}\">{} {}</td><td>{}</td></tr>\n",
                       esc(result.property.name), esc(report::kind_words(result.property)), verdict,
                       sign, verdict, esc(result.note));
  }
  out += "</tbody></table>\n";
}

}  // namespace

std::string to_html(const Report& report, const TextOptions& options) {
  std::optional<Violation> trouble;
  if (report.trouble) trouble = report::trouble_of(report);
  std::vector<const Violation*> findings;
  if (trouble) findings.push_back(&*trouble);
  for (const Violation& violation : report.violations) findings.push_back(&violation);
  const std::string what = !findings.empty()                   ? findings[0]->property
                           : report.verdict == Verdict::kHolds ? "every property"
                                                               : "no violation found";
  const bool within = report.verdict == Verdict::kHolds && report.constrained;
  const std::string verdict = to_string(report.verdict);
  report::ViewPage page;
  page.title = title_of(verdict, what, report.system);
  page.report = to_json(report);
  std::string& out = page.body;
  out = report::page_heading(
      report::verdict_badge(verdict, within ? " within the constraint" : "") + esc(what),
      report::subject_words(report.system, report.parameters));
  bool first = true;
  for (const Violation* finding : findings) {
    report::add_violation(report.strategy, *finding, "state", options, first, out);
    report::add_runs(*finding, page.runs);
    first = false;
  }
  for (report::ViewRun& run : page.runs) run.subject = options.subject;
  add_properties(report, out);
  add_coverage(report, out);
  return report::view_page(page);
}

std::string to_html(const Trace& trace, const TextOptions& options) {
  return report::page_of_runs({report::view_run(trace)}, options);
}

namespace report {

void add_steps(const std::vector<StepCount>& steps, bool complete, std::string& out) {
  if (steps.empty()) return;
  out +=
      "<h2>What occurred</h2>\n<table><thead><tr><th scope=\"col\">step</th>"
      "<th scope=\"col\">how often</th></tr></thead><tbody>\n";
  for (const StepCount& step : steps) {
    const std::string count = step.count > 0        ? grouped(step.count)
                              : step.without_effect ? "handled, only without effect"
                              : complete            ? "never"
                                                    : "not seen";
    out += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", esc(step.what), count);
  }
  out += "</tbody></table>\n";
}

ViewRun view_run(const Trace& trace) {
  const bool violated = !trace.verdict.property.empty();
  const char* role = trace.verdict.is_trouble() ? kTroubleKind : violated ? "violation" : "run";
  return {violated ? trace.verdict.property : "nothing is violated", role, &trace};
}

std::string page_of_runs(const std::vector<ViewRun>& runs, const TextOptions& options) {
  const Trace& trace = *runs.at(0).trace;
  const TraceVerdict& verdict = trace.verdict;
  const bool violated = !verdict.property.empty();
  const std::string& divergence = runs[0].divergence;
  const bool diverged = !divergence.empty();
  const std::string badge = diverged                     ? "diverged"
                            : trace.verdict.is_trouble() ? kTroubleKind
                            : violated                   ? "violated"
                                                         : "a run";
  const std::string what = diverged   ? "the replay is not the run of the trace"
                           : violated ? verdict.property
                                      : "nothing is violated";
  ViewPage page;
  page.title = title_of(badge, what, trace.system);
  page.runs = runs;
  std::string& out = page.body;
  out = page_heading(verdict_badge(badge) + esc(what),
                     subject_words(trace.system, trace.parameters) + under_words(trace));
  if (diverged) out += fmt::format("<p class=\"why\">{}</p>\n", esc("diverged " + divergence));
  if (violated) {
    add_violation(trace.strategy, violation_of(trace), "state", options, true, out);
  } else {
    add_run(trace, options, out);
  }
  return view_page(page);
}

}  // namespace report
}  // namespace ordeal
