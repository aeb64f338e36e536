// A run for other tools: as a ShiViz log, as a Mermaid diagram, as a picture for a terminal. The
// SVG is to_svg of ordeal/report.h. Everything that comes from the trace is escaped.
#pragma once

#include <string>

#include "ordeal/result.h"
#include "ordeal/trace.h"

namespace ordeal::report {

// The expressions that ShiViz parses a log with: the first two lines of the file. The second one
// holds to whole lines, so that nothing inside an event is taken for a delimiter.
inline constexpr const char* kShivizParser = R"((?<host>\S*) (?<clock>{.*})\n(?<event>.*))";
inline constexpr const char* kShivizDelimiter = "^=== (?<trace>.*) ===$";

// Every step as an event of its node, with a vector clock. An Error where the clocks would be
// enormous.
Result<std::string> to_shiviz(const Trace& trace);

// A sequenceDiagram. Of very long runs the last steps only.
std::string to_mermaid(const Trace& trace);

// A lane per node, a row per step, in 100 columns for up to nine nodes. Of very long runs the last
// steps only.
struct DrawingOptions {
  bool ascii = false;  // nothing but ASCII
};
std::string to_drawing(const Trace& trace, const DrawingOptions& options = {});

}  // namespace ordeal::report
