// compare(): how many runs does each strategy need until it meets a violation?
//
//   Contest contest{.name = "forget-promise", .build = forgetful_paxos};
//   Result<Comparison> comparison = compare({contest}, {.trials = 20, .max_runs = 10'000});
//   if (comparison) std::cout << to_text(*comparison);
//
// A trial is one check() with one seed, until the first violation or until a bound. What a trial
// costs is the number of its runs, the one with the violation included; strategies that store
// states have no runs, and count distinct states instead: such numbers are never compared with
// runs. A trial that found nothing is censored: it says "more than so many", and counts as that in
// medians and tests. The result depends on the seeds alone, not on the number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal {

// A strategy of check(), or a form of one: prefix-random is prefix that picks at random.
struct Contestant {
  std::string name;
  std::string strategy;
  std::map<std::string, std::string> settings = {};  // options that make it this form
  bool seeded = false;   // it draws from the seed; else all trials are one
  bool by_runs = false;  // it has runs; else distinct states are counted
};
// Every strategy of check(), those by runs first.
const std::vector<Contestant>& contestants();

// Something to be found: a planted bug, with the parameters that let it show.
struct Contest {
  std::string name = {};     // "paxos forget-promise"
  std::string command = {};  // how to see it alone: "check paxos --crash 3 --bug forget-promise"
  std::string subject = {};
  std::string bug = {};
  std::string scenario = {};  // under whose filters it is looked for; "": under none
  uint32_t max_depth = 0;     // of a run; 0: as CompareOptions says
  // Called for every trial, by any thread: trials share nothing.
  std::function<Result<std::shared_ptr<const Checkable>>()> build = {};
};

struct CompareProgress {
  double seconds = 0;
  uint64_t done = 0;  // trials
  uint64_t all = 0;
  std::string contest;  // of the trial that was begun last
  std::string contestant;
};

struct CompareOptions {
  std::vector<std::string> strategies = {};  // names of contestants; empty: all
  std::string baseline = "random";           // whom the others are tested against
  uint64_t trials = 20;                      // with seeds seed, seed + 1, …
  uint64_t seed = 0;
  uint64_t max_runs = 10'000;       // of a trial
  uint64_t max_states = 1'000'000;  // of a trial of a strategy that stores states
  uint32_t max_depth = 0;           // of a run; 0: as check()
  // Bounds of a trial for safety: what they cut depends on the machine, and is told.
  double max_seconds = 0;
  uint64_t max_bytes = 0;
  // Of those strategies that have them, as in Options.
  uint32_t bug_depth = 0;
  uint64_t max_events = 0;
  std::optional<uint32_t> delays = {};
  std::map<std::string, std::string> strategy_options = {};
  int threads = 0;  // trials side by side; 0: as many as there are cores
  std::function<void(const CompareProgress&)> progress = {};  // from the calling thread
  const std::atomic<bool>* stop = nullptr;
};

struct Trial {
  enum class End : uint8_t {
    kFound,
    kCapped,     // max_runs, or max_states
    kExhausted,  // the strategy has no more runs or states: it never finds it
    kCut,        // by time or memory
  };
  uint64_t seed = 0;
  End end = End::kCapped;
  uint64_t effort = 0;   // runs, or distinct states
  uint64_t steps = 0;    // applied actions
  std::string property;  // kFound: what is violated
  std::string cut;       // kCut: by what
};
const char* to_string(Trial::End end);  // "found", "capped", "exhausted", "cut"

// A contestant's trials against those of the baseline, by runs.
struct Against {
  double u = 0;    // Mann and Whitney's: pairs of trials that the contestant wins, ties as halves
  double a12 = 0;  // Vargha and Delaney's: the share of such pairs; above 0.5: fewer runs
  // Two-sided, exact up to 120 trials together; none where one side has no trials by seed.
  std::optional<double> p = {};
  std::optional<double> p_holm = {};  // corrected for the number of tests in this contest
};

struct Score {
  Contestant who;
  std::string refused;        // why it does not fit this contest; then there are no trials
  std::vector<Trial> trials;  // by seed; fewer than asked for where it was stopped
  uint64_t found = 0;         // trials
  // Over all trials, those that found nothing included; 0 without trials.
  double median = 0;
  bool median_censored = false;  // it is above `median`
  uint64_t least = 0;            // of those that found it
  uint64_t most = 0;
  double median_steps = 0;  // of all trials, as far as they went
  std::optional<Against> against = {};
};

struct ContestResult {
  Contest contest;
  std::vector<Score> scores;  // one for each contestant, in their order
};

struct Comparison {
  CompareOptions options;
  std::vector<Contestant> contestants;
  std::vector<ContestResult> results;
  bool partial = false;  // stopped: trials are missing
  uint64_t trials_done = 0;
  uint64_t trials_all = 0;
  double seconds = 0;
};

// An Error: the options make no sense, or a contest cannot be built.
Result<Comparison> compare(std::vector<Contest> contests, const CompareOptions& options = {});

// One contest in full; of several, a line each.
std::string to_text(const Comparison& comparison);
// A table of all, then each in full. The same text for the same trials: without times.
std::string to_markdown(const Comparison& comparison);
std::string to_json(const Comparison& comparison);
std::string to_csv(const Comparison& comparison);  // a line for every trial

}  // namespace ordeal
