#include "ordeal/check.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/guard.h"
#include "base/out_of_memory.h"
#include "explore/audit/alike.h"
#include "explore/audit/commute.h"
#include "explore/explain/recorder.h"
#include "explore/prepare.h"
#include "explore/run/run_counts.h"
#include "explore/run/runs.h"
#include "explore/strategy/claims.h"
#include "explore/strategy/coverage.h"
#include "explore/strategy/failures.h"
#include "explore/strategy/hitting.h"

namespace ordeal {
namespace {

using explore::Exploration;
using explore::Finding;

// How often two different states out of n are expected to share a fingerprint.
double collision_probability(uint64_t states, bool wide) {
  const double n = static_cast<double>(states);
  return -std::expm1(-n * (n - 1) / 2 / std::pow(2.0, wide ? 128 : 64));
}

bool contains(const std::vector<uint32_t>& list, uint32_t number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

Violation never_reached(const Property& property) {
  Violation violation;
  violation.property = property.name;
  violation.kind = to_string(property.kind);
  violation.word = property.word;
  violation.why = "no reachable state satisfies it";
  return violation;
}

// What is to be said of a property beside its verdict.
std::string note_of(const PropertyResult& result, const explore::Strategy& strategy,
                    const Exploration& explored) {
  if (result.cycle) {
    return "progress actions form a cycle: whether a run that counts goes round for ever is not "
           "known" +
           (explored.runs_unknown ? ": " + to_string(*explored.runs_unknown) : std::string());
  }
  if (result.cycle_unknown && explored.runs_unknown) {
    return "all states were seen, but not which runs go on for ever: " +
           to_string(*result.cycle_unknown);
  }
  if (result.cycle_unknown) {
    return "all states were seen, but not whether progress actions form a cycle: " +
           to_string(*result.cycle_unknown);
  }
  const bool decided = result.verdict != Verdict::kUndecided;
  if (!decided && result.property.on_runs && !strategy.needs_space) {
    return "it is about runs that go on for ever, and strategy " + strategy.name +
           " does not look at those";
  }
  if (result.verdict == Verdict::kHolds && explored.vacuous_on_runs && result.property.on_runs) {
    return "there is no run that counts: by what is assumed, none goes on for ever and none ends";
  }
  if (!result.reached) return "";
  // Only who goes level by level knows how far away a state is; others know how they came there.
  const std::string number = std::to_string(*result.reached);
  if (strategy.by_levels) return "reached at depth " + number;
  return "reached after " + number + (*result.reached == 1 ? " step" : " steps");
}

// Whether every run does. Few runs may have begun in the wrong ones of several initial states.
bool starts_outside(const Checkable& subject) {
  const std::unique_ptr<World> world = subject.world();
  for (uint32_t i = 0; i < world->initial_count(); ++i) {
    if (!world->reset(i) || world->within()) return false;
  }
  return true;
}

// What was known of the property without looking at states; it is told of as it is.
void take_foregone(const Foregone& known, PropertyResult& result, Report& report) {
  switch (known.is) {
    case Foregone::Is::kTrue:
      result.verdict = Verdict::kHolds;
      break;
    case Foregone::Is::kUnknown:
      result.verdict = Verdict::kUndecided;
      result.note = known.why;
      break;
    case Foregone::Is::kFalse:
      result.verdict = Verdict::kViolated;
      Violation violation;
      violation.property = result.property.name;
      violation.kind = to_string(result.property.kind);
      violation.word = result.property.word;
      violation.why = known.why;
      report.violations.push_back(std::move(violation));
  }
}

void judge_properties(const Checkable& subject, const explore::Strategy& strategy,
                      const Exploration& explored, const std::vector<Foregone>& foregone,
                      Report& report) {
  const std::vector<Property>& properties = subject.properties();
  for (uint32_t i = 0; i < properties.size(); ++i) {
    PropertyResult result;
    result.property = properties[i];
    const auto known = std::find_if(foregone.begin(), foregone.end(),
                                    [&](const Foregone& one) { return one.property == i; });
    if (known != foregone.end()) {
      take_foregone(*known, result, report);
      report.properties.push_back(std::move(result));
      continue;
    }
    const bool found = std::any_of(explored.findings.begin(), explored.findings.end(),
                                   [&](const Finding& finding) { return finding.property == i; });
    switch (properties[i].kind) {
      case PropertyKind::kAlways: {
        const bool seen =
            report.complete && (!properties[i].on_runs || contains(explored.decided_on_runs, i));
        result.verdict = found ? Verdict::kViolated : seen ? Verdict::kHolds : Verdict::kUndecided;
        break;
      }
      case PropertyKind::kEventually:
        result.verdict = found ? Verdict::kViolated
                         : report.complete && !explored.cycle && !explored.cycle_unknown &&
                                 !contains(explored.open_on_runs, i)
                             ? Verdict::kHolds
                             : Verdict::kUndecided;
        if (contains(explored.decided_on_runs, i)) break;
        if (!found && report.complete) {
          result.cycle = explored.cycle;
          result.cycle_unknown = explored.cycle_unknown;
        }
        break;
      case PropertyKind::kSometimes:
        if (explored.reached_depth[i] >= 0) {
          result.verdict = Verdict::kHolds;
          result.reached = static_cast<uint32_t>(explored.reached_depth[i]);
        } else if (report.complete) {
          result.verdict = Verdict::kViolated;
          report.violations.push_back(never_reached(properties[i]));
        }
        break;
    }
    if (contains(explored.open_on_runs, i) && report.complete && !found && !result.cycle) {
      result.cycle_unknown = explored.runs_unknown;
    }
    result.note = note_of(result, strategy, explored);
    report.properties.push_back(std::move(result));
  }
}

Verdict overall(const Report& report) {
  if (report.trouble) return Verdict::kError;
  bool all_hold = true;
  for (const PropertyResult& result : report.properties) {
    if (result.verdict == Verdict::kViolated) return Verdict::kViolated;
    all_hold = all_hold && result.verdict == Verdict::kHolds;
  }
  if (!report.violations.empty()) return Verdict::kViolated;
  return all_hold && report.complete ? Verdict::kHolds : Verdict::kUndecided;
}

// A violation in values that does not happen again is one of another program. Opaque objects did
// what they did: it is told, and that the trace is no proof of it.
Result<void> seen_again(const Checkable& subject, const Violation& violation, Report& report) {
  if (!violation.trace) return {};
  Result<void> same;
  const std::string broke = guarded([&] { same = explore::confirm(subject, *violation.trace); });
  if (is_abandoned(broke)) return {};
  if (!broke.empty()) return Error{"repeating a violation failed: " + broke};
  if (same) return {};
  if (subject.space() != nullptr) return same;
  report.notes.push_back(same.error().message);
  return {};
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
    case Verdict::kError:
      return "error";
  }
  return "undecided";
}

Result<Report> check(const Checkable& subject, const Options& given) {
  explore::RunCounts untold;
  return explore::check_counting(subject, given, untold);
}

Result<Report> explore::check_counting(const Checkable& subject, const Options& given,
                                       RunCounts& counts) {
  Result<explore::Prepared> prepared = explore::prepared(subject, given);
  if (!prepared) return prepared.error();
  const Options& options = prepared->options;
  const explore::Strategy* strategy = prepared->strategy;
  std::shared_ptr<StateSpace> space = prepared->space;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = options.threads > 0 ? options.threads : cores;

  explore::Pace clock(options);
  Report report;
  report.system = options.system;
  report.parameters = options.parameters;
  report.strategy = options.strategy;
  report.reduce = options.reduce;
  report.seed = options.seed;
  report.threads = strategy->needs_space ? threads : 1;
  report.constrained = subject.constrained();
  if (options.threads > 1 && !strategy->needs_space) {
    report.notes.emplace_back("strategy " + strategy->name +
                              " takes its runs one after the other, on one thread");
  }

  if (options.audit) {
    if (auto violation = explore::audit(subject, options)) {
      report.verdict = Verdict::kViolated;
      report.violations.push_back(std::move(*violation));
      report.bounds.push_back({Bound::Kind::kAudit});
      report.seconds = clock.seconds();
      return report;
    }
    report.notes.emplace_back("audit: random runs gave the same states when repeated");
  }

  if (space != nullptr && (strategy->needs_footprints || options.reduce == "sleep")) {
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
  explore::Ground ground(subject, space);
  std::vector<Foregone> foregone = subject.foregone();
  const bool refuted = std::any_of(foregone.begin(), foregone.end(), [](const Foregone& one) {
    return one.is == Foregone::Is::kFalse;
  });
  const bool has_states = subject.has_behaviours() && !refuted;
  const std::string failure = guarded([&] {
    if (!has_states) {
      explored.exhaustive = !refuted;
      explored.reached_depth.resize(subject.properties().size(), -1);
      return;
    }
    if (space == nullptr) {
      const auto may = explore::may_enumerate(*strategy, ground.world());
      if (!may) explored.error = may.error().message;
      if (!may) return;
    }
    if (!strategy->samples()) {
      explored = strategy->explore(ground, options);
      return;
    }
    const auto scheduler = strategy->schedule(options, ground.world());
    if (scheduler) {
      explored = explore::explore_by(**scheduler, ground.world(), options, &counts);
    } else {
      explored.error = scheduler.error().message;
    }
  });
  if (is_abandoned(failure)) {
    explored.bound({Bound::Kind::kInterrupted});
    explored.reached_depth.resize(subject.properties().size(), -1);
  } else if (!failure.empty()) {
    return Error{failure == kOutOfMemory ? explore::out_of_memory()
                                         : "a property or the model failed: " + failure};
  }
  if (!explored.error.empty()) return Error{explored.error};
  const SpaceStatistics effort = ground.statistics();
  if (const auto trusted = explore::may_trust(effort); !trusted) return trusted.error();
  if (has_states && report.constrained && explored.distinct_states == 0 &&
      explored.findings.empty() && !explored.trouble && starts_outside(subject)) {
    return Error{
        "every initial state lies outside of the constraint (within): there is nothing to "
        "explore"};
  }

  report.distinct_states = explored.distinct_states;
  report.outside_states = explored.outside_states;
  report.initial_states = explored.initial_states > 0 ? explored.initial_states : explored.runs;
  report.transitions = explored.transitions;
  report.generated_states = report.initial_states + explored.transitions;
  report.steps = explore::step_counts(ground.sorts(), explored);
  report.transitions_no_loops = explored.transitions - explored.self_loops;
  report.terminal_states = explored.terminal_states;
  report.depth = explored.depth;
  report.runs = explored.runs;
  report.violating_runs = explored.violating_runs;
  report.first_violating_run = explored.first_violating_run;
  report.first_violating_step = explored.first_violating_step;
  report.bounds = explored.bounds;
  report.hitting = explore::hitting_of(options, *strategy, subject.properties(), explored);
  report.notes.insert(report.notes.end(), explored.notes.begin(), explored.notes.end());
  if (symmetry != nullptr) {
    for (const std::string& property : symmetry->tried_in_part()) {
      report.notes.emplace_back("symmetry: \"" + property +
                                "\" was tried on some renamings of every node, not on all: it was "
                                "found symmetric, not proven so");
    }
  }
  report.complete = explored.exhaustive && explored.bounds.empty() && !options.guide;
  if (options.guide && explored.bounds.empty()) {
    report.bounds.push_back({Bound::Kind::kGuide});
  }
  report.collision_probability =
      explored.stored_states
          ? collision_probability(explored.distinct_states, options.wide_fingerprints)
          : 0;
  report.table_bytes = explored.table_bytes;
  report.disk_bytes = explored.disk_bytes;
  report.bytes = explored.bytes;
  report.learning = explored.learning;
  report.members = explored.members;
  report.assumption = explored.assumption;
  report.run_graph = explored.run_graph;
  report.handler_calls = effort.handler_calls;

  std::vector<Finding> findings = explored.findings;
  if (explored.trouble) findings.push_back(*explored.trouble);
  if (!findings.empty()) {
    const std::unique_ptr<World> fresh = subject.world();
    const bool shortest = strategy->by_levels && !options.guide;
    for (const Finding& finding : findings) {
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
      if (auto same = seen_again(subject, *violation, report); !same) return same.error();
      if (finding.is_trouble()) {
        report.trouble = {violation->why, finding.on_step, finding.run, violation->trace,
                          finding.by};
        continue;
      }
      report.violations.push_back(std::move(*violation));
    }
  }
  if (has_states && report.violations.empty() && !report.trouble) {
    Result<std::vector<Foregone>> more = subject.afterwards(
        {report.distinct_states, report.generated_states, report.depth, report.complete});
    if (!more) return more.error();
    foregone.insert(foregone.end(), more->begin(), more->end());
  }
  judge_properties(subject, *strategy, explored, foregone, report);
  if (has_states && explored.transitions == 0 && report.violations.empty() && !report.trouble) {
    report.notes.emplace_back("nothing ever happened: no action is enabled where runs begin");
  }
  // Who was interrupted had no time to see it.
  const bool interrupted = report.ended_by(Bound::Kind::kInterrupted);
  if (options.require_coverage && report.violations.empty() && !interrupted && !report.trouble) {
    auto missing = explore::missing_coverage(report);
    if (missing) report.violations.push_back(std::move(*missing));
  }
  report.verdict = overall(report);
  // A violation was executed again; what was not found is only worth something if there was nothing
  // to lose on the way.
  if (findings.empty() && has_states) {
    const auto trusted = explore::may_trust(subject, options.seed, explored.transitions);
    if (!trusted) return trusted.error();
  }
  report.seconds = clock.seconds();
  return report;
}

}  // namespace ordeal
