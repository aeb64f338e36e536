// What all HTML pages share: head and style, the run with its diagram and steps, a violation,
// facts.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ordeal/report.h"

namespace ordeal::report {

// One line, escaped for HTML.
std::string esc(const std::string& text);

// `heading` is HTML; `title` and `subject` are plain.
std::string page_begin(const std::string& title, const std::string& heading,
                       const std::string& subject);
inline constexpr const char* kPageEnd = "</main>\n</body>\n</html>\n";

// "✓ holds", in a box of its colour.
std::string verdict_badge(const std::string& verdict, const std::string& behind = "");

void add_run(const Trace& trace, const TextOptions& options, std::string& out);

// Why, where, and the run. `thing` is what a violation's count counts: states, runs.
void add_violation(const std::string& strategy, const Violation& violation, std::string_view thing,
                   const TextOptions& options, bool first, std::string& out);

// A line of a <dl>. `text` is HTML.
void add_fact(const std::string& name, const std::string& text, std::string& out);

}  // namespace ordeal::report
