// The subjects that an experiment's file names, looked up in a suite.
#pragma once

#include <vector>

#include "experiment/experiment_file.h"
#include "experiment/plan.h"
#include "ordeal/result.h"
#include "ordeal/suite.h"

namespace ordeal {

// An Error, with its place in the file: there is no such subject, parameter or bug, or a value is
// none. REQUIRES: the suite outlives what is returned.
Result<std::vector<experiment::PlanSubject>> subjects_of(const Suite& suite,
                                                         const experiment::ExperimentFile& file);

}  // namespace ordeal
