// Optimal reduction of runs against the reference: the same terminal states and the same verdicts,
// in one run per class of runs.
#pragma once

#include <cstdint>
#include <string>

#include "tests/oracle/dpor/orders.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/reductions/agree.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

inline Options run_options(const std::string& strategy) {
  Options options;
  options.strategy = strategy;
  options.threads = 1;
  options.max_depth = 40;  // runs round a cycle have no end
  options.max_runs = 1000;
  options.keep_going = true;
  options.minimise = false;
  return options;
}

// What no strategy may claim, complete or not; "": it does not.
inline std::string unsound_verdict(const System& system, const reference::Exploration& found,
                                   const Report& report) {
  const auto& properties = system.properties();
  for (uint32_t p = 0; p < properties.size(); ++p) {
    const Verdict verdict = report.properties.at(p).verdict;
    const Verdict expected = expected_verdict(properties[p], found, p);
    if (verdict == Verdict::kUndecided || verdict == expected) continue;
    return "'" + properties[p].name + "' " + to_string(verdict) + ", reference " +
           to_string(expected);
  }
  return "";
}

// `count_orders`: nothing is watched but single nodes, so that the partial orders are
// the engine's.
inline void compare_dpor(const Case& item, const reference::Exploration& found, bool count_orders,
                         Tally& tally) {
  const auto disagree = [&](const std::string& what) {
    if (what.empty()) return;
    tally.disagreements.push_back("seed " + std::to_string(item.seed) + ": dpor: " + what);
  };
  const Result<Report> reduced = check(item.system, run_options("dpor"));
  if (!reduced.ok()) {
    tally.count("systems that dpor refuses");
    if (reduced.error().message.empty()) disagree("it refuses and does not say why");
    return;
  }
  disagree(unsound_verdict(item.system, found, *reduced));
  disagree(wrong_trace(item.system, found, *reduced, false));
  const Result<Report> all = check(item.system, run_options("prefix"));
  if (!all.ok()) return disagree(all.error().message);
  if (all->complete && !reduced->complete) disagree("not complete, and prefix is");
  if (!reduced->complete) return;
  tally.count("systems that dpor completes");
  disagree(wrong_verdict(item.system, found, *reduced));
  disagree(differ("terminal states, reference", reduced->terminal_states, found.terminal));
  if (!all->complete) {
    tally.count("systems that dpor completes and prefix does not");
    return;
  }
  tally.count("systems in which dpor takes more runs than prefix", reduced->runs > all->runs);
  tally.count("systems in which dpor saves runs", reduced->runs < all->runs);
  if (!count_orders || item.system.constrained()) return;
  AllRuns runs(*item.system.space(), 400, 41);
  if (!runs.enumerate()) return;
  disagree(runs.problem());
  tally.count("systems of which all runs were compared");
  tally.count("systems with several runs of one partial order", runs.orders() < runs.runs());
  disagree(differ("runs, and partial orders of runs", reduced->runs, runs.orders()));
}

inline Tally run_dpor(const Extent& extent, Purpose purpose) {
  return over_systems(extent, purpose,
                      [&](const Case& item, const reference::Exploration& found, Tally& tally) {
                        compare_dpor(item, found, purpose.local, tally);
                      });
}

}  // namespace ordeal::oracle
