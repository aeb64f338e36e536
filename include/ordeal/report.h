// Rendering a Report, or what scenarios showed: for a terminal, for programs (JSON), for CI
// (JUnit), for people (HTML).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ordeal/ablate.h"
#include "ordeal/check.h"
#include "ordeal/scenario_run.h"

namespace ordeal {

struct TextOptions {
  bool colour = false;
  std::string program = "ordeal";  // for the commands that the report suggests
  std::string trace_path = {};     // where the trace was written; empty: nowhere
  // "paxos --nodes 3": the subject on a command line; empty: made from the report's parameters.
  std::string subject = {};
};
std::string to_text(const Report& report, const TextOptions& options = {});
std::string to_json(const Report& report);
std::string to_junit(const Report& report);
// One page that needs nothing else: the verdict, the violation, a space-time diagram as SVG, all
// readable without scripts; and the viewer, which shows the runs in full where scripts run. Traces
// with states (Options::states) let it show states too.
std::string to_html(const Report& report, const TextOptions& options = {});

// The same page for a run alone.
std::string to_html(const Trace& trace, const TextOptions& options = {});

// "one leader (always) is violated: nodes 1 and 2 lead": a line for a terminal.
std::string summary_of(const Violation& violation);
// The run as a table of steps with what changed, for a terminal.
std::string to_text(const Trace& trace, const TextOptions& options = {});
// The space-time diagram of a trace as a stand-alone SVG.
std::string to_svg(const Trace& trace);

// Of a scenario: its outcome, what its filters did, its property machine, the runs that failed.
std::string to_text(const ScenarioReport& report, const TextOptions& options = {});
// The same in a line or two: verdict, outcome, notes.
std::string summary_of(const ScenarioReport& report, const TextOptions& options = {});
std::string to_json(const std::vector<ScenarioReport>& reports);
std::string to_junit(const std::vector<ScenarioReport>& reports);
std::string to_html(const std::vector<ScenarioReport>& reports, const TextOptions& options = {});
// The property machine as a stand-alone SVG; "" where there is none.
std::string to_svg(const MachineResult& machine);
// What happens without each filter, as a table for a terminal.
std::string to_text(const Ablation& ablation, const TextOptions& options = {});

// C++ source with a scenario_of() each trace, as GoogleTest tests.
struct SourceOptions {
  std::string include = "protocols/suite.h";         // what declares the suite
  std::string suite = "ordeal::protocols::suite()";  // an expression
  // By trace: the steps that the test may miss (scenario_of()). Empty, or as many as traces.
  std::vector<std::vector<size_t>> may_miss = {};
};
Result<std::string> scenario_source(const std::vector<Trace>& traces,
                                    const SourceOptions& options = {});

}  // namespace ordeal
