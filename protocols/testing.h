// For the tests of the subjects: checks by name, as a user gives them on the command line.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "protocols/suite.h"

namespace ordeal::protocols::testing {

using Given = std::map<std::string, std::string>;

inline Result<std::unique_ptr<Checkable>> build(const std::string& name, const Given& given,
                                                const std::string& bug = "") {
  static const Suite all = suite();
  const Subject* subject = all.find(name);
  if (subject == nullptr) return Error{"no subject " + name};
  const Result<Arguments> args = all.arguments(*subject, given, bug);
  if (!args) return args.error();
  return subject->build(*args);
}

inline std::string describe(const std::string& name, const Given& given, const std::string& bug) {
  std::string text = name;
  for (const auto& [key, value] : given) text.append(" --").append(key).append(" ").append(value);
  return bug.empty() ? text : text + " --bug " + bug;
}

inline Options breadth_first(uint32_t max_depth = 0) {
  Options options;
  options.strategy = "bfs";
  options.max_depth = max_depth;
  return options;
}

inline Options runs_of(const std::string& strategy, uint64_t runs,
                       const std::string& pick = "first") {
  Options options;
  options.strategy = strategy;
  options.pick = pick;
  options.max_runs = runs;
  return options;
}

// For messages of failed expectations.
inline std::string brief(const Report& report) {
  std::string text = to_string(report.verdict);
  text += ", " + std::to_string(report.distinct_states) + " states, " +
          std::to_string(report.runs) + " runs";
  for (const Bound& bound : report.bounds) text += "; " + to_string(bound);
  for (const Violation& violation : report.violations) {
    text += "\n" + violation.property + ": " + violation.why;
  }
  return text;
}

// A report without a verdict, and a failed expectation, where the check could not start.
inline Report run(const std::string& name, const Given& given, const std::string& bug = "",
                  Options options = breadth_first()) {
  const auto subject = build(name, given, bug);
  if (!subject) {
    ADD_FAILURE() << describe(name, given, bug) << ": " << subject.error().message;
    return {};
  }
  options.system = name;
  Result<Report> report = check(**subject, options);
  if (!report) {
    ADD_FAILURE() << describe(name, given, bug) << ": " << report.error().message;
    return {};
  }
  return *std::move(report);
}

inline std::string error_of(const std::string& name, const Given& given,
                            const std::string& bug = "") {
  const auto subject = build(name, given, bug);
  return subject ? "" : subject.error().message;
}

// Every reachable state is fine. Returns the report for those who count.
inline Report expect_holds(const std::string& name, const Given& given) {
  Report report = run(name, given);
  EXPECT_EQ(report.verdict, Verdict::kHolds) << describe(name, given, "") << "\n" << brief(report);
  EXPECT_TRUE(report.complete) << describe(name, given, "");
  return report;
}

// The violation is of `property`, and its trace shows it again.
inline void expect_violated(const std::string& name, const Given& given, const std::string& bug,
                            const std::string& property, const Options& options = breadth_first()) {
  const Report report = run(name, given, bug, options);
  ASSERT_EQ(report.verdict, Verdict::kViolated) << describe(name, given, bug) << "\n"
                                                << brief(report);
  ASSERT_FALSE(report.violations.empty());
  const Violation& violation = report.violations.front();
  EXPECT_EQ(violation.property, property) << describe(name, given, bug);
  ASSERT_TRUE(violation.trace.has_value());
  const auto subject = build(name, given, bug);
  const Result<ReplayResult> again = replay(**subject, *violation.trace);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again->reproduced) << describe(name, given, bug) << ": " << again->why;
}

// How a planted bug is found: with these parameters, by this strategy.
struct Found {
  std::string bug;
  Given given;
  Options options = breadth_first();
};

inline bool is_exhaustive(const Options& options) {
  return options.strategy == "bfs" && options.max_depth == 0;
}

// Each planted bug of the subject is found by the property that it names, and the correct form
// holds with the same parameters (is not violated, where the table asks for a strategy that samples
// or has bounds). A bug that is not in the table is an error.
inline void expect_every_bug_is_found(const std::string& name, const std::vector<Found>& table) {
  const Suite all = suite();
  std::map<std::string, std::string> missing;  // bugs, with the property that catches each
  for (const Bug& bug : all.find(name)->bugs) missing[bug.name] = bug.property;
  const std::map<std::string, std::string> property_of = missing;
  std::set<Given> held;
  for (const Found& found : table) {
    missing.erase(found.bug);
    ASSERT_EQ(property_of.count(found.bug), 1U) << name << " has no bug " << found.bug;
    expect_violated(name, found.given, found.bug, property_of.at(found.bug), found.options);
    if (is_exhaustive(found.options)) {
      if (held.insert(found.given).second) expect_holds(name, found.given);
    } else {
      const Report correct = run(name, found.given, "", found.options);
      EXPECT_EQ(correct.verdict, Verdict::kUndecided) << describe(name, found.given, "") << "\n"
                                                      << brief(correct);
    }
  }
  for (const auto& [bug, property] : missing) {
    ADD_FAILURE() << name << ": no test finds " << bug << " by " << property;
  }
}

}  // namespace ordeal::protocols::testing
