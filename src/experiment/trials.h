// Trials, many of them: what experiments from files and comparisons of strategies have in common. A
// cell is a subject with a strategy and a budget; a trial of it is one check() with one seed. All
// trials of all cells go side by side, and each is kept as soon as it is finished: in memory, or in
// a store, where what was stopped or killed goes on with those that are missing. What a trial comes
// to depends on its cell and its seed alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiment/measures.h"
#include "experiment/results_store.h"
#include "experiment/statistics.h"
#include "explore/run/run_counts.h"
#include "ordeal/check.h"
#include "ordeal/compare.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::experiment {

struct TrialCell {
  CellKey key;          // what a store knows it by
  Options options;      // all but the seed
  uint64_t trials = 0;  // one, where the strategy does not draw
  // What the cost of a trial is told in: episodes, states or steps.
  Budget::Kind unit = Budget::Kind::kEpisodes;
  std::string map = {};   // by which it is told where runs were: a colouring; "": it is not
  bool by_clock = false;  // time is its budget: else a trial that time ends was cut
  // For every trial, by any thread: trials share nothing.
  std::function<Result<std::shared_ptr<const Checkable>>()> build;
};

// What is to be counted of a trial beside its report.
explore::RunCounts counts_for(const TrialCell& cell);

struct TrialSet {
  std::vector<TrialCell> cells;
  uint64_t seed = 0;         // of the first trial of each cell; the others follow it
  bool side_by_side = true;  // trials may go on threads of one process

  uint64_t trials() const;
};
// What cannot be saved may run in processes of its own, and a process with many threads is not to
// be copied.
bool fits_side_by_side(const Checkable& subject);

// What a report of a trial comes to, and what was counted. REQUIRES: it was not interrupted.
TrialRecord record_of(const TrialCell& cell, const Report& report,
                      const explore::RunCounts& counts);
// … in few: what it cost until the first violation, or how it ended without one. Of one property
// alone, where it is told: others are passed over.
Trial trial_of(const TrialRecord& record, Budget::Kind unit, const std::string& property = "");
// Time or memory ended it, and neither was its budget.
bool was_cut(const TrialRecord& record);
// As it is compared: what was not found is known to take more than the trial did.
Observation observation_of(const Trial& trial);

// Where finished trials go.
class TrialKeeper {
 public:
  virtual ~TrialKeeper() = default;
  // The seeds of the trials that are there, in order.
  virtual Result<std::vector<uint64_t>> finished(size_t cell) = 0;
  virtual Result<void> keep(size_t cell, TrialRecord trial) = 0;
  // By cells, by seed: those that the set asks for, of which some may be missing.
  virtual Result<std::vector<std::vector<TrialRecord>>> trials() = 0;
};

class MemoryKeeper : public TrialKeeper {
 public:
  explicit MemoryKeeper(const TrialSet& set) : trials_(set.cells.size()) {}
  Result<std::vector<uint64_t>> finished(size_t cell) override;
  Result<void> keep(size_t cell, TrialRecord trial) override;
  Result<std::vector<std::vector<TrialRecord>>> trials() override { return trials_; }

 private:
  std::vector<std::vector<TrialRecord>> trials_;
};

// REQUIRES: store and set outlive it.
class StoreKeeper : public TrialKeeper {
 public:
  // A new experiment, or, to be gone on with, the last one of this name and definition. An Error:
  // that was begun by another version, or the store cannot be written.
  static Result<StoreKeeper> open(ResultsStore& store, const NewExperiment& about, bool resume,
                                  const TrialSet& set);
  // One that is there.
  static Result<StoreKeeper> of(ResultsStore& store, int64_t experiment, const TrialSet& set);

  int64_t experiment() const { return experiment_; }
  Result<std::vector<uint64_t>> finished(size_t cell) override;
  Result<void> keep(size_t cell, TrialRecord trial) override;
  Result<std::vector<std::vector<TrialRecord>>> trials() override;

 private:
  StoreKeeper(ResultsStore& store, int64_t experiment, const TrialSet& set)
      : store_(&store), experiment_(experiment), set_(&set) {}

  ResultsStore* store_;
  int64_t experiment_;
  const TrialSet* set_;
  std::vector<int64_t> cells_;  // in the store
};

struct TrialsProgress {
  double seconds = 0;
  uint64_t done = 0;  // trials, those of before included
  uint64_t all = 0;
  size_t cell = 0;  // of the trial that was begun last
};

struct TrialsOptions {
  int threads = 0;  // trials side by side; 0: as many as there are cores
  // A trial that check() refuses is told of, and the others go on; else it is an Error.
  bool collects_refusals = false;
  std::function<void(const TrialsProgress&)> progress = {};  // from the calling thread
  const std::atomic<bool>* stop = nullptr;
};

struct TrialsOutcome {
  uint64_t before = 0;  // trials that were there already
  uint64_t done = 0;    // trials that are there now, or were refused
  uint64_t all = 0;
  std::vector<std::string> refused;  // by cells: why its first trial that was, was
  double seconds = 0;
};

// An Error: a trial cannot be kept, or is refused. Trials that were finished stay where they are.
Result<TrialsOutcome> run_trials(const TrialSet& set, TrialKeeper& keeper,
                                 const TrialsOptions& options);

}  // namespace ordeal::experiment
