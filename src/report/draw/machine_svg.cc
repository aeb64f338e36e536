#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/draw/machine_layout.h"

namespace ordeal {
namespace {

using report::Box;
using report::MachineDiagram;
using report::Point;

// Self-contained, so that the picture also looks right outside of the page.
constexpr const char* kMachineStyle = R"css(
.mc{--fg:#1b1f24;--mut:#59636e;--bg:#ffffff;--box:#f6f8fa;--edge:#4b5662;--good:#1a7f37;
--goodbg:#e8f6ec;--bad:#b42318;--badbg:#fdecea}
@media(prefers-color-scheme:dark){.mc{--fg:#e6e9ed;--mut:#9aa5b1;--bg:#14181d;--box:#1c2229;
--edge:#a6b0bb;--good:#57c26f;--goodbg:#17301d;--bad:#ff8a7a;--badbg:#3a1d1b}}
.mc text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
fill:var(--fg)}
.mc .bg{fill:var(--bg)}.mc .name{font-weight:700}.mc .mut{fill:var(--mut)}
.mc .plain{fill:var(--box);stroke:var(--edge);stroke-width:1.5}
.mc .success{fill:var(--goodbg);stroke:var(--good);stroke-width:1.5}
.mc .failure{fill:var(--badbg);stroke:var(--bad);stroke-width:2}
.mc .inner{fill:none}.mc .way{fill:none;stroke:var(--edge);stroke-width:1.5}
.mc .never{stroke-dasharray:3 4}.mc .tip{fill:var(--edge)}
)css";

class MachineSvg {
 public:
  explicit MachineSvg(const MachineResult& machine)
      : machine_(machine), diagram_(report::layout(machine)) {}

  std::string svg() {
    put("<svg class=\"mc\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
        diagram_.width, diagram_.height, escape(description()));
    put("<style>{}</style>\n<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n",
        kMachineStyle, diagram_.width, diagram_.height);
    for (size_t i = 0; i < diagram_.edges.size(); ++i) edge(i);
    start();
    for (size_t i = 0; i < diagram_.states.size(); ++i) state(i);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }
  static std::string escape(const std::string& text) { return escape_markup(one_line(text)); }

  std::string description() const {
    return fmt::format("Property machine: {}, {}, from {} downwards",
                       counted(machine_.states.size(), "state"),
                       counted(machine_.transitions.size(), "transition"), machine_.states[0].name);
  }

  // Lines leave and arrive upright, so that they stay between the layers.
  static std::string path_of(const std::vector<Point>& points) {
    std::string path = fmt::format("M{:.1f} {:.1f}", points[0].x, points[0].y);
    for (size_t i = 1; i < points.size(); ++i) {
      const Point& a = points[i - 1];
      const Point& b = points[i];
      const double middle = (a.y + b.y) / 2;
      path += a.x == b.x ? fmt::format("V{:.1f}", b.y)
                         : fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", a.x, middle,
                                       b.x, middle, b.x, b.y);
    }
    return path;
  }

  void tip(const Point& at, double dx, double dy) {
    put("<path class=\"tip\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", at.x, at.y,
        at.x - 8 * dx - 4.5 * dy, at.y - 8 * dy - 4.5 * dx, at.x - 8 * dx + 4.5 * dy,
        at.y - 8 * dy + 4.5 * dx);
  }

  void edge(size_t index) {
    const MachineDiagram::Edge& edge = diagram_.edges[index];
    const MachineResult::Transition& transition = machine_.transitions[index];
    const char* style = transition.taken == 0 ? "way never" : "way";
    put("<g><title>{}: {} → {}, {}</title>\n", escape(transition.label),
        escape(machine_.states[transition.from].name), escape(machine_.states[transition.to].name),
        transition.taken == 0 ? "never taken" : "taken " + grouped(transition.taken) + "×");
    if (edge.loop) {
      const Point& a = edge.to_label[0];
      const Point& b = edge.to_label[1];
      put("<path class=\"{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>\n",
          style, a.x, a.y, a.x + 28, a.y - 8, a.x + 28, b.y + 4, b.x + 6, b.y);
      tip(b, -1, 0);
    } else {
      put("<path class=\"{}\" d=\"{}\"/>\n", style, path_of(edge.to_label));
      std::vector<Point> rest = edge.from_label;
      const double direction = rest.back().y > rest.front().y ? 1 : -1;
      const Point end = rest.back();
      rest.back().y -= 6 * direction;
      put("<path class=\"{}\" d=\"{}\"/>\n", style, path_of(rest));
      tip(end, 0, direction);
    }
    const bool middle = !edge.loop;
    const double x = middle ? edge.label.centre().x : edge.label.x;
    for (size_t i = 0; i < edge.lines.size(); ++i) {
      const bool last = i + 1 == edge.lines.size();
      put("<text{} x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", last ? " class=\"mut\"" : "", x,
          edge.label.y + 13 + 17 * static_cast<double>(i), middle ? " text-anchor=\"middle\"" : "",
          escape(edge.lines[i]));
    }
    out_ += "</g>\n";
  }

  void start() {
    const Box& box = diagram_.states[0];
    const double x = box.x + 16;
    put("<circle class=\"tip\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"5\"/>\n"
        "<path class=\"way\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n",
        x, box.y - 26, box.y - 6);
    tip({x, box.y}, 0, 1);
    put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\">start</text>\n", x + 10, box.y - 20);
  }

  // Told apart by shape: a second border means success, cut corners mean failure.
  void state(size_t index) {
    const Box& box = diagram_.states[index];
    switch (machine_.states[index].kind) {
      case Machine::Kind::kPlain:
        rounded(box, "plain", 10);
        break;
      case Machine::Kind::kSuccess:
        rounded(box, "success", 12);
        rounded({box.x + 4, box.y + 4, box.width - 8, box.height - 8}, "success inner", 9);
        break;
      case Machine::Kind::kFailure: {
        constexpr double kCut = 12;
        put("<path class=\"failure\" d=\"M{1:.1f} {2:.1f}H{3:.1f}L{4:.1f} {5:.1f}V{6:.1f}"
            "L{3:.1f} {7:.1f}H{1:.1f}L{0:.1f} {6:.1f}V{5:.1f}Z\"/>\n",
            box.x, box.x + kCut, box.y, box.right() - kCut, box.right(), box.y + kCut,
            box.bottom() - kCut, box.bottom());
        break;
      }
    }
    const std::vector<std::string> lines = report::state_lines(machine_, index);
    const double first = box.centre().y - 8.5 * static_cast<double>(lines.size()) + 13;
    for (size_t i = 0; i < lines.size(); ++i) {
      put("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
          i == 0 ? "name" : "mut", box.centre().x, first + 17 * static_cast<double>(i),
          escape(lines[i]));
    }
  }

  void rounded(const Box& box, const char* style, double radius) {
    put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"{}\"/>\n",
        style, box.x, box.y, box.width, box.height, radius);
  }

  const MachineResult& machine_;
  MachineDiagram diagram_;
  std::string out_;
};

}  // namespace

std::string to_svg(const MachineResult& machine) {
  return machine.states.empty() ? "" : MachineSvg(machine).svg();
}

}  // namespace ordeal
