#include "tests/oracle/random/suite.h"

#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/oracle/random/compare.h"
#include "tests/oracle/random/features.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/random/sharing.h"

namespace ordeal::oracle {

inline std::vector<std::string> compare(const Case& item, const reference::Exploration& found,
                                        SuiteResult& result) {
  Comparison comparison(item.system, found);
  comparison.lockstep();
  // Where the walks differ, everything else does too: one report is enough.
  if (!comparison.disagreements().empty() || !found.starts) return comparison.disagreements();
  if (found.distinct == 0) {
    comparison.refused();
    return comparison.disagreements();
  }
  const auto one = comparison.complete("bfs", 1);
  const auto two = comparison.complete("bfs", 2);
  if (one && two) comparison.identical(*one, *two);
  comparison.complete("dfs", 1);
  comparison.first_violation(item.seed % 2 == 0 ? 1 : 2);
  if (found.depth > 1) comparison.bounded(1 + static_cast<uint32_t>(item.seed % found.depth));
  if (found.distinct <= 40) comparison.prefix(500);
  comparison.random(10);
  result.traces += comparison.traces_replayed();
  result.prefix_completed += comparison.completed();
  return comparison.disagreements();
}

SuiteResult run_suite(const SuiteOptions& options) {
  SuiteResult result;
  for (uint64_t seed = options.first_seed; result.compared < options.systems; ++seed) {
    const Case item = generate(seed);
    const reference::Exploration found = reference::explore(item.system, options.cap);
    if (!found.complete) {
      ++result.too_large;
      continue;
    }
    ++result.compared;
    const SharedRounds rounds(seed);
    for (const std::string& what : compare(item, found, result)) {
      result.disagreements.push_back("seed " + std::to_string(seed) + ": " + what);
    }
    if (!found.starts) {
      ++result.cannot_start;
      continue;
    }
    result.states += found.distinct;
    result.transitions += found.transitions;
    result.cycles += found.progress_cycle ? 1 : 0;
    result.rounds += std::count(found.round.begin(), found.round.end(), true);
    result.failing += found.failures > 0 ? 1 : 0;
    for (const std::string& feature : item.features) ++result.features[feature];
    for (const auto& [kind, count] : found.kinds) result.kinds[kind] += count;
    const auto& properties = item.system.properties();
    for (uint32_t p = 0; p < properties.size(); ++p) {
      ++result.verdicts[std::string(to_string(properties[p].kind)) + " " +
                        to_string(expected_verdict(properties[p], found, p))];
    }
    if (options.stop_early && !result.disagreements.empty()) break;
  }
  return result;
}

std::vector<std::string> uncovered(const SuiteResult& result) {
  std::vector<std::string> out;
  for (const std::string& feature : all_features()) {
    if (result.features.count(feature) == 0) out.push_back(feature);
  }
  for (const ActionKind kind :
       {ActionKind::kDeliver, ActionKind::kRequest, ActionKind::kEvent, ActionKind::kTimer,
        ActionKind::kDetect, ActionKind::kRestore, ActionKind::kCrash, ActionKind::kRecover,
        ActionKind::kDrop, ActionKind::kDuplicate, ActionKind::kPartition, ActionKind::kHeal,
        ActionKind::kSuspect}) {
    if (result.kinds.count(kind) == 0) out.push_back(std::string("action ") + to_string(kind));
  }
  for (const char* verdict : {"always holds", "always violated", "sometimes holds",
                              "sometimes violated", "eventually holds", "eventually violated"}) {
    if (result.verdicts.count(verdict) == 0) out.push_back(std::string("verdict ") + verdict);
  }
  if (result.rounds == 0) out.emplace_back("a run that goes round for ever and is fair");
  if (result.failing == 0) out.push_back("a handler that fails");
  if (result.traces == 0) out.push_back("a trace that replays");
  if (result.prefix_completed == 0) out.push_back("all runs of a system");
  return out;
}

void print(const SuiteResult& result) {
  std::cout << result.compared << " systems compared (" << result.too_large
            << " too large, skipped; " << result.cannot_start << " cannot start), " << result.states
            << " states, " << result.transitions << " transitions, " << result.traces
            << " traces replayed\n"
            << result.cycles << " with a cycle of progress, " << result.rounds
            << " violations by runs that go round for ever, " << result.failing
            << " in which a handler can fail, " << result.prefix_completed
            << " with all their runs\nfeatures:";
  for (const auto& [feature, count] : result.features)
    std::cout << " " << feature << " " << count << ",";
  std::cout << "\nactions:";
  for (const auto& [kind, count] : result.kinds)
    std::cout << " " << to_string(kind) << " " << count << ",";
  std::cout << "\nverdicts:";
  for (const auto& [verdict, count] : result.verdicts)
    std::cout << " " << verdict << " " << count << ",";
  std::cout << std::endl;
}

}  // namespace ordeal::oracle
