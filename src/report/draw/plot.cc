#include "report/draw/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace ordeal::report {
namespace {

constexpr double kCharacter = 7.3;  // its width
constexpr double kPlotLine = 17;    // the height of a line of text
constexpr size_t kColours = 8;      // then they come again, with another stroke
constexpr size_t kMarked = 40;      // points of a series that are shown each
constexpr size_t kName = 28;        // characters of a name in the legend

// Self-contained, so that the picture also looks right outside of the page.
constexpr const char* kPlotStyle = R"css(
.pl{--fg:#1b1f24;--mut:#59636e;--bg:#ffffff;--grid:#e3e7ec;--axis:#8a949e;--s0:#0b62b0;--s1:#c2410c;
--s2:#0f7b52;--s3:#a0298c;--s4:#8a6500;--s5:#0e7490;--s6:#5b4bb5;--s7:#4b5662}
@media(prefers-color-scheme:dark){.pl{--fg:#e6e9ed;--mut:#9aa5b1;--bg:#14181d;--grid:#2a323b;
--axis:#77828e;--s0:#6db3f2;--s1:#ff9a5c;--s2:#4cc38a;--s3:#ee8bdc;--s4:#e3c466;--s5:#5ecbe0;
--s6:#b3a8ff;--s7:#b4bdc7}}
.pl text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
fill:var(--fg)}
.pl .bg{fill:var(--bg)}.pl .title{font-weight:700}.pl .mut{fill:var(--mut)}
.pl .grid{stroke:var(--grid);stroke-width:1}.pl .axis{stroke:var(--axis);stroke-width:1}
.pl .line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}
.pl .band{fill:var(--c);opacity:.16}.pl .point{fill:var(--c)}
.pl .s0{--c:var(--s0)}.pl .s1{--c:var(--s1)}.pl .s2{--c:var(--s2)}.pl .s3{--c:var(--s3)}
.pl .s4{--c:var(--s4)}.pl .s5{--c:var(--s5)}.pl .s6{--c:var(--s6)}.pl .s7{--c:var(--s7)}
.pl .d1{stroke-dasharray:7 3}.pl .d2{stroke-dasharray:2 3}.pl .d3{stroke-dasharray:8 3 2 3}
)css";

std::string safe(const std::string& text) { return escape_markup(one_line(text)); }

// What an axis shows, and where on the picture.
struct Scale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  double from = 0;  // pixels
  double to = 0;
  std::vector<double> ticks = {};
  std::vector<std::string> texts = {};

  double shown(double value) const { return logarithmic ? std::log10(value) : value; }
  double at(double value) const {
    const double share = (shown(value) - shown(low)) / (shown(high) - shown(low));
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
  }
};

std::string place(const PlotSeries& series, size_t index) {
  return fmt::format("point {} of series {}", index + 1, quoted_for_message(series.name));
}

Result<void> check_point(const LinePlot& plot, const PlotSeries& series, size_t i) {
  const PlotPoint& point = series.points[i];
  const bool finite = std::isfinite(point.x) && std::isfinite(point.y) &&
                      (!series.band || (std::isfinite(point.low) && std::isfinite(point.high)));
  if (!finite) return Error{place(series, i) + " has a number that is not finite"};
  if (i > 0 && point.x < series.points[i - 1].x) {
    return Error{place(series, i) + " lies to the left of the one before it"};
  }
  if (series.band && (point.low > point.y || point.y > point.high)) {
    return Error{place(series, i) + fmt::format(" has the band {} to {}, which does not hold its "
                                                "value {}",
                                                point.low, point.high, point.y)};
  }
  for (const auto& [axis, value] : {std::pair(&plot.x, point.x), std::pair(&plot.y, point.y)}) {
    if (!axis->logarithmic || value > 0) continue;
    return Error{place(series, i) + fmt::format(" is at {}, which the logarithmic axis {} cannot "
                                                "show: it needs numbers above 0",
                                                value, quoted_for_message(axis->title))};
  }
  return {};
}

Result<void> check_plot(const LinePlot& plot) {
  size_t points = 0;
  for (const PlotSeries& series : plot.series) {
    for (size_t i = 0; i < series.points.size(); ++i) {
      if (const auto valid = check_point(plot, series, i); !valid) return valid.error();
    }
    points += series.points.size();
  }
  if (points == 0) {
    return Error{"the plot " + quoted_for_message(plot.title) + " has no points"};
  }
  return {};
}

