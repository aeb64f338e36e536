#include "system/opaque/wire_event.h"

namespace ordeal::actor {

EventWire::EventWire(const detail::Declaration& declaration) {
  types_.push_back(&value::type_of<std::string>());  // the names of timers
  for (const detail::NodeDeclaration& node : declaration.nodes) {
    for (const auto* handlers : {&node.type->messages, &node.type->requests}) {
      for (const auto& handler : *handlers) {
        if (place_of(*handler.type) < 0) types_.push_back(handler.type);
      }
    }
  }
}

int EventWire::place_of(const value::Type& type) const {
  for (size_t i = 0; i < types_.size(); ++i) {
    if (types_[i]->same_as(type)) return static_cast<int>(i);
  }
  return -1;
}

WirePayload EventWire::write(const value::Any& payload) const {
  WirePayload out;
  if (payload.empty()) return out;
  out.type = place_of(*payload.type());
  if (out.type >= 0) payload.type()->write(payload.data(), out.bytes);
  return out;
}

value::Any EventWire::read(const WirePayload& wire) const {
  if (wire.type < 0 || static_cast<size_t>(wire.type) >= types_.size()) return {};
  std::string_view bytes = wire.bytes;
  return types_[static_cast<size_t>(wire.type)]->read_any(bytes);
}

WireEvent EventWire::write(const ordeal::Event& event) const {
  WireEvent out{event.kind, event.node,           event.from,
                event.to,   write(event.payload), std::string(event.text)};
  if (out.payload.type < 0 && !event.payload.empty()) {
    out.text = value::show(event.payload.tree());
  }
  return out;
}

ordeal::Event EventWire::read(const WireEvent& wire) const {
  ordeal::Event out;
  out.kind = wire.kind;
  out.node = wire.node;
  out.from = wire.from;
  out.to = wire.to;
  out.payload = read(wire.payload);
  out.text = wire.text;
  return out;
}

WireChange EventWire::write(const Amendment& change) const {
  return {change.kind,           change.what,         change.from, change.to,
          write(change.payload), write(change.other), change.place};
}

Amendment EventWire::read(const WireChange& wire) const {
  return {wire.kind,          wire.what,        wire.from, wire.to,
          read(wire.payload), read(wire.other), wire.place};
}

}  // namespace ordeal::actor
