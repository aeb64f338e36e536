// run() of ordeal/scenario_run.h, for those who change scenarios first.
#pragma once

#include <vector>

#include "ordeal/scenario_run.h"

namespace ordeal::explore {

// That a filter of `left_out` (by number) never fired is no news.
Result<ScenarioReport> run_scenario(const Scenario& scenario, const Checkable& subject,
                                    const Options& options, const std::vector<bool>& left_out);

}  // namespace ordeal::explore
