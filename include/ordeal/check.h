// check(): explores a system with a strategy, judges every state, reports.
//
//   Result<Report> report = check(system, {.strategy = "bfs", .max_states = 1'000'000});
//   if (report && report->verdict == Verdict::kViolated) std::cout << to_text(*report);
//
// A verdict is never more than what was explored allows: a search cut by a bound, and every
// strategy that samples, end in kUndecided unless they found a violation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/liveness.h"
#include "ordeal/property.h"
#include "ordeal/result.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal {

// kError: the subject could not say what comes next, or what a check says (Report::trouble).
enum class Verdict : uint8_t { kHolds, kViolated, kUndecided, kError };
const char* to_string(Verdict verdict);  // "holds", "violated", "undecided", "error"

struct Progress {
  double seconds = 0;
  uint64_t states = 0;  // visited, duplicates included
  uint64_t distinct = 0;
  uint64_t runs = 0;
  uint32_t depth = 0;
  uint64_t queue = 0;  // states or prefixes waiting
  uint64_t bytes = 0;
  uint64_t violations = 0;
  std::vector<std::string> violated = {};  // the properties known to be violated
  std::vector<std::string> reached = {};   // the goals (`sometimes`) seen so far
  std::string doing = {};                  // where that is not exploring: "looking for cycles"
};

struct Options {
  std::string strategy = {};   // "bfs", "dfs", …; "": bfs where it fits, else random
  std::string pick = "first";  // for prefix: "first" or "random"
  int threads = 0;             // 0: all cores
  uint64_t seed = 0;
  // For schedulers with change points (pct, pctcp): one more than there are of them, 0: 3; and how
  // many steps (pct) or events (pctcp) a run may have for the guarantee, 0: as many as the longest
  // of a few random runs, which go first.
  uint32_t bug_depth = 0;
  uint64_t max_events = 0;
  std::optional<uint32_t> delays = {};  // for delay: at most so many; default 2
  // Options of strategies that have no field here, by name.
  std::map<std::string, std::string> strategy_options = {};
  // Bounds; 0 means none (runs: 10,000 for strategies that sample; depth: 1,000 steps for run-based
  // strategies).
  uint32_t max_depth = 0;
  uint64_t max_runs = 0;
  uint64_t max_states = 0;
  uint64_t max_steps = 0;  // of all runs together, for run-based strategies: no run begins after it
  double max_seconds = 0;
  uint64_t max_bytes = 0;
  // What may be left out of a search without changing what it claims (see docs/reference).
  std::string reduce = "none";  // "sleep": sleep sets, for bfs and dfs
  bool symmetry = false;        // states that differ by a renaming of like nodes are one
  Fairness fairness = Fairness::kDeclared;  // of runs that go on for ever
  // Memory. Beyond max_bytes a breadth-first search goes on in files in the directory `spill`; ""
  // stops it there.
  bool wide_fingerprints = false;  // 128 bits instead of 64
  std::string spill = {};
  uint64_t spill_bytes = 0;  // begin to spill at this much; 0: at three quarters of max_bytes
  // Where a search leaves what it needs to go on after it was killed; a search that finds such a
  // file goes on from it. "": nowhere.
  std::string checkpoint = {};
  double checkpoint_seconds = 60;  // at least so long between two of them
  // Collect a violation of every property, and of every kind of failure of handlers, instead of
  // stopping at the first.
  bool keep_going = false;
  bool minimise = true;
  bool audit = false;  // apply prefixes twice and compare
  // A message, request or timer that was never handled, and a fault that never occurred, is a
  // failure; without it, the report says so.
  bool require_coverage = false;
  // Record in traces what every part of the state is after every step, and keep the run as it was
  // found beside the minimised one: for viewers.
  bool states = false;
  // Guided: first follow these actions, then let the strategy go on from there.
  std::optional<ShortForm> guide = {};
  // Copied into traces.
  std::string system = {};
  std::map<std::string, std::string> parameters = {};
  // Called now and then from the calling thread; may be empty.
  std::function<void(const Progress&)> progress = {};
  // Set from anywhere (a signal handler, say) to stop in an orderly way.
  const std::atomic<bool>* stop = nullptr;
};

// What kept an exploration from being complete.
struct Bound {
  enum class Kind : uint8_t {
    kInterrupted,  // Options::stop
    kTime,         // these, and the next four: as the options have them
    kMemory,
    kStates,
    kRuns,
    kDepth,
    kViolation,  // it stopped at the first one
    kPart,       // the strategy explores some runs only, and has had all of those
    kGuide,      // only runs that start with the guide were explored
    kAudit,      // the audit failed: nothing was explored
    kReplay,     // one run was replayed
    kSize,       // something was larger than can be told
    kFile,       // a file could not be written or read
    kBroken,     // code of the subject failed, or did not keep its word
    kSteps,      // Options::max_steps
    kTrouble,    // the subject could not say what comes next: Report::trouble
  };
  Kind kind = Kind::kInterrupted;
  uint64_t limit = 0;     // kStates, kRuns, kSteps, kDepth: so many; kMemory: bytes
  uint64_t used = 0;      // kMemory: bytes
  double seconds = 0;     // kTime
  std::string text = {};  // where there is more to tell: all of it, in words

