// Plots and heat maps: that their markup is sound, and that everything is where its numbers say.
#include "report/draw/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "tests/tools/report/markup.h"

namespace ordeal::report {
namespace {

using sample::has;
using sample::kHostile;
using sample::markup_offence;

using Texts = std::vector<std::string>;

std::vector<std::smatch> all_of(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()};
}

std::vector<double> numbers_in(std::string text) {
  std::vector<double> out;
  for (const std::smatch& match : all_of(text, "-?[0-9]+\\.[0-9]+")) {
    out.push_back(std::stod(match.str()));
  }
  return out;
}

// The pixels of a path, two numbers each. A path is long, and a regular expression goes a call
// deeper with each of its characters: only what stands before it is looked for by one.
std::vector<double> path_of(const std::string& svg, size_t series, const std::string& style) {
  const std::string mark = "data-series=\"" + std::to_string(series) + "\"";
  const auto found = all_of(
      svg, style == "band" ? "class=\"band [^\"]*\" " + mark + " d=\""
                           : mark + "><title>[^<]*</title>\\s*<path class=\"" + style + "\" d=\"");
  if (found.empty()) return {};
  const size_t begin = static_cast<size_t>(found[0].position() + found[0].length());
  return numbers_in(svg.substr(begin, svg.find('"', begin) - begin));
}

// What the labels of an axis say: the value of a pixel, by the first and the last of them.
struct Ruler {
  double pixel1 = 0, value1 = 0, pixel2 = 1, value2 = 1;
  bool logarithmic = false;
  double value(double pixel) const {
    const double share = (pixel - pixel1) / (pixel2 - pixel1);
    return logarithmic ? value1 * std::pow(value2 / value1, share)
                       : value1 + share * (value2 - value1);
  }
};
double number_of(std::string text) {
  std::erase(text, ',');
  const double unit = has(text, "M") ? 1e6 : 1;
  if (has(text, "−")) return -std::stod(text.substr(std::string("−").size())) * unit;
  return std::stod(text) * unit;
}
Ruler ruler_of(const std::string& svg, const std::string& axis, bool logarithmic = false) {
  const auto found =
      all_of(svg, "class=\"mut " + axis + "tick\" x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*>([^<]*)<");
  EXPECT_GE(found.size(), 2U);
  if (found.size() < 2) return {};
  // The foot of a label on the y axis is 4 below its line.
  const auto pixel = [&](const std::smatch& match) {
    return axis == "x" ? std::stod(match.str(1)) : std::stod(match.str(2)) - 4;
  };
  return {pixel(found.front()), number_of(found.front().str(3)), pixel(found.back()),
          number_of(found.back().str(3)), logarithmic};
}

void expect_at(const LinePlot& plot, const std::string& svg, double precision) {
  const Ruler x = ruler_of(svg, "x", plot.x.logarithmic);
  const Ruler y = ruler_of(svg, "y", plot.y.logarithmic);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const std::vector<PlotPoint>& points = plot.series[i].points;
    const std::vector<double> drawn = path_of(svg, i, "line");
    ASSERT_EQ(drawn.size(), 2 * points.size()) << svg;
    for (size_t j = 0; j < points.size(); ++j) {
      EXPECT_NEAR(x.value(drawn[2 * j]) / points[j].x, 1, precision) << i << ", " << j;
      EXPECT_NEAR(y.value(drawn[2 * j + 1]) / points[j].y, 1, precision) << i << ", " << j;
    }
  }
}

LinePlot two_lines() {
  return {.title = "Coverage",
          .x = {"steps"},
          .y = {"states"},
          .series = {{"random", {{1000, 300}, {20000, 1700}, {50000, 4100}}},
                     {"bonusmax", {{1000, 400}, {50000, 9100}}}}};
}

TEST(LinePlot, HasItsPointsWhereTheAxesSayTheyAre) {
  const LinePlot plot = two_lines();
  const std::string svg = *to_svg(plot);
  EXPECT_EQ(markup_offence(svg, {}), "");
  expect_at(plot, svg, 0.01);
  EXPECT_EQ(all_of(svg, "<circle").size(), 5U);
  EXPECT_TRUE(has(svg, "<title>bonusmax: 50000, 9100</title>")) << svg;
}

TEST(LinePlot, HasThemThereOnLogarithmicAxesToo) {
  LinePlot plot = two_lines();
  plot.x.logarithmic = plot.y.logarithmic = true;
  const std::string svg = *to_svg(plot);
  EXPECT_EQ(markup_offence(svg, {}), "");
  expect_at(plot, svg, 0.01);
}

