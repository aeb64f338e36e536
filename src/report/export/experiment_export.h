// The results of an experiment for documents and other programs. The same text for the same trials:
// without times.
#pragma once

#include <string>

#include "experiment/tables.h"

namespace ordeal::report {

// `command`: how to have it again. Pictures are named as growth_file() has them.
std::string experiment_markdown(const experiment::Plan& plan,
                                const experiment::ExperimentResults& results,
                                const std::string& command);
// A line for every trial.
std::string experiment_csv(const experiment::Plan& plan,
                           const experiment::ExperimentResults& results);
// Everything: the plan, trials with their curves, tables.
std::string experiment_json(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results);

}  // namespace ordeal::report
