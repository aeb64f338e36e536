// Runs a comparison over many generated systems, and counts what it met.
#pragma once

#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/oracle/random/generator.h"
#include "tests/oracle/random/sharing.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {

// What was compared and what disagreed, over many systems.
struct Tally {
  uint64_t systems = 0;
  std::map<std::string, uint64_t> counts;  // what happened how often: a suite must not be vacuous
  std::vector<std::string> disagreements;  // each with its seed

  void count(const std::string& what, bool happened = true) { counts[what] += happened ? 1 : 0; }
  void add(const std::string& what, uint64_t number) { counts[what] += number; }
};

struct Extent {
  uint64_t first_seed = 0;
  uint64_t systems = 1000;  // to compare; those that are too large do not count
  uint64_t cap = 300;       // states
  bool stop_early = false;  // at the first disagreement
};

using CompareSystem = std::function<void(Case&, const reference::Exploration&, Tally&)>;

inline Tally over_systems(const Extent& extent, Purpose purpose, const CompareSystem& compare) {
  Tally tally;
  for (uint64_t seed = extent.first_seed; tally.systems < extent.systems; ++seed) {
    Case item = generate(seed, purpose);
    if (purpose.alike && item.alike.empty()) continue;
    const reference::Exploration found = reference::explore(item.system, extent.cap);
    if (!found.complete || !found.starts) {
      tally.count(found.starts ? "too large" : "cannot start");
      continue;
    }
    // Every initial state lies outside of the constraint: checks are refused.
    if (found.distinct == 0) {
      tally.count("nothing to explore");
      continue;
    }
    ++tally.systems;
    tally.add("states", found.distinct);
    const SharedRounds rounds(seed);
    compare(item, found, tally);
    if (extent.stop_early && !tally.disagreements.empty()) break;
  }
  return tally;
}

inline void print(const Tally& tally) {
  std::cout << tally.systems << " systems";
  for (const auto& [what, count] : tally.counts) std::cout << "; " << what << ": " << count;
  std::cout << "\n";
}

inline void disagree(Tally& tally, const Case& item, const std::string& what) {
  if (what.empty()) return;
  tally.disagreements.push_back("seed " + std::to_string(item.seed) + ": " + what);
}

}  // namespace ordeal::oracle