TEST(LinePlot, DrawsABandFromItsHighEndsToItsLowEndsAndBelowTheLines) {
  LinePlot plot = two_lines();
  plot.series[0].band = true;
  for (PlotPoint& point : plot.series[0].points) {
    point.low = point.y * 0.8;
    point.high = point.y * 1.3;
  }
  const std::string svg = *to_svg(plot);
  const Ruler y = ruler_of(svg, "y");
  const std::vector<double> band = path_of(svg, 0, "band");
  ASSERT_EQ(band.size(), 12U);
  for (size_t i = 0; i < 3; ++i) {
    const PlotPoint& point = plot.series[0].points[i];
    EXPECT_NEAR(y.value(band[2 * i + 1]), point.high, 20);
    EXPECT_NEAR(y.value(band[2 * (5 - i) + 1]), point.low, 20);
    EXPECT_EQ(band[2 * i], band[2 * (5 - i)]);
  }
  EXPECT_TRUE(path_of(svg, 1, "band").empty());
  EXPECT_LT(svg.find("class=\"band"), svg.find("class=\"line"));
  EXPECT_TRUE(has(svg, "<title>random: 1000, 300 (240 to 390)</title>")) << svg;
}

TEST(LinePlot, CutsABandThatALogarithmicAxisCannotShow) {
  LinePlot plot = two_lines();
  plot.y.logarithmic = plot.series[1].band = true;
  plot.series[1].points = {{1000, 400, -100, 900}, {50000, 9100, 8000, 9900}};
  const std::string svg = *to_svg(plot);
  const Ruler y = ruler_of(svg, "y", true);
  const std::vector<double> band = path_of(svg, 1, "band");
  ASSERT_EQ(band.size(), 8U);
  EXPECT_NEAR(y.value(band[7]), y.value1, 1e-6);  // the foot of the axis
}

TEST(LinePlot, HasEverySeriesInItsLegend) {
  LinePlot plot = two_lines();
  for (int i = 2; i < 20; ++i) plot.series.push_back({"s" + std::to_string(i), {{2000, 500}}});
  plot.series[3].points.clear();  // with nothing to draw
  const std::string svg = *to_svg(plot);
  const auto entries = all_of(svg, "class=\"legend\"[^>]* y=\"([^\"]*)\">([^<]*)<");
  ASSERT_EQ(entries.size(), 20U);
  EXPECT_EQ(entries[0].str(2), "random");
  EXPECT_EQ(entries[19].str(2), "s19");
  const double height =
      numbers_in(all_of(svg, "viewBox=\"0 0 [0-9]+ ([0-9]+)")[0].str(1) + ".0")[0];
  EXPECT_LT(std::stod(entries[19].str(1)), height);
  // Colours come again with another stroke.
  EXPECT_FALSE(path_of(svg, 8, "line d1").empty());
  EXPECT_FALSE(path_of(svg, 16, "line d2").empty());
}

