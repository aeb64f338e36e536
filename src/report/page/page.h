// What the static parts of all pages share: style and heading, the run with its diagram and steps,
// a violation, facts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/report.h"
#include "report/page/view.h"

namespace ordeal::report {

// What occurred how often and what never did, as a table; nothing where there is nothing to tell.
void add_steps(const std::vector<StepCount>& steps, bool complete, std::string& out);

// One line, escaped for HTML.
std::string esc(const std::string& text);

// Of the static part of a page.
extern const char* const kPageStyle;

// `heading` is HTML; `subject` is plain.
std::string page_heading(const std::string& heading, const std::string& subject);

// The runs of a violation, for the viewer.
void add_runs(const Violation& violation, std::vector<ViewRun>& runs);

// "✓ holds", in a box of its colour.
std::string verdict_badge(const std::string& verdict, const std::string& behind = "");

void add_run(const Trace& trace, const TextOptions& options, std::string& out);

// Why, where, and the run. `thing` is what a violation's count counts: states, runs.
void add_violation(const std::string& strategy, const Violation& violation, std::string_view thing,
                   const TextOptions& options, bool first, std::string& out);

// A run by what it shows, for the viewer.
ViewRun view_run(const Trace& trace);
// A page of several runs; its static part is about the first. REQUIRES: there is one.
std::string page_of_runs(const std::vector<ViewRun>& runs, const TextOptions& options);

// A line of a <dl>. `text` is HTML.
void add_fact(const std::string& name, const std::string& text, std::string& out);

}  // namespace ordeal::report
