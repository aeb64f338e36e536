// An experiment as its file has it: subjects, strategies, trials, a budget, and what is measured.
// Read from TOML; docs/reference/experiments.md describes the form. Names of subjects are looked up
// later, by whoever knows the suite; all that strategies have is checked here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/measures.h"
#include "ordeal/result.h"

namespace ordeal::experiment {

struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
};

// A value as text, and where its key stands.
struct Setting {
  std::string value;
  Place place;
};
using Settings = std::map<std::string, Setting>;

struct FileSubject {
  std::string name;
  std::string label;  // the name, unless told
  Place place;
  std::optional<Setting> bug;
  Settings parameters;              // by name
  Settings options;                 // of strategies, by field
  std::optional<Setting> map = {};  // a colouring whose colours are places
};

struct FileStrategy {
  std::string name;
  std::string label;
  Place place;
  Settings options;
};

struct ExperimentFile {
  std::string path;  // as errors name it
  std::string text;
  std::string name;
  std::string what;
  uint64_t trials = 10;
  uint64_t seed = 0;
  Budget budget;
  std::vector<Measure> measures;        // empty: those that make sense
  std::optional<std::string> baseline;  // the label of a strategy; none: all pairs are tested
  Settings options;                     // for all strategies that have them
  std::vector<FileSubject> subjects;
  std::vector<FileStrategy> strategies;

  // "file.toml:12:1: message".
  Error error(Place place, const std::string& message) const;
};

// A bound on steps of a run, which any strategy may be given beside its own options.
inline constexpr const char* kDepthField = "max_depth";

// An Error names the file, the line and the column, and the nearest right word.
Result<ExperimentFile> parse_experiment(const std::string& text, const std::string& path);
Result<ExperimentFile> read_experiment(const std::string& path);

}  // namespace ordeal::experiment
