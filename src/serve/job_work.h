// What jobs do.
#pragma once

#include <vector>

#include "ordeal/check.h"
#include "serve/job.h"
#include "suite/choose.h"

namespace ordeal::serve {

Result<void> run_check(const Chosen& chosen, Options options, Job& job);
// One after the other. One that cannot be run does not end the others.
Result<void> run_scenarios(const std::vector<Ready>& ready, Options options, Job& job);

}  // namespace ordeal::serve
