// Events and amendments as they cross the line to a worker process: what they carry as the number
// of its type and bytes. The worker is a fork of the checker: both number the types alike.
#pragma once

#include <string>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/system.h"
#include "ordeal/world.h"

namespace ordeal::actor {

struct WirePayload {
  int type = -1;  // -1: there is none, or none that both sides know
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
  int place = -1;
};

// Knows the types that the nodes of a system handle.
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
  // -1: it is none of them.
  int place_of(const value::Type& type) const;
  WirePayload write(const value::Any& payload) const;
  value::Any read(const WirePayload& wire) const;

  std::vector<const value::Type*> types_;
};

}  // namespace ordeal::actor
