#include "ordeal/action.h"

#include <fmt/format.h>

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
  }
  return "unknown";
}

bool same_identity(const Action& a, const Action& b) {
  return a.kind == b.kind && a.node == b.node && a.from == b.from && a.type == b.type &&
         a.payload_digest == b.payload_digest && a.choices == b.choices &&
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
