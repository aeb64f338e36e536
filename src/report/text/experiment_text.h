// The tables of an experiment for a terminal.
#pragma once

#include <string>

#include "experiment/stored_comparison.h"
#include "experiment/tables.h"

namespace ordeal::report {

std::string experiment_text(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results);
std::string comparison_text(const experiment::StoredComparison& comparison);

}  // namespace ordeal::report
