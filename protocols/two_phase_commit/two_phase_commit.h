// Two-phase commit in two forms: a raw model (model.h) and nodes (nodes.h).
#pragma once

#include <vector>

#include "ordeal/model.h"
#include "ordeal/suite.h"
#include "protocols/two_phase_commit/model.h"

namespace ordeal::protocols::two_phase_commit {

// The raw form with its properties.
Model<TwoPhaseCommit> model(int managers, Planted bug = Planted::kNone);

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::two_phase_commit
