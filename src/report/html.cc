#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/words.h"

namespace ordeal {
namespace {

constexpr size_t kMostSteps = 5000;  // of the table; the trace file has them all

constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--fg:#1b1f24;--mut:#57606a;--bg:#fff;--box:#f6f8fa;--line:#d0d7de;
--bad:#b42318;--badbg:#fdecea;--good:#1a7f37;--warn:#8a6100}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ed;--mut:#9aa5b1;--bg:#14181d;--box:#1c2229;
--line:#39424d;--bad:#ff8a7a;--badbg:#3a1d1b;--good:#57c26f;--warn:#e3b341}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"Segoe UI",Roboto,
"Helvetica Neue",Arial,sans-serif}
main{max-width:1600px;margin:0 auto;padding:24px 32px 64px}
code,pre,td,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",
monospace;
font-size:.86em}
h1{font-size:1.5rem;margin:0 0 .2em}h2{font-size:1.1rem;margin:2em 0 .6em}
.verdict{display:inline-block;padding:.05em .55em;border:2px solid;border-radius:6px;
margin-right:.5em}
.violated{color:var(--bad)}.holds{color:var(--good)}.undecided{color:var(--warn)}
.sub{color:var(--mut);margin:.2em 0}
.why{font-size:1.15rem;margin:.8em 0 .3em;padding:.6em 1em;border-left:5px solid var(--bad);
background:var(--badbg);overflow-wrap:anywhere}
.scroll{overflow:auto;max-height:80vh;border:1px solid var(--line);border-radius:6px}
.scroll:focus-visible{outline:2px solid var(--mut)}
svg{display:block}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3em .8em;border-bottom:1px solid var(--line);
overflow-wrap:anywhere}
thead th{white-space:nowrap;position:sticky;top:0;background:var(--box);font-size:.86em;
color:var(--mut)}
td.n{text-align:right;color:var(--mut);width:4em;overflow-wrap:normal;white-space:nowrap}
tr.bad td{background:var(--badbg)}tr.bad td.n{color:var(--bad);font-weight:700}
td ul{margin:0;padding:0;list-style:none}.verb{color:var(--mut)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25em 1.2em;margin:0}
dt{color:var(--mut)}dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.7em 1em;margin:0;
overflow:auto}
@media print{.scroll{max-height:none;overflow:visible}}
)css";

std::string esc(const std::string& text) { return escape_markup(one_line(text)); }

void add_steps(const Trace& trace, std::string& out) {
  const size_t skipped = trace.steps.size() > kMostSteps ? trace.steps.size() - kMostSteps : 0;
  out +=
      "<h2>Steps</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Steps\"><table>\n<thead><tr><th scope=\"col\">step</th>"
      "<th scope=\"col\">action</th><th scope=\"col\">state of the node</th>"
      "<th scope=\"col\">what it did</th></tr></thead>\n<tbody>\n";
  if (skipped > 0) {
    out += fmt::format("<tr><td></td><td colspan=\"3\">({} before these are left out)</td></tr>\n",
                       counted(skipped, "step"));
  }
  for (size_t i = skipped; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    const bool bad = !trace.verdict.property.empty() && trace.verdict.step == i + 1;
    std::string changes;
    std::string effects;
    for (const report::Effect& effect : report::effects_of(step)) {
      const std::string text = esc(effect.text);
      if (effect.verb.empty()) {
        changes += fmt::format("<li>{}</li>", text);
      } else {
        effects +=
            fmt::format("<li><span class=\"verb\">{}</span> {}</li>", esc(effect.verb), text);
      }
    }
    out += fmt::format("<tr{}><td class=\"n\">{}{}</td><td>{}{}</td><td>{}</td><td>{}</td></tr>\n",
                       bad ? " class=\"bad\"" : "", bad ? "✗ " : "", i + 1,
                       esc(show(step.detail.action)), bad ? "<br><b>✗ violation</b>" : "",
                       changes.empty() ? "" : "<ul>" + changes + "</ul>",
                       effects.empty() ? "" : "<ul>" + effects + "</ul>");
  }
  out += "</tbody></table></div>\n";
}

