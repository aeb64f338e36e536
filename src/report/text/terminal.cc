#include "report/text/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hanging.h"
#include "base/text.h"
#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kMostOfAnEffect = 120;
constexpr size_t kMostStepsShown =
    400;  // a terminal is no place for more; the trace file has them all

// What a step did, in lines of at most `columns`. The page and the trace file have it in full.
std::vector<std::string> effect_lines(const Trace& trace, const TraceStep& step, size_t columns) {
  std::vector<std::string> parts;
  for (const Effect& effect : effects_of(trace, step)) {
    parts.push_back(cut_payload(one_line(effect.line()), kMostOfAnEffect));
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

std::string action_cell(const Trace& trace, const Action& action) {
  return cut_payload(one_line(action_words(trace, action)), 52);
}

}  // namespace

std::string Painter::verdict(Verdict verdict) const {
  const bool bad = verdict == Verdict::kViolated || verdict == Verdict::kError;
  const char* code = verdict == Verdict::kHolds ? "1;32" : bad ? "1;31" : "1;33";
  return paint(code, to_string(verdict));
}

std::string Painter::paint(const char* code, const std::string& text) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string padded(const std::string& text, size_t columns) {
  const size_t width = columns_of(text);
  return width < columns ? text + std::string(columns - width, ' ') : text;
}

std::string cut_payload(const std::string& text, size_t most) {
  const size_t payload = text.rfind('}');
  if (columns_of(text) <= most || payload == text.npos) return cut_to(text, most);
  const std::string tail = text.substr(payload);
  if (columns_of(tail) + 20 > most) return cut_to(text, most);
  return cut_to(text.substr(0, payload), most - columns_of(tail)) + tail;
}

std::string step_table(const Trace& trace, const Painter& paint) {
  const std::string again = report::loop_words(trace);
  if (trace.steps.empty()) {
    return "  (no steps: the initial state" + (again.empty() ? "" : ", " + again) + ")\n";
  }
  const size_t skipped =
      trace.steps.size() > kMostStepsShown ? trace.steps.size() - kMostStepsShown : 0;
  std::vector<std::string> actions;
  size_t width = 6;
  for (const TraceStep& step : trace.steps) {
    actions.push_back(action_cell(trace, step.detail.action));
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
    const std::vector<std::string> lines = effect_lines(trace, trace.steps[i], kWidth - left);
    const std::string head =
        fmt::format("{} {:>{}}  {}", violating ? "✗" : " ", i + 1, digits, actions[i]);
    out += violating ? paint.red(head) : head;
    if (!lines[0].empty()) {
      out += std::string(width + 2 - columns_of(actions[i]), ' ') + lines[0];
    }
    out += "\n";
    for (size_t j = 1; j < lines.size(); ++j) out += std::string(left, ' ') + lines[j] + "\n";
  }
  if (!again.empty()) out += "  " + std::string(digits, ' ') + "  " + paint.bold(again) + "\n";
  return out;
}

void add_violation(const std::string& strategy, const Violation& violation, std::string_view thing,
                   const Painter& paint, std::string& out) {
  out += fmt::format("{}: {} ({})\n", paint.verdict(verdict_of(violation)),
                     paint.bold(one_line(violation.property)), one_line(kind_words(violation)));
  if (!violation.why.empty()) {
    // What it is about may stand below: lines of a source, which stay as they are.
    const size_t first = std::min(violation.why.find('\n'), violation.why.size());
    const std::string why(std::string_view(violation.why).substr(0, first));
    for (const std::string& line : wrapped(one_line(why), kWidth - 2)) out += "  " + line + "\n";
    if (first < violation.why.size()) {
      const std::string_view below = std::string_view(violation.why).substr(first + 1);
      out += "  | " + hanging(below, "  | ") + "\n";
    }
  }
  std::vector<std::string> facts;
  for (const std::string& fact : {place_of(violation), length_note(strategy, violation)}) {
    if (!fact.empty()) facts.push_back(fact);
  }
  if (!violation.by.empty()) facts.push_back("found by " + one_line(violation.by));
  if (violation.count > 1) facts.push_back(counted(violation.count, thing) + " violate it");
  if (!facts.empty()) out += "  " + join(facts, "; ") + "\n";
  if (violation.trace) out += "\n" + step_table(*violation.trace, paint);
  out += "\n";
}

void add_fact(const std::string& label, const std::vector<std::string>& lines, const Painter& paint,
              std::string& out) {
  bool first = true;
  for (const std::string& line : lines) {
    for (const std::string& part : wrapped(line, kFactWidth)) {
      out += "  " + paint.dim(padded(first ? label : "", 10)) + "  " + part + "\n";
      first = false;
    }
  }
}

void add_next(const std::vector<Violation>& violations, const TextOptions& options,
              const Painter& paint, std::string& out) {
  const auto shown = std::find_if(violations.begin(), violations.end(),
                                  [](const Violation& v) { return v.trace.has_value(); });
  if (shown == violations.end()) return;
  out += "\n";
  bool first = true;
  for (const Command& command : next_commands(*shown->trace, options)) {
    out += "  " + paint.dim(padded(first ? "next" : "", 10)) + "  " + command.line + "\n";
    first = false;
  }
}

}  // namespace ordeal::report
