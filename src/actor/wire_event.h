// Events and amendments as they cross the line to a worker process: what they carry as the full
// name of its type and bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/system.h"
#include "ordeal/world.h"

namespace ordeal::actor {

struct WirePayload {
  std::string type;  // "": there is none
  std::string bytes;
};

struct WireEvent {
  EventKind kind = EventKind::kStep;
  NodeId node = -1;
  NodeId from = -1;
  NodeId to = -1;
  WirePayload payload;
  std::string text;
};

struct WireChange {
  Amendment::Kind kind = Amendment::Kind::kRemove;
  ActionKind what = ActionKind::kDeliver;
  NodeId from = -1;
  NodeId to = -1;
  WirePayload payload;
  WirePayload other;
};

// Knows the types that the nodes of a system handle, which are those that both sides know by name.
class EventWire {
 public:
  explicit EventWire(const detail::Declaration& declaration);

  // What is of no type that the other side knows (decisions, operations) crosses as text.
  WireEvent write(const ordeal::Event& event) const;
  // The text stays where it is: `wire` must outlive the event.
  ordeal::Event read(const WireEvent& wire) const;

  WireChange write(const Amendment& change) const;
  Amendment read(const WireChange& wire) const;

 private:
  const value::Type* find(std::string_view full_name) const;
  WirePayload write(const value::Any& payload) const;
  value::Any read(const WirePayload& wire) const;

  std::vector<const value::Type*> types_;
};

}  // namespace ordeal::actor
