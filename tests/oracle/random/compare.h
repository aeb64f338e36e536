// What every strategy reports of a system, against what the reference found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/trace.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/random/lockstep.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {

// What the reference says of each property of a complete search. `in_classes`: of classes of
// states, of which nobody knows who goes round.
inline Verdict expected_verdict(const Property& property, const reference::Exploration& found,
                                uint32_t index, bool in_classes = false) {
  const bool first = found.first[index].has_value();
  switch (property.kind) {
    case PropertyKind::kAlways:
      return first ? Verdict::kViolated : Verdict::kHolds;
    case PropertyKind::kSometimes:
      return first ? Verdict::kHolds : Verdict::kViolated;
    default:
      if (first) return Verdict::kViolated;
      if (in_classes && found.progress_cycle) return Verdict::kUndecided;
      return index < found.round.size() && found.round[index] ? Verdict::kViolated
                                                              : Verdict::kHolds;
  }
}

class Comparison {
 public:
  Comparison(const System& system, const reference::Exploration& found)
      : system_(system), found_(found) {}

  const std::vector<std::string>& disagreements() const { return disagreements_; }

  void lockstep() {
    const std::string problem = Lockstep(system_).walk();
    if (!problem.empty()) disagree("lockstep: " + problem);
  }

  // Where every initial state lies outside of the constraint, there is nothing to say.
  void refused() {
    for (const std::string strategy : {"bfs", "dfs", "prefix", "random"}) {
      if (check(system_, {.strategy = strategy, .threads = 1}).ok()) {
        disagree(strategy + " says something of a system that has no states");
      }
    }
  }

  // A complete search must give the same numbers and verdicts; returns its report.
  std::optional<Report> complete(const std::string& strategy, int threads) {
    const std::string who = strategy + " with " + std::to_string(threads) + " threads: ";
    const auto report = run(who, {.strategy = strategy, .threads = threads, .keep_going = true});
    if (!report) return std::nullopt;
    if (!report->complete) disagree(who + "the search is not complete");
    same(who + "distinct states", report->distinct_states, found_.distinct);
    same(who + "transitions", report->transitions, found_.transitions);
    same(who + "transitions without loops", report->transitions_no_loops,
         found_.transitions_no_loops);
    same(who + "terminal states", report->terminal_states, found_.terminal);
    if (strategy == "bfs") same(who + "depth", report->depth, found_.depth);
    steps(who, *report);
    verdicts(who, *report);
    failures(who, *report, strategy == "bfs");
    traces(who, *report, strategy == "bfs");
    return report;
  }

  // What occurred how often, whatever type of node it occurred at.
  void steps(const std::string& who, const Report& report) {
    std::map<std::string, uint64_t> counted;
    for (const StepCount& step : report.steps) {
      if (step.count > 0) counted[step.what.substr(0, step.what.find(" at "))] += step.count;
    }
    if (counted == found_.steps) return;
    const auto words = [](const std::map<std::string, uint64_t>& all) {
      std::string out;
      for (const auto& [name, count] : all) out += " " + name + ": " + std::to_string(count);
      return out;
    };
    disagree(who + "steps:" + words(counted) + "; reference:" + words(found_.steps));
  }

  // The first violation that a search finds, without keep_going.
  void first_violation(int threads) {
    const std::string who = "first violation with " + std::to_string(threads) + " threads: ";
    const auto report = run(who, {.strategy = "bfs", .threads = threads});
    if (!report) return;
    std::optional<uint32_t> shortest;
    for (uint32_t p = 0; p < found_.first.size(); ++p) {
      if (system_.properties()[p].kind == PropertyKind::kSometimes || !found_.first[p]) continue;
      if (!shortest || *found_.first[p] < *shortest) shortest = found_.first[p];
    }
    std::optional<uint32_t> reported;
    for (const Violation& violation : report->violations) {
      if (!violation.trace) continue;
      if (violation.trace->loop_start) continue;  // only where there is no other
      const auto steps = static_cast<uint32_t>(violation.trace->steps.size());
      if (!reported || steps < *reported) reported = steps;
    }
    if (shortest != reported) {
      disagree(who + "steps: " + (reported ? std::to_string(*reported) : "none") + ", reference " +
               (shortest ? std::to_string(*shortest) : "none"));
    }
    traces(who, *report, true);
  }

