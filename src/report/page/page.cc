#include "report/page/page.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kMostSteps = 5000;  // of the table; the trace file has them all

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
    for (const Effect& effect : effects_of(trace, step)) {
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
                       esc(action_words(trace, step.detail.action)),
                       !bad                         ? ""
                       : trace.verdict.is_trouble() ? "<br><b>✗ error</b>"
                                                    : "<br><b>✗ violation</b>",
                       changes.empty() ? "" : "<ul>" + changes + "</ul>",
                       effects.empty() ? "" : "<ul>" + effects + "</ul>");
  }
  out += "</tbody></table></div>\n";
}

}  // namespace

const char* const kPageStyle = R"css(
:root{color-scheme:light dark;--fg:#1b1f24;--mut:#57606a;--bg:#fff;--box:#f6f8fa;--line:#d0d7de;
--bad:#b42318;--badbg:#fdecea;--good:#1a7f37;--warn:#8a6100}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ed;--mut:#9aa5b1;--bg:#14181d;--box:#1c2229;
--line:#39424d;--bad:#ff8a7a;--badbg:#3a1d1b;--good:#57c26f;--warn:#e3b341}}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"Segoe UI",Roboto,
"Helvetica Neue",Arial,sans-serif}
#report{max-width:1600px;margin:0 auto;padding:24px 32px 64px;font-size:16px}
#report *{box-sizing:border-box}
#report :is(code,pre,td,.mono){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,
"DejaVu Sans Mono",monospace;font-size:.86em}
#report h1{font-size:1.5rem;margin:0 0 .2em}#report h2{font-size:1.1rem;margin:2em 0 .6em}
#report .verdict{display:inline-block;padding:.05em .55em;border:2px solid;border-radius:6px;
margin-right:.5em}
#report :is(.violated,.diverged,.error){color:var(--bad)}#report .holds{color:var(--good)}
#report .undecided{color:var(--warn)}
#report .sub{color:var(--mut);margin:.2em 0}
#report .why{font-size:1.15rem;margin:.8em 0 .3em;padding:.6em 1em;
border-left:5px solid var(--bad);background:var(--badbg);overflow-wrap:anywhere}
#report .scroll{overflow:auto;max-height:80vh;border:1px solid var(--line);border-radius:6px}
#report .scroll:focus-visible{outline:2px solid var(--mut)}
#report svg{display:block}
#report table{border-collapse:collapse;width:100%}
#report :is(th,td){text-align:left;vertical-align:top;padding:.3em .8em;
border-bottom:1px solid var(--line);overflow-wrap:anywhere}
#report thead th{white-space:nowrap;position:sticky;top:0;background:var(--box);font-size:.86em;
color:var(--mut)}
#report td.n{text-align:right;color:var(--mut);width:4em;overflow-wrap:normal;white-space:nowrap}
#report tr.bad td{background:var(--badbg)}#report tr.bad td.n{color:var(--bad);font-weight:700}
#report td ul{margin:0;padding:0;list-style:none}#report .verb{color:var(--mut)}
#report dl{display:grid;grid-template-columns:max-content 1fr;gap:.25em 1.2em;margin:0}
#report dt{color:var(--mut)}#report dd{margin:0;overflow-wrap:anywhere}
#report pre{background:var(--box);border:1px solid var(--line);border-radius:6px;
padding:.7em 1em;margin:0;overflow:auto}
#report h1.next{margin-top:3em;padding-top:1em;border-top:3px solid var(--line)}
#report .expects{margin:.6em 0}#report .bar{display:flex;height:26px;gap:2px;max-width:900px}
#report .bar span{min-width:4px;border-radius:3px}
#report .legend{display:flex;gap:1.6em;margin:.4em 0 1em}
#report .legend i{display:inline-block;width:1.6em;height:1em;margin-right:.5em;border-radius:3px;
vertical-align:-.1em}
#report .ok{background:var(--good)}
#report .neither{background:repeating-linear-gradient(45deg,var(--mut) 0 3px,var(--box) 3px 8px)}
#report .failed{background:repeating-linear-gradient(0deg,var(--bad) 0 5px,var(--bg) 5px 7px)}
#report table.contents td:not(:last-child){overflow-wrap:normal}
#report table.contents td:nth-child(3){white-space:nowrap}
#report td.fired{white-space:nowrap}
#report tr.never td.fired{color:var(--warn);font-weight:700}
@media print{#report .scroll{max-height:none;overflow:visible}}
)css";

std::string esc(const std::string& text) { return escape_markup(one_line(text)); }

std::string page_heading(const std::string& heading, const std::string& subject) {
  return fmt::format("<h1>{}</h1>\n<p class=\"sub mono\">{}</p>\n", heading, esc(subject));
}

void add_runs(const Violation& violation, std::vector<ViewRun>& runs) {
  const char* role = is_trouble(violation) ? kTroubleKind : "violation";
  if (violation.trace) runs.push_back({violation.property, role, &*violation.trace});
  if (violation.original) {
    runs.push_back({violation.property + " (as found)", "original", &*violation.original});
  }
}

std::string verdict_badge(const std::string& verdict, const std::string& behind) {
  return fmt::format("<span class=\"verdict {0}\">{0}{1}</span>", verdict, behind);
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
  if (!trace.source.empty()) return;
  out += "<h2>Run it again</h2>\n<pre>";
  for (const Command& command : next_commands(trace, options)) {
    if (command.what != "see it drawn") out += esc(command.line) + "\n";
  }
  out += "</pre>\n";
}

void add_violation(const std::string& strategy, const Violation& violation, std::string_view thing,
                   const TextOptions& options, bool first, std::string& out) {
  if (!first) {
    out +=
        fmt::format("<h2 class=\"violated\">✗ also violated: {}</h2>\n", esc(violation.property));
  }
  if (!violation.why.empty()) out += fmt::format("<p class=\"why\">{}</p>\n", esc(violation.why));
  std::vector<std::string> facts = {is_trouble(violation)
                                        ? "what could not be said: " + kind_words(violation)
                                        : "property kind: " + kind_words(violation)};
  for (const std::string& fact : {place_of(violation), length_note(strategy, violation)}) {
    if (!fact.empty()) facts.push_back(fact);
  }
  if (violation.count > 1) facts.push_back(counted(violation.count, thing) + " violate it");
  out += fmt::format("<p class=\"sub\">{}</p>\n", esc(join(facts, " · ")));
  if (violation.trace) add_run(*violation.trace, options, out);
}

void add_fact(const std::string& name, const std::string& text, std::string& out) {
  out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", esc(name), text);
}

}  // namespace ordeal::report
