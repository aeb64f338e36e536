#include "ordeal/action.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace ordeal {
namespace {

// The type with what it carries: a record shows its own name, anything else stands behind the type.
std::string show_content(const Action& action) {
  if (action.payload.kind == value::Tree::Kind::kNull) return action.type;
  const std::string payload = value::show(action.payload);
  const bool is_named = action.payload.kind == value::Tree::Kind::kRecord &&
                        (action.type.empty() || action.payload.text == action.type);
  return is_named || action.type.empty() ? payload : fmt::format("{} {}", action.type, payload);
}

std::string show_place(const Action& action) {
  if (action.from >= 0 && action.node >= 0) return fmt::format(" {}→{}", action.from, action.node);
  if (action.node >= 0) return fmt::format(" at {}", action.node);
  return "";
}

// `words` with what stands in braces replaced. An Error: something else stands there.
Result<std::string> filled(const std::string& words, const std::string& node,
                           const std::string& from, const std::string& what) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t open = std::min(words.find('{', at), words.size());
    out += words.substr(at, open - at);
    if (open == words.size()) break;
    const size_t close = std::min(words.find('}', open), words.size());
    const std::string name = words.substr(open + 1, close - open - 1);
    if (name == "node") {
      out += node;
    } else if (name == "from") {
      out += from;
    } else if (name == "what") {
      out += what;
    } else {
      return Error{fmt::format("its words have {{{}}}; there are {{node}}, {{from}} and {{what}}",
                               one_line(name))};
    }
    at = close + 1;
  }
  return out;
}

std::string show_plain(const Action& action) {
  switch (action.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kEvent:
    case ActionKind::kDrop:
    case ActionKind::kDuplicate:
    case ActionKind::kRequest:
      return fmt::format("{} {}{}", to_string(action.kind), show_content(action),
                         show_place(action));
    case ActionKind::kTimer:
      return fmt::format("timer {} at {}", action.type, action.node);
    case ActionKind::kDetect:
      return fmt::format("detect crash of {} at {}", action.from, action.node);
    case ActionKind::kRestore:
      return fmt::format("restore trust in {} at {}", action.from, action.node);
    case ActionKind::kSuspect:
      return fmt::format("suspect {} wrongly at {}", action.from, action.node);
    case ActionKind::kCrash:
      return fmt::format("crash {}", action.node);
    case ActionKind::kRecover:
      return fmt::format("recover {}", action.node);
    case ActionKind::kPartition:
      return fmt::format("partition {}", action.type);
    case ActionKind::kHeal:
      return "heal";
    case ActionKind::kChoose:
      return fmt::format("choose {} at {}", action.type, action.node);
    case ActionKind::kDescribed:
      return show_described(action, std::to_string(action.node), std::to_string(action.from));
    case ActionKind::kStep:
      break;
  }
  const std::string content = show_content(action);
  return (content.empty() ? std::string("step") : content) + show_place(action);
}

}  // namespace

bool is_progress(ActionKind kind) { return kind < ActionKind::kCrash; }

const char* to_string(ActionKind kind) {
  switch (kind) {
    case ActionKind::kDeliver:
      return "deliver";
    case ActionKind::kRequest:
      return "request";
    case ActionKind::kEvent:
      return "event";
    case ActionKind::kTimer:
      return "timer";
    case ActionKind::kDetect:
      return "detect";
    case ActionKind::kRestore:
      return "restore";
    case ActionKind::kStep:
      return "step";
    case ActionKind::kChoose:
      return "choose";
    case ActionKind::kCrash:
      return "crash";
    case ActionKind::kRecover:
      return "recover";
    case ActionKind::kDrop:
      return "drop";
    case ActionKind::kDuplicate:
      return "duplicate";
    case ActionKind::kPartition:
      return "partition";
    case ActionKind::kHeal:
      return "heal";
    case ActionKind::kSuspect:
      return "suspect";
    case ActionKind::kDescribed:
      return "described";
  }
  return "unknown";
}

