// Measurements as pictures: lines over an axis, and grids of cells. An SVG text each, complete in
// itself, without scripts, for light and for dark pages; the same text for the same numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ordeal/result.h"

namespace ordeal::report {

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // of the band, where the series has one
  double high = 0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;  // from left to right
  bool band = false;              // between low and high; both around y
};

struct PlotAxis {
  std::string title;
  bool logarithmic = false;
};

struct LinePlot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  double width = 760;  // with the legend
  double height = 420;
};

// Ticks are round numbers; y begins at 0 unless all is far above. Of a series with more points than
// pixels, what can be told apart is drawn. Names and titles are escaped.
// Errors: nothing to draw, a number that is not finite, points that go back, a band that does not
// hold its line, numbers that a logarithmic axis cannot show (of a band, these are cut off).
Result<std::string> to_svg(const LinePlot& plot);

struct HeatGrid {
  std::string title;
  size_t rows = 0;
  size_t columns = 0;
  std::vector<double> cells;  // row by row, from above; NaN: there is no such cell
};

struct HeatMap {
  std::string title;
  std::string unit;  // of the cells: "visits"
  std::vector<HeatGrid> grids;
  bool logarithmic = false;  // intensity by the logarithm: for numbers of many sizes
  double full = 0;           // as much as this, where several maps have one scale
};

// Side by side, with one scale for all: 0 is empty, the largest number of all grids is full, or
// that which the map names, if it is larger. Errors: no grid, a grid without cells or with more or
// fewer than it says, cells below 0 or infinite.
Result<std::string> to_svg(const HeatMap& map);

// From `low` to `high`, at round numbers, about as many as asked for: what axes are labelled with.
// Logarithmic: powers of ten, and where these are few, also their double and fivefold.
// REQUIRES: low < high, both finite; logarithmic: 0 < low.
std::vector<double> round_ticks(double low, double high, size_t about, bool logarithmic = false);
// "12,000", "0.25", "1.5M": each with as many digits as tell them apart.
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

}  // namespace ordeal::report
