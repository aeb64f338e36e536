#include "experiment/plan.h"

namespace ordeal::experiment {

TrialSet Plan::trials() const {
  TrialSet out;
  out.seed = file.seed;
  out.side_by_side = side_by_side;
  for (const PlanCell& cell : cells) {
    TrialCell& one = out.cells.emplace_back();
    one.key = cell.key;
    one.options = cell.options;
    one.trials = cell.trials;
    one.unit = unit;
    one.by_clock = file.budget.kind == Budget::Kind::kSeconds;
    one.build = subjects[cell.subject].build;
  }
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
