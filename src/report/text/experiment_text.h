// The tables of an experiment for a terminal.
#pragma once

#include <string>

#include "experiment/tables.h"

namespace ordeal::report {

std::string experiment_text(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results);

}  // namespace ordeal::report
