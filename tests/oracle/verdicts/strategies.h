// What every strategy says of a system: a violation that one finds, none may miss.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ordeal/check.h"

namespace ordeal {

inline std::vector<Options> all_strategies() {
  return {{.strategy = "bfs", .threads = 1},
          {.strategy = "bfs", .threads = 2},
          {.strategy = "bfs", .threads = 1, .wide_fingerprints = true},
          {.strategy = "bfs", .threads = 1, .reduce = "sleep"},
          {.strategy = "dfs", .threads = 1},
          {.strategy = "prefix"},
          {.strategy = "dpor"},
          {.strategy = "random", .max_runs = 300},
          {.strategy = "pctcp", .max_runs = 300}};
}

inline bool refuses(const Result<Report>& report) {
  return !report.ok() && (report.error().message.find("cannot check") != std::string::npos ||
                          report.error().message.find("opaque nodes") != std::string::npos ||
                          report.error().message.find("store states") != std::string::npos);
}

// Every strategy that does not refuse the system finds that the property is violated, with a trace
// that replays. Returns the report of the first that did.
inline Report expect_violated(const Checkable& system, const std::string& property) {
  Report first;
  for (const Options& options : all_strategies()) {
    const std::string who = options.strategy + (options.wide_fingerprints ? ", 128 bits" : "") +
                            (options.reduce == "none" ? "" : ", " + options.reduce);
    const Result<Report> report = check(system, options);
    if (refuses(report)) continue;
    if (!report.ok()) {
      ADD_FAILURE() << who << ": " << report.error().message;
      continue;
    }
    EXPECT_EQ(report->verdict, Verdict::kViolated) << who;
    if (report->violations.empty()) continue;
    EXPECT_EQ(report->violations[0].property, property) << who;
    if (report->violations[0].trace) {
      const auto again = replay(system, *report->violations[0].trace);
      EXPECT_TRUE(again.ok() && again->reproduced) << who << (again.ok() ? again->why : "");
    }
    if (first.violations.empty()) first = *report;
  }
  EXPECT_FALSE(first.violations.empty()) << "no strategy fits";
  return first;
}

}  // namespace ordeal
