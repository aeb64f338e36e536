// What a reduced search must have in common with the reference, and two searches with each other.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/trace.h"
#include "tests/oracle/random/compare.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {

inline std::string text_of(const std::optional<uint32_t>& number) {
  return number ? std::to_string(*number) : "none";
}

// The verdict of a complete search as the reference sees it, property by property; "": the same.
inline std::string wrong_verdict(const System& system, const reference::Exploration& found,
                                 const Report& report) {
  const auto& properties = system.properties();
  for (uint32_t p = 0; p < properties.size(); ++p) {
    const Verdict expected = expected_verdict(properties[p], found, p, !report.symmetry.empty());
    if (report.properties.at(p).verdict == expected) continue;
    return "'" + properties[p].name + "' " + to_string(report.properties[p].verdict) +
           ", reference " + to_string(expected);
  }
  return "";
}

// Every trace must replay; with `shortest`, be as short as the reference says; "": so it is.
inline std::string wrong_trace(const System& system, const reference::Exploration& found,
                               const Report& report, bool shortest) {
  std::set<std::string> told;  // of several failures, the first is on a shortest way
  for (const Violation& violation : report.violations) {
    if (!violation.trace) continue;
    const auto replayed = replay(system, *violation.trace);
    if (!replayed.ok() || !replayed->reproduced) {
      return "the trace for '" + violation.property +
             "' does not replay: " + (replayed.ok() ? replayed->why : replayed.error().message);
    }
    const bool first = told.insert(violation.property).second && !violation.trace->loop_start;
    for (uint32_t p = 0; shortest && first && p < found.first.size(); ++p) {
      if (system.properties()[p].name != violation.property) continue;
      const auto steps = static_cast<uint32_t>(violation.trace->steps.size());
      if (found.first[p] != steps) {
        return "'" + violation.property + "' after " + std::to_string(steps) +
               " steps, reference " + text_of(found.first[p]);
      }
    }
  }
  return "";
}

// What all reductions that keep all states keep; "": they did. `found` is the reference within the
// same bound.
inline std::string wrong_numbers(const reference::Exploration& found, const Report& report,
                                 bool breadth_first) {
  const auto differ = [](const std::string& what, uint64_t engine, uint64_t reference) {
    if (engine == reference) return std::string();
    return what + ": " + std::to_string(engine) + ", reference " + std::to_string(reference);
  };
  std::string problem = differ("distinct states", report.distinct_states, found.distinct);
  if (problem.empty()) problem = differ("terminal states", report.terminal_states, found.terminal);
  if (problem.empty() && breadth_first) problem = differ("depth", report.depth, found.depth);
  if (problem.empty() && report.transitions > found.transitions) {
    problem = differ("more transitions", report.transitions, found.transitions);
  }
  return problem;
}

inline std::string differ(const std::string& what, uint64_t a, uint64_t b) {
  return a == b ? "" : what + ": " + std::to_string(a) + " and " + std::to_string(b);
}

// How two reports differ in what they claim; "": they do not.
inline std::string different_claims(const Report& a, const Report& b) {
  if (a.verdict != b.verdict) {
    return std::string("verdict: ") + to_string(a.verdict) + " and " + to_string(b.verdict);
  }
  std::string problem = differ("distinct states", a.distinct_states, b.distinct_states);
  if (problem.empty()) {
    problem = differ("terminal states", a.terminal_states, b.terminal_states);
  }
  if (problem.empty()) problem = differ("complete", a.complete, b.complete);
  if (problem.empty()) problem = differ("violations", a.violations.size(), b.violations.size());
  for (size_t p = 0; problem.empty() && p < a.properties.size(); ++p) {
    if (a.properties[p].verdict == b.properties[p].verdict) continue;
    problem = "'" + a.properties[p].property.name + "': " + to_string(a.properties[p].verdict) +
              " and " + to_string(b.properties[p].verdict);
  }
  return problem;
}

// How two reports differ in anything but time, threads and memory; "": in nothing.
inline std::string different(const Report& a, const Report& b) {
  std::string problem = different_claims(a, b);
  if (problem.empty()) problem = differ("transitions", a.transitions, b.transitions);
  if (problem.empty()) {
    problem = differ("transitions without loops", a.transitions_no_loops, b.transitions_no_loops);
  }
  if (problem.empty()) problem = differ("depth", a.depth, b.depth);
  const auto told = [](const Report& report) {
    std::string words;
    for (const Bound& bound : report.bounds) words += to_string(bound) + "; ";
    return words;
  };
  if (problem.empty() && told(a) != told(b)) problem = "bounds";
  for (size_t p = 0; problem.empty() && p < a.properties.size(); ++p) {
    if (a.properties[p].note != b.properties[p].note) {
      problem = "'" + a.properties[p].note + "' and '" + b.properties[p].note + "'";
    }
  }
  for (size_t i = 0; problem.empty() && i < a.violations.size(); ++i) {
    const Violation& x = a.violations[i];
    const Violation& y = b.violations[i];
    if (x.property != y.property || x.why != y.why || x.step != y.step ||
        x.trace.has_value() != y.trace.has_value() ||
        (x.trace && to_json(*x.trace) != to_json(*y.trace))) {
      problem = "the counterexample of '" + x.property + "'";
    } else {
      problem = differ("states that violate " + x.property, x.count, y.count);
    }
  }
  return problem;
}

}  // namespace ordeal::oracle
