// The results of an experiment as one page, complete in itself: tables, and plots that can be
// moved, enlarged and read.
#pragma once

#include <string>

#include "experiment/tables.h"

namespace ordeal::report {

// `command`: how to have it again.
std::string experiment_page(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results,
                            const std::string& command);

}  // namespace ordeal::report
