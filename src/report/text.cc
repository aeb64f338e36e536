#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "ordeal/report.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::Effect;

constexpr size_t kWidth = 110;
constexpr size_t kMostSteps = 400;  // a terminal is no place for more; the trace file has them all

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string dim(const std::string& text) const { return paint("2", text); }
  std::string red(const std::string& text) const { return paint("1;31", text); }
  std::string verdict(Verdict verdict) const {
    const char* code = verdict == Verdict::kHolds      ? "1;32"
                       : verdict == Verdict::kViolated ? "1;31"
                                                       : "1;33";
    return paint(code, to_string(verdict));
  }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool colour_;
};

std::string padded(const std::string& text, size_t columns) {
  const size_t width = columns_of(text);
  return width < columns ? text + std::string(columns - width, ' ') : text;
}

// What a step did, in lines of at most `columns`.
std::vector<std::string> effect_lines(const TraceStep& step, size_t columns) {
  std::vector<std::string> parts;
  for (const Effect& effect : report::effects_of(step)) {
    parts.push_back(cut_to(one_line(effect.line()), 400));
  }
  if (parts.empty()) return {""};
  // A part stays together where it fits on a line.
  std::vector<std::string> lines;
  std::string line;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? ";" : "");
    if (!line.empty() && columns_of(line) + 1 + columns_of(part) <= columns) {
      line += " " + part;
      continue;
    }
    if (!line.empty()) lines.push_back(std::move(line));
    std::vector<std::string> broken = wrapped(part, columns);
    line = std::move(broken.back());
    broken.pop_back();
    lines.insert(lines.end(), broken.begin(), broken.end());
  }
  lines.push_back(std::move(line));
  return lines;
}

// One line of at most 52 columns. What is cut is the payload: who and what comes behind it matters.
std::string action_cell(const Action& action) {
  constexpr size_t kMost = 52;
  const std::string text = one_line(show(action));
  const size_t payload = text.rfind('}');
  if (columns_of(text) <= kMost || payload == text.npos) return cut_to(text, kMost);
  const std::string tail = text.substr(payload);
  if (columns_of(tail) > kMost - 20) return cut_to(text, kMost);
  return cut_to(text.substr(0, payload), kMost - columns_of(tail)) + tail;
}

std::string step_table(const Trace& trace, const Painter& paint) {
  if (trace.steps.empty()) return "  (no steps: the initial state)\n";
  const size_t skipped = trace.steps.size() > kMostSteps ? trace.steps.size() - kMostSteps : 0;
  std::vector<std::string> actions;
  size_t width = 6;
  for (const TraceStep& step : trace.steps) {
    actions.push_back(action_cell(step.detail.action));
    if (actions.size() > skipped) width = std::max(width, columns_of(actions.back()));
  }
  const size_t digits = std::max<size_t>(4, std::to_string(trace.steps.size()).size());
  const size_t left = 2 + digits + 2 + width + 2;
  std::string out =
      "  " +
      paint.dim(fmt::format("{:>{}}  {}  what it did", "step", digits, padded("action", width))) +
      "\n";
  if (skipped > 0)
    out += fmt::format("  ({} before these are left out)\n", counted(skipped, "step"));
  for (size_t i = skipped; i < trace.steps.size(); ++i) {
    const bool violating = !trace.verdict.property.empty() && trace.verdict.step == i + 1;
    const std::vector<std::string> lines = effect_lines(trace.steps[i], kWidth - left);
    const std::string head =
        fmt::format("{} {:>{}}  {}", violating ? "✗" : " ", i + 1, digits, actions[i]);
    out += violating ? paint.red(head) : head;
    if (!lines[0].empty()) {
      out += std::string(width + 2 - columns_of(actions[i]), ' ') + lines[0];
    }
    out += "\n";
    for (size_t j = 1; j < lines.size(); ++j) out += std::string(left, ' ') + lines[j] + "\n";
  }
  return out;
}

// "election --nodes 3": what was checked.
std::string subject_of(const Report& report, const TextOptions& options) {
  return options.subject.empty() ? report::subject_words(report.system, report.parameters)
                                 : options.subject;
}

