// Event: what a step did, as filters and property machines see it.
//
// A step of a system gives several events, always in this order: what was handled (a message was
// received, a timer fired, a node crashed), then what the handler did besides sending (timers,
// decisions, log lines, operations), in its order, then what is *on its way* because of it: every
// message, notice and posted event that is pending now and was not before, in canonical order. A
// run begins with what is on its way at the start: requests, and what the nodes sent and set while
// they started.
#pragma once

#include <cstdint>
#include <string_view>

#include "ordeal/action.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal {

enum class EventKind : uint8_t {
  // On its way: a filter may say what becomes of it.
  kSend,      // a message was sent
  kSubmit,    // a client request waits for its node
  kPost,      // an event of a mocked component waits for its node
  kSetTimer,  // a timer was set
  kNotice,    // the failure detector has something to tell a node; text: "detect" or "restore"
  // Handled.
  kReceive,  // a message
  kRequest,  // a client request
  kPosted,   // an event of a mocked component
  kTimer,    // a timer fired
  kDetect,   // a node was told of a crash
  kRestore,  // … or that it was none
  kSuspect,  // … or was told wrongly
  kCrash,
  kRecover,
  kDrop,       // a message was lost: a fault that the strategy picked
  kDuplicate,  // … or doubled
  kPartition,
  kHeal,
  kStep,  // an action of a raw model
  // Done by a handler.
  kCancelTimer,
  kDecide,
  kInvoke,  // a client operation began
  kReturn,  // … and ended
  kLog,
  // No progress action is enabled any more. Only property machines see it.
  kEnd,
};
inline constexpr int kEventKinds = static_cast<int>(EventKind::kEnd) + 1;

const char* to_string(EventKind kind);  // "send", "receive", …
// kSend to kNotice.
constexpr bool is_on_its_way(EventKind kind) { return kind <= EventKind::kNotice; }
// About a message: sent, received, dropped, duplicated.
constexpr bool is_about_message(EventKind kind) {
  return kind == EventKind::kSend || kind == EventKind::kReceive || kind == EventKind::kDrop ||
         kind == EventKind::kDuplicate;
}

// Something pending: what a delivery, a timer, a request would handle. Two equal ones (copies of a
// message) are told apart by nothing.
struct Offer {
  ActionKind kind = ActionKind::kDeliver;  // that handles it; faults stand for themselves
  NodeId node = -1;                        // where
  NodeId from = -1;
  uint64_t content = 0;  // Any::hash() of the payload; of a timer: of its name
  uint64_t digest = 0;   // … Any::digest(), for traces

  bool operator==(const Offer&) const = default;
};

// Of a timer: `payload` is its name, as a std::string.
Offer offer_of(ActionKind kind, NodeId node, NodeId from, const value::Any& payload);

// Valid during the call it was passed to.
struct Event {
  EventKind kind = EventKind::kStep;
  NodeId node = -1;  // where it happens: the sender of kSend, the receiver of kReceive; -1: nowhere
  NodeId from = -1;  // of messages and posted events; of detector events: about whom
  NodeId to = -1;
  // The message, request, posted event; the decided value; the operation.
  value::Any payload;
  std::string_view text;  // the timer's name, the line logged, the label of a raw action
  // The state of `node` after the step, where it is a value; null where it is not.
  const value::Any* state = nullptr;

  // What is pending because of it. REQUIRES: is_on_its_way(kind).
  Offer offer() const;
};

// The name of what it carries: the message type, "" where there is none.
inline std::string_view type_of(const Event& event) { return event.payload.type_name(); }

// "send Vote{term: 1} 2→3", "set timer election at 1": one line for people.
std::string show(const Event& event);

}  // namespace ordeal
