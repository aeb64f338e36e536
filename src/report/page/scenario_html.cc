#include <fmt/format.h>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/page/page.h"
#include "report/scenario_words.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::add_fact;
using report::esc;

// The pieces differ in pattern, not only in colour, and the words stand below.
void add_bar(const ScenarioReport& report, std::string& out) {
  if (report.exhaustive || report.runs == 0) return;
  constexpr size_t kWhole = 1000;
  const auto endings = report::endings_of(report);
  const auto shares = report::shares_of(report, kWhole);
  constexpr const char* kStyles[] = {"ok", "neither", "failed"};
  out += fmt::format("<div class=\"bar\" role=\"img\" aria-label=\"{}\">",
                     esc(report::outcome_of(report)));
  for (size_t i = 0; i < endings.size(); ++i) {
    if (shares[i] == 0) continue;
    out += fmt::format("<span class=\"{}\" style=\"flex-grow:{}\"></span>", kStyles[i], shares[i]);
  }
  out += "</div>\n<p class=\"legend\">";
  for (size_t i = 0; i < endings.size(); ++i) {
    out += fmt::format("<span><i class=\"{}\"></i>{} {}</span>", kStyles[i],
                       grouped(endings[i].runs), endings[i].word);
  }
  out += "</p>\n";
}

void add_filters(const ScenarioReport& report, std::string& out) {
  if (report.filters.empty()) return;
  out +=
      "<h2>Filters</h2>\n<table><thead><tr><th scope=\"col\">filter</th>"
      "<th scope=\"col\">when … then …</th><th scope=\"col\">fired</th>"
      "<th scope=\"col\">declared</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < report.filters.size(); ++i) {
    const FilterResult& filter = report.filters[i];
    const bool never = filter.fired == 0;
    std::string fired = never ? "⚠ never fired" : grouped(filter.fired) + "×";
    if (filter.in_vain > 0) fired += fmt::format(", {} in vain", grouped(filter.in_vain));
    out += fmt::format(
        "<tr{}><td class=\"n\">{}</td><td>{}</td><td class=\"fired\">{}</td><td>{}</td></tr>\n",
        never ? " class=\"never\"" : "", i + 1, esc(filter.text), fired,
        esc(report::place_of(filter)));
  }
  out += "</tbody></table>\n";
}

void add_machine(const ScenarioReport& report, std::string& out) {
  if (report.machine.states.empty()) return;
  out +=
      "<h2>Property machine</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Property machine\">\n";
  out += to_svg(report.machine);
  out +=
      "</div>\n<p class=\"sub\">Double border, ✓: success · cut corners, ✗: failure · dashed: "
      "never "
      "taken · n×: how often, in all runs.</p>\n";
}

void add_facts(const ScenarioReport& report, std::string& out) {
  out += "<h2>How it ran</h2>\n<dl>\n";
  add_fact("explored", esc(report::effort_of(report)), out);
  add_fact("runs", fmt::format("{} of {}", grouped(report.runs), grouped(report.iterations)), out);
  if (report.cut > 0) add_fact("cut by a bound", counted(report.cut, "run"), out);
  if (report.distinct_states > 0) add_fact("states", grouped(report.distinct_states), out);
  for (const std::string& note : report.notes) add_fact("note", esc(note), out);
  add_fact("system", esc(report.system), out);
  for (const auto& [name, value] : report.parameters) {
    add_fact(name, value.empty() ? "(none)" : esc(value), out);
  }
  out += "</dl>\n";
  report::add_steps(report.steps_by_sort, report.complete, out);
}

void add_scenario(const ScenarioReport& report, const TextOptions& options, std::string& out) {
  if (!report.what.empty()) out += fmt::format("<p class=\"sub\">{}</p>\n", esc(report.what));
  out += fmt::format("<p class=\"expects\"><b>Expected:</b> {}. <b>Seen:</b> {}.</p>\n",
                     esc(report.expectation), esc(report::outcome_of(report)));
  add_bar(report, out);
  for (const Violation& violation : report.violations) {
    out += fmt::format("<h2 class=\"violated\">✗ {}</h2>\n", esc(violation.property));
    report::add_violation(report.strategy, violation, report.exhaustive ? "state" : "run", options,
                          true, out);
  }
  add_machine(report, out);
  add_filters(report, out);
  add_facts(report, out);
}

std::string subject_of(const ScenarioReport& report) {
  return report::subject_words(report.system, report.parameters);
}

// The table at the head of a page with several scenarios.
void add_contents(const std::vector<ScenarioReport>& reports, std::string& out) {
  out +=
      "<table class=\"contents\"><thead><tr><th scope=\"col\">scenario</th>"
      "<th scope=\"col\">system</th>"
      "<th scope=\"col\">verdict</th><th scope=\"col\">expected</th><th scope=\"col\">seen</th>"
      "</tr></thead><tbody>\n";
  for (size_t i = 0; i < reports.size(); ++i) {
    const ScenarioReport& report = reports[i];
    const char* verdict = to_string(report.verdict);
    const char* sign = report.verdict == Verdict::kHolds      ? "✓"
                       : report.verdict == Verdict::kViolated ? "✗"
                                                              : "?";
    out += fmt::format(
        "<tr><td><a href=\"#scenario-{0}\">{1}</a></td><td>{2}</td><td class=\"{3}\">{4} {3}</td>"
        "<td>{5}</td><td>{6}</td></tr>\n",
        i + 1, esc(report.scenario), esc(report.system), verdict, sign, esc(report.expectation),
        esc(report::outcome_of(report)));
  }
  out += "</tbody></table>\n";
}

}  // namespace

std::string to_html(const std::vector<ScenarioReport>& reports, const TextOptions& options) {
  report::ViewPage page;
  std::string& out = page.body;
  for (const ScenarioReport& report : reports) {
    for (const Violation& violation : report.violations) report::add_runs(violation, page.runs);
  }
  if (reports.size() == 1) {
    const ScenarioReport& report = reports[0];
    const std::string verdict = to_string(report.verdict);
    page.title =
        fmt::format("{}: {} – {}", verdict, one_line(report.scenario), one_line(report.system));
    out = report::page_heading(report::verdict_badge(verdict) + esc(report.scenario),
                               subject_of(report));
    add_scenario(report, options, out);
    return report::view_page(page);
  }
  const std::string verdict = to_string(report::overall(reports));
  const std::string what = counted(reports.size(), "scenario");
  page.title = fmt::format("{}: {}", verdict, what);
  out = report::page_heading(report::verdict_badge(verdict) + esc(what), "");
  add_contents(reports, out);
  for (size_t i = 0; i < reports.size(); ++i) {
    const ScenarioReport& report = reports[i];
    out += fmt::format(
        "<h1 class=\"next\" id=\"scenario-{}\">{}{}</h1>\n<p class=\"sub mono\">{}</p>\n", i + 1,
        report::verdict_badge(to_string(report.verdict)), esc(report.scenario),
        esc(subject_of(report)));
    add_scenario(report, options, out);
  }
  return report::view_page(page);
}

}  // namespace ordeal
