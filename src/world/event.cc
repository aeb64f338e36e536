#include "ordeal/event.h"

#include <fmt/format.h>

#include "ordeal/world.h"

namespace ordeal {
namespace {

ActionKind handled_by(EventKind kind) {
  switch (kind) {
    case EventKind::kSubmit:
      return ActionKind::kRequest;
    case EventKind::kPost:
      return ActionKind::kEvent;
    case EventKind::kSetTimer:
      return ActionKind::kTimer;
    case EventKind::kNotice:
      return ActionKind::kDetect;
    default:
      return ActionKind::kDeliver;
  }
}

// The offer that an action's identity speaks of.
Offer offer_of(const Action& action) {
  const bool about_message =
      action.kind == ActionKind::kDrop || action.kind == ActionKind::kDuplicate;
  const ActionKind kind = about_message ? ActionKind::kDeliver : action.kind;
  if (kind == ActionKind::kTimer) {
    return offer_of(kind, action.node, action.from, value::Any::of(action.type));
  }
  return {kind, action.node, action.from, action.payload_digest, action.payload_digest};
}

}  // namespace

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kSend:
      return "send";
    case EventKind::kSubmit:
      return "submit";
    case EventKind::kPost:
      return "post";
    case EventKind::kSetTimer:
      return "set timer";
    case EventKind::kNotice:
      return "notice";
    case EventKind::kReceive:
      return "receive";
    case EventKind::kRequest:
      return "request";
    case EventKind::kPosted:
      return "event";
    case EventKind::kTimer:
      return "timer";
    case EventKind::kDetect:
      return "detect";
    case EventKind::kRestore:
      return "restore";
    case EventKind::kSuspect:
      return "suspect";
    case EventKind::kCrash:
      return "crash";
    case EventKind::kRecover:
      return "recover";
    case EventKind::kDrop:
      return "drop";
    case EventKind::kDuplicate:
      return "duplicate";
    case EventKind::kPartition:
      return "partition";
    case EventKind::kHeal:
      return "heal";
    case EventKind::kStep:
      return "step";
    case EventKind::kCancelTimer:
      return "cancel timer";
    case EventKind::kDecide:
      return "decide";
    case EventKind::kInvoke:
      return "invoke";
    case EventKind::kReturn:
      return "return";
    case EventKind::kLog:
      return "log";
    case EventKind::kEnd:
      return "end";
  }
  return "unknown";
}

Offer offer_of(ActionKind kind, NodeId node, NodeId from, const value::Any& payload) {
  return {kind, node, from, payload.hash(), payload.digest()};
}

Offer Event::offer() const {
  if (kind == EventKind::kSetTimer) {
    return offer_of(ActionKind::kTimer, node, -1, value::Any::of(std::string(text)));
  }
  const bool restores = kind == EventKind::kNotice && text == "restore";
  return offer_of(restores ? ActionKind::kRestore : handled_by(kind), to, from, payload);
}

std::string show(const Event& event) {
  std::string out = to_string(event.kind);
  if (!event.text.empty()) out += fmt::format(" {}", event.text);
  if (!event.payload.empty()) out += " " + value::show(event.payload.tree());
  if (event.from >= 0 && event.to >= 0) {
    out += fmt::format(" {}→{}", event.from.value, event.to.value);
  } else if (event.node >= 0) {
    out += fmt::format(" at {}", event.node.value);
  }
  return out;
}

// --- What a world gives that knows nothing better -----------------------------------------------

Offer Explorer::offer(StateRef state, const Choice& choice) {
  return offer_of(action(state, choice));
}

void Explorer::events(StateRef before, const Choice& choice, StateRef, std::vector<Event>& out) {
  label_ = action(before, choice).type;
  Event event;
  event.kind = EventKind::kStep;
  event.text = label_;
  out.push_back(event);
}

Offer World::offer(uint32_t index) { return offer_of(action(index)); }

const Cast::Member* Cast::find(NodeId id) const {
  for (const Member& member : members) {
    if (member.id == id) return &member;
  }
  return nullptr;
}

std::vector<NodeId> Cast::nodes() const {
  std::vector<NodeId> out;
  for (const Member& member : members) {
    if (!member.component) out.push_back(member.id);
  }
  return out;
}

}  // namespace ordeal
