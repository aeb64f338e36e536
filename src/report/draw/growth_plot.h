// How measures of an experiment grew, as plots.
#pragma once

#include <string>

#include "experiment/tables.h"
#include "report/draw/plot.h"

namespace ordeal::report {

LinePlot growth_plot(const experiment::Plan& plan, const experiment::Growth& growth);
// "coverage-cube-world.svg": of letters, digits, '-' and '_' only, and different for each.
std::string growth_file(const experiment::Plan& plan, const experiment::Growth& growth);

}  // namespace ordeal::report
