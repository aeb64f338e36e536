#include "report/page/experiment_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/draw/growth_plot.h"
#include "report/experiment_words.h"
#include "report/page/experiment_script.h"

namespace ordeal::report {
namespace {

std::string table_markup(const WordTable& table) {
  std::string out = fmt::format("<h2>{}</h2>\n", escape_markup(table.title));
  for (const std::string& sentence : table.before) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escape_markup(sentence));
  }
  out += "<table>\n<thead><tr>";
  for (const std::string& cell : table.head) {
    out += fmt::format("<th scope=\"col\">{}</th>", escape_markup(cell));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += fmt::format("<td>{}</td>", escape_markup(cell));
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
  for (const std::string& sentence : table.after) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escape_markup(sentence));
  }
  return out;
}

// The plots as data, which cannot end the element that they stand in.
std::string plots_json(const std::vector<LinePlot>& plots) {
  nlohmann::json out = nlohmann::json::array();
  for (const LinePlot& plot : plots) {
    nlohmann::json series = nlohmann::json::array();
    for (const PlotSeries& one : plot.series) {
      nlohmann::json points = nlohmann::json::array();
      for (const PlotPoint& point : one.points) {
        points.push_back({point.x, point.y, point.low, point.high});
      }
      series.push_back({{"name", one.name}, {"band", one.band}, {"points", std::move(points)}});
    }
    out.push_back({{"title", plot.title}, {"x", plot.x.title}, {"series", std::move(series)}});
  }
  std::string text;
  for (const char c : out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else if (c == '&') {
      text += "\\u0026";
    } else {
      text += c;
    }
  }
  return text;
}

// A picture, as a part of the page. REQUIRES: there is something to draw.
std::string picture_markup(const Result<std::string>& svg) {
  std::string picture = svg ? *svg : "";
  if (const size_t begin = picture.find("<svg"); begin != picture.npos) picture.erase(0, begin);
  return picture;
}

}  // namespace

std::string experiment_page(const experiment::Plan& plan,
                            const experiment::ExperimentResults& results,
                            const std::string& command) {
  const std::string name = escape_markup(plan.file.name);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      name, kExperimentStyle, name);
  if (!plan.file.what.empty()) out += fmt::format("<p>{}</p>\n", escape_markup(plan.file.what));
  out += fmt::format("<pre>{}</pre>\n<ul>\n", escape_markup(one_line(command)));
  for (const std::string& sentence : plan_words(plan)) {
    out += fmt::format("<li>{}</li>\n", escape_markup(sentence));
  }
  out += "</ul>\n";
  std::vector<LinePlot> plots;
  for (const experiment::Growth& growth : results.growth) {
    plots.push_back(growth_plot(plan, growth));
    out += fmt::format("<h2>{}</h2>\n<div class=\"plot\">{}</div>\n",
                       escape_markup(plots.back().title),
                       picture_markup(to_svg(plots.back())));  // for those who run no scripts
  }
  for (const experiment::PlaceMap& map : results.maps) {
    if (map.grids.empty()) continue;
    const HeatMap drawn = place_map(plan, results, map);
    out += fmt::format("<h2>{}</h2>\n<div class=\"map\">{}</div>\n", escape_markup(drawn.title),
                       picture_markup(to_svg(drawn)));
  }
  for (const WordTable& table : word_tables(plan, results)) out += table_markup(table);
  out += fmt::format("<script type=\"application/json\" id=\"plots\">{}</script>\n",
                     plots_json(plots));
  return out + fmt::format("<script>{}</script>\n</body>\n</html>\n", kExperimentScript);
}

}  // namespace ordeal::report
