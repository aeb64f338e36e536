#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explore/strategy/strategy.h"
#include "ordeal/machine.h"
#include "trace/short_form.h"

namespace ordeal::report {
namespace {

// Equal messages to several nodes are one line: "Vote{term: 1} → 2, 3".
void add_sends(const Trace& trace, const StepDetail& detail, std::vector<Effect>& out) {
  if (detail.action.kind == ActionKind::kDuplicate) {  // the network's doing, not the sender's
    out.push_back({"", "one more copy is in flight"});
    return;
  }
  std::vector<bool> told(detail.sent.size());
  for (size_t i = 0; i < detail.sent.size(); ++i) {
    if (told[i]) continue;
    const Sent& sent = detail.sent[i];
    std::string to = node_name(trace, sent.to);
    for (size_t j = i + 1; j < detail.sent.size(); ++j) {
      const Sent& other = detail.sent[j];
      if (other.kind == sent.kind && other.from == sent.from && other.type == sent.type &&
          other.payload_digest == sent.payload_digest && other.text == sent.text) {
        told[j] = true;
        to += ", " + node_name(trace, other.to);
      }
    }
    const bool other_sender = sent.from >= 0 && sent.from != detail.action.node;
    const std::string text = sent.text.empty() ? sent.type : sent.text;
    if (sent.kind == ActionKind::kDetect || sent.kind == ActionKind::kRestore) {
      const bool crash = sent.kind == ActionKind::kDetect;
      out.push_back({crash ? "to be detected by" : "to be trusted again by", to});
      continue;
    }
    const std::string verb = sent.kind == ActionKind::kEvent ? "posts" : "sends";
    out.push_back({other_sender ? fmt::format("{} {}", node_name(trace, sent.from), verb) : verb,
                   fmt::format("{} → {}", text, to)});
  }
}

// What a node has on disk is often a part of its state: then the change is told once.
bool repeats_the_state(const value::Change& change, const std::vector<value::Change>& changes) {
  constexpr std::string_view kDisk = "(disk)";
  if (change.path.compare(0, kDisk.size(), kDisk) != 0) return false;
  const std::string inside = change.path.substr(kDisk.size());  // ".term", or nothing
  return std::any_of(changes.begin(), changes.end(), [&](const value::Change& other) {
    return !inside.empty() && other.path[0] != '(' && ("." + other.path).ends_with(inside) &&
           other.before == change.before && other.after == change.after;
  });
}

// The operation that an event of a step belongs to.
TraceOperation operation_of(const Trace& trace, const TraceStep& step, const HistoryEvent& event) {
  uint32_t calls = 0;
  const auto count = [&](const std::vector<HistoryEvent>& events) {
    for (const HistoryEvent& known : events) {
      if (known.client == event.client && !known.is_return) ++calls;
      if (&known == &event) return;
    }
  };
  count(trace.initial_history);
  for (const TraceStep& known : trace.steps) {
    count(known.detail.history);
    if (&known == &step) break;
  }
  return {event.client, calls == 0 ? 0 : calls - 1};
}

bool has_no_place(const Trace& trace, const TraceStep& step, const HistoryEvent& event) {
  const std::vector<TraceOperation>& unplaced = trace.verdict.unplaced;
  if (unplaced.empty() || !event.is_return) return false;
  return std::find(unplaced.begin(), unplaced.end(), operation_of(trace, step, event)) !=
         unplaced.end();
}

// Who claims something of any function of the state has seen all states.
bool visits_all_states(const explore::Strategy& strategy) {
  return explore::keeps(strategy.kept[static_cast<size_t>(explore::About::kAlwaysAnything)]);
}

}  // namespace

std::string node_name(const Trace& trace, int node) {
  const auto named = trace.node_names.find(node);
  return named == trace.node_names.end() || named->second.empty() ? std::to_string(node)
                                                                  : named->second;
}

std::string node_list(const Trace& trace, const std::vector<int>& nodes) {
  std::string out;
  for (size_t i = 0; i < nodes.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == nodes.size() ? " and " : ", ") + node_name(trace, nodes[i]);
  }
  return out;
}