// At most four points for a pixel: the first, the lowest, the highest and the last one.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, const Scale& x) {
  if (static_cast<double>(points.size()) <= 4 * (x.to - x.from)) return points;
  std::vector<PlotPoint> out;
  for (size_t begin = 0; begin < points.size();) {
    const double pixel = std::floor(x.at(points[begin].x));
    size_t end = begin + 1;
    while (end < points.size() && std::floor(x.at(points[end].x)) == pixel) ++end;
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(
        first, last, [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
    std::array<std::ptrdiff_t, 4> kept = {first - points.begin(), low - points.begin(),
                                          high - points.begin(), last - points.begin() - 1};
    std::sort(kept.begin(), kept.end());
    const auto different = std::unique(kept.begin(), kept.end());
    for (auto at = kept.begin(); at != different; ++at) {
      out.push_back(points[static_cast<size_t>(*at)]);
    }
    begin = end;
  }
  return out;
}

class LineSvg {
 public:
  explicit LineSvg(const LinePlot& plot) : plot_(plot) {
    size_t name = 0;
    for (const PlotSeries& series : plot.series) {
      name = std::max(name, std::min(columns_of(one_line(series.name)), kName));
    }
    x_ = range_of(plot.x, [](const PlotPoint& p, bool) { return std::pair(p.x, p.x); });
    y_ = range_of(plot.y, [](const PlotPoint& p, bool band) {
      return band ? std::pair(p.low, p.high) : std::pair(p.y, p.y);
    });
    widen(x_, false);
    widen(y_, true);
    x_.ticks = round_ticks(x_.low, x_.high, 6, x_.logarithmic);
    x_.texts = tick_texts(x_.ticks);
    y_.texts = tick_texts(y_.ticks);
    size_t label = 1;
    for (const std::string& text : y_.texts) label = std::max(label, columns_of(text));
    const double top = plot.title.empty() ? 22 : 44;
    width_ = std::max(plot.width, 320.0);
    height_ = std::max(
        {plot.height, 200.0, top + 24 + kPlotLine * static_cast<double>(plot.series.size())});
    x_.from = (plot.y.title.empty() ? 18 : 36) + kCharacter * static_cast<double>(label);
    x_.to = std::max(x_.from + 160, width_ - 58 - kCharacter * static_cast<double>(name));
    width_ = std::max(width_, x_.to + 58 + kCharacter * static_cast<double>(name));
    y_.from = height_ - (plot.x.title.empty() ? 34 : 54);
    y_.to = top;
  }

  std::string svg() {
    put("<svg class=\"pl\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
        width_, height_, safe(description()));
    put("<style>{}</style>\n<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kPlotStyle,
        width_, height_);
    if (!plot_.title.empty()) {
      put("<text class=\"title\" x=\"{:.1f}\" y=\"22\">{}</text>\n", x_.from, safe(plot_.title));
    }
    axes();
    // Bands below all lines.
    for (size_t i = 0; i < plot_.series.size(); ++i) band(i);
    for (size_t i = 0; i < plot_.series.size(); ++i) line(i);
    for (size_t i = 0; i < plot_.series.size(); ++i) entry(i);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }

  // Of all points. On a logarithmic axis bands may reach below what it shows.
  template <class Reach>
  Scale range_of(const PlotAxis& axis, const Reach& reach) const {
    Scale scale;
    scale.low = std::numeric_limits<double>::infinity();
    scale.high = -scale.low;
    scale.logarithmic = axis.logarithmic;
    for (const PlotSeries& series : plot_.series) {
      for (const PlotPoint& point : series.points) {
        auto [low, high] = reach(point, series.band);
        if (axis.logarithmic && low <= 0) low = reach(point, false).first;
        scale.low = std::min(scale.low, low);
        scale.high = std::max(scale.high, high);
      }
    }
    return scale;
  }

  // To a range that has a width; to the ticks around it, where `loose`.
  static void widen(Scale& scale, bool loose) {
    if (scale.logarithmic) {
      if (loose || scale.low == scale.high) {
        scale.low = std::pow(10, std::floor(std::log10(scale.low) + 1e-9));
        scale.high = std::pow(10, std::ceil(std::log10(scale.high) - 1e-9));
      }
      if (scale.low == scale.high) scale.high *= 10;
    } else {
      if (loose && scale.low > 0 && scale.low < scale.high / 2) scale.low = 0;
      if (scale.low == scale.high) {
        const double some = scale.low == 0 ? 1 : std::abs(scale.low) / 2;
        scale.low -= scale.low == 0 ? 0 : some;
        scale.high += some;
      }
    }
    scale.ticks = round_ticks(scale.low, scale.high, 5, scale.logarithmic);
    if (!loose || scale.logarithmic || scale.ticks.size() < 2) return;
    const double step = scale.ticks[1] - scale.ticks[0];
    if (scale.ticks.front() > scale.low + step * 1e-9) {
      scale.low = scale.ticks.front() - step;
    }
    if (scale.ticks.back() < scale.high - step * 1e-9) scale.high = scale.ticks.back() + step;
    scale.low = std::min(scale.low, scale.ticks.front());
    scale.high = std::max(scale.high, scale.ticks.back());
    // As multiples again: the sums above are not round.
    scale.ticks = round_ticks(scale.low, scale.high,
                              static_cast<size_t>(std::llround((scale.high - scale.low) / step)));
    scale.low = scale.ticks.front();
    scale.high = scale.ticks.back();
  }

  std::string description() const {
    std::string text = plot_.title.empty() ? "Plot" : "Plot: " + plot_.title;
    text +=
        ", " + counted(plot_.series.size(), "line") + ", " + plot_.y.title + " by " + plot_.x.title;
    for (const PlotSeries& series : plot_.series) {
      if (series.points.empty()) continue;
      text += fmt::format("; {} ends at {:.6g}", series.name, series.points.back().y);
    }
    return text;
  }

  void axes() {
    for (size_t i = 0; i < y_.ticks.size(); ++i) {
      const double at = y_.at(y_.ticks[i]);
      put("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n"
          "<text class=\"mut ytick\" x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          x_.from, x_.to, at, x_.from - 8, at + 4, y_.texts[i]);
    }
    double free = -1e9;  // where the next label has room
    for (size_t i = 0; i < x_.ticks.size(); ++i) {
      const double at = x_.at(x_.ticks[i]);
      put("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
          at, y_.from, y_.from + 5);
      const double half = kCharacter * static_cast<double>(columns_of(x_.texts[i])) / 2;
      if (at - half < free) continue;
      free = at + half + 6;
      put("<text class=\"mut xtick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
          at, y_.from + 19, x_.texts[i]);
    }
    put("<path class=\"axis\" fill=\"none\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", x_.from,
        y_.to, y_.from, x_.to);
    if (!plot_.x.title.empty()) {
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
          (x_.from + x_.to) / 2, height_ - 14, safe(plot_.x.title));
    }
    if (!plot_.y.title.empty()) {
      put("<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
          (y_.from + y_.to) / 2, safe(plot_.y.title));
    }
  }

  static std::string classes(size_t index) { return fmt::format("s{}", index % kColours); }
  static std::string stroke(size_t index) {
    const size_t dash = index / kColours % 4;
    return dash == 0 ? "line" : fmt::format("line d{}", dash);
  }

  void band(size_t index) {
    const PlotSeries& series = plot_.series[index];
    if (!series.band || series.points.empty()) return;
    const std::vector<PlotPoint> points = thinned(series.points, x_);
    std::string path;
    for (const PlotPoint& point : points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.at(point.x), high(point));
    }
    for (size_t i = points.size(); i-- > 0;) {
      path += fmt::format("L{:.1f} {:.1f}", x_.at(points[i].x), low(points[i]));
    }
    put("<path class=\"band {}\" data-series=\"{}\" d=\"{}Z\"/>\n", classes(index), index, path);
  }
  double high(const PlotPoint& point) const { return y_.at(point.high); }
  double low(const PlotPoint& point) const {
    return y_.logarithmic && point.low <= 0 ? y_.from : y_.at(point.low);
  }

  void line(size_t index) {
    const PlotSeries& series = plot_.series[index];
    if (series.points.empty()) return;
    put("<g class=\"{}\" data-series=\"{}\"><title>{}</title>\n", classes(index), index,
        safe(series.name));
    std::string path;
    for (const PlotPoint& point : thinned(series.points, x_)) {
      path +=
          fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.at(point.x), y_.at(point.y));
    }
    put("<path class=\"{}\" d=\"{}\"/>\n", stroke(index), path);
    if (series.points.size() <= kMarked) {
      for (const PlotPoint& point : series.points) marker(series, point);
    }
    out_ += "</g>\n";
  }

  void marker(const PlotSeries& series, const PlotPoint& point) {
    put("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"><title>{}: {:.6g}, {:.6g}",
        x_.at(point.x), y_.at(point.y), safe(series.name), point.x, point.y);
    if (series.band) put(" ({:.6g} to {:.6g})", point.low, point.high);
    out_ += "</title></circle>\n";
  }

  void entry(size_t index) {
    const double y = y_.to + 8 + kPlotLine * static_cast<double>(index);
    const PlotSeries& series = plot_.series[index];
    put("<g class=\"{0}\" data-series=\"{1}\"><path class=\"{2}\" d=\"M{3:.1f} {5:.1f}H{4:.1f}\"/>"
        "<text class=\"legend\" x=\"{6:.1f}\" y=\"{7:.1f}\">{8}</text></g>\n",
        classes(index), index, stroke(index), x_.to + 16, x_.to + 40, y, x_.to + 46, y + 4,
        safe(cut_to(one_line(series.name), kName)));
  }

  const LinePlot& plot_;
  double width_ = 0;
  double height_ = 0;
  Scale x_;
  Scale y_;
  std::string out_;
};

}  // namespace

Result<std::string> to_svg(const LinePlot& plot) {
  if (const auto valid = check_plot(plot); !valid) return valid.error();
  return LineSvg(plot).svg();
}

}  // namespace ordeal::report
