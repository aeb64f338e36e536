// Sleep sets against the reference: fewer transitions, and nothing else may differ.
#pragma once

#include <cstdint>
#include <string>

#include "tests/oracle/random/generator.h"
#include "tests/oracle/reductions/agree.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

// Compares one configuration of a search with sleep sets; `found`: the reference within the bound.
inline void compare_sleep(const Case& item, const reference::Exploration& found,
                          const Options& options, Tally& tally) {
  const bool breadth_first = options.strategy == "bfs";
  const auto disagree = [&](const std::string& what) {
    if (what.empty()) return;
    tally.disagreements.push_back("seed " + std::to_string(item.seed) + ": sleep sets, " +
                                  options.strategy + ", " + std::to_string(options.threads) +
                                  " threads, depth bound " + std::to_string(options.max_depth) +
                                  ": " + what);
  };
  const Result<Report> reduced = check(item.system, options);
  if (!reduced.ok()) return disagree(reduced.error().message);
  disagree(wrong_numbers(found, *reduced, breadth_first));
  disagree(wrong_trace(item.system, found, *reduced, breadth_first));
  tally.add("transitions without sleep sets", found.transitions);
  tally.add("transitions with sleep sets", reduced->transitions);
  tally.count("searches with sleep sets that save something",
              reduced->transitions < found.transitions);
  if (options.max_depth == 0) {
    if (!reduced->complete) disagree("the search is not complete");
    disagree(wrong_verdict(item.system, found, *reduced));
    return;
  }
  // Within a bound verdicts depend on what the bound cuts: as they are without the reduction.
  Options plain = options;
  plain.reduce = "none";
  const Result<Report> all = check(item.system, plain);
  if (!all.ok()) return disagree(all.error().message);
  disagree(different_claims(*all, *reduced));
}

// All configurations of one system.
inline void compare_sleep(const Case& item, const reference::Exploration& found, Tally& tally) {
  const int threads = item.seed % 3 == 0 ? 2 : 1;
  for (const std::string strategy : {"bfs", "dfs"}) {
    Options options;
    options.strategy = strategy;
    options.reduce = "sleep";
    options.threads = strategy == "bfs" ? threads : 3 - threads;
    options.keep_going = true;
    compare_sleep(item, found, options, tally);
    // Depth first, the bound cuts ways that others rely on.
    if (found.depth < 2 || strategy == "dfs") continue;
    options.max_depth = 1 + static_cast<uint32_t>(item.seed % found.depth);
    const reference::Exploration within =
        reference::explore(item.system, ~uint64_t{0}, options.max_depth);
    compare_sleep(item, within, options, tally);
  }
}

// The number of threads changes nothing, sleep sets or not.
inline void compare_sleep_threads(const Case& item, Tally& tally) {
  for (const std::string strategy : {"bfs", "dfs"}) {
    Options options;
    options.strategy = strategy;
    options.reduce = "sleep";
    options.keep_going = item.seed % 2 == 0;
    options.threads = 1;
    const Result<Report> one = check(item.system, options);
    options.threads = 2;
    const Result<Report> two = check(item.system, options);
    const std::string what = !one.ok()   ? one.error().message
                             : !two.ok() ? two.error().message
                                         : different(*one, *two);
    if (!what.empty()) {
      tally.disagreements.push_back("seed " + std::to_string(item.seed) + ": sleep sets, " +
                                    strategy + ", one and two threads: " + what);
    }
  }
}

// A combination that cannot be right must be refused.
inline void expect_refusal(const Case& item, const Options& options, Tally& tally) {
  const Result<Report> report = check(item.system, options);
  if (report.ok()) disagree(tally, item, "sleep sets where they leave out too much");
  tally.count("searches that are refused");
}

inline Tally run_sleep(const Extent& extent) {
  return over_systems(extent, {},
                      [](const Case& item, const reference::Exploration& found, Tally& tally) {
                        Options options;
                        options.reduce = "sleep";
                        if (item.system.constrained()) {
                          --tally.systems;  // not compared
                          return expect_refusal(item, options, tally);
                        }
                        compare_sleep(item, found, tally);
                        if (item.seed % 4 == 0) compare_sleep_threads(item, tally);
                        options.strategy = "dfs";
                        options.max_depth = 2;
                        if (item.seed % 100 == 0) expect_refusal(item, options, tally);
                      });
}

}  // namespace ordeal::oracle