std::string action_words(const Trace& trace, const Action& action) {
  if (trace.node_names.empty()) return show(action);
  const std::string node = node_name(trace, action.node);
  const std::string from = node_name(trace, action.from);
  switch (action.kind) {
    case ActionKind::kTimer:
    case ActionKind::kChoose:
      return fmt::format("{} {} at {}", to_string(action.kind), action.type, node);
    case ActionKind::kDetect:
      return fmt::format("detect crash of {} at {}", from, node);
    case ActionKind::kRestore:
      return fmt::format("restore trust in {} at {}", from, node);
    case ActionKind::kSuspect:
      return fmt::format("suspect {} wrongly at {}", from, node);
    case ActionKind::kCrash:
    case ActionKind::kRecover:
      return fmt::format("{} {}", to_string(action.kind), node);
    case ActionKind::kDescribed:
      return show_described(action, node, from);
    default:
      break;
  }
  Action nowhere = action;
  nowhere.node = nowhere.from = -1;
  const std::string what = show(nowhere);
  if (action.node < 0) return what;
  return action.from >= 0 ? fmt::format("{} {}→{}", what, from, node)
                          : fmt::format("{} at {}", what, node);
}

std::vector<Effect> effects_of(const Trace& trace, const TraceStep& step) {
  std::vector<Effect> out;
  bool is_saved = false;
  for (const value::Change& change : step.changes) {
    if (change.path == "(up)") continue;  // the action says it: crash, recover
    if (repeats_the_state(change, step.changes)) {
      if (!is_saved) out.push_back({"", "on disk, too"});
      is_saved = true;
      continue;
    }
    out.push_back({"", fmt::format("{}{}{} → {}", change.path, change.path.empty() ? "" : ": ",
                                   change.before, change.after)});
  }
  add_sends(trace, step.detail, out);
  for (const std::string& value : step.detail.decided) out.push_back({"decides", value});
  for (const std::string& timer : step.detail.timers) {
    if (timer.empty()) continue;
    const bool sets = timer[0] == '+';
    out.push_back({sets ? "sets timer" : "cancels timer",
                   timer[0] == '+' || timer[0] == '-' ? timer.substr(1) : timer});
  }
  for (const HistoryEvent& event : step.detail.history) {
    const bool other_client = event.client != step.detail.action.node;
    const std::string verb = event.is_return ? "returns" : "invokes";
    out.push_back(
        {other_client ? fmt::format("client {} {}", node_name(trace, event.client), verb) : verb,
         event.text + (has_no_place(trace, step, event) ? " (no place)" : "")});
  }
  for (const std::string& line : step.detail.log) out.push_back({"logs", line});
  for (const std::string& line : step.detail.scenario) {  // "filter 2: …", "machine: …"
    const size_t colon = line.find(": ");
    if (colon == line.npos) {
      out.push_back({"scenario:", line});
    } else {
      out.push_back({line.substr(0, colon + 1), line.substr(colon + 2)});
    }
  }
  if (!step.detail.failure.empty()) out.push_back({"FAILS:", step.detail.failure});
  return out;
}

std::string subject_words(const std::string& system,
                          const std::map<std::string, std::string>& parameters) {
  std::string out = shell_word(one_line(system));
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    // A flag takes its value only behind '='.
    const bool is_flag = value == "yes" || value == "no";
    out += shell_word(fmt::format("--{}", one_line(name))).insert(0, " ");
    out += is_flag ? "=" : " ";
    out += shell_word(one_line(value));
  }
  return out;
}

std::string under_words(const Trace& trace) {
  return trace.scenario.empty() ? "" : ", under the scenario " + one_line(trace.scenario);
}

std::string occurred_words(const std::vector<StepCount>& steps) {
  std::vector<std::string> words;
  for (const StepCount& step : steps) {
    if (step.count > 0) words.push_back(one_line(step.what) + " " + grouped(step.count));
  }
  return join(words, ", ");
}

std::string missing_words(const std::vector<StepCount>& steps) {
  std::vector<std::string> words;
  for (const StepCount& step : steps) {
    if (step.count > 0) continue;
    words.push_back(one_line(step.what) + (step.without_effect ? " (only without effect)" : ""));
  }
  return join(words, ", ");
}

