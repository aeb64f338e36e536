// How measures of an experiment grew, as plots, and where its strategies were, as heat maps.
#pragma once

#include <string>

#include "experiment/tables.h"
#include "report/draw/plot.h"

namespace ordeal::report {

LinePlot growth_plot(const experiment::Plan& plan, const experiment::Growth& growth);
// "coverage-cube-world.svg": of letters, digits, '-' and '_' only, and different for each.
std::string growth_file(const experiment::Plan& plan, const experiment::Growth& growth);

// Of one strategy, with the scale of all on that subject.
HeatMap place_map(const experiment::Plan& plan, const experiment::ExperimentResults& results,
                  const experiment::PlaceMap& map);
// "map-cube-world_bonusmax.svg", likewise.
std::string map_file(const experiment::Plan& plan, const experiment::PlaceMap& map);

}  // namespace ordeal::report
