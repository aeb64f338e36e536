// Classes of states, counted by the engine and by brute force.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "tests/reductions/agree.h"
#include "tests/reductions/orbits.h"
#include "tests/reductions/suite.h"

namespace ordeal::oracle {

// How a search of the classes of a system differs from the reference, whose states are put into
// orbits by applying every renaming to every one of them; "": it does not.
inline std::string wrong_classes(const Case& item, const reference::Exploration& found,
                                 const std::string& strategy, int threads) {
  const Orbits orbits = count_orbits(item, found);
  const Result<Report> report =
      check(item.system,
            {.strategy = strategy, .threads = threads, .symmetry = true, .keep_going = true});
  if (!report.ok()) return report.error().message;
  std::string problem = differ("classes, orbits", report->distinct_states, orbits.classes);
  if (problem.empty()) {
    problem = differ("terminal classes, orbits", report->terminal_states, orbits.terminal);
  }
  // A class is as deep as the state in it that is reached first.
  if (problem.empty() && strategy == "bfs" && report->depth > found.depth) {
    problem = differ("depth, reference", report->depth, found.depth);
  }
  if (problem.empty()) problem = wrong_verdict(item.system, found, *report);
  if (problem.empty()) problem = wrong_trace(item.system, found, *report, strategy == "bfs");
  return problem;
}

inline Tally compare_classes(const Extent& extent) {
  return over_systems(
      extent, {.alike = true}, [](Case& item, const reference::Exploration& found, Tally& tally) {
        for (const std::vector<NodeId>& group : item.alike) item.system.alike(group);
        const Orbits orbits = count_orbits(item, found);
        tally.add("classes", orbits.classes);
        tally.count("several states in a class", orbits.largest > 1);
        tally.count("more than two states in a class", orbits.largest > 2);
        tally.count("two groups of like nodes", item.alike.size() > 1);
        for (const char* feature : {"network ordered", "network set", "partitions any", "history",
                                    "persist", "detector eventually perfect", "component"}) {
          tally.count(feature, item.features.count(feature) > 0);
        }
        const bool deep = item.seed % 4 == 3;
        disagree(tally, item, wrong_classes(item, found, deep ? "dfs" : "bfs", 1 + item.seed % 2));
      });
}

// The first thing that is wrong with classes of states; "": nothing is.
inline std::string problem_with_classes() {
  const Tally tally = compare_classes({.systems = 300, .cap = 150, .stop_early = true});
  return tally.disagreements.empty() ? "" : tally.disagreements.front();
}

}  // namespace ordeal::oracle
