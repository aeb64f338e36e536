#include "report/draw/growth_plot.h"

#include <algorithm>
#include <string>

namespace ordeal::report {
namespace {

std::string plain_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (keeps) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out.substr(0, 60);
}

// Of what has a label, for the name of a file. Labels that look alike then are told apart by their
// number.
template <class T>
std::string file_word(const std::vector<T>& all, size_t which) {
  const std::string own = plain_word(all[which].label);
  for (size_t i = 0; i < which; ++i) {
    if (plain_word(all[i].label) == own) return own + "-" + std::to_string(which + 1);
  }
  return own;
}

}  // namespace

LinePlot growth_plot(const experiment::Plan& plan, const experiment::Growth& growth) {
  LinePlot plot;
  plot.title =
      plan.file.subjects[growth.subject].label + ": " + experiment::words_for(growth.measure);
  plot.x.title = growth.by_episodes ? "episodes" : "steps";
  plot.y.title = experiment::to_string(growth.measure);
  for (size_t i = 0; i < growth.curves.size(); ++i) {
    if (growth.curves[i].empty()) continue;
    PlotSeries& series = plot.series.emplace_back();
    series.name = plan.file.strategies[i].label;
    series.band = plan.cells[growth.subject * growth.curves.size() + i].trials > 1;
    for (const experiment::GrowthPoint& point : growth.curves[i]) {
      series.points.push_back({point.x, point.mean, point.low, point.high});
    }
  }
  return plot;
}

std::string growth_file(const experiment::Plan& plan, const experiment::Growth& growth) {
  return std::string(experiment::to_string(growth.measure)) + "-" +
         file_word(plan.file.subjects, growth.subject) + ".svg";
}

HeatMap place_map(const experiment::Plan& plan, const experiment::ExperimentResults& results,
                  const experiment::PlaceMap& map) {
  HeatMap out;
  const experiment::FileSubject& subject = plan.file.subjects[map.subject];
  out.title = plan.file.strategies[map.strategy].label + " on " + subject.label + ", by " +
              (subject.map ? subject.map->value : "");
  out.unit = plan.file.trials > 1 ? "abstract states, the mean over trials" : "abstract states";
  for (const experiment::PlaceMap::Grid& grid : map.grids) {
    out.grids.push_back({grid.title, grid.rows, grid.columns, grid.states});
  }
  for (const experiment::PlaceMap& other : results.maps) {
    if (other.subject != map.subject) continue;
    for (const experiment::PlaceMap::Grid& grid : other.grids) {
      for (const double states : grid.states) out.full = std::max(out.full, states);
    }
  }
  return out;
}

std::string map_file(const experiment::Plan& plan, const experiment::PlaceMap& map) {
  return "map-" + file_word(plan.file.subjects, map.subject) + "_" +
         file_word(plan.file.strategies, map.strategy) + ".svg";
}

}  // namespace ordeal::report