  bool operator==(const Bound&) const = default;
};
std::string to_string(const Bound& bound);  // "interrupted", "10 states", "time: 2 seconds"

struct Violation {
  std::string property;
  std::string kind;  // "always", "sometimes", "eventually", "failure"
  std::string why;
  std::vector<int> nodes;
  uint32_t step = 0;
  std::optional<Trace> trace;          // none for a `sometimes` that was never reached
  uint64_t count = 1;                  // states (or runs) that violate it, with keep_going
  std::optional<Trace> original = {};  // as it was found, if minimised (Options::states)
  std::string word = {};               // what people are told for `kind`, where not that
  std::string by = {};  // the member of a portfolio that picked the run; "": there is none
};

// What the subject could not say, and the run that led there. Neither a violation nor a handler
// that fails: of the state, or of the step, nothing is known.
struct Trouble {
  std::string message;         // as the subject tells it
  bool on_step = false;        // about the last step of the run; else about where it ends
  uint64_t run = 0;            // of strategies that pick runs step by step: its number, from 1 on
  std::optional<Trace> trace;  // its verdict is of kind kTroubleKind
  std::string by = {};         // as in a Violation
};

struct PropertyResult {
  Property property;
  Verdict verdict = Verdict::kUndecided;
  std::string note;  // "reached at depth 4", "undecided: a cycle of progress actions", …
  // Of a `sometimes`: it was, by so many steps.
  std::optional<uint32_t> reached = {};
  // Of an `eventually` that is open although all states were seen: progress actions form a cycle,
  // or what kept that from being found out.
  bool cycle = false;
  std::optional<Bound> cycle_unknown = {};
};

// How often steps of one sort were taken: a message, request or timer that was handled, a fault.
struct StepCount {
  std::string what;  // "Vote", "request Read", "timer election", "crash"; "… at Server" where nodes
                     // of several types take part
  uint64_t count = 0;
  bool without_effect = false;  // it was handled, and never changed or sent anything
};

// What a strategy that learns has to tell beside what any strategy has. Abstract states are
// multisets of the colours of nodes (ordeal/steering.h), at every moment at which it decided.
// Other strategies by runs tell it where they are asked to count coverage: of every state.
struct Learning {
  std::string environment;  // "": it does not learn; steps are the system's
  uint64_t episodes = 0;
  uint64_t steps = 0;     // the learner's: each may be any number of the system's
  uint64_t coverage = 0;  // distinct abstract states
  // … in episodes that had reached the target, from there on, and how many did. None: nothing is
  // one.
  std::string target = {};
  std::optional<uint64_t> target_coverage = {};
  uint64_t target_episodes = 0;
  // How they grew: a few hundred points, the last of which is the end.
  struct Point {
    uint64_t steps = 0;
    uint64_t episodes = 0;
    uint64_t coverage = 0;
    uint64_t target_coverage = 0;

    bool operator==(const Point&) const = default;
  };
  std::vector<Point> curve = {};
  struct Waypoint {
    std::string predicate;
    uint64_t episodes = 0;               // that reached it, or one behind it
    std::optional<uint64_t> first = {};  // the first of them, from 1 on
    uint64_t ways = 0;  // distinct abstract states in which an episode was when it first did
    // The first of those that took the fewest steps, until then.
    struct Best {
      uint64_t episode = 0;
      uint64_t steps = 0;  // the learner's
      ShortForm path = {};
    };
    std::optional<Best> best = {};
    // Of one that is graded: the least distance to it that any state had; 0: it was reached.
    std::optional<uint32_t> least = {};
  };
  std::vector<Waypoint> waypoints = {};
  // Of a reward machine: its states, each as a waypoint whose predicate is the state's name, and
  // its transitions.
  struct MachineState {
    Waypoint reached = {};
    uint64_t times = 0;  // that it was entered; where it begins: episodes count too
  };
  struct MachineStep {
    std::string from;
    std::string when;
    std::string to;
    uint64_t times = 0;
    uint64_t episodes = 0;
  };
  std::vector<MachineState> machine_states = {};
  std::vector<MachineStep> machine_steps = {};
  // Where there are waypoints: the first run that got as far as any.
  std::optional<ShortForm> closest = {};
  uint64_t pairs = 0;        // of a state and an action that it knows something of
  uint64_t table_bytes = 0;  // for those
};

// One of the strategies that a portfolio divides its runs among, and what it brought.
struct PortfolioMember {
  std::string strategy;
  uint64_t runs = 0;
  uint64_t steps = 0;       // the system's
  uint64_t new_states = 0;  // which no run was in before, of any member
  std::optional<Learning> learning = {};
};

