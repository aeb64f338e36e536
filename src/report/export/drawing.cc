#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/draw/diagram.h"
#include "report/export/export.h"
#include "report/text/terminal.h"
#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kLeastLabel = 30;  // beside many lanes; then it is wider than kColumns
constexpr size_t kRepeat = 40;      // rows until the lanes' names are written again

// What is drawn. Each is one column wide.
enum class Glyph {
  kBlank,
  kLane,
  kDown,
  kLine,
  kNotice,
  kCross,  // a line passes a lane
  kRight,
  kLeft,
  kLeaves,  // a line begins at a lane and goes right
  kLeavesLeft,
  kHandles,
  kTimer,
  kRequest,
  kCrash,
  kRecover,
  kLost,
  kCopy,
  kDetector,
  kSelf,
  kNetwork,
  kFails,
  kDescribed,  // the mark of the row's kind
};
struct Form {
  Glyph glyph;
  const char* unicode;
  char ascii;
  const char* what;  // for the legend; "": needs none
};
constexpr Form kForms[] = {
    {Glyph::kBlank, " ", ' ', ""},
    {Glyph::kLane, "│", '|', ""},
    {Glyph::kDown, "┊", ':', "is down"},
    {Glyph::kLine, "─", '-', ""},
    {Glyph::kNotice, "╌", '.', ""},
    {Glyph::kCross, "┼", '+', ""},
    {Glyph::kRight, "▶", '>', ""},
    {Glyph::kLeft, "◀", '<', ""},
    {Glyph::kLeaves, "├", '|', ""},
    {Glyph::kLeavesLeft, "┤", '|', ""},
    {Glyph::kHandles, "●", 'o', "handles"},
    {Glyph::kTimer, "◷", 't', "timer"},
    {Glyph::kRequest, "◇", 'r', "request"},
    {Glyph::kCrash, "✗", 'X', "crashes"},
    {Glyph::kRecover, "▲", '^', "recovers"},
    {Glyph::kLost, "╳", 'x', "is lost"},
    {Glyph::kCopy, "2", '2', "is in flight twice"},
    {Glyph::kDetector, "◆", '!', "failure detector"},
    {Glyph::kSelf, "↺", '@', "from itself"},
    {Glyph::kNetwork, "═", '=', "network"},
    {Glyph::kFails, "✖", '#', "fails"},
    {Glyph::kDescribed, "●", 'o', ""},
};
const Form& form_of(Glyph glyph) {
  return *std::find_if(std::begin(kForms), std::end(kForms),
                       [&](const Form& form) { return form.glyph == glyph; });
}

// For a terminal that knows nothing else.
std::string to_ascii(const std::string& text) {
  static const std::pair<std::string_view, std::string_view> kKnown[] = {
      {"→", "->"}, {"…", "..."}, {"★", "*"}, {"✗", "X"}};
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    const auto known = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const auto& entry) {
      return rest.starts_with(entry.first);
    });
    if (known != std::end(kKnown)) {
      out += known->second;
      i += known->first.size();
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) out += text[i];
    if (c >= 0xC0) out += '?';  // once for all bytes of a character
    ++i;
  }
  return out;
}

size_t gap_for(size_t lanes) { return lanes <= 4 ? 9 : lanes <= 6 ? 7 : lanes <= 9 ? 5 : 4; }

class Drawing {
 public:
  Drawing(const Trace& trace, const Diagram& diagram, const DrawingOptions& options)
      : trace_(trace),
        diagram_(diagram),
        ascii_(options.ascii),
        gap_(gap_for(diagram.lanes.size())),
        digits_(std::max<size_t>(5, std::to_string(diagram.rows).size())) {
    const size_t lanes = 2 + digits_ + 2 + gap_ * diagram.lanes.size();
    label_ = std::max(kLeastLabel, kColumns > lanes + 1 ? kColumns - lanes - 1 : 0);
    for (const Flight& flight : diagram.flights) {
      if (flight.end == Flight::End::kDelivered && !flight.notice &&
          flight.from_row < flight.to_row) {
        sent_in_[{flight.to_row, flight.to_lane}] = flight.from_row;
      }
    }
    // No row is looked up before it is drawn, so one pass over the ends of stretches is enough.
    for (const Stretch& down : diagram.down) {
      changes_.insert({down.from_row, {down.lane, true}});
      if (!down.open) changes_.insert({down.to_row, {down.lane, false}});
    }
    down_.resize(diagram.lanes.size());
  }

  std::string text() {
    add_line(
        fmt::format("{}, {}", cut_to(one_line(trace_.system), 60), counted(diagram_.rows, "step")));
    add_types();
    out_ += "\n";
    add_names();
    follow_down(diagram_.first_row);
    add_row(diagram_.first_row > 0 ? "…" : "start", lanes(),
            diagram_.first_row > 0
                ? fmt::format("({} before these are left out)", counted(diagram_.first_row, "step"))
                : "");
    for (size_t i = diagram_.first_row; i < trace_.steps.size(); ++i) {
      if (i > diagram_.first_row && (i - diagram_.first_row) % kRepeat == 0) add_names();
      add_step(i);
    }
    if (const std::string again = loop_words(trace_); !again.empty()) add_line("  " + again);
    out_ += "\n";
    add_legend();
    add_violation();
    return std::move(out_);
  }