void add_run(const Trace& trace, const TextOptions& options, std::string& out) {
  out +=
      "<h2>The run</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Space-time diagram\">\n";
  out += to_svg(trace);
  out +=
      "</div>\n<p class=\"sub\">Time flows downwards, one row a step. → message, ✗ at its end: "
      "dropped, dashed: a copy, dotted with ○: still in flight (with its receiver) · ✗ on a lane: "
      "crash, △ recovery, ◇ failure detector, ★ decision, clock: timer · rings: the nodes "
      "involved.</p>\n";
  add_steps(trace, out);
  out += "<h2>Run it again</h2>\n<pre>";
  for (const report::Command& command : report::next_commands(trace, options)) {
    if (command.what != "see it drawn") out += esc(command.line) + "\n";
  }
  out += "</pre>\n";
}

void add_violation(const Report& report, const Violation& violation, const TextOptions& options,
                   bool first, std::string& out) {
  if (!first) {
    out +=
        fmt::format("<h2 class=\"violated\">✗ also violated: {}</h2>\n", esc(violation.property));
  }
  if (!violation.why.empty()) out += fmt::format("<p class=\"why\">{}</p>\n", esc(violation.why));
  std::vector<std::string> facts = {"property kind: " + violation.kind};
  for (const std::string& fact :
       {report::place_of(violation), report::length_note(report, violation)}) {
    if (!fact.empty()) facts.push_back(fact);
  }
  if (violation.count > 1) facts.push_back(counted(violation.count, "state") + " violate it");
  out += fmt::format("<p class=\"sub\">{}</p>\n", esc(join(facts, " · ")));
  if (violation.trace) add_run(*violation.trace, options, out);
}

void add_fact(const std::string& name, const std::string& text, std::string& out) {
  out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", esc(name), text);
}

void add_coverage(const Report& report, std::string& out) {
  out += "<h2>What was explored</h2>\n<dl>\n";
  std::string coverage;
  for (const std::string& line : report::coverage_of(report)) coverage += esc(line) + "<br>";
  add_fact("coverage", coverage, out);
  add_fact("complete", report.complete ? "yes" : "no", out);
  for (const std::string& bound : report.bounds) add_fact("bound", esc(bound), out);
  if (report.handler_calls > 0) add_fact("handler calls", grouped(report.handler_calls), out);
  for (const std::string& note : report.notes) add_fact("note", esc(note), out);
  out += "</dl>\n<h2>Parameters</h2>\n<dl>\n";
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
                       esc(result.property.name), to_string(result.property.kind), verdict, sign,
                       verdict, esc(result.note));
  }
  out += "</tbody></table>\n";
}

std::string page_begin(const std::string& verdict, const std::string& within,
                       const std::string& what, const std::string& system,
                       const std::map<std::string, std::string>& parameters) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}: {1} – {2}</title>\n<style>{3}</style>\n</head>\n<body>\n<main>\n"
      "<h1><span class=\"verdict {0}\">{0}{4}</span>{1}</h1>\n<p class=\"sub mono\">{5}</p>\n",
      verdict, esc(what), esc(system), kStyle, within,
      esc(report::subject_words(system, parameters)));
}

constexpr const char* kPageEnd = "</main>\n</body>\n</html>\n";

}  // namespace

std::string to_html(const Report& report, const TextOptions& options) {
  const std::string what = !report.violations.empty()          ? report.violations[0].property
                           : report.verdict == Verdict::kHolds ? "every property"
                                                               : "no violation found";
  const bool within = report.verdict == Verdict::kHolds && report.constrained;
  std::string out = page_begin(to_string(report.verdict), within ? " within the constraint" : "",
                               what, report.system, report.parameters);
  bool first = true;
  for (const Violation& violation : report.violations) {
    add_violation(report, violation, options, first, out);
    first = false;
  }
  add_properties(report, out);
  add_coverage(report, out);
  return out + kPageEnd;
}

std::string to_html(const Trace& trace, const TextOptions& options) {
  const TraceVerdict& verdict = trace.verdict;
  const bool violated = !verdict.property.empty();
  std::string out = page_begin(violated ? "violated" : "a run", "",
                               violated ? verdict.property : "nothing is violated", trace.system,
                               trace.parameters);
  if (violated) {
    Report report;
    report.strategy = trace.strategy;
    add_violation(
        report,
        {verdict.property, verdict.kind, verdict.why, verdict.nodes, verdict.step, trace, 1},
        options, true, out);
  } else {
    add_run(trace, options, out);
  }
  return out + kPageEnd;
}

}  // namespace ordeal