std::vector<std::string> coverage_of(const Report& report) {
  const explore::Strategy* strategy = explore::find_strategy(report.strategy);
  std::vector<std::string> lines;
  std::vector<std::string> counts;
  if (report.distinct_states > 0) {
    // With symmetry a state stands for all that renaming makes of it.
    const bool all = report.complete && (strategy == nullptr || visits_all_states(*strategy));
    counts.push_back((all ? "all " : "") +
                     (report.symmetry.empty()
                          ? counted(report.distinct_states, "state")
                          : grouped(report.distinct_states) +
                                (report.distinct_states == 1 ? " class" : " classes") +
                                " of states under renaming of " + one_line(report.symmetry)));
  }
  counts.push_back(counted(report.transitions, "transition"));
  if (report.terminal_states > 0) {
    counts.push_back(counted(report.terminal_states,
                             report.symmetry.empty() ? "terminal state" : "terminal one"));
  }
  if (report.runs > 0) counts.push_back(counted(report.runs, "run"));
  // Only who goes level by level knows how far away the farthest state is.
  const bool by_paths = strategy != nullptr && strategy->needs_space && !strategy->by_levels;
  const char* what = by_paths ? "longest path" : report.runs > 0 ? "longest run" : "depth";
  counts.push_back(fmt::format("{} {}", what, grouped(report.depth)));
  lines.push_back(join(counts, ", "));

  std::string how =
      fmt::format("{}{} on {}, {}", one_line(report.strategy),
                  report.reduce == "sleep" ? " with sleep sets" : "",
                  counted(static_cast<uint64_t>(std::max(report.threads, 1)), "thread"),
                  seconds_text(report.seconds));
  const uint64_t work = report.distinct_states > 0 ? report.distinct_states : report.runs;
  if (report.seconds > 0.001 && work > 0) {
    how += fmt::format(" ({} {}/s)",
                       grouped(static_cast<uint64_t>(static_cast<double>(work) / report.seconds)),
                       report.distinct_states > 0 ? "states" : "runs");
  }
  if (report.bytes > 0) how += ", " + bytes_text(report.bytes);
  if (report.disk_bytes > 0) how += " and " + bytes_text(report.disk_bytes) + " on disk";
  if (report.seed != 0 || report.runs > 0) how += fmt::format(", seed {}", report.seed);
  lines.push_back(how);
  constexpr double kWorthMentioning = 1e-11;
  if (report.collision_probability > kWorthMentioning) {
    lines.push_back(fmt::format("chance that two states shared a fingerprint: {:.1e}",
                                report.collision_probability));
  }
  return lines;
}

namespace {

std::string waypoint_line(const Learning::Waypoint& waypoint, const std::string& run) {
  if (!waypoint.first) {
    return waypoint.least
               ? fmt::format("never; the least distance to it was {}", grouped(*waypoint.least))
               : "never";
  }
  std::string line = fmt::format("in {}, {}, first in {} {}", counted(waypoint.episodes, run),
                                 counted(waypoint.ways, "way"), run, grouped(*waypoint.first));
  if (waypoint.best) {
    line += fmt::format(", at best after {}", counted(waypoint.best->steps, "step"));
  }
  return line;
}

void add_best_run(const Learning& learning, const Learning::Waypoint& target,
                  std::vector<std::string>& lines) {
  if (target.best) {
    lines.push_back("the quickest run there: " + cut_to(trace::short_form(target.best->path), 400));
  } else if (learning.closest) {
    lines.push_back("the run that came closest: " +
                    cut_to(trace::short_form(*learning.closest), 400));
  }
}

}  // namespace

std::vector<std::string> waypoint_words(const Learning& learning) {
  const std::string run = learning.environment.empty() ? "run" : "episode";
  std::vector<std::string> lines;
  for (const Learning::Waypoint& waypoint : learning.waypoints) {
    lines.push_back(one_line(waypoint.predicate) + ": " + waypoint_line(waypoint, run));
  }
  if (!lines.empty()) add_best_run(learning, learning.waypoints.back(), lines);
  return lines;
}

std::vector<std::string> machine_words(const Learning& learning) {
  std::vector<std::string> lines;
  const Learning::Waypoint* target = nullptr;
  for (const Learning::MachineState& state : learning.machine_states) {
    std::string line = one_line(state.reached.predicate) + ": ";
    if (state.times > 0) line += fmt::format("entered {}, ", counted(state.times, "time"));
    lines.push_back(line + waypoint_line(state.reached, "episode"));
    if (state.reached.predicate == Machine::kSuccess) target = &state.reached;
  }
  if (target != nullptr) add_best_run(learning, *target, lines);
  return lines;
}

