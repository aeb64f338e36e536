// The words that all reports of scenarios share.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/report.h"

namespace ordeal::report {

// How the runs ended. Every run is one of these.
struct Ending {
  std::string word;  // "succeeded"
  char sign;         // for a bar of characters
  uint64_t runs = 0;
};
// Succeeded, neither, failed; runs that a bound cut are among those that did neither, or succeeded.
std::array<Ending, 3> endings_of(const ScenarioReport& report);

// `total` shared out among the endings as their runs are; whoever has a run gets at least 1.
std::array<size_t, 3> shares_of(const ScenarioReport& report, size_t total);

// "97 of 100 runs succeeded, 2 did neither, 1 failed", "every run was explored: 1,234 states".
std::string outcome_of(const ScenarioReport& report);
// "pctcp, seed 0, 4,213 steps, 0.08 s (1,250 runs/s)".
std::string effort_of(const ScenarioReport& report);

// "fired 12 times, 3 of them in vain", "never fired".
std::string fired_words(const FilterResult& filter);
// "scenarios.cc:12".
std::string place_of(const FilterResult& filter);

// "start, success", or nothing: what the name does not say already.
std::string state_words(const MachineResult& machine, size_t state);

// "12 messages to filter 2": the distance of a filter as a table shows it.
std::string distance_words(const FilterDistance& distance);

// What all of them together come to: violated if one is, else undecided if one is.
Verdict overall(const std::vector<ScenarioReport>& reports);

}  // namespace ordeal::report
