#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/scenario_words.h"
#include "report/text/terminal.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::add_fact;
using report::Painter;

constexpr size_t kBar = 60;

std::string scenario_of(const ScenarioReport& report, const TextOptions& options) {
  const std::string subject = options.subject.empty()
                                  ? report::subject_words(report.system, report.parameters)
                                  : options.subject;
  return one_line(report.scenario) + (subject.empty() ? "" : " on " + subject);
}

// "[####################....x]", with what the signs mean.
std::string bar_of(const ScenarioReport& report) {
  if (report.exhaustive || report.runs == 0) return "";
  const auto endings = report::endings_of(report);
  const auto shares = report::shares_of(report, kBar);
  std::string bar = "[";
  std::vector<std::string> legend;
  for (size_t i = 0; i < endings.size(); ++i) {
    bar += std::string(shares[i], endings[i].sign);
    if (shares[i] > 0) legend.push_back(fmt::format("{} {}", endings[i].sign, endings[i].word));
  }
  return bar + "]  " + join(legend, ", ");
}

// Lines of a fact that are already laid out: not wrapped again.
void add_lines(const std::string& label, const std::vector<std::string>& lines,
               const Painter& paint, std::string& out) {
  for (size_t i = 0; i < lines.size(); ++i) {
    out += "  " + paint.dim(report::padded(i == 0 ? label : "", 10)) + "  " + lines[i] + "\n";
  }
}

std::vector<std::string> filter_lines(const ScenarioReport& report, const Painter& paint) {
  std::vector<std::string> lines;
  const size_t digits = std::to_string(report.filters.size()).size();
  for (size_t i = 0; i < report.filters.size(); ++i) {
    const FilterResult& filter = report.filters[i];
    std::string head = fmt::format("{:>{}}  ", i + 1, digits);
    for (const std::string& line :
         wrapped(one_line(filter.text), report::kFactWidth - digits - 2)) {
      lines.push_back(head + line);
      head = std::string(digits + 2, ' ');
    }
    const std::string place = report::place_of(filter);
    const std::string fired = report::fired_words(filter);
    lines.push_back(head + (filter.fired == 0 ? paint.yellow("! " + fired) : fired) +
                    (place.empty() ? "" : paint.dim(" · " + place)));
  }
  return lines;
}

// A state a paragraph, with what leads out of it in the order in which it is tried.
std::vector<std::string> machine_lines(const MachineResult& machine, const Painter& paint) {
  std::vector<std::string> lines;
  size_t widest = 0;
  for (const MachineResult::Transition& transition : machine.transitions) {
    widest = std::max(widest, grouped(transition.taken).size());
  }
  for (size_t state = 0; state < machine.states.size(); ++state) {
    const MachineResult::State& known = machine.states[state];
    const std::string words = report::state_words(machine, state);
    std::string head = paint.bold(one_line(known.name));
    if (!words.empty()) head += fmt::format(" ({})", words);
    if (known.ended_in > 0) head += fmt::format(": {} ended here", counted(known.ended_in, "run"));
    lines.push_back(head);
    for (const MachineResult::Transition& transition : machine.transitions) {
      if (transition.from != state) continue;
      const std::string count = grouped(transition.taken) + "×";
      std::string left = fmt::format("  {}{}  ", std::string(widest + 1 - columns_of(count), ' '),
                                     transition.taken == 0 ? paint.yellow(count) : count);
      const std::string text = fmt::format("{} → {}", one_line(transition.label),
                                           one_line(machine.states[transition.to].name));
      for (const std::string& line : wrapped(text, report::kFactWidth - widest - 5)) {
        lines.push_back(left + line);
        left = std::string(widest + 5, ' ');
      }
    }
  }
  return lines;
}

std::string without_words(const Result<ScenarioReport>& report) {
  if (!report) return fmt::format("does not work: {}", one_line(report.error().message));
  return fmt::format("{}: {}", to_string(report->verdict), report::outcome_of(*report));
}

}  // namespace

std::string to_text(const ScenarioReport& report, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out;
  for (const Violation& violation : report.violations) {
    report::add_violation(report.strategy, violation, report.exhaustive ? "state" : "run", paint,
                          out);
  }
  out +=
      fmt::format("{}: scenario {}\n", paint.verdict(report.verdict), scenario_of(report, options));
  if (!report.what.empty()) add_fact("about", {one_line(report.what)}, paint, out);
  add_fact("expects", {one_line(report.expectation)}, paint, out);
  add_fact("outcome", {report::outcome_of(report)}, paint, out);
  if (const std::string bar = bar_of(report); !bar.empty()) add_lines("", {bar}, paint, out);
  add_fact("explored", {report::effort_of(report)}, paint, out);
  add_lines("filters", filter_lines(report, paint), paint, out);
  add_lines("machine", machine_lines(report.machine, paint), paint, out);
  for (const std::string& note : report.notes) add_fact("note", {one_line(note)}, paint, out);
  if (!options.trace_path.empty()) add_fact("trace", {one_line(options.trace_path)}, paint, out);
  report::add_next(report.violations, options, paint, out);
  return out;
}

std::string summary_of(const ScenarioReport& report, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out = fmt::format("{}: {}: {}\n", paint.verdict(report.verdict),
                                one_line(report.scenario), report::outcome_of(report));
  for (const std::string& note : report.notes) add_fact("note", {one_line(note)}, paint, out);
  return out;
}

std::string to_text(const Ablation& ablation, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out = fmt::format("scenario {}\n", scenario_of(ablation.whole, options));
  add_fact("expects", {one_line(ablation.whole.expectation)}, paint, out);
  add_fact("explored", {report::effort_of(ablation.whole)}, paint, out);
  out += "\n";
  struct Line {
    std::string left_out;
    std::string distance;
    std::string outcome;
  };
  std::vector<Line> lines = {{"without", "distance", "outcome"},
                             {"nothing", "", without_words(ablation.whole)}};
  for (const Ablation::Row& row : ablation.rows) {
    lines.push_back({fmt::format("filter {}", row.filter + 1), report::distance_words(row.distance),
                     without_words(row.without)});
  }
  const bool is_whole = ablation.stopped.empty();
  if (is_whole) lines.push_back({"any filter", "", without_words(ablation.bare)});
  size_t first = 0;
  size_t second = 0;
  for (const Line& line : lines) {
    first = std::max(first, columns_of(line.left_out));
    second = std::max(second, columns_of(line.distance));
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string left = fmt::format("{}  {}  ", report::padded(lines[i].left_out, first),
                                   report::padded(lines[i].distance, second));
    const size_t indent = columns_of(left);
    for (const std::string& part :
         wrapped(lines[i].outcome, report::kWidth - std::min(report::kWidth / 2, indent))) {
      const std::string text = left + part;
      out += "  " + (i == 0 ? paint.dim(text) : text) + "\n";
      left = std::string(indent, ' ');
    }
  }
  out += "\n";
  for (const Ablation::Row& row : ablation.rows) {
    add_fact(fmt::format("filter {}", row.filter + 1), {one_line(row.text)}, paint, out);
  }
  if (!is_whole) {
    add_fact("note", {fmt::format("stopped before everything was left out: {}", ablation.stopped)},
             paint, out);
  }
  return out;
}

}  // namespace ordeal