TEST(LinePlot, ThinsWhatNobodyCouldTellApartAndKeepsTheExtremes) {
  LinePlot plot{.title = "", .x = {"x"}, .y = {"y"}, .series = {{"many", {}}}};
  for (int i = 0; i <= 100'000; ++i) {
    plot.series[0].points.push_back({static_cast<double>(i), i == 54'321 ? 900.0 : 100.0 + i % 7});
  }
  const std::string svg = *to_svg(plot);
  const std::vector<double> drawn = path_of(svg, 0, "line");
  EXPECT_LT(drawn.size(), 2 * 4 * 760U);
  const Ruler x = ruler_of(svg, "x");
  const Ruler y = ruler_of(svg, "y");
  double most = 0;
  double where = 0;
  for (size_t i = 0; i < drawn.size(); i += 2) {
    if (i > 0) {
      EXPECT_GE(drawn[i], drawn[i - 2]);
    }
    if (y.value(drawn[i + 1]) > most) {
      most = y.value(drawn[i + 1]);
      where = x.value(drawn[i]);
    }
  }
  EXPECT_NEAR(most, 900, 3);
  EXPECT_NEAR(where, 54'321, 100);
  EXPECT_NEAR(x.value(drawn[drawn.size() - 2]), 100'000, 100);
  EXPECT_FALSE(has(svg, "<circle"));
}

TEST(LinePlot, ShowsOneValueAlone) {
  for (const double value : {0.0, 5.0, -3.0, 1e-9, 1e15}) {
    const LinePlot plot{.title = "", .x = {}, .y = {}, .series = {{"one", {{value, value}}}}};
    const std::string svg = *to_svg(plot);
    EXPECT_EQ(markup_offence(svg, {}), "");
    EXPECT_FALSE(has(svg, "nan") || has(svg, "inf")) << svg;
  }
}

TEST(LinePlot, EscapesNamesAndHasNoScript) {
  LinePlot plot = two_lines();
  plot.title = plot.x.title = plot.y.title = plot.series[0].name = kHostile;
  const std::string svg = *to_svg(plot);
  EXPECT_EQ(markup_offence(svg, {}), "");
  EXPECT_FALSE(has(svg, "<img") || has(svg, "<script") || has(svg, "\x1b") || has(svg, "\xff"));
  EXPECT_TRUE(has(svg, "prefers-color-scheme:dark"));
  EXPECT_EQ(svg, *to_svg(plot));
}

TEST(LinePlot, SaysWhatItCannotDraw) {
  const auto why = [](const LinePlot& plot) {
    const Result<std::string> svg = to_svg(plot);
    return svg ? "drawn" : svg.error().message;
  };
  LinePlot plot = two_lines();
  plot.series[1].points[1].y = NAN;
  EXPECT_EQ(why(plot), "point 2 of series \"bonusmax\" has a number that is not finite");
  plot.series[1].points[1] = {500, 1};
  EXPECT_EQ(why(plot), "point 2 of series \"bonusmax\" lies to the left of the one before it");
  plot.series[1].points[1] = {50000, 0};
  plot.y.logarithmic = true;
  EXPECT_EQ(why(plot),
            "point 2 of series \"bonusmax\" is at 0, which the logarithmic axis \"states\" cannot "
            "show: it needs numbers above 0");
  plot.series[1] = {"x", {{1, 2, 3, 4}}, true};
  EXPECT_EQ(why(plot),
            "point 1 of series \"x\" has the band 3 to 4, which does not hold its value 2");
  EXPECT_EQ(why({.title = "t", .x = {}, .y = {}, .series = {{"empty", {}}}}),
            "the plot \"t\" has no points");
}

TEST(Ticks, AreRoundNumbersWithinTheRange) {
  EXPECT_EQ(round_ticks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(round_ticks(-3, 3, 6), (std::vector<double>{-3, -2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(round_ticks(0.13, 0.31, 4),
            (std::vector<double>{0.15000000000000002, 0.2, 0.25, 0.30000000000000004}));
  EXPECT_EQ(round_ticks(1, 1e6, 6, true), (std::vector<double>{1, 10, 100, 1e3, 1e4, 1e5, 1e6}));
  EXPECT_EQ(round_ticks(3, 70, 5, true), (std::vector<double>{5, 10, 20, 50}));
}

TEST(Ticks, HaveAsManyDigitsAsTellThemApart) {
  EXPECT_EQ(tick_texts({0, 5000, 10000}), (Texts{"0", "5,000", "10,000"}));
  EXPECT_EQ(tick_texts({0.15, 0.2, 0.25}), (Texts{"0.15", "0.20", "0.25"}));
  EXPECT_EQ(tick_texts({0, 500'000, 1'000'000}), (Texts{"0", "0.5M", "1.0M"}));
  EXPECT_EQ(tick_texts({1, 1e3, 1e6}), (Texts{"1", "1,000", "1M"}));
  EXPECT_EQ(tick_texts({-2, 0, 2}), (Texts{"−2", "0", "2"}));
  EXPECT_EQ(tick_texts({0.001, 1, 1000}), (Texts{"0.001", "1", "1,000"}));
}

// --- Heat maps -----------------------------------------------------------------------------------

struct DrawnCell {
  double x = 0, y = 0, width = 0, opacity = 0;
};
std::vector<DrawnCell> cells_of(const std::string& svg, size_t grid) {
  const std::string from = "<g data-grid=\"" + std::to_string(grid) + "\">";
  const size_t begin = svg.find(from);
  EXPECT_NE(begin, std::string::npos);
  const std::string part = svg.substr(begin, svg.find("</g>", begin) - begin);
  std::vector<DrawnCell> out;
  for (const std::smatch& match :
       all_of(part,
              "class=\"cell\" x=\"([^\"]*)\" y=\"([^\"]*)\" width=\"([^\"]*)\" [^>]*"
              "fill-opacity=\"([^\"]*)\"")) {
    out.push_back({std::stod(match.str(1)), std::stod(match.str(2)), std::stod(match.str(3)),
                   std::stod(match.str(4))});
  }
  return out;
}

TEST(HeatMap, HasItsCellsInRowsAndColumnsByOneScale) {
  const HeatMap map{
      "cubes", "visits", {{"cube 1", 2, 3, {0, 1, 2, NAN, 0, 10}}, {"cube 2", 1, 2, {5, 0}}}};
  const std::string svg = *to_svg(map);
  EXPECT_EQ(markup_offence(svg, {}), "");
  const std::vector<DrawnCell> first = cells_of(svg, 0);
  ASSERT_EQ(first.size(), 3U);  // those above 0
  const double size = first[0].width;
  EXPECT_EQ(first[1].x - first[0].x, size);
  EXPECT_EQ(first[1].y, first[0].y);
  EXPECT_EQ(first[2].x, first[1].x);
  EXPECT_EQ(first[2].y - first[1].y, size);
  EXPECT_EQ(first[2].opacity, 1);
  EXPECT_NEAR(first[0].opacity, 0.06 + 0.94 / 10, 0.001);
  const std::vector<DrawnCell> second = cells_of(svg, 1);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_NEAR(second[0].opacity, 0.06 + 0.94 / 2, 0.001);
  EXPECT_GT(second[0].x, first[2].x + size);  // beside it
  EXPECT_EQ(all_of(svg, "class=\"none\"").size(), 1U);
  EXPECT_TRUE(has(svg, "<title>row 2, column 3: 10 visits</title>")) << svg;
  EXPECT_TRUE(has(svg, "cube 1: 3 of 5 cells above 0; cube 2: 1 of 2 cells above 0")) << svg;
}

TEST(HeatMap, ByTheLogarithmTellsSmallNumbersApart) {
  HeatMap map{"", "visits", {{"", 1, 3, {1, 10, 100'000}}}};
  EXPECT_NEAR(cells_of(*to_svg(map), 0)[1].opacity, 0.06, 0.001);
  map.logarithmic = true;
  EXPECT_NEAR(cells_of(*to_svg(map), 0)[1].opacity,
              0.06 + 0.94 * std::log(11.0) / std::log(100'001.0), 0.001);
}

TEST(HeatMap, BeginsANewRowWhereGridsHaveNoRoom) {
  HeatMap map{"", "", {}};
  for (int i = 0; i < 7; ++i) map.grids.push_back({"g", 10, 10, std::vector<double>(100, 1)});
  const std::string svg = *to_svg(map);
  EXPECT_EQ(cells_of(svg, 0)[0].x, cells_of(svg, 4)[0].x);
  EXPECT_GT(cells_of(svg, 4)[0].y, cells_of(svg, 0)[99].y);
}

TEST(HeatMap, EscapesNamesAndShowsGridsOfNothing) {
  const HeatMap map{kHostile, kHostile, {{kHostile, 1, 1, {0}}, {kHostile, 1, 1, {2}}}};
  const std::string svg = *to_svg(map);
  EXPECT_EQ(markup_offence(svg, {}), "");
  EXPECT_FALSE(has(svg, "<img") || has(svg, "\x1b"));
  const std::string nothing = *to_svg(HeatMap{"", "", {{"", 1, 2, {0, NAN}}}});
  EXPECT_EQ(markup_offence(nothing, {}), "");
  EXPECT_FALSE(has(nothing, "nan")) << nothing;
}

TEST(HeatMap, SaysWhatItCannotDraw) {
  const auto why = [](const HeatMap& map) {
    const Result<std::string> svg = to_svg(map);
    return svg ? "drawn" : svg.error().message;
  };
  EXPECT_EQ(why({"m", "", {}}), "the heat map \"m\" has no grid");
  EXPECT_EQ(why({"", "", {{"g", 0, 3, {}}}}), "grid \"g\" has no cells");
  EXPECT_EQ(why({"", "", {{"g", 2, 2, {1, 2, 3}}}}),
            "grid \"g\" has 3 cells, and 2 rows of 2 need 4");
  EXPECT_EQ(why({"", "", {{"g", 1, 2, {1, -2}}}}),
            "grid \"g\", row 1, column 2 is -2: cells are finite and not below 0");
}

}  // namespace
}  // namespace ordeal::report
