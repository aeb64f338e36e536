// The events that a cast allows, as far as it tells: kind, nodes, and type of content.
#pragma once

#include <functional>
#include <string_view>

#include "system/scenario/satisfiable.h"

namespace ordeal::monitor {

struct Content {
  std::string_view name;
  const value::Type* type = nullptr;  // null: only its name is known
};

// What the cast tells about an event.
struct Shape {
  EventKind kind = EventKind::kEnd;
  NodeId node = -1;
  NodeId from = -1;
  NodeId to = -1;
  Content content;
};

// Calls `visit` with those that the question may be about until it says true; whether it did.
// Nodes that the question cannot tell apart stand for each other. `anybody_sends`: components too.
bool any_shape(const Question& question, const Scenario::Declaration& scenario, const Cast& cast,
               bool anybody_sends, const std::function<bool(const Shape&)>& visit);

}  // namespace ordeal::monitor