 private:
  using Cells = std::vector<Glyph>;

  void add_line(const std::string& text) {
    out_ += ascii_ ? to_ascii(text) : text;
    out_ += "\n";
  }

  size_t column(size_t lane) const { return gap_ * lane; }

  // "nodes 1, 2 and 3: Server", a line for every type.
  void add_types() {
    std::map<std::string, std::vector<int>> by_type;  // ids
    for (const Lane& lane : diagram_.lanes) {
      if (!lane.type.empty()) by_type[lane.type].push_back(lane.node);
    }
    for (const auto& [type, nodes] : by_type) {
      add_line("  " +
               cut_to(fmt::format("{} {}: {}", nodes.size() == 1 ? "node" : "nodes",
                                  one_line(node_list(trace_, nodes)), cut_to(one_line(type), 40)),
                      kColumns - 2));
    }
  }

  void add_names() {
    std::string line(4 + digits_, ' ');
    for (size_t i = 0; i < diagram_.lanes.size(); ++i) {
      const Lane& lane = diagram_.lanes[i];
      std::string name = one_line(lane.name);
      if (name.starts_with("client ")) name = "c" + name.substr(7);
      line += padded(cut_to(name, gap_ - 1), gap_);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    add_line(line);
  }

  // The lanes as they are after the changes so far.
  Cells lanes() {
    Cells cells(gap_ * diagram_.lanes.size(), Glyph::kBlank);
    for (size_t i = 0; i < diagram_.lanes.size(); ++i) {
      cells[column(i)] = down_[i] ? Glyph::kDown : Glyph::kLane;
    }
    return cells;
  }

  void follow_down(size_t row) {
    while (!changes_.empty() && changes_.begin()->first <= row) {
      const auto [lane, is_down] = changes_.begin()->second;
      down_[lane] = is_down;
      changes_.erase(changes_.begin());
    }
  }

  void add_row(const std::string& number, const Cells& cells, const std::string& label,
               bool bad = false, const KindRef& kind = nullptr) {
    std::string line = bad ? "✗ " : "  ";
    line += std::string(digits_ - std::min(digits_, columns_of(number)), ' ') + number + "  ";
    if (ascii_) line = to_ascii(line);
    for (const Glyph glyph : cells) {
      const Form& form = form_of(glyph);
      if (glyph == Glyph::kDescribed && kind != nullptr && !kind->mark.empty()) {
        line += ascii_ ? to_ascii(kind->mark) : kind->mark;
        marks_[kind->mark] = kind->name;
      } else if (ascii_) {
        line += form.ascii;
      } else {
        line += form.unicode;
      }
      if (*form.what != '\0') used_.insert(glyph);
    }
    const std::string text = ascii_ ? to_ascii(label) : label;
    line += ascii_ && text.size() > label_ ? text.substr(0, label_ - 3) + "..." : text;
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + "\n";
  }

  // From one lane towards another: up to it, or, if the message does not arrive, to the column
  // before it.
  void draw_arrow(Cells& cells, size_t from, size_t to, Glyph line, Glyph head) const {
    const bool right = to > from;
    const size_t a = column(from);
    const size_t b = column(to);
    for (size_t x = std::min(a, b) + 1; x < std::max(a, b); ++x) {
      cells[x] = cells[x] == Glyph::kBlank ? line : Glyph::kCross;
    }
    if (cells[a] == Glyph::kLane) cells[a] = right ? Glyph::kLeaves : Glyph::kLeavesLeft;
    cells[right ? b - 1 : b + 1] = head;
  }

  void draw_message(Cells& cells, const Action& action, Glyph line, Glyph head) const {
    if (action.from < 0) return;
    const size_t from = diagram_.lane_of(action.from);
    const size_t to = diagram_.lane_of(action.node);
    const bool arrives = head == Glyph::kRight;
    if (from == to) {
      cells[column(to) + 1] = arrives ? Glyph::kSelf : head;
      return;
    }
    draw_arrow(cells, from, to, line, arrives && to < from ? Glyph::kLeft : head);
  }

  void draw_action(Cells& cells, const Action& action) const {
    const size_t at = column(diagram_.lane_of(action.node));
    switch (action.kind) {
      case ActionKind::kDeliver:
      case ActionKind::kEvent:
        draw_message(cells, action, Glyph::kLine, Glyph::kRight);
        cells[at] = Glyph::kHandles;
        break;
      case ActionKind::kDrop:
        draw_message(cells, action, Glyph::kLine, Glyph::kLost);
        break;
      case ActionKind::kDuplicate:
        draw_message(cells, action, Glyph::kLine, Glyph::kCopy);
        break;
      case ActionKind::kDetect:
      case ActionKind::kRestore:
        draw_message(cells, action, Glyph::kNotice, Glyph::kRight);
        cells[at] = Glyph::kDetector;
        break;
      case ActionKind::kSuspect:
        cells[at] = Glyph::kDetector;
        break;
      case ActionKind::kTimer:
        cells[at] = Glyph::kTimer;
        break;
      case ActionKind::kRequest:
        cells[at] = Glyph::kRequest;
        break;
      case ActionKind::kCrash:
        cells[at] = Glyph::kCrash;
        break;
      case ActionKind::kRecover:
        cells[at] = Glyph::kRecover;
        break;
      case ActionKind::kPartition:
      case ActionKind::kHeal:
        for (size_t x = 0; x <= column(diagram_.lanes.size() - 1); ++x) {
          if (cells[x] == Glyph::kBlank) cells[x] = Glyph::kNetwork;
        }
        break;
      case ActionKind::kDescribed:
        draw_message(cells, action, Glyph::kLine, Glyph::kRight);
        cells[at] = Glyph::kDescribed;
        break;
      default:
        cells[at] = Glyph::kHandles;
    }
    if (action.crash_at_persist > 0) cells[at + 1] = Glyph::kCrash;
  }

  void add_step(size_t index) {
    const StepDetail& detail = trace_.steps[index].detail;
    const Action& action = detail.action;
    follow_down(index + 1);
    Cells cells = lanes();
    draw_action(cells, action);
    if (!detail.failure.empty()) cells[column(diagram_.lane_of(action.node))] = Glyph::kFails;
    std::string more;
    const auto sent = sent_in_.find({index + 1, diagram_.lane_of(action.node)});
    if (sent != sent_in_.end() && sent->second > 0) {
      more += fmt::format(", sent in {}", sent->second);
    }
    for (const std::string& value : detail.decided) more += ", ★ " + one_line(value);
    for (const HistoryEvent& event : detail.history) {
      more += event.client == action.node
                  ? ", "
                  : fmt::format(", client {} ", one_line(node_name(trace_, event.client)));
      more += (event.is_return ? "returns " : "invokes ") + one_line(event.text);
    }
    for (const Sent& lost : detail.lost) {
      more +=
          fmt::format(", loses {} → {}", one_line(lost.type), one_line(node_name(trace_, lost.to)));
    }
    if (!detail.failure.empty()) more += ", FAILS";
    const size_t room = ascii_ ? label_ - 5 : label_;  // "…" and "→" are longer in ASCII
    more = cut_to(more, room / 2);
    const bool bad = !trace_.verdict.property.empty() && trace_.verdict.step == index + 1;
    add_row(std::to_string(index + 1), cells,
            cut_payload(one_line(action_words(trace_, action)), room - columns_of(more)) + more,
            bad, action.described);
  }

  void add_legend() {
    std::vector<std::string> parts;
    for (const auto& [mark, name] : marks_) {
      parts.push_back(fmt::format("{} {}", ascii_ ? to_ascii(mark) : mark, name));
    }
    for (const Glyph glyph : used_) {
      const Form& form = form_of(glyph);
      parts.push_back(
          fmt::format("{} {}", ascii_ ? std::string(1, form.ascii) : form.unicode, form.what));
    }
    for (const std::string& line : wrapped(join(parts, ", "), kColumns - 2)) add_line("  " + line);
  }

  void add_violation() {
    const TraceVerdict& verdict = trace_.verdict;
    if (verdict.property.empty()) {
      add_line("  nothing is violated");
      return;
    }
    std::string text = fmt::format("✗ violated: {} ({}), ", one_line(verdict.property),
                                   one_line(kind_words(verdict)));
    if (!verdict.nodes.empty()) {
      text += fmt::format("{} {}, ", verdict.nodes.size() == 1 ? "node" : "nodes",
                          one_line(node_list(trace_, verdict.nodes)));
    }
    text += verdict.step == 0 ? std::string("in the initial state")
                              : fmt::format("after step {}", verdict.step);
    // No line but the first begins at the margin: what a name says cannot pass for one of ours.
    bool first = true;
    for (const std::string& line : wrapped(text, kColumns - 4)) {
      add_line((first ? "" : "    ") + line);
      first = false;
    }
    for (const std::string& line : wrapped(one_line(verdict.why), kColumns - 2)) {
      add_line("  " + line);
    }
  }

  const Trace& trace_;
  const Diagram& diagram_;
  const bool ascii_;
  const size_t gap_;
  const size_t digits_;
  size_t label_ = 0;
  std::map<std::pair<size_t, size_t>, size_t> sent_in_;  // (row, lane) of an arrival: its sending
  std::multimap<size_t, std::pair<size_t, bool>> changes_;  // row: a lane goes down, or comes back
  std::vector<bool> down_;
  std::set<Glyph> used_;                      // of those that need a legend
  std::map<std::string, std::string> marks_;  // of described kinds that are drawn, and their names
  std::string out_;
};

}  // namespace

std::string to_drawing(const Trace& trace, const DrawingOptions& options) {
  const Diagram diagram = layout(trace);
  return Drawing(trace, diagram, options).text();
}

}  // namespace ordeal::report
