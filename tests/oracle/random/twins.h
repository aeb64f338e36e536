// Opaque objects against the reference: random systems as values, all of whose states are known,
// and the same systems as opaque objects, with digests of their own and without.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/oracle/random/compare.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {

struct TwinResult {
  uint64_t compared = 0;
  uint64_t completed = 0;  // with all runs, or one of every trace
  uint64_t traces = 0;     // replayed
  std::set<std::string> features;
  std::vector<std::string> disagreements;  // each with its seed
};

struct TwinExtent {
  uint64_t first_seed = 0;
  uint64_t systems = 100;  // to compare; those that are too large do not count
  uint64_t cap = 30;       // states
  bool stop_early = false;
};

inline TwinResult run_twins(const TwinExtent& extent) {
  TwinResult result;
  for (uint64_t seed = extent.first_seed; result.compared < extent.systems; ++seed) {
    // What partial-order reduction keeps, or anything.
    Purpose purpose{.local = seed % 2 == 0, .may_live = true};
    const Case values = generate(seed, purpose);
    const reference::Exploration found = reference::explore(values.system, extent.cap);
    if (!found.complete || !found.starts || found.distinct == 0) continue;
    ++result.compared;
    for (const bool digested : {false, true}) {
      purpose.lives = true;
      purpose.digested = digested;
      const Case lives = generate(seed, purpose);
      Comparison comparison(lives.system, found);
      comparison.prefix(300);
      if (purpose.local) comparison.dpor(300);
      comparison.random(5);
      result.completed += comparison.completed();
      result.traces += comparison.traces_replayed();
      result.features.insert(lives.features.begin(), lives.features.end());
      for (const std::string& what : comparison.disagreements()) {
        result.disagreements.push_back("seed " + std::to_string(seed) +
                                       (digested ? ", with digests: " : ": ") + what);
      }
      if (extent.stop_early && !result.disagreements.empty()) return result;
    }
  }
  return result;
}

}  // namespace ordeal::oracle
