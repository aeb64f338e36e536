// NodeId: the name of a node. A type of its own, so that the value layer can find and rename every
// node id inside states, messages and histories (symmetry needs that); otherwise it acts as an int.
#pragma once

#include <compare>

namespace ordeal {

struct NodeId {
  int value = 0;

  constexpr NodeId() = default;
  constexpr NodeId(int v) : value(v) {}             // NOLINT: implicit on purpose
  constexpr operator int() const { return value; }  // NOLINT: implicit on purpose
};

}  // namespace ordeal