std::string probability_words(double probability) {
  if (probability <= 0) return "0";
  if (probability >= 1) return "1";
  return fmt::format("{:.4g}", probability);
}

std::vector<std::string> bounds_of(const Report& report) {
  std::vector<std::string> words;
  for (const Bound& bound : report.bounds) words.push_back(to_string(bound));
  return words;
}

std::string length_note(const std::string& strategy, const Violation& violation) {
  if (!violation.trace) return "";
  const size_t steps = violation.trace->steps.size();
  if (violation.trace->minimised_from > steps) {
    return fmt::format("minimised from {} to {}", grouped(violation.trace->minimised_from),
                       counted(steps, "step"));
  }
  if (violation.trace->loop_start) {
    const size_t round = steps - *violation.trace->loop_start;
    return round == 0 ? fmt::format("{}, then it stays", counted(steps, "step"))
                      : fmt::format("{}, then {} again and again",
                                    counted(*violation.trace->loop_start, "step"), round);
  }
  const explore::Strategy* known = explore::find_strategy(strategy);
  return known != nullptr && known->by_levels ? "a shortest run" : "";
}

std::string loop_words(const Trace& trace) {
  if (!trace.loop_start) return "";
  if (*trace.loop_start == trace.steps.size()) return "and it stays like that for ever";
  return fmt::format("then again from step {}, for ever", *trace.loop_start + 1);
}

std::string place_of(const Violation& violation) {
  std::string out;
  if (!violation.nodes.empty()) {
    out = fmt::format("{} {}, ", violation.nodes.size() == 1 ? "node" : "nodes",
                      enumeration(violation.nodes));
  }
  if (!violation.trace) return out.empty() ? out : out.substr(0, out.size() - 2);
  return out + (violation.step == 0 ? std::string("in the initial state")
                                    : fmt::format("after step {}", violation.step));
}

std::vector<Command> next_commands(const Trace& trace, const TextOptions& options) {
  std::vector<Command> commands;
  if (!trace.source.empty()) {
    if (options.trace_path.empty()) return {};
    const std::string path = shell_word(options.trace_path);
    return {{fmt::format("{} trace export {}", options.program, path), "see it in the terminal"}};
  }
  std::string subject =
      options.subject.empty() ? subject_words(trace.system, trace.parameters) : options.subject;
  if (!trace.scenario.empty()) subject += " --scenario " + shell_word(one_line(trace.scenario));
  const std::string run = options.trace_path.empty()
                              ? fmt::format("{} {}", short_form(trace), subject)
                              : shell_word(options.trace_path);
  commands.push_back({fmt::format("{} replay {}", options.program, run), "run it again"});
  commands.push_back(
      {fmt::format("{} explore {} --start {}", options.program, subject, short_form(trace)),
       "step through it"});
  commands.push_back(
      {fmt::format("{} replay {} --html report.html", options.program, run), "see it drawn"});
  return commands;
}

std::string kind_words(const Property& property) {
  return property.word.empty() ? to_string(property.kind) : property.word;
}
std::string kind_words(const Violation& violation) {
  return violation.word.empty() ? violation.kind : violation.word;
}
std::string kind_words(const TraceVerdict& verdict) {
  return verdict.word.empty() ? verdict.kind : verdict.word;
}

Violation trouble_of(const Report& report) {
  const Trouble& trouble = *report.trouble;
  Violation out;
  if (trouble.trace) out = violation_of(*trouble.trace);
  out.property = kTroubleName;
  out.kind = kTroubleKind;
  out.why = trouble.message;
  out.word = trouble.on_step ? "of a step" : "of a state";
  out.by = trouble.by;
  return out;
}

bool is_trouble(const Violation& violation) { return violation.kind == kTroubleKind; }

Verdict verdict_of(const Violation& violation) {
  return is_trouble(violation) ? Verdict::kError : Verdict::kViolated;
}

Violation violation_of(const Trace& trace) {
  const TraceVerdict& verdict = trace.verdict;
  Violation violation{
      verdict.property, verdict.kind, verdict.why, verdict.nodes, verdict.step, trace, 1};
  violation.word = verdict.word;
  return violation;
}

}  // namespace ordeal::report
