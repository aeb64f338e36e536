#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/page/page.h"
#include "report/scenario_words.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::esc;

std::string failure_of(const Report& report, const Violation& violation) {
  const std::string message = violation.why.empty() ? report::place_of(violation) : violation.why;
  std::string body = report::place_of(violation) + "\n";
  if (violation.trace) {
    body += to_text(*violation.trace);
    for (const report::Command& next : report::next_commands(*violation.trace, {})) {
      body += fmt::format("{}: {}\n", next.what, next.line);
    }
  }
  body += join(report::coverage_of(report), "\n") + "\n";
  return fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n", esc(violation.kind),
                     esc(message), escape_markup(body));
}

std::string test_case(const Report& report, const std::string& name, const std::string& inside) {
  const std::string head =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\"", esc(report.system), esc(name));
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "  </testcase>\n";
}

}  // namespace

std::string to_junit(const Report& report) {
  std::string cases;
  size_t tests = 0;
  size_t failures = 0;
  size_t skipped = 0;
  std::set<const Violation*> told;
  for (const PropertyResult& result : report.properties) {
    std::string inside;
    const auto violation =
        std::find_if(report.violations.begin(), report.violations.end(),
                     [&](const Violation& v) { return v.property == result.property.name; });
    if (violation != report.violations.end()) {
      told.insert(&*violation);
      inside = failure_of(report, *violation);
      ++failures;
    } else if (result.verdict != Verdict::kHolds) {
      const std::string why =
          result.note.empty() ? join(report::bounds_of(report), "; ") : result.note;
      inside = fmt::format("    <skipped message=\"undecided: {}\"/>\n", esc(why));
      ++skipped;
    }
    cases += test_case(report, result.property.name, inside);
    ++tests;
  }
  for (const Violation& violation : report.violations) {
    if (told.contains(&violation)) continue;
    cases += test_case(report, violation.property, failure_of(report, violation));
    ++tests;
    ++failures;
  }
  if (report.trouble) {
    std::string body = report.trouble->message + "\n";
    if (report.trouble->trace) body += to_text(*report.trouble->trace);
    cases +=
        test_case(report, kTroubleName,
                  fmt::format("    <error type=\"{}\" message=\"{}\">{}</error>\n", kTroubleKind,
                              esc(report.trouble->message), escape_markup(body)));
    ++tests;
  }
  const bool diverged = !report.divergence.empty();
  if (diverged) {
    const std::string inside =
        fmt::format("    <error message=\"diverged {}\"/>\n", esc(report.divergence));
    cases += test_case(report, "replay", inside);
    ++tests;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      esc(report::subject_words(report.system, report.parameters)), tests, failures,
      (diverged ? 1 : 0) + (report.trouble ? 1 : 0), skipped, report.seconds, cases);
}

std::string to_junit(const std::vector<ScenarioReport>& reports) {
  std::string cases;
  size_t failures = 0;
  size_t skipped = 0;
  double seconds = 0;
  for (const ScenarioReport& report : reports) {
    seconds += report.seconds;
    const std::string seen = fmt::format("expected: {}; seen: {}", one_line(report.expectation),
                                         report::outcome_of(report));
    std::string inside;
    if (report.verdict == Verdict::kViolated) {
      ++failures;
      const std::string why = report.violations.empty() ? "" : report.violations[0].why + "; ";
      inside = fmt::format("    <failure type=\"scenario\" message=\"{}\">{}</failure>\n",
                           esc(why + seen), escape_markup(to_text(report)));
    } else if (report.verdict == Verdict::kUndecided) {
      ++skipped;
      inside =
          fmt::format("    <skipped message=\"undecided: {}\"/>\n", esc(join(report.notes, "; ")));
    }
    // A filter that never fired is worth a look where the test passes, too.
    std::vector<std::string> lines = {esc(seen)};
    for (const std::string& note : report.notes) lines.push_back(esc(note));
    inside += fmt::format("    <system-out>{}</system-out>\n", join(lines, "\n"));
    cases += fmt::format(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}  "
        "</testcase>\n",
        esc(report.system), esc(report.scenario), report.seconds, inside);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"scenarios\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      reports.size(), failures, skipped, seconds, cases);
}

}  // namespace ordeal
