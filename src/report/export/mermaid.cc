#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "report/draw/diagram.h"
#include "report/export/export.h"
#include "report/text/terminal.h"
#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kMostOfALabel = 70;
constexpr size_t kMostOfWhy = 200;

// Mermaid reads "#59;" as the character 59. Whatever could end a line or a statement, begin a
// comment, a directive, a formula or markup is written so; and so are the characters that Mermaid
// itself puts in the place of such codes while it reads.
std::string escape(const std::string& text) {
  const std::string line = one_line(text);
  // It takes what looks like a style ("style a:#fff;") for one, anywhere. Colons make the look.
  std::string lower = line;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return c < 0x80 ? std::tolower(c) : c; });
  const bool colons = lower.find("style") != lower.npos || lower.find("classdef") != lower.npos;
  static constexpr std::string_view kPlain = " .,()[]{}=+-*/!?_";
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const std::string_view rest = std::string_view(line).substr(i);
    if (rest.starts_with("ﬂ") || rest.starts_with("°") || rest.starts_with("¶") ||
        rest.starts_with("ß")) {
      const size_t bytes = rest.starts_with("ﬂ") ? 3 : 2;
      const int code = bytes == 3 ? 0xFB02 : (c & 0x1F) << 6 | (line[i + 1] & 0x3F);
      out += fmt::format("#{};", code);
      i += bytes - 1;
    } else if (c >= 0x80 || std::isalnum(c) != 0 || kPlain.find(line[i]) != kPlain.npos ||
               (c == ':' && !colons)) {
      out += line[i];
    } else {
      out += fmt::format("#{};", c);
    }
  }
  return out;
}

// What a message carries: an arrow shows the rest of its action.
std::string content_of(const Trace& trace, const Action& action) {
  std::string text = action_words(trace, action);
  const std::string kind = fmt::format("{} ", kind_name(action));
  if (text.starts_with(kind)) text.erase(0, kind.size());
  const std::string place =
      fmt::format(" {}→{}", node_name(trace, action.from), node_name(trace, action.node));
  if (const size_t at = text.rfind(place); at != text.npos) text.erase(at, place.size());
  return text;
}

class Sequence {
 public:
  Sequence(const Trace& trace, const Diagram& diagram) : trace_(trace), diagram_(diagram) {}

  std::string text() {
    out_ = "sequenceDiagram\n";
    put("title {}", escape(cut_to(one_line(fmt::format("{}, {}", trace_.system,
                                                       counted(diagram_.rows, "step"))),
                                  kMostOfALabel)));
    for (size_t i = 0; i < diagram_.lanes.size(); ++i) {
      const Lane& lane = diagram_.lanes[i];
      const std::string type = lane.type.empty() ? "" : " " + cut_to(one_line(lane.type), 20);
      put("participant {} as {}", name_of(i), escape(lane.name + type));
    }
    if (diagram_.first_row > 0) {
      note(0, diagram_.lanes.size() - 1,
           counted(diagram_.first_row, "step") + " before these are left out");
    }
    for (size_t i = diagram_.first_row; i < trace_.steps.size(); ++i) step(i);
    if (const std::string again = loop_words(trace_); !again.empty()) {
      note(0, diagram_.lanes.size() - 1, again);
    }
    const TraceVerdict& verdict = trace_.verdict;
    if (!verdict.property.empty()) {
      const std::string place =
          verdict.step == 0 ? "in the initial state" : fmt::format("after step {}", verdict.step);
      note(0, diagram_.lanes.size() - 1,
           cut_to(one_line(fmt::format("✗ violated: {} ({}), {}{}{}", verdict.property,
                                       kind_words(verdict), place, verdict.why.empty() ? "" : ": ",
                                       verdict.why)),
                  kMostOfWhy));
    }
    return std::move(out_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    out_ += "    ";
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
    out_ += "\n";
  }

  // Names that no text of the trace is part of.
  static std::string name_of(size_t lane) { return fmt::format("n{}", lane); }

  void note(size_t from, size_t to, const std::string& text) {
    if (from == to) {
      put("Note over {}: {}", name_of(from), escape(text));
    } else {
      put("Note over {},{}: {}", name_of(from), name_of(to), escape(text));
    }
  }

  void arrow(int from, const char* kind, int to, const std::string& text) {
    put("{}{}{}: {}", name_of(diagram_.lane_of(from)), kind, name_of(diagram_.lane_of(to)),
        escape(text));
  }

  void step(size_t index) {
    const StepDetail& detail = trace_.steps[index].detail;
    const Action& action = detail.action;
    const size_t lane = diagram_.lane_of(action.node);
    const auto numbered = [&](const std::string& text) {
      return fmt::format("{}. {}", index + 1, cut_payload(one_line(text), kMostOfALabel));
    };
    const bool between = action.from >= 0 && action.node >= 0;
    switch (action.kind) {
      case ActionKind::kDeliver:
      case ActionKind::kEvent:
        if (between) {
          arrow(action.from, "->>", action.node, numbered(content_of(trace_, action)));
        } else {
          note(lane, lane, numbered(action_words(trace_, action)));
        }
        break;
      case ActionKind::kDrop:
        if (between) {
          arrow(action.from, "-x", action.node, numbered("drop " + content_of(trace_, action)));
        } else {
          note(lane, lane, numbered(action_words(trace_, action)));
        }
        break;
      case ActionKind::kDetect:
      case ActionKind::kRestore:
        if (between) {
          arrow(action.from, "-->>", action.node, numbered(action_words(trace_, action)));
        } else {
          note(lane, lane, numbered(action_words(trace_, action)));
        }
        break;
      case ActionKind::kPartition:
      case ActionKind::kHeal:
        note(0, diagram_.lanes.size() - 1, numbered(action_words(trace_, action)));
        break;
      case ActionKind::kDescribed:
        if (between) {
          arrow(action.from, "->>", action.node, numbered(action_words(trace_, action)));
        } else {
          note(lane, lane, numbered(action_words(trace_, action)));
        }
        break;
      default:
        note(lane, lane, numbered(action_words(trace_, action)));
    }
    for (const Sent& lost : detail.lost) {
      if (lost.from < 0 || lost.to < 0) continue;
      const std::string& text = lost.text.empty() ? lost.type : lost.text;
      arrow(lost.from, "-x", lost.to, numbered("loses " + text));
    }
    for (const std::string& value : detail.decided) {
      note(lane, lane, numbered("★ decides " + value));
    }
    if (!detail.failure.empty()) note(lane, lane, numbered("✗ fails: " + detail.failure));
  }

  const Trace& trace_;
  const Diagram& diagram_;
  std::string out_;
};

}  // namespace

std::string to_mermaid(const Trace& trace) {
  const Diagram diagram = layout(trace);
  return Sequence(trace, diagram).text();
}

}  // namespace ordeal::report