const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (int i = 0; i < static_cast<int>(ActionKind::kDescribed); ++i) {
      names.emplace_back(to_string(static_cast<ActionKind>(i)));
    }
    return names;
  }();
  return all;
}

ActionKind kind_named(const std::string& name) {
  const std::vector<std::string>& all = kind_names();
  return static_cast<ActionKind>(std::find(all.begin(), all.end(), name) - all.begin());
}

const char* to_string(DescribedKind::Colour colour) {
  switch (colour) {
    case DescribedKind::Colour::kPlain:
      return "plain";
    case DescribedKind::Colour::kMuted:
      return "muted";
    case DescribedKind::Colour::kBlue:
      return "blue";
    case DescribedKind::Colour::kViolet:
      return "violet";
    case DescribedKind::Colour::kAmber:
      return "amber";
    case DescribedKind::Colour::kRed:
      return "red";
  }
  return "plain";
}

Result<void> validate_kinds(const std::vector<KindRef>& kinds) {
  constexpr size_t kMost = 1000;
  if (kinds.size() > kMost) {
    return Error{fmt::format("{} kinds of actions are described; {} can be", kinds.size(), kMost)};
  }
  std::set<std::string> names;
  for (const KindRef& kind : kinds) {
    const std::string where = fmt::format("the kind of actions '{}'", one_line(kind->name));
    if (kind->name.empty() || kind->name.find_first_not_of(
                                  "abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
      return Error{where + ": a name has small letters, digits and '-', and at least one of them"};
    }
    // "fault" is what searches call all of them.
    if (kind_named(kind->name) != ActionKind::kDescribed || kind->name == "described" ||
        kind->name == "fault" || kind->name == "faults") {
      return Error{where + ": every world knows another kind by that name; choose another"};
    }
    if (!names.insert(kind->name).second) return Error{where + " is described twice"};
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    if (std::count_if(kind->mark.begin(), kind->mark.end(), begins) > 1 ||
        columns_of(kind->mark) > 1 || one_line(kind->mark) != kind->mark) {
      return Error{fmt::format("{}: its mark is \"{}\"; it must be one character", where,
                               one_line(kind->mark))};
    }
    const Result<std::string> words = filled(kind->words, "", "", "");
    if (!words) return Error{where + ": " + words.error().message};
  }
  return {};
}

std::string kind_name(const Action& action) {
  return action.described != nullptr ? action.described->name : to_string(action.kind);
}

bool is_fault(const Action& action) {
  return action.described != nullptr ? action.described->fault : !is_progress(action.kind);
}

std::string show_described(const Action& action, const std::string& node, const std::string& from) {
  const std::string what = show_content(action);
  const std::string& words = action.described->words;
  if (!words.empty()) {
    const Result<std::string> text =
        filled(words, action.node < 0 ? "" : node, action.from < 0 ? "" : from, what);
    return text ? *text : action.described->name;
  }
  const std::string place = action.node < 0   ? ""
                            : action.from < 0 ? " at " + node
                                              : fmt::format(" {}→{}", from, node);
  return action.described->name + (what.empty() ? "" : " " + what) + place;
}

bool same_identity(const Action& a, const Action& b) {
  return a.kind == b.kind && kind_name(a) == kind_name(b) && a.node == b.node && a.from == b.from &&
         a.type == b.type && a.payload_digest == b.payload_digest && a.choices == b.choices &&
         a.crash_at_persist == b.crash_at_persist;
}

std::string show(const Action& action) {
  std::string text = show_plain(action);
  if (!action.choices.empty()) text += fmt::format(" [choose {}]", fmt::join(action.choices, ", "));
  if (action.crash_at_persist > 0) {
    text += fmt::format(" [crash after persist {}]", action.crash_at_persist);
  }
  return text;
}

std::string show_by_digest(const Action& action) {
  if (action.payload_digest == 0) return show(action);
  Action brief = action;
  // Anything but a record stands behind the type.
  brief.payload = value::Tree::enumerator(fmt::format("#{:016x}", action.payload_digest));
  return show(brief);
}

}  // namespace ordeal
