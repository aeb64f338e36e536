// What trials may cost and what is measured of them, and the names that a store has for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"

namespace ordeal::experiment {

struct Budget {
  enum class Kind : uint8_t { kEpisodes, kSteps, kStates, kSeconds };
  Kind kind = Kind::kEpisodes;
  uint64_t count = 0;
  double seconds = 0;
};
std::string to_string(const Budget& budget);  // "5,000 episodes"

enum class Measure : uint8_t {
  kCoverage,
  kTargetCoverage,
  kFirstBug,      // how much until the first violation
  kBugFrequency,  // in how many episodes there is one
};
inline constexpr Measure kMeasures[] = {Measure::kCoverage, Measure::kTargetCoverage,
                                        Measure::kFirstBug, Measure::kBugFrequency};
const char* to_string(Measure measure);  // "coverage", "target_coverage", …
const char* words_for(Measure measure);  // "episodes that show a violation"
// Of a property alone: "first_bug: agreement". "": of all of them.
std::string measure_name(Measure measure, const std::string& property);
// The property that such a name is about; none: it is another name.
std::optional<std::string> property_in(Measure measure, const std::string& name);

// What else a store has of a trial.
inline constexpr const char* kEpisodes = "episodes";
inline constexpr const char* kStatesSeen = "states";              // distinct, of the system
inline constexpr const char* kFirstBugSteps = "first_bug_steps";  // of the system

// A map has two curves for every row of every grid, over its columns: in how many abstract states
// runs were there, and how often.
inline constexpr const char* kMapStates = "map states";
inline constexpr const char* kMapVisits = "map visits";
std::string map_row_name(const char* what, const std::vector<int64_t>& row);  // "map states 2, 3"
// The numbers in such a name; none: it is another one.
std::optional<std::vector<int64_t>> map_row_in(const char* what, const std::string& name);

// How a store tells cells of one strategy on one subject apart: what the subject is, as a user
// would type it, the options that are given, and the budget.
std::string cell_settings(const std::string& subject, const Options& options, const Budget& budget);
// The budget in such a text, as to_string() has it; "": there is none.
std::string budget_in(const std::string& settings);

}  // namespace ordeal::experiment