  // Two reports of the same search, apart from how many threads made them.
  void identical(const Report& a, const Report& b) {
    if (a.violations.size() != b.violations.size()) return disagree("threads change violations");
    for (size_t i = 0; i < a.violations.size(); ++i) {
      const Violation& x = a.violations[i];
      const Violation& y = b.violations[i];
      if (x.property != y.property || x.why != y.why || x.count != y.count ||
          x.trace.has_value() != y.trace.has_value() ||
          (x.trace && to_json(*x.trace) != to_json(*y.trace))) {
        disagree("threads change the counterexample of '" + x.property + "'");
      }
    }
  }

  void bounded(uint32_t max_depth) {
    const reference::Exploration within = reference::explore(system_, ~uint64_t{0}, max_depth);
    for (const std::string strategy : {"bfs", "dfs"}) {
      const std::string who = strategy + " to depth " + std::to_string(max_depth) + ": ";
      const auto report = run(
          who, {.strategy = strategy, .threads = 1, .max_depth = max_depth, .keep_going = true});
      if (!report) continue;
      same(who + "distinct states", report->distinct_states, within.distinct);
      for (uint32_t p = 0; p < within.first.size(); ++p) {
        const bool kinds = system_.properties()[p].kind != PropertyKind::kSometimes;
        if (within.first[p] && kinds && verdict(*report, p) != Verdict::kViolated) {
          disagree(who + "misses a violation of '" + system_.properties()[p].name + "'");
        }
        if (expected_verdict(system_.properties()[p], found_, p) == Verdict::kHolds && kinds &&
            verdict(*report, p) == Verdict::kViolated) {
          disagree(who + "invents a violation of '" + system_.properties()[p].name + "'");
        }
      }
    }
  }

  // All runs, one by one, or one of every trace: the same verdicts where it ends.
  void prefix(uint64_t max_runs) { by_runs("prefix", max_runs); }
  void dpor(uint64_t max_runs) { by_runs("dpor", max_runs); }

  void by_runs(const std::string& strategy, uint64_t max_runs) {
    const std::string who = strategy + ": ";
    const auto report = run(who, {.strategy = strategy,
                                  .threads = 1,
                                  .max_depth = 30,  // runs round a cycle have no end
                                  .max_runs = max_runs,
                                  .keep_going = true,
                                  .minimise = false});
    if (!report) return;
    if (report->complete) {
      verdicts(who, *report);
      failures(who, *report, false);
      ++completed_;
    }
    sound(who, *report);
    traces(who, *report, false);
  }

  // Samples: may miss, must not invent.
  void random(uint64_t runs) {
    const std::string who = "random: ";
    const auto report = run(who, {.strategy = "random",
                                  .threads = 1,
                                  .seed = 7,
                                  .max_depth = 60,
                                  .max_runs = runs,
                                  .keep_going = true});
    if (!report) return;
    if (report->complete) disagree(who + "claims to be complete");
    if (report->verdict == Verdict::kHolds) disagree(who + "claims that everything holds");
    sound(who, *report);
    traces(who, *report, false);
  }

  uint64_t traces_replayed() const { return traces_replayed_; }
  uint64_t completed() const { return completed_; }  // all runs, or one of every trace

 private:
  void disagree(std::string what) { disagreements_.push_back(std::move(what)); }
  void same(const std::string& what, uint64_t engine, uint64_t reference) {
    if (engine == reference) return;
    disagree(what + ": " + std::to_string(engine) + ", reference " + std::to_string(reference));
  }

