// The words that all reports share: what a step did, what was covered, which command comes next.
#pragma once

#include <string>
#include <vector>

#include "ordeal/report.h"

namespace ordeal::report {

// One thing that a step did: {"sends", "Vote{term: 1} → 2, 3"}. Escaped for nothing.
struct Effect {
  std::string verb;  // empty for a change of state
  std::string text;
  std::string line() const { return verb.empty() ? text : verb + " " + text; }
};
std::vector<Effect> effects_of(const Trace& trace, const TraceStep& step);

// How people call a node: by its name, where the trace has one, or by its number.
std::string node_name(const Trace& trace, int node);
// As show(action), with these names.
std::string action_words(const Trace& trace, const Action& action);
// "1", "n1 and n2", "n1, n2 and n3".
std::string node_list(const Trace& trace, const std::vector<int>& nodes);

// "paxos --nodes 3 --bug forgets", ready for a shell.
std::string subject_words(const std::string& system,
                          const std::map<std::string, std::string>& parameters);

// ", under the scenario late-vote", or nothing.
std::string under_words(const Trace& trace);

// "all 16,668 states, 52,244 transitions, 3 terminal states, depth 21", …: how much was seen and
// how. One fact a line.
std::vector<std::string> coverage_of(const Report& report);
// Why it is not complete.
std::vector<std::string> bounds_of(const Report& report);

// "Vote 1,203, timer election 12, crash 4": what occurred how often.
std::string occurred_words(const std::vector<StepCount>& steps);
// "recover, Retry (handled without effect)": what never occurred.
std::string missing_words(const std::vector<StepCount>& steps);

// "LogDiff(1): in 12 episodes, 3 ways, first in episode 4, at best after 7 steps", …: of every
// waypoint; and the run that came closest, or was quickest. Empty: there are none.
std::vector<std::string> waypoint_words(const Learning& learning);
// The same of a reward machine, of every state: how often it was entered, too.
std::vector<std::string> machine_words(const Learning& learning);
// "0.0123", with four digits that count.
std::string probability_words(double probability);

// How a property is judged, in the subject's word for it, where it has one. Escaped for nothing.
std::string kind_words(const Property& property);
std::string kind_words(const Violation& violation);
std::string kind_words(const TraceVerdict& verdict);

// What a trace shows. REQUIRES: something is violated.
Violation violation_of(const Trace& trace);

// What could not be said, told as a violation is. REQUIRES: report.trouble.
Violation trouble_of(const Report& report);
bool is_trouble(const Violation& violation);
// "violated", "error"
Verdict verdict_of(const Violation& violation);

// "minimised from 9 to 4 steps", "a shortest run", or nothing.
// Of a run that goes on for ever: "then again from step 12, for ever"; "" of one that ends.
std::string loop_words(const Trace& trace);
std::string length_note(const std::string& strategy, const Violation& violation);
// "nodes 1 and 2, after step 4".
std::string place_of(const Violation& violation);

struct Command {
  std::string line;
  std::string what;
};
// What to do with a run. An imported one cannot be run again.
std::vector<Command> next_commands(const Trace& trace, const TextOptions& options);

}  // namespace ordeal::report