void add_violation(const Report& report, const Violation& violation, const Painter& paint,
                   std::string& out) {
  out += fmt::format("{}: {} ({})\n", paint.verdict(Verdict::kViolated),
                     paint.bold(one_line(violation.property)), one_line(violation.kind));
  if (!violation.why.empty()) {
    for (const std::string& line : wrapped(one_line(violation.why), kWidth - 2)) {
      out += "  " + line + "\n";
    }
  }
  std::vector<std::string> facts;
  for (const std::string& fact :
       {report::place_of(violation), report::length_note(report, violation)}) {
    if (!fact.empty()) facts.push_back(fact);
  }
  if (violation.count > 1) facts.push_back(counted(violation.count, "state") + " violate it");
  if (!facts.empty()) out += "  " + join(facts, "; ") + "\n";
  if (violation.trace) out += "\n" + step_table(*violation.trace, paint);
  out += "\n";
}

std::string headline(const Report& report, const TextOptions& options, const Painter& paint) {
  const std::string within =
      report.verdict == Verdict::kHolds && report.constrained ? " within the constraint" : "";
  return fmt::format("{}{}: {}\n", paint.verdict(report.verdict), within,
                     subject_of(report, options));
}

// The properties by verdict, with what there is to say about each.
std::string property_line(const Report& report) {
  std::vector<std::string> parts;
  for (const PropertyResult& result : report.properties) {
    std::string part = one_line(result.property.name);
    if (result.verdict != report.verdict) {
      part += fmt::format(" [{}]", to_string(result.verdict));
    }
    if (!result.note.empty()) part += fmt::format(" ({})", one_line(result.note));
    parts.push_back(std::move(part));
  }
  return join(parts, ", ");
}

void add_fact(const std::string& label, const std::vector<std::string>& lines, const Painter& paint,
              std::string& out) {
  bool first = true;
  for (const std::string& line : lines) {
    for (const std::string& part : wrapped(line, kWidth - 14)) {
      out += "  " + paint.dim(padded(first ? label : "", 10)) + "  " + part + "\n";
      first = false;
    }
  }
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out;
  for (const Violation& violation : report.violations) {
    add_violation(report, violation, paint, out);
  }
  if (report.violations.empty()) {
    out += headline(report, options, paint);
  } else {
    add_fact("checked", {subject_of(report, options)}, paint, out);
  }
  if (!report.properties.empty()) add_fact("properties", {property_line(report)}, paint, out);
  std::vector<std::string> bounds;
  for (const std::string& bound : report.bounds) bounds.push_back(one_line(bound));
  add_fact("explored", report::coverage_of(report), paint, out);
  add_fact(report.verdict == Verdict::kUndecided ? "undecided" : "not all", bounds, paint, out);
  for (const std::string& note : report.notes) add_fact("note", {one_line(note)}, paint, out);
  if (!options.trace_path.empty()) add_fact("trace", {one_line(options.trace_path)}, paint, out);
  const auto shown = std::find_if(report.violations.begin(), report.violations.end(),
                                  [](const Violation& v) { return v.trace.has_value(); });
  if (shown != report.violations.end()) {
    out += "\n";
    bool first = true;
    for (const report::Command& command : report::next_commands(*shown->trace, options)) {
      out += "  " + paint.dim(padded(first ? "next" : "", 10)) + "  " + command.line + "\n";
      first = false;
    }
  }
  return out;
}

std::string to_text(const Trace& trace, const TextOptions& options) {
  const Painter paint(options.colour);
  const std::string subject = options.subject.empty()
                                  ? report::subject_words(trace.system, trace.parameters)
                                  : options.subject;
  std::string out = fmt::format("{}, {}\n", subject, counted(trace.steps.size(), "step"));
  out += step_table(trace, paint);
  if (!trace.verdict.property.empty()) {
    const Violation violation{trace.verdict.property,
                              trace.verdict.kind,
                              trace.verdict.why,
                              trace.verdict.nodes,
                              trace.verdict.step,
                              trace,
                              1};
    out += fmt::format("{}: {} ({}), {}\n", paint.verdict(Verdict::kViolated),
                       paint.bold(one_line(violation.property)), one_line(violation.kind),
                       report::place_of(violation));
    if (!violation.why.empty()) out += "  " + one_line(violation.why) + "\n";
  }
  return out;
}

}  // namespace ordeal
