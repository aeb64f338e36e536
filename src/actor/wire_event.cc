#include "actor/wire_event.h"

namespace ordeal::actor {

EventWire::EventWire(const detail::Declaration& declaration) {
  types_.push_back(&value::type_of<std::string>());  // the names of timers
  for (const detail::NodeDeclaration& node : declaration.nodes) {
    for (const auto* handlers : {&node.type->messages, &node.type->requests}) {
      for (const auto& handler : *handlers) {
        if (find(handler.type->full_name()) == nullptr) types_.push_back(handler.type);
      }
    }
  }
}

const value::Type* EventWire::find(std::string_view full_name) const {
  for (const value::Type* type : types_) {
    if (type->full_name() == full_name) return type;
  }
  return nullptr;
}

WirePayload EventWire::write(const value::Any& payload) const {
  WirePayload out;
  if (payload.empty() || find(payload.type()->full_name()) == nullptr) return out;
  out.type = payload.type()->full_name();
  payload.type()->write(payload.data(), out.bytes);
  return out;
}

value::Any EventWire::read(const WirePayload& wire) const {
  const value::Type* type = find(wire.type);
  std::string_view bytes = wire.bytes;
  return type == nullptr ? value::Any() : type->read_any(bytes);
}

WireEvent EventWire::write(const ordeal::Event& event) const {
  WireEvent out{event.kind, event.node,           event.from,
                event.to,   write(event.payload), std::string(event.text)};
  if (out.payload.type.empty() && !event.payload.empty()) {
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
  return {change.kind, change.what,           change.from,
          change.to,   write(change.payload), write(change.other)};
}

Amendment EventWire::read(const WireChange& wire) const {
  return {wire.kind, wire.what, wire.from, wire.to, read(wire.payload), read(wire.other)};
}

}  // namespace ordeal::actor
