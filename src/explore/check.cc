#include "ordeal/check.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/guard.h"
#include "base/out_of_memory.h"
#include "explore/alike.h"
#include "explore/claims.h"
#include "explore/commute.h"
#include "explore/coverage.h"
#include "explore/dpor.h"
#include "explore/failures.h"
#include "explore/recorder.h"
#include "explore/runs.h"
#include "explore/scheduler.h"
#include "explore/search.h"

namespace ordeal {
namespace {

using explore::Exploration;
using explore::Finding;

std::string names_of(bool stateful, bool others) {
  std::string text;
  for (const StrategyInfo& strategy : strategies()) {
    if (strategy.stateful ? !stateful : !others) continue;
    text += (text.empty() ? "" : ", ") + strategy.name;
  }
  return text;
}

Result<void> validate(const Options& options, const StrategyInfo* strategy, bool forkable) {
  if (strategy == nullptr) {
    return Error{"unknown strategy \"" + options.strategy + "\"; there are " +
                 names_of(true, true)};
  }
  if (strategy->stateful && !forkable) {
    return Error{"strategy " + strategy->name +
                 " saves states and comes back to them, which opaque nodes cannot; strategies that "
                 "fit: " +
                 names_of(false, true)};
  }
  if (options.symmetry && !strategy->stateful) {
    return Error{"strategy " + strategy->name +
                 " does not store states, and symmetry is about storing one of many; strategies "
                 "that fit: " +
                 names_of(true, false)};
  }
  if (options.symmetry && options.guide) {
    return Error{
        "symmetry and a guide do not fit together: a guide says which of the nodes that "
        "are alike acts"};
  }
  if (options.pick != "first" && options.pick != "random") {
    return Error{"unknown pick \"" + options.pick + "\"; there are first and random"};
  }
  const auto only_for_search = [&](bool asked, const std::string& what) -> Result<void> {
    if (!asked || strategy->stateful) return {};
    return Error{what + " is for strategies that store states: bfs and dfs, not " + strategy->name};
  };
  for (const auto& valid : {only_for_search(options.reduce != "none", "reduce"),
                            only_for_search(options.wide_fingerprints, "128-bit fingerprints"),
                            only_for_search(!options.checkpoint.empty(), "a checkpoint")}) {
    if (!valid) return valid.error();
  }
  if (const auto valid = explore::check_scheduler_options(options); !valid) return valid.error();
  if (options.reduce != "none" && options.reduce != "sleep") {
    return Error{"unknown reduction \"" + options.reduce + "\"; there are none and sleep"};
  }
  if (options.reduce == "sleep" && strategy->name == "dfs" && options.max_depth > 0) {
    return Error{"sleep sets and a maximal depth go together breadth first only; use strategy bfs"};
  }
  if (options.reduce == "sleep" && !options.spill.empty()) {
    return Error{"sleep sets must be at hand for every state: they do not go with spilling"};
  }
  if (!options.spill.empty() && strategy->name != "bfs") {
    return Error{"only strategy bfs can go on on disk, not " + strategy->name};
  }
  if (options.checkpoint_seconds < 0) return Error{"checkpoints cannot be less than 0 s apart"};
  if (options.threads < 0 || options.threads > 256) {
    return Error{"threads: " + std::to_string(options.threads) + " is not between 1 and 256"};
  }
  return {};
}

const StrategyInfo* find_strategy(const std::string& name) {
  for (const StrategyInfo& strategy : strategies()) {
    if (strategy.name == name) return &strategy;
  }
  return nullptr;
}

// What is not in the states cannot be explored by going through them, nor through runs of them.
Result<void> may_enumerate(const World& world, const std::string& strategy) {
  if (world.is_value()) return {};
  return Error{"strategy " + strategy +
               " goes through everything that can happen, but a function of the scenario is not "
               "const: what it remembers is in no state. Keep it in the context "
               "(ScenarioContext::keep), or use a strategy that samples"};
}

// How often two different states out of n are expected to share a fingerprint.
double collision_probability(uint64_t states, bool wide) {
  const double n = static_cast<double>(states);
  return -std::expm1(-n * (n - 1) / 2 / std::pow(2.0, wide ? 128 : 64));
}

Violation never_reached(const Property& property) {
  Violation violation;
  violation.property = property.name;
  violation.kind = to_string(property.kind);
  violation.why = "no reachable state satisfies it";
  return violation;
}

// Only breadth-first search knows how far away a state is; others know how they came there.
std::string reached_text(const std::string& strategy, int64_t steps) {
  const std::string number = std::to_string(steps);
  if (strategy == "bfs") return "reached at depth " + number;
  return "reached after " + number + (steps == 1 ? " step" : " steps");
}

// Whether every run does. Few runs may have begun in the wrong ones of several initial states.
bool starts_outside(const Checkable& subject) {
  const std::unique_ptr<World> world = subject.world();
  for (uint32_t i = 0; i < world->initial_count(); ++i) {
    if (!world->reset(i) || world->within()) return false;
  }
  return true;
}

void judge_properties(const Checkable& subject, const Exploration& explored, Report& report) {
  const std::vector<Property>& properties = subject.properties();
  for (uint32_t i = 0; i < properties.size(); ++i) {
    PropertyResult result;
    result.property = properties[i];
    const bool found = std::any_of(explored.findings.begin(), explored.findings.end(),
                                   [&](const Finding& finding) { return finding.property == i; });
    switch (properties[i].kind) {
      case PropertyKind::kAlways:
        result.verdict = found             ? Verdict::kViolated
                         : report.complete ? Verdict::kHolds
                                           : Verdict::kUndecided;
        break;
      case PropertyKind::kEventually:
        result.verdict = found ? Verdict::kViolated
                         : report.complete && !explored.cycle && explored.cycle_unknown.empty()
                             ? Verdict::kHolds
                             : Verdict::kUndecided;
        if (!found && report.complete && !explored.cycle_unknown.empty()) {
          result.note = "all states were seen, but not whether progress actions form a cycle: " +
                        explored.cycle_unknown;
        }
        if (!found && report.complete && explored.cycle) {
          result.note =
              "progress actions form a cycle: whether a run can go round for ever "
              "depends on fairness, which is not checked";
        }
        break;
      case PropertyKind::kSometimes:
        if (explored.reached_depth[i] >= 0) {
          result.verdict = Verdict::kHolds;
          result.note = reached_text(report.strategy, explored.reached_depth[i]);
        } else if (report.complete) {
          result.verdict = Verdict::kViolated;
          report.violations.push_back(never_reached(properties[i]));
        }
        break;
    }
    report.properties.push_back(std::move(result));
  }
}

Verdict overall(const Report& report) {
  bool all_hold = true;
  for (const PropertyResult& result : report.properties) {
    if (result.verdict == Verdict::kViolated) return Verdict::kViolated;
    all_hold = all_hold && result.verdict == Verdict::kHolds;
  }
  if (!report.violations.empty()) return Verdict::kViolated;
  return all_hold && report.complete ? Verdict::kHolds : Verdict::kUndecided;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kViolated:
      return "violated";
    case Verdict::kUndecided:
      return "undecided";
  }
  return "undecided";
}

const std::vector<StrategyInfo>& strategies() {
  static const std::string kNothing = "nothing: it finds, it never proves";
  static const std::vector<StrategyInfo> all = {
      {"bfs", "breadth-first search: every state, shortest counterexample", true, "everything"},
      {"dfs", "depth-first search: every state, little waiting memory", true, "everything"},
      {"prefix", "every run, one by one, by its unexplored prefixes (see --pick)", false,
       "everything"},
      {"dpor", "one run of every trace: orders of independent actions are left out", false,
       "everything but `always` and `sometimes` of arbitrary functions"},
      {"random", "random runs: finds, never proves", false, kNothing},
      {"pct", "random priorities of nodes, with change points (see --bug-depth)", false, kNothing},
      {"pctcp", "random priorities of chains of causes, with a guarantee (see --bug-depth)", false,
       kNothing},
      {"pos", "random priorities of events, drawn again when they race", false, kNothing},
      {"delay", "every run with at most --delays delays, fewest first", false, kNothing},
  };
  return all;
}

Result<Report> check(const Checkable& subject, const Options& given) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  Options options = given;
  std::shared_ptr<StateSpace> space = subject.space();
  if (options.strategy.empty()) options.strategy = space != nullptr ? "bfs" : "random";
  const StrategyInfo* strategy = find_strategy(options.strategy);
  if (const auto valid = validate(options, strategy, space != nullptr); !valid) {
    return valid.error();
  }
  for (const std::string& way : {options.strategy, "--reduce " + options.reduce}) {
    const auto kept = explore::may_claim(way, subject, space != nullptr);
    if (!kept) return kept.error();
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = options.threads > 0 ? options.threads : cores;

  explore::Pace clock(options);
  Report report;
  report.system = options.system;
  report.parameters = options.parameters;
  report.strategy = options.strategy;
  report.reduce = options.reduce;
  report.seed = options.seed;
  report.threads = strategy->stateful ? threads : 1;
  report.constrained = subject.constrained();
  if (options.threads > 1 && !strategy->stateful) {
    report.notes.push_back("strategy " + strategy->name +
                           " takes its runs one after the other, on one thread");
  }

  if (options.audit) {
    if (auto violation = explore::audit(subject, options)) {
      report.verdict = Verdict::kViolated;
      report.violations.push_back(std::move(*violation));
      report.bounds.push_back("the audit failed: nothing else was checked");
      report.seconds = clock.seconds();
      return report;
    }
    report.notes.push_back("audit: random runs gave the same states when repeated");
  }

  if (space != nullptr && (options.strategy == "dpor" || options.reduce == "sleep")) {
    // In a space of its own: what is tried out leaves nothing behind.
    const auto notes = explore::try_footprints(*subject.space(), options.seed);
    if (!notes) return notes.error();
    report.notes.insert(report.notes.end(), notes->begin(), notes->end());
  }

  std::shared_ptr<Symmetry> symmetry;
  if (options.symmetry) {
    // In a space of its own: what is tried out leaves nothing behind.
    Result<std::shared_ptr<Symmetry>> trial = subject.symmetry();
    if (!trial) return trial.error();
    auto notes = explore::try_symmetry(**trial, options.seed);
    if (!notes) return notes.error();
    report.notes.insert(report.notes.end(), notes->begin(), notes->end());
    symmetry = *subject.symmetry();
    space = symmetry->classes();
    report.symmetry = symmetry->what();
  }

  Exploration explored;
  std::unique_ptr<World> world;
  const std::string failure = guarded([&] {
    if (options.strategy == "bfs") {
      explored = explore::search(*space, explore::Order::kBreadthFirst, options);
    } else if (options.strategy == "dfs") {
      explored = explore::search(*space, explore::Order::kDepthFirst, options);
    } else if (options.strategy == "dpor" || options.strategy == "prefix") {
      const bool by_runs = options.strategy == "prefix";
      if (by_runs || space == nullptr) world = subject.world();
      const auto may = world == nullptr ? Result<void>() : may_enumerate(*world, options.strategy);
      if (!may) {
        explored.error = may.error().message;
      } else {
        explored = by_runs ? explore::explore_prefixes(*world, options)
                           : explore::explore_traces(space.get(), world.get(), options);
      }
    } else {
      world = subject.world();
      const auto scheduler = explore::make_scheduler(options, *world);
      if (scheduler) {
        explored = explore::explore_by(**scheduler, *world, options);
      } else {
        explored.error = scheduler.error().message;
      }
    }
  });
  if (is_abandoned(failure)) {
    explored.bound("interrupted");
    explored.reached_depth.resize(subject.properties().size(), -1);
  } else if (!failure.empty()) {
    return Error{failure == kOutOfMemory ? explore::out_of_memory()
                                         : "a property or the model failed: " + failure};
  }
  if (!explored.error.empty()) return Error{explored.error};
  SpaceStatistics effort;
  if (world != nullptr) {
    effort = world->statistics();
  } else if (space != nullptr) {
    effort = space->statistics();
  }
  if (const auto trusted = explore::may_trust(effort); !trusted) return trusted.error();
  if (report.constrained && explored.distinct_states == 0 && explored.findings.empty() &&
      starts_outside(subject)) {
    return Error{
        "every initial state lies outside of the constraint (within): there is nothing to "
        "explore"};
  }

  report.distinct_states = explored.distinct_states;
  report.transitions = explored.transitions;
  report.steps = explore::step_counts(
      space != nullptr && world == nullptr ? space->sorts() : world->sorts(), explored);
  report.transitions_no_loops = explored.transitions - explored.self_loops;
  report.terminal_states = explored.terminal_states;
  report.depth = explored.depth;
  report.runs = explored.runs;
  report.bounds = explored.bounds;
  report.notes.insert(report.notes.end(), explored.notes.begin(), explored.notes.end());
  if (symmetry != nullptr) {
    for (const std::string& property : symmetry->tried_in_part()) {
      report.notes.push_back("symmetry: \"" + property +
                             "\" was tried on some renamings of every node, not on all: it was "
                             "found symmetric, not proven so");
    }
  }
  report.complete = explored.exhaustive && explored.bounds.empty() && !options.guide;
  if (options.guide && explored.bounds.empty()) {
    report.bounds.push_back("only runs that start with the guide were explored");
  }
  report.collision_probability =
      explored.stored_states
          ? collision_probability(explored.distinct_states, options.wide_fingerprints)
          : 0;
  report.table_bytes = explored.table_bytes;
  report.disk_bytes = explored.disk_bytes;
  report.bytes = explored.bytes;
  report.handler_calls = effort.handler_calls;

  if (!explored.findings.empty()) {
    const std::unique_ptr<World> fresh = subject.world();
    const bool shortest = options.strategy == "bfs" && !options.guide;
    for (const Finding& finding : explored.findings) {
      Result<Violation> violation = Error{""};
      const auto explain = [&](bool minimise) {
        return guarded([&] {
          const Result<Finding> real =
              symmetry == nullptr ? finding : explore::real_finding(*symmetry, finding);
          violation =
              real ? explore::explain_finding(*fresh, *real, minimise, options) : real.error();
        });
      };
      std::string broke = explain(options.minimise && !shortest);
      // Whoever does not want to wait sees the run as it was found.
      if (is_abandoned(broke)) broke = explain(false);
      if (!broke.empty()) return Error{"explaining a violation failed: " + broke};
      if (!violation) return violation.error();
      report.violations.push_back(std::move(*violation));
    }
  }
  judge_properties(subject, explored, report);
  if (explored.transitions == 0 && report.violations.empty()) {
    report.notes.push_back("nothing ever happened: no action is enabled where runs begin");
  }
  // Who was interrupted had no time to see it.
  const bool interrupted =
      std::find(report.bounds.begin(), report.bounds.end(), "interrupted") != report.bounds.end();
  if (options.require_coverage && report.violations.empty() && !interrupted) {
    auto missing = explore::missing_coverage(report);
    if (missing) report.violations.push_back(std::move(*missing));
  }
  report.verdict = overall(report);
  // A violation was executed again; what was not found is only worth something if there was nothing
  // to lose on the way.
  if (explored.findings.empty()) {
    const auto trusted = explore::may_trust(subject, options.seed, explored.transitions);
    if (!trusted) return trusted.error();
  }
  report.seconds = clock.seconds();
  return report;
}

}  // namespace ordeal
