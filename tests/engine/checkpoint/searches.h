// Searches as people start them, and what they say about a subject apart from how they went.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/cli/process.h"

namespace ordeal::e2e {

using Words = std::vector<std::string>;

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A JSON report without time, memory and other matters of how it was made. Null: it is none.
inline nlohmann::json claims_of(const std::string& text) {
  nlohmann::json report = nlohmann::json::parse(text, nullptr, false);
  if (!report.is_object()) return nullptr;
  for (const char* effort :
       {"seconds", "threads", "bytes", "table_bytes", "handler_calls", "disk_bytes", "notes"}) {
    report.erase(effort);
  }
  if (report.contains("run_graph")) report["run_graph"].erase("seconds");
  return report;
}

// `ordeal check SUBJECT … --json -`, with the claims of its report.
struct Checked {
  int exit = -1;
  nlohmann::json claims;
  std::string err;
};

inline Words check_words(const Words& subject) {
  return Words{"check"} + subject + Words{"--json", "-", "--progress", "never"};
}

inline Checked checked(Process& process) {
  const Finished finished = process.finish();
  return {finished.exit, claims_of(finished.out), finished.err};
}

inline Checked check(const Words& subject) {
  Process process(check_words(subject));
  return checked(process);
}

}  // namespace ordeal::e2e
