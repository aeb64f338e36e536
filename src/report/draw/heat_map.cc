#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/draw/plot.h"

namespace ordeal::report {
namespace {

constexpr double kGap = 26;         // between grids
constexpr double kHeatMargin = 18;  // around all
constexpr double kWidest = 1180;    // of a row of grids: what a page of 1280 shows
constexpr double kGridSize = 240;   // that a grid is brought to, as far as cells allow
constexpr double kHeatLine = 17;
constexpr double kHeatCharacter = 7.3;
constexpr size_t kTold = 1024;  // cells of a grid that tell their number each
constexpr int kShades = 6;      // of the key

// A cell is one colour over the background, more or less of it: so light and dark need no ramps of
// their own.
constexpr const char* kHeatStyle = R"css(
.hm{--fg:#1b1f24;--mut:#59636e;--bg:#ffffff;--empty:#f3f5f7;--none:#c9d0d8;--frame:#8a949e;
--heat:#8f1d0b}
@media(prefers-color-scheme:dark){.hm{--fg:#e6e9ed;--mut:#9aa5b1;--bg:#14181d;--empty:#1c2229;
--none:#46505b;--frame:#77828e;--heat:#ffb08a}}
.hm text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
fill:var(--fg)}
.hm .bg{fill:var(--bg)}.hm .title{font-weight:700}.hm .mut{fill:var(--mut)}
.hm .empty{fill:var(--empty)}.hm .frame{fill:none;stroke:var(--frame)}
.hm .cell{fill:var(--heat);shape-rendering:crispEdges}
.hm .none{fill:var(--none);shape-rendering:crispEdges}
)css";

std::string safe_text(const std::string& text) { return escape_markup(one_line(text)); }

std::string number(double value) {
  return value == std::floor(value) && value < 1e15 ? grouped(static_cast<uint64_t>(value))
                                                    : fmt::format("{:.4g}", value);
}

Result<void> check_map(const HeatMap& map) {
  if (map.grids.empty()) {
    return Error{"the heat map " + quoted_for_message(map.title) + " has no grid"};
  }
  for (const HeatGrid& grid : map.grids) {
    const std::string name = "grid " + quoted_for_message(grid.title);
    if (grid.rows == 0 || grid.columns == 0) return Error{name + " has no cells"};
    if (grid.cells.size() / grid.columns != grid.rows || grid.cells.size() % grid.columns != 0) {
      return Error{fmt::format("{} has {}, and {} rows of {} need {}", name,
                               counted(grid.cells.size(), "cell"), grid.rows, grid.columns,
                               grid.rows * grid.columns)};
    }
    for (size_t i = 0; i < grid.cells.size(); ++i) {
      if (std::isnan(grid.cells[i]) || (grid.cells[i] >= 0 && std::isfinite(grid.cells[i]))) {
        continue;
      }
      return Error{fmt::format("{}, row {}, column {} is {}: cells are finite and not below 0",
                               name, i / grid.columns + 1, i % grid.columns + 1, grid.cells[i])};
    }
  }
  return {};
}

class HeatSvg {
 public:
  explicit HeatSvg(const HeatMap& map) : map_(map), most_(map.full) {
    for (const HeatGrid& grid : map.grids) {
      for (double cell : grid.cells) {
        if (cell > most_) most_ = cell;
      }
    }
    lay_out();
  }

  std::string svg() {
    put("<svg class=\"hm\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
        width_, height_, safe_text(description()));
    put("<style>{}</style>\n<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kHeatStyle,
        width_, height_);
    if (!map_.title.empty()) {
      put("<text class=\"title\" x=\"{:.0f}\" y=\"22\">{}</text>\n", kHeatMargin,
          safe_text(map_.title));
    }
    for (size_t i = 0; i < map_.grids.size(); ++i) grid(i);
    key();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  struct Place {
    double x = 0;
    double y = 0;
    double cell = 0;
  };

  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }

  // In rows, as many to a row as there is room for.
  void lay_out() {
    const double top = map_.title.empty() ? kHeatMargin : 36;
    double x = kHeatMargin;
    double y = top;
    double row = 0;
    for (const HeatGrid& grid : map_.grids) {
      const double longer = static_cast<double>(std::max(grid.rows, grid.columns));
      const double cell = std::clamp(std::floor(kGridSize / longer), 2.0, 28.0);
      const double title = kHeatCharacter * static_cast<double>(columns_of(one_line(grid.title)));
      const double width = std::max(cell * static_cast<double>(grid.columns), title);
      const double height = cell * static_cast<double>(grid.rows) + 22;
      if (x > kHeatMargin && x + width + kHeatMargin > kWidest) {
        x = kHeatMargin;
        y += row + kGap;
        row = 0;
      }
      places_.push_back({x, y + 22, cell});
      width_ = std::max(width_, x + width + kHeatMargin);
      x += width + kGap;
      row = std::max(row, height);
    }
    key_ = y + row + 22;
    height_ = key_ + 34;
    const double texts = static_cast<double>(columns_of(one_line(map_.unit)) + 26);
    width_ = std::max(width_, kHeatMargin * 2 + kShades * 28 + texts * kHeatCharacter);
    width_ = std::max(width_, kHeatMargin * 2 + 8 * static_cast<double>(columns_of(map_.title)));
  }

  // From 0 to 1. Anything above 0 is to be seen.
  double intensity(double value) const {
    if (value <= 0) return 0;
    const double share = map_.logarithmic ? std::log1p(value) / std::log1p(most_) : value / most_;
    return 0.06 + 0.94 * share;
  }

  std::string description() const {
    std::string text = map_.title.empty() ? "Heat map" : "Heat map: " + map_.title;
    for (const HeatGrid& grid : map_.grids) {
      const auto reached =
          std::count_if(grid.cells.begin(), grid.cells.end(), [](double cell) { return cell > 0; });
      const auto all = std::count_if(grid.cells.begin(), grid.cells.end(),
                                     [](double cell) { return !std::isnan(cell); });
      text += fmt::format("; {}: {} of {} cells above 0", grid.title, reached, all);
    }
    return text;
  }

  void grid(size_t index) {
    const HeatGrid& grid = map_.grids[index];
    const Place& place = places_[index];
    const double width = place.cell * static_cast<double>(grid.columns);
    const double height = place.cell * static_cast<double>(grid.rows);
    put("<g data-grid=\"{}\">\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", index, place.x,
        place.y - 7, safe_text(grid.title));
    put("<rect class=\"empty\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        place.x, place.y, width, height);
    for (size_t i = 0; i < grid.cells.size(); ++i) {
      if (grid.cells[i] != 0) cell(grid, place, i);
    }
    put("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n"
        "</g>\n",
        place.x, place.y, width, height);
  }

  void cell(const HeatGrid& grid, const Place& place, size_t index) {
    const double value = grid.cells[index];
    const double x = place.x + place.cell * static_cast<double>(index % grid.columns);
    const double y = place.y + place.cell * static_cast<double>(index / grid.columns);
    put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"",
        std::isnan(value) ? "none" : "cell", x, y, place.cell, place.cell);
    if (!std::isnan(value)) put(" fill-opacity=\"{:.3f}\"", intensity(value));
    if (std::isnan(value) || grid.cells.size() > kTold) {
      out_ += "/>\n";
      return;
    }
    put("><title>row {}, column {}: {} {}</title></rect>\n", index / grid.columns + 1,
        index % grid.columns + 1, number(value), safe_text(map_.unit));
  }

  // What the shades stand for.
  void key() {
    double x = kHeatMargin;
    put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\">0</text>\n", x, key_ + 11);
    x += 16;
    for (int i = 0; i <= kShades; ++i) {
      put("<rect class=\"empty\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"24\" height=\"14\"/>"
          "<rect class=\"cell\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"24\" height=\"14\" "
          "fill-opacity=\"{2:.3f}\"/>\n",
          x, key_, i == 0 ? 0 : 0.06 + 0.94 * i / kShades);
      x += 24;
    }
    put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\">{} {}{}</text>\n", x + 8, key_ + 11,
        number(most_), safe_text(map_.unit), map_.logarithmic ? ", by the logarithm" : "");
  }

  const HeatMap& map_;
  double most_ = 0;
  double width_ = 0;
  double height_ = 0;
  double key_ = 0;
  std::vector<Place> places_;
  std::string out_;
};

}  // namespace

Result<std::string> to_svg(const HeatMap& map) {
  if (const auto valid = check_map(map); !valid) return valid.error();
  return HeatSvg(map).svg();
}

}  // namespace ordeal::report
