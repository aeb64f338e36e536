// What is counted of runs beside what a report tells, for whoever measures strategies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// A property that runs violate: how many of them, the first, from 1 on, and how many steps all runs
// had taken by then. Failing handlers are one property, however they fail.
struct ShownProperty {
  std::string name;
  uint64_t runs = 0;
  uint64_t first_run = 0;
  uint64_t first_step = 0;
};

// A place on a map, as its numbers: row and column, with a grid before them or without.
struct MapPlace {
  std::vector<int64_t> at;
  uint64_t visits = 0;  // how often runs were there
  uint64_t states = 0;  // in how many abstract states
};

struct RunCounts {
  // Asked for: to put every state on this map, a colouring whose colours are places, and to tell
  // abstract states apart by that. "": no map.
  std::string map = {};
  std::string measure = {};

  // In the order of the properties. Empty: none was violated, or the strategy is none that picks
  // runs step by step.
  std::vector<ShownProperty> shown = {};
  std::vector<MapPlace> places = {};  // that were visited, by ascending numbers
};

// check(), and what it counted.
Result<Report> check_counting(const Checkable& subject, const Options& options, RunCounts& counts);

}  // namespace ordeal::explore
