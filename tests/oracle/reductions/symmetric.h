// Symmetry against brute force: as many classes as there are orbits, and the same verdicts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/random/generator.h"
#include "tests/oracle/reductions/agree.h"
#include "tests/oracle/reductions/orbits.h"
#include "tests/oracle/reductions/suite.h"
#include "tests/oracle/reference/reference.h"

namespace ordeal::oracle {

// Whether the system is what its generator promises: what can happen in a renamed state is what can
// happen in the state, renamed. Tried on every state, with every renaming.
inline std::string problem_with_symmetry(const Case& item, const reference::Exploration& found) {
  const reference::Reference reference(item.system);
  const detail::Declaration& declaration = item.system.declaration();
  const auto key = [&](const Renaming& renaming, const reference::State& state) {
    return renamed_key(renaming, state, declaration.network, declaration.first_id);
  };
  std::map<std::string, std::multiset<std::string>> orbits_after;  // by orbit
  const std::vector<Renaming> all = renamings(item.alike);
  const auto orbit = [&](const reference::State& state) {
    std::string least;
    for (const Renaming& renaming : all) {
      std::string other = key(renaming, state);
      if (least.empty() || other < least) least = std::move(other);
    }
    return least;
  };
  for (const auto& [bytes, state] : found.states) {
    std::multiset<std::string> after;
    for (const reference::Move& move : reference.moves(state)) {
      after.insert(std::string(to_string(move.action.kind)) + (move.progress ? "" : " fault") +
                   (move.fails ? " fails" : " " + orbit(move.next)));
    }
    const auto [at, fresh] = orbits_after.emplace(orbit(state), after);
    if (at->second != after) return "two states of one orbit have different successors";
  }
  return "";
}

inline void compare_symmetry(const Case& item, const reference::Exploration& found,
                             const Orbits& orbits, const Options& options, Tally& tally) {
  const bool breadth_first = options.strategy == "bfs";
  const auto disagree = [&](const std::string& what) {
    if (what.empty()) return;
    tally.disagreements.push_back("seed " + std::to_string(item.seed) + ": symmetry, " +
                                  options.strategy + ", reduce " + options.reduce + ", " +
                                  std::to_string(options.threads) + " threads: " + what);
  };
  const Result<Report> report = check(item.system, options);
  if (!report.ok()) return disagree(report.error().message);
  if (!report->complete) disagree("the search is not complete");
  disagree(differ("classes, orbits", report->distinct_states, orbits.classes));
  disagree(differ("terminal classes, orbits", report->terminal_states, orbits.terminal));
  // A class is as deep as the state in it that is reached first. They may differ in depth: nodes
  // start one after the other, and a component that they call then can tell.
  if (breadth_first && report->depth > found.depth) {
    disagree(differ("depth, reference", report->depth, found.depth));
  }
  if (report->transitions > found.transitions) {
    disagree(differ("more transitions", report->transitions, found.transitions));
  }
  disagree(wrong_verdict(item.system, found, *report));
  disagree(wrong_trace(item.system, found, *report, breadth_first));
}

// Symmetry alone and with all else that may be combined with it.
inline void compare_symmetry(const Case& item, const reference::Exploration& found, Tally& tally) {
  const Orbits orbits = count_orbits(item, found);
  tally.add("orbits of symmetric systems", orbits.classes);
  tally.count("systems with several states in one orbit", orbits.largest > 1);
  tally.count("systems with more than two states in one orbit", orbits.largest > 2);
  tally.count("systems with two groups of like nodes", item.alike.size() > 1);
  Options options;
  options.strategy = item.seed % 4 == 3 ? "dfs" : "bfs";
  options.symmetry = true;
  options.reduce = item.system.constrained() ? "none" : "sleep";
  options.threads = item.seed % 5 == 0 ? 2 : 1;
  options.wide_fingerprints = item.seed % 7 == 0;
  options.keep_going = true;
  compare_symmetry(item, found, orbits, options, tally);
  options.reduce = "none";
  if (item.seed % 3 == 0) compare_symmetry(item, found, orbits, options, tally);
}

inline Tally run_symmetry(const Extent& extent) {
  return over_systems(extent, {.alike = true},
                      [](Case& item, const reference::Exploration& found, Tally& tally) {
                        for (const auto& group : item.alike) item.system.alike(group);
                        compare_symmetry(item, found, tally);
                      });
}

inline Tally run_symmetric_generator(const Extent& extent) {
  return over_systems(extent, {.alike = true},
                      [](const Case& item, const reference::Exploration& found, Tally& tally) {
                        disagree(tally, item, problem_with_symmetry(item, found));
                      });
}

}  // namespace ordeal::oracle