// How likely a run of a strategy whose runs are independent comes to something, from how many did:
// the interval that covers the true probability with this confidence (Clopper and Pearson).
struct Hitting {
  std::string what;  // the target, the name of a property, or "any violation"
  uint64_t hits = 0;
  uint64_t runs = 0;
  double confidence = 0.95;
  double low = 0;
  double high = 1;
  // Whether so many runs were to be made whatever they came to; else the interval is approximate.
  bool planned = true;
};

struct Report {
  Verdict verdict = Verdict::kUndecided;
  std::string system;
  std::map<std::string, std::string> parameters;
  std::string strategy;
  std::string reduce = "none";
  uint64_t seed = 0;
  int threads = 1;
  std::string symmetry;  // what was renamed: states are classes of states then; "": nothing

  uint64_t distinct_states = 0;  // within the constraint
  // Beyond it, as far as they were met: counted once each. Of strategies that store states.
  uint64_t outside_states = 0;
  // Where runs begin, as the subject enumerates it: equal states count each. Of runs, how many.
  uint64_t initial_states = 0;
  uint64_t generated_states = 0;      // these, and one for every transition
  uint64_t transitions = 0;           // applied actions, self-loops included
  uint64_t transitions_no_loops = 0;  // … left out
  uint64_t terminal_states = 0;       // distinct; 0 for run-based strategies that do not store them
  // Steps: bfs, from an initial state to the farthest state; dfs, of the longest path on which a
  // state was met for the first time; other strategies, of the longest run.
  uint32_t depth = 0;
  uint64_t runs = 0;
  // Of run-based strategies: how many runs show a violation (one, unless they keep going); the
  // first of them, from 1 on, and how many steps all runs had taken by then.
  uint64_t violating_runs = 0;
  uint64_t first_violating_run = 0;
  uint64_t first_violating_step = 0;
  double seconds = 0;
  // All that could have occurred, by what was declared; empty for raw models.
  std::vector<StepCount> steps;

  bool complete = false;  // everything within the constraint was explored
  bool constrained = false;
  std::vector<Bound> bounds;         // why it is not complete; empty if it is
  double collision_probability = 0;  // that two different states shared a fingerprint
  uint64_t handler_calls = 0;
  uint64_t table_bytes = 0;  // visited set with parent links
  uint64_t bytes = 0;        // everything that was counted, when it was most
  uint64_t disk_bytes = 0;   // visited states that were spilled
  std::vector<PropertyResult> properties;
  std::vector<Violation> violations;
  std::optional<Trouble> trouble = {};  // the first that there was: nothing was explored after it
  std::vector<std::string> notes;
  std::optional<Learning> learning = {};
  std::vector<PortfolioMember> members = {};
  std::vector<Hitting> hitting = {};
  // What was assumed of runs that go on for ever, in a sentence; "": nothing was decided of them.
  std::string assumption = {};
  // The graph of states and steps in which they were looked for; all 0 where there was none.
  struct RunGraph {
    uint64_t states = 0;
    uint64_t edges = 0;
    uint64_t bytes = 0;
    double seconds = 0;  // to make it, and to look for runs in it
  };
  RunGraph run_graph = {};
  // A replay that did not go as its trace has it: where and why. Empty: it did, or it is none.
  std::string divergence;

  bool ended_by(Bound::Kind kind) const;  // whether one of the bounds is of that kind
};

// An Error: the options or the system make no sense (unknown strategy, a system that cannot start).
Result<Report> check(const Checkable& subject, const Options& options = {});
// The options that check() would explore the subject with, the strategy chosen. An Error: what it
// would refuse before it begins. Nothing is explored but the way of the guide.
Result<Options> prepare(const Checkable& subject, const Options& options = {});

// The strategies check() knows, with one line each for --help.
struct StrategyInfo {
  std::string name;
  std::string what;
  bool stateful;
  std::string preserves;  // what a clean, complete result may claim
};
const std::vector<StrategyInfo>& strategies();
// Which strategy may claim what: docs/reference/strategies.md. check() refuses by the same table.
std::string strategies_markdown();

// Replays a trace exactly: matches every action by identity, verifies every digest.
struct ReplayResult {
  bool reproduced = false;   // the whole trace was followed, and its verdict is the same
  uint32_t diverged_at = 0;  // the step (from 1) that could not be followed; 0: none
  std::string why;           // what differed there, or how the verdict differs
  Trace trace;               // the run as it went, with fresh details
};
Result<ReplayResult> replay(const Checkable& subject, const Trace& trace);

// The choices by which this subject takes the actions of a trace, each found by what it is. An
// Error names the first step that it cannot take. States need not be those of the trace (other
// budgets, another version): only replay() is strict about them.
Result<ShortForm> follow(const Checkable& subject, const Trace& trace);

// Runs the choices and records everything: the way from a short form to a Trace.
Result<Trace> record(const Checkable& subject, const ShortForm& choices, const Options& options);

}  // namespace ordeal
