#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/draw/diagram.h"
#include "report/words.h"

namespace ordeal {
namespace {

using report::Diagram;
using report::Flight;
using report::Lane;
using report::Stretch;

constexpr double kRow = 32;
constexpr double kLeft = 64;           // the column of step numbers
constexpr double kTop = 62;            // the row of lane names
constexpr double kChar = 7.3;          // width of a character of the labels
constexpr size_t kLabel = 78;          // characters of a label
constexpr double kComfortable = 1180;  // what a page of 1280 shows without scrolling
constexpr size_t kRepeat = 24;         // rows until the lanes' names are written again

// Self-contained, so that the picture also looks right outside of the page.
constexpr const char* kStyle = R"css(
.st{--fg:#1b1f24;--mut:#626c77;--line:#c3cad2;--bg:#ffffff;--msg:#2563a8;--bad:#b42318;
--badbg:#fdecea;--part:#7a5c00;--partbg:#fff4cf;--op:#5b4bb5;--opbg:#ece9fb;--rowbg:#f6f8fa}
@media(prefers-color-scheme:dark){.st{--fg:#e6e9ed;--mut:#9aa5b1;--line:#4a535e;--bg:#14181d;
--msg:#7db4f0;--bad:#ff8a7a;--badbg:#3a1d1b;--part:#e3c466;--partbg:#332b12;--op:#b3a8ff;
--opbg:#2a2647;--rowbg:#1a2027}}
.st text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
fill:var(--fg)}
.st .bg{fill:var(--bg)}.st .row{fill:var(--rowbg)}.st .mut{fill:var(--mut)}
.st .head{font-weight:700}.st .lane{stroke:var(--line);stroke-width:2}
.st .guide{stroke:var(--line);stroke-width:1;opacity:.45}
.st .down{stroke:var(--line);stroke-width:1.5;stroke-dasharray:1.5 6}
.st .msg{stroke:var(--msg);stroke-width:1.6;fill:none}.st .copy{stroke-dasharray:7 3}
.st .pend{stroke-dasharray:1.5 4;opacity:.8}.st .notice{stroke:var(--mut);stroke-dasharray:4 4}
.st .head1{fill:var(--msg)}.st .head2{fill:var(--mut)}
.st .dot{fill:var(--bg);stroke:var(--fg);stroke-width:1.8}.st .full{fill:var(--fg)}
.st .x{stroke:var(--bad);stroke-width:2.4;fill:none}.st .bad{fill:var(--bad);font-weight:700}
.st .badrow{fill:var(--badbg);stroke:var(--bad);stroke-width:1}
.st .ring{fill:none;stroke:var(--bad);stroke-width:2}
.st .part{fill:var(--partbg);stroke:var(--part);stroke-dasharray:6 3}
.st .op{fill:var(--opbg);stroke:var(--op)}.st .opt{fill:var(--op)}
.st .k-plain{fill:var(--fg)}.st .k-muted{fill:var(--mut)}.st .k-blue{fill:var(--msg)}
.st .k-violet{fill:var(--op)}.st .k-amber{fill:var(--part)}.st .k-red{fill:var(--bad)}
.st .halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
)css";

class RunSvg {
 public:
  RunSvg(const Trace& trace, const Diagram& diagram) : trace_(trace), diagram_(diagram) {
    size_t widest = 0;
    for (const Lane& lane : diagram.lanes) {
      widest = std::max(widest, columns_of(lane.name) + columns_of(cut_to(lane.type, 12)) + 1);
    }
    for (const Stretch& op : diagram.operations) {
      widest = std::max(widest, std::min<size_t>(columns_of(op.text), kOperation) + 3);
    }
    gap_ = std::clamp(static_cast<double>(widest) * kChar + 18, 84.0, 230.0);
    if (diagram.lanes.size() > 6) gap_ = std::min(gap_, 120.0);
    size_t label = 30;
    for (size_t i = diagram.first_row; i < trace.steps.size(); ++i) {
      const bool bad = violated() && trace.verdict.step == i + 1;
      label = std::max(label, columns_of(label_of(i)) + (bad ? 14 : 0));
    }
    const double labels = 22 + static_cast<double>(label) * kChar;
    place_lanes();
    if (lanes_end_ + labels > kComfortable) {  // closer lanes before a scroll bar
      const double excess = (lanes_end_ + labels - kComfortable) / (lane_count() - 0.5);
      gap_ = std::max(std::min(gap_, 100.0), gap_ - excess);
      place_lanes();
    }
    width_ = lanes_end_ + labels;
    height_ = y(diagram.rows) + kRow * 1.5;
  }

  std::string svg() {
    put("<svg class=\"st\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" "
        "height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-labelledby=\"st-title st-desc\">\n",
        width_, height_, width_, height_);
    put("<title id=\"st-title\">Space-time diagram of {}</title>\n", escape(trace_.system));
    put("<desc id=\"st-desc\">{}</desc>\n<style>{}</style>\n", escape(description()), kStyle);
    put("<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width_, height_);
    violating_row();
    partitions();
    lanes();
    operations();
    flights();
    operation_names();
    steps();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  static constexpr size_t kOperation = 22;

  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }
  static std::string escape(const std::string& text) { return escape_markup(one_line(text)); }

  double lane_count() const { return static_cast<double>(diagram_.lanes.size()); }
  void place_lanes() {
    lanes_end_ = kLeft + gap_ * lane_count();
    for (const Stretch& op : diagram_.operations) {  // its text must not run into the labels
      const double text = static_cast<double>(std::min(columns_of(op.text), kOperation) + 5);
      lanes_end_ = std::max(lanes_end_, x(op.lane) + 16 + text * kChar);
    }
  }

  double x(size_t lane) const { return kLeft + gap_ * (static_cast<double>(lane) + 0.5); }
  double y(size_t row) const {
    const size_t shown = row > diagram_.first_row ? row - diagram_.first_row : 0;
    return kTop + kRow * (static_cast<double>(shown) + 0.5);
  }
  bool violated() const { return !trace_.verdict.property.empty(); }
  std::string label_of(size_t index) const {
    return cut_to(one_line(report::action_words(trace_, trace_.steps[index].detail.action)),
                  kLabel);
  }

  std::string description() const {
    std::string text =
        fmt::format("{}, {}, time flows downwards. Every step is in the table of steps too.",
                    counted(diagram_.lanes.size(), "lane"), counted(diagram_.rows, "step"));
    if (violated()) {
      text += fmt::format(" {} is violated after step {}.", one_line(trace_.verdict.property),
                          trace_.verdict.step);
    }
    return text;
  }

  void violating_row() {
    if (!violated()) return;
    const double at = y(trace_.verdict.step);
    put("<rect class=\"badrow\" x=\"1\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"4\"/>\n",
        at - kRow / 2 + 1, width_ - 2, kRow - 2);
  }

  void partitions() {
    for (const Stretch& part : diagram_.partitions) {
      if (part.to_row < diagram_.first_row) continue;
      const double top = y(part.from_row);
      put("<rect class=\"part\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
          "<title>partition {}</title></rect>\n",
          kLeft - 4, top, lanes_end_ - kLeft + 8,
          (part.open ? y(part.to_row) + kRow / 2 : y(part.to_row)) - top, escape(part.text));
    }
  }

  void lane_names(double at) {
    for (size_t i = 0; i < diagram_.lanes.size(); ++i) {
      const Lane& lane = diagram_.lanes[i];
      const std::string type = lane.type.empty() ? "" : " " + cut_to(lane.type, 12);
      put("<text class=\"head halo\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}"
          "<tspan class=\"mut\" font-weight=\"400\">{}</tspan></text>\n",
          x(i), at, escape(lane.name), escape(type));
    }
  }

  void lanes() {
    const double bottom = height_ - kRow / 2;
    std::vector<double> drawn(diagram_.lanes.size(), kTop - 8);  // how far each lane is drawn
    const auto line = [&](size_t lane, double from, double to, const char* style) {
      if (to <= from) return;
      put("<line class=\"{3}\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
          x(lane), from, to, style);
    };
    for (const Stretch& down : diagram_.down) {  // in the order of their rows
      const double end = down.open ? bottom : y(down.to_row);
      line(down.lane, drawn[down.lane], y(down.from_row), "lane");
      line(down.lane, y(down.from_row), end, "down");
      drawn[down.lane] = end;
    }
    for (size_t i = 0; i < diagram_.lanes.size(); ++i) line(i, drawn[i], bottom, "lane");
    lane_names(kTop - 22);
    put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">start</text>\n",
        kLeft - 16, y(diagram_.first_row) + 4);
    if (diagram_.first_row > 0) {
      put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\">({} before these are left out)</text>\n",
          lanes_end_ + 12, y(diagram_.first_row) + 4, counted(diagram_.first_row, "step"));
    }
    for (size_t row = diagram_.first_row + kRepeat; row + 4 < diagram_.rows; row += kRepeat) {
      lane_names(y(row) + kRow / 2 + 4);
    }
  }

  void operations() {
    for (const Stretch& op : diagram_.operations) {
      if (op.to_row < diagram_.first_row) continue;
      const double top = y(op.from_row);
      const double bottom = op.open ? height_ - kRow / 2 : y(op.to_row);
      put("<rect class=\"op\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"{:.1f}\" rx=\"3\"{}>"
          "<title>{}{}</title></rect>\n",
          x(op.lane) + 9, top, std::max(bottom - top, 8.0),
          op.open ? " stroke-dasharray=\"3 3\"" : "", escape(op.text),
          op.open ? " (has not returned)" : "");
    }
  }

  // Over the messages, so that they can be read.
  void operation_names() {
    for (const Stretch& op : diagram_.operations) {
      if (op.to_row < diagram_.first_row) continue;
      const double top = y(op.from_row);
      const double bottom = op.open ? height_ - kRow / 2 : y(op.to_row);
      const bool last = op.lane + 1 == diagram_.lanes.size();
      const auto room = last ? kOperation : static_cast<size_t>((gap_ - 26) / kChar);
      put("<text class=\"opt halo\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n", x(op.lane) + 22,
          top + 4 + (bottom > top + kRow ? kRow / 2 : 0), escape(cut_to(op.text, room)),
          op.open ? " …" : "");
    }
  }

  void head(double x1, double y1, double x2, double y2, const char* style) {
    const double length = std::max(1.0, std::hypot(x2 - x1, y2 - y1));
    const double ux = (x2 - x1) / length;
    const double uy = (y2 - y1) / length;
    put("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>", style, x2, y2,
        x2 - 9 * ux - 4 * uy, y2 - 9 * uy + 4 * ux, x2 - 9 * ux + 4 * uy, y2 - 9 * uy - 4 * ux);
  }

  void cross(double cx, double cy, double size) {
    put("<path class=\"x\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}m0 -{:.1f}l-{:.1f} {:.1f}\"/>",
        cx - size, cy - size, 2 * size, 2 * size, 2 * size, 2 * size, 2 * size);
  }

  void flights() {
    for (const Flight& flight : diagram_.flights) {
      const bool pending = flight.end == Flight::End::kPending;
      const size_t last = pending ? diagram_.rows : flight.to_row;
      if (last <= diagram_.first_row) continue;
      put("<g><title>{}{}{}</title>", escape(flight.text),
          flight.end == Flight::End::kDropped ? " (dropped)"
          : pending                           ? " (still in flight)"
                                              : "",
          flight.copy ? " (copy)" : "");
      if (flight.from_lane == flight.to_lane) {
        loop(flight);
      } else {
        straight(flight);
      }
      out_ += "</g>\n";
    }
  }

  // Drawn from its start only: still in flight, or lost at once.
  static bool is_stub(const Flight& flight) {
    return flight.end == Flight::End::kPending ||
           (flight.end == Flight::End::kDropped && flight.to_row == flight.from_row);
  }

  // A message to oneself leaves the lane and comes back to it.
  void loop(const Flight& flight) {
    const double at = x(flight.from_lane);
    const double top = y(flight.from_row);
    if (is_stub(flight)) {
      const bool lost = flight.end == Flight::End::kDropped;
      put("<path class=\"msg{}\" d=\"M{:.1f} {:.1f}q14 4 14 18\"/>", lost ? "" : " pend", at, top);
      if (lost) cross(at + 14, top + 18, 4);
      return;
    }
    const double bottom = y(flight.to_row);
    const double out = std::min(40.0, 16 + (bottom - top) / 12);
    put("<path class=\"msg{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>",
        flight.copy ? " copy" : "", at, top, at - out, top + 8, at - out, bottom - 8, at - 6,
        bottom - 3);
    if (flight.end == Flight::End::kDropped) {
      cross(at - 6, bottom - 3, 5);
    } else {
      head(at - out, bottom - 10, at - 6, bottom - 3, "head1");
    }
  }

  void straight(const Flight& flight) {
    const double x1 = x(flight.from_lane);
    const double y1 = y(flight.from_row);
    double x2 = x(flight.to_lane);
    const char* style = flight.notice ? " notice" : flight.copy ? " copy" : "";
    const double side = x2 > x1 ? 1 : -1;
    if (is_stub(flight)) {
      const bool lost = flight.end == Flight::End::kDropped;
      x2 = x1 + side * 0.42 * gap_;
      const double y2 = y1 + kRow * 0.62;
      put("<line class=\"msg{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
          lost ? "" : " pend", x1, y1, x2, y2);
      if (lost) {
        cross(x2, y2, 4);
      } else {
        put("<circle class=\"msg\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", x2, y2);
      }
      put("<text class=\"mut\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\" text-anchor=\"{}\">{}"
          "</text>",
          x2 + side * 5, y2 + 4, side > 0 ? "start" : "end",
          escape(diagram_.lanes[flight.to_lane].name));
      return;
    }
    const double y2 = y(flight.to_row);
    if (flight.end == Flight::End::kDropped) x2 -= side * 0.3 * gap_;
    const double length = std::max(1.0, std::hypot(x2 - x1, y2 - y1));
    const double stop = flight.end == Flight::End::kDropped ? 0 : 7;  // the mark's edge
    const double xe = x2 - stop * (x2 - x1) / length;
    const double ye = y2 - stop * (y2 - y1) / length;
    put("<line class=\"msg{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", style,
        x1, y1, xe, ye);
    if (flight.end == Flight::End::kDropped) {
      cross(xe, ye, 5);
    } else {
      head(x1, y1, xe, ye, flight.notice ? "head2" : "head1");
    }
  }

  void described(const DescribedKind& kind, double cx, double cy) {
    if (kind.mark.empty()) {
      put("<circle class=\"k-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", to_string(kind.colour),
          cx, cy);
      return;
    }
    put("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\"/><text class=\"k-{}\" "
        "x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        cx, cy, to_string(kind.colour), cx, cy + 4, escape(kind.mark));
  }

  void mark(const Action& action, double cx, double cy) {
    switch (action.kind) {
      case ActionKind::kTimer:  // a clock
        put("<circle class=\"dot\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"7\"/><path class=\"dot\" "
            "d=\"M{0:.1f} {2:.1f}V{1:.1f}H{3:.1f}\"/>",
            cx, cy, cy - 4.5, cx + 4);
        break;
      case ActionKind::kCrash:
        cross(cx, cy, 8);
        break;
      case ActionKind::kRecover:
        put("<path class=\"dot\" d=\"M{:.1f} {:.1f}l7 11h-14z\"/>", cx, cy - 7);
        break;
      case ActionKind::kRequest:  // comes from outside
        put("<path class=\"msg\" d=\"M{:.1f} {:.1f}l20 9\"/>", cx - 27, cy - 12);
        head(cx - 27, cy - 12, cx - 6, cy - 2.5, "head1");
        put("<circle class=\"full\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", cx, cy);
        break;
      case ActionKind::kDetect:
      case ActionKind::kRestore:
      case ActionKind::kSuspect:  // somebody's opinion
        put("<path class=\"dot\" d=\"M{:.1f} {:.1f}l7 7l-7 7l-7 -7z\"/>", cx, cy - 7);
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"10\">{}</text>", cx,
            cy + 3.5, action.kind == ActionKind::kRestore ? "+" : "!");
        break;
      case ActionKind::kDuplicate:
        put("<text class=\"halo\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">×2</text>", cx,
            cy + 4);
        break;
      case ActionKind::kDrop:
      case ActionKind::kPartition:
      case ActionKind::kHeal:
        break;
      case ActionKind::kDescribed:
        described(*action.described, cx, cy);
        break;
      default:
        put("<circle class=\"full\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", cx, cy);
    }
    if (action.crash_at_persist > 0) cross(cx, cy, 8);
  }

  void steps() {
    for (size_t i = diagram_.first_row; i < trace_.steps.size(); ++i) {
      const StepDetail& detail = trace_.steps[i].detail;
      const Action& action = detail.action;
      const double at = y(i + 1);
      const bool bad = violated() && trace_.verdict.step == i + 1;
      const double lane = x(diagram_.lane_of(action.node));
      put("<g><title>step {}: {}</title>", i + 1, escape(report::action_words(trace_, action)));
      put("<line class=\"guide\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
          lane + 10, at, lanes_end_ + 6, at);
      put("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}</text>",
          bad ? "bad" : "mut", kLeft - 16, at + 4, bad ? "✗ " : "", i + 1);
      mark(action, lane, at);
      if (!detail.decided.empty()) {
        put("<text class=\"head halo\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">★ {}</text>",
            lane - 10, at + 4, escape(cut_to(join(detail.decided, ", "), 10)));
      }
      if (!detail.failure.empty()) cross(lane, at, 9);
      put("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text></g>\n", bad ? " class=\"bad\"" : "",
          lanes_end_ + 12, at + 4, escape(label_of(i)), bad ? "  ✗ violation" : "");
    }
    if (!violated()) return;
    for (const int node : trace_.verdict.nodes) {
      put("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"12\"><title>node {} is involved"
          "</title></circle>\n",
          x(diagram_.lane_of(node)), y(trace_.verdict.step), node);
    }
  }

  const Trace& trace_;
  const Diagram& diagram_;
  double gap_ = 100;
  double lanes_end_ = 0;
  double width_ = 0;
  double height_ = 0;
  std::string out_;
};

}  // namespace

std::string to_svg(const Trace& trace) {
  const Diagram diagram = report::layout(trace);
  return RunSvg(trace, diagram).svg();
}

}  // namespace ordeal
