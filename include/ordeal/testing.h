// Checks as GoogleTest assertions. The only header that needs GoogleTest.
//
//   TEST(Election, HasOneLeader) {
//     System system = election(3);
//     EXPECT_HOLDS(system);
//     EXPECT_HOLDS(system, {.strategy = "dfs", .max_depth = 20});
//   }
//   TEST(Election, NeedsStableStorage) { EXPECT_VIOLATED(forgetful(3), "one leader"); }
//   TEST(Election, ALateVoteChangesNothing) { EXPECT_SCENARIO(late_vote(), election(3)); }
//
// EXPECT_HOLDS wants everything explored and every property to hold: an undecided check fails, and
// says which bound was hit. EXPECT_SCENARIO wants the runs of a scenario to show what it expects; a
// failure tells the outcome, what the filters did and where the property machine went. It shows the
// run step by step, with its short form. Where the environment has ORDEAL_TRACE_DIR, the trace of
// every violation is written there, named after the test. The ASSERT_ forms end the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "ordeal/check.h"
#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/trace.h"

namespace ordeal::gtest {

inline std::string test_name() {
  const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
  return info == nullptr ? "test" : std::string(info->test_suite_name()) + "." + info->name();
}

// The file it was written to; empty: none was asked for. An Error's text where that failed.
inline std::string keep_trace(const Trace& trace, const std::string& property) {
  const char* folder = std::getenv("ORDEAL_TRACE_DIR");
  if (folder == nullptr || *folder == '\0') return "";
  std::string name = test_name() + "-" + property;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '-') c = '_';
  }
  const std::string path = std::string(folder) + "/" + name + ".json";
  const Result<void> written = write_trace(trace, path);
  return written ? path : written.error().message;
}

// What a failed assertion prints about a violation.
inline std::string story_of(const Violation& violation) {
  std::string text = summary_of(violation) + "\n";
  if (!violation.trace) return text;
  text += to_text(*violation.trace);
  text += "short form: " + short_form(*violation.trace) +
          (violation.trace->scenario.empty()
               ? " (ordeal::record() runs it again, Options::guide starts from there)\n"
               : " (ordeal::record() runs it again, on ordeal::under() the scenario)\n");
  const std::string kept = keep_trace(*violation.trace, violation.property);
  if (!kept.empty()) text += "trace: " + kept + "\n";
  return text;
}

inline Result<Report> run(const Checkable& subject, Options options) {
  if (options.system.empty()) options.system = test_name();
  return check(subject, options);
}

inline ::testing::AssertionResult holds(const Checkable& subject, const Options& options = {}) {
  const Result<Report> report = run(subject, options);
  if (!report) return ::testing::AssertionFailure() << report.error().message;
  if (report->verdict == Verdict::kHolds) return ::testing::AssertionSuccess();
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  for (const Violation& violation : report->violations) failure << story_of(violation);
  if (report->violations.empty()) failure << to_text(*report);
  return failure;
}

inline ::testing::AssertionResult violates(const Checkable& subject, const std::string& property,
                                           const Options& options = {}) {
  const auto has = [&](const std::vector<Property>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Property& known) { return known.name == property; });
  };
  if (!has(subject.properties())) {
    return ::testing::AssertionFailure() << "the subject has no property '" << property << "'";
  }
  const Result<Report> report = run(subject, options);
  if (!report) return ::testing::AssertionFailure() << report.error().message;
  for (const Violation& violation : report->violations) {
    if (violation.property != property) continue;
    if (violation.trace) keep_trace(*violation.trace, property);
    return ::testing::AssertionSuccess();
  }
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  failure << "'" << property << "' is not violated\n";
  for (const Violation& violation : report->violations) failure << story_of(violation);
  if (report->violations.empty()) failure << to_text(*report);
  return failure;
}

inline ::testing::AssertionResult shows(const Scenario& scenario, const Checkable& subject,
                                        Options options = {}) {
  if (options.system.empty()) options.system = test_name();
  Result<ScenarioReport> report = ::ordeal::run(scenario, subject, options);
  if (!report) return ::testing::AssertionFailure() << report.error().message;
  if (report->verdict == Verdict::kHolds) return ::testing::AssertionSuccess();
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  for (const Violation& violation : report->violations) failure << story_of(violation);
  report->violations.clear();  // they are told
  return failure << to_text(*report);
}

}  // namespace ordeal::gtest

#define EXPECT_HOLDS(...) EXPECT_TRUE(::ordeal::gtest::holds(__VA_ARGS__))
#define ASSERT_HOLDS(...) ASSERT_TRUE(::ordeal::gtest::holds(__VA_ARGS__))
#define EXPECT_SCENARIO(...) EXPECT_TRUE(::ordeal::gtest::shows(__VA_ARGS__))
#define ASSERT_SCENARIO(...) ASSERT_TRUE(::ordeal::gtest::shows(__VA_ARGS__))
#define EXPECT_VIOLATED(...) EXPECT_TRUE(::ordeal::gtest::violates(__VA_ARGS__))
#define ASSERT_VIOLATED(...) ASSERT_TRUE(::ordeal::gtest::violates(__VA_ARGS__))
