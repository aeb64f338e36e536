// Maps of where strategies were, from the rows that trials have of them.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "experiment/tables.h"

namespace ordeal::experiment {
namespace {

constexpr size_t kMostCells = 250'000;  // of the grids of a map

// By grid, row and column; of a map without grids, the grid is 0.
using MapCells = std::map<int64_t, std::map<std::pair<int64_t, uint64_t>, double>>;

struct MapSize {
  bool has_grids = false;
  size_t rows = 0;
  size_t columns = 0;
};

void add_cells(const TrialRecord& trial, double weight, MapCells& cells, MapSize& size) {
  for (const auto& [name, points] : trial.curves) {
    const auto row = map_row_in(kMapStates, name);
    if (!row || row->empty() || row->size() > 2) continue;
    size.has_grids = size.has_grids || row->size() == 2;
    size.rows = std::max(size.rows, static_cast<size_t>(row->back()) + 1);
    for (const CurvePoint& point : points) {
      size.columns = std::max(size.columns, static_cast<size_t>(point.step) + 1);
      const int64_t grid = row->size() == 2 ? row->front() : 0;
      cells[grid][{row->back(), point.step}] += point.value * weight;
    }
  }
}

}  // namespace

Result<void> add_maps(const Plan& plan, size_t subject, ExperimentResults& out) {
  if (!plan.file.subjects[subject].map) return {};
  const size_t strategies = plan.file.strategies.size();
  std::vector<MapCells> all(strategies);
  MapSize size;
  std::map<int64_t, bool> grids;
  for (size_t i = 0; i < strategies; ++i) {
    const auto& trials = out.trials[subject * strategies + i];
    for (const TrialRecord& trial : trials) {
      add_cells(trial, 1 / static_cast<double>(trials.size()), all[i], size);
    }
    for (const auto& [grid, cells] : all[i]) grids[grid] = true;
  }
  if (size.rows * size.columns * grids.size() > kMostCells) {
    return Error{"the map of " + one_line(plan.file.subjects[subject].label) + " has " +
                 counted(grids.size(), "grid") + " of " + grouped(size.rows) + " × " +
                 grouped(size.columns) + " places; " + grouped(kMostCells) +
                 " can be drawn, and a coarser colouring has fewer"};
  }
  for (size_t i = 0; i < strategies; ++i) {
    PlaceMap& map = out.maps.emplace_back();
    map.subject = subject;
    map.strategy = i;
    for (const auto& [number, met] : grids) {
      PlaceMap::Grid& grid = map.grids.emplace_back();
      if (size.has_grids) grid.title = std::to_string(number);
      grid.rows = size.rows;
      grid.columns = size.columns;
      grid.states.resize(size.rows * size.columns);
      for (const auto& [place, states] : all[i][number]) {
        grid.states[static_cast<size_t>(place.first) * size.columns + place.second] = states;
      }
    }
  }
  return {};
}

}  // namespace ordeal::experiment
