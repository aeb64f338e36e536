#include "experiment/plan.h"

namespace ordeal::experiment {

TrialCell Plan::trial_cell(const PlanCell& cell) const {
  TrialCell out;
  out.key = cell.key;
  out.options = cell.options;
  out.trials = cell.trials;
  out.unit = unit;
  out.by_clock = file.budget.kind == Budget::Kind::kSeconds;
  if (const auto& map = file.subjects[cell.subject].map) out.map = map->value;
  out.build = subjects[cell.subject].build;
  return out;
}

TrialSet Plan::trials() const {
  TrialSet out;
  out.seed = file.seed;
  out.side_by_side = side_by_side;
  for (const PlanCell& cell : cells) out.cells.push_back(trial_cell(cell));
  return out;
}

Result<PlanOutcome> run_plan(const Plan& plan, ResultsStore& store, const NewExperiment& about,
                             bool resume, const TrialsOptions& options) {
  const TrialSet set = plan.trials();
  Result<StoreKeeper> keeper = StoreKeeper::open(store, about, resume, set);
  if (!keeper) return keeper.error();
  const auto ran = run_trials(set, *keeper, options);
  if (!ran) return ran.error();
  return PlanOutcome{keeper->experiment(), ran->before, ran->done, ran->all};
}

}  // namespace ordeal::experiment