  std::optional<Report> run(const std::string& who, Options options) {
    // An engine that is broken may find no end.
    if (options.max_states == 0) options.max_states = 100 * found_.distinct + 10'000;
    Result<Report> report = check(system_, options);
    if (report.ok()) return std::move(*report);
    disagree(who + report.error().message);
    return std::nullopt;
  }

  static Verdict verdict(const Report& report, uint32_t property) {
    return report.properties.at(property).verdict;
  }

  void verdicts(const std::string& who, const Report& report) {
    const auto& properties = system_.properties();
    Verdict all = Verdict::kHolds;
    for (uint32_t p = 0; p < properties.size(); ++p) {
      const Verdict expected = expected_verdict(properties[p], found_, p);
      if (verdict(report, p) != expected) {
        disagree(who + "'" + properties[p].name + "' " + to_string(verdict(report, p)) +
                 ", reference " + to_string(expected));
      }
      if (expected == Verdict::kViolated || all == Verdict::kViolated) {
        all = Verdict::kViolated;
      } else if (expected == Verdict::kUndecided) {
        all = Verdict::kUndecided;
      }
    }
    if (report.verdict != all) {
      disagree(who + to_string(report.verdict) + ", reference " + to_string(all));
    }
  }

  void sound(const std::string& who, const Report& report) {
    const auto& properties = system_.properties();
    for (uint32_t p = 0; p < properties.size(); ++p) {
      const Verdict expected = expected_verdict(properties[p], found_, p);
      if (verdict(report, p) != Verdict::kUndecided && verdict(report, p) != expected) {
        disagree(who + "'" + properties[p].name + "' " + to_string(verdict(report, p)) +
                 ", reference " + to_string(expected));
      }
    }
  }

  // Whatever can fail is shown failing, on a shortest way if that is asked for.
  void failures(const std::string& who, const Report& report, bool shortest) {
    std::map<std::pair<ActionKind, std::string>, uint32_t> shown;
    for (const Violation& violation : report.violations) {
      if (violation.kind != "failure") continue;
      const Action& last = violation.trace->steps.back().detail.action;
      const auto steps = static_cast<uint32_t>(violation.trace->steps.size());
      const auto [at, first] = shown.try_emplace({last.kind, last.type}, steps);
      at->second = std::min(at->second, steps);
    }
    for (const auto& [what, steps] : found_.failing) {
      const auto at = shown.find(what);
      const std::string name = who + "that " + to_string(what.first) + " " + what.second + " fails";
      if (at == shown.end()) {
        disagree(name + " is not shown");
      } else if (shortest) {
        same(name + ": steps", at->second, steps);
      }
    }
    same(who + "kinds of failures", shown.size(), found_.failing.size());
  }

  // Every trace replays exactly; those of a breadth-first search are the shortest there are.
  void traces(const std::string& who, const Report& report, bool shortest) {
    for (const Violation& violation : report.violations) {
      if (!violation.trace) continue;
      const Trace& trace = *violation.trace;
      const auto replayed = replay(system_, trace);
      if (!replayed.ok() || !replayed->reproduced) {
        disagree(who + "the trace for '" + violation.property + "' does not replay: " +
                 (replayed.ok() ? replayed->why : replayed.error().message));
      }
      ++traces_replayed_;
      if (trace.loop_start) continue;
      for (uint32_t p = 0; shortest && p < found_.first.size(); ++p) {
        if (system_.properties()[p].name != violation.property || p == kNoFailure) continue;
        same(who + "steps to '" + violation.property + "'", trace.steps.size(),
             found_.first[p].value_or(0));
      }
    }
  }

  const System& system_;
  const reference::Exploration& found_;
  std::vector<std::string> disagreements_;
  uint64_t traces_replayed_ = 0;
  uint64_t completed_ = 0;
};

}  // namespace ordeal::oracle
