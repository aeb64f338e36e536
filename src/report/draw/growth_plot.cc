#include "report/draw/growth_plot.h"

namespace ordeal::report {

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
  const auto plain = [](const std::string& text) {
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
  };
  const std::string own = plain(plan.file.subjects[growth.subject].label);
  std::string name = std::string(experiment::to_string(growth.measure)) + "-" + own;
  // Labels that look alike now are told apart by their number.
  for (size_t i = 0; i < growth.subject; ++i) {
    if (plain(plan.file.subjects[i].label) != own) continue;
    name += "-" + std::to_string(growth.subject + 1);
    break;
  }
  return name + ".svg";
}

}  // namespace ordeal::report
