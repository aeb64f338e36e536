// A plan: an experiment's file and the subjects that it names, made into cells of trials
// (trials.h). Every finished trial is in the store at once, so that a plan that was killed goes on
// with those that are missing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiment/experiment_file.h"
#include "experiment/results_store.h"
#include "experiment/trials.h"
#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::experiment {

// A subject of the file, ready to be built: for every trial, by any thread.
struct PlanSubject {
  std::string words;  // "raft --servers 3": what the user would type
  bool has_bug = false;
  std::function<Result<std::shared_ptr<const Checkable>>()> build;
};

// A subject with a strategy.
struct PlanCell {
  size_t subject = 0;   // of the file
  size_t strategy = 0;  // of the file
  CellKey key;
  Options options;      // all but the seed
  uint64_t trials = 0;  // one, where the strategy does not draw
};

struct Plan {
  ExperimentFile file;
  std::vector<PlanSubject> subjects;  // one for each of the file
  std::vector<Measure> measures;
  std::vector<PlanCell> cells;  // by subjects, then strategies
  bool keeps_going = false;     // trials go on after a violation
  // What the first violation is told in: steps or states where those are the budget, else episodes.
  Budget::Kind unit = Budget::Kind::kEpisodes;
  bool side_by_side = true;  // trials may go on threads of one process

  TrialSet trials() const;
  TrialCell trial_cell(const PlanCell& cell) const;
  std::string definition() const;  // what a store knows it by
};

// An Error, with its place in the file: an option or a name that a subject has no use for, a
// strategy that the budget or the measures do not fit. Every cell is tried out for an episode.
Result<Plan> make_plan(ExperimentFile file, std::vector<PlanSubject> subjects);

struct PlanOutcome {
  int64_t experiment = 0;  // in the store
  uint64_t before = 0;     // trials that were there already
  uint64_t done = 0;       // trials that are there now
  uint64_t all = 0;

  bool is_complete() const { return done == all; }
};

// `about`: with the name and the definition of the plan. With `resume`, the experiment of that name
// and definition is gone on with. An Error: the store cannot be written, a trial failed, or the
// experiment that is to be gone on with was begun by another version. Trials that were finished
// stay in the store.
Result<PlanOutcome> run_plan(const Plan& plan, ResultsStore& store, const NewExperiment& about,
                             bool resume, const TrialsOptions& options);

}  // namespace ordeal::experiment
