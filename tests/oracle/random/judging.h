// What the properties of generated systems look at.
#pragma once

#include <set>
#include <utility>

#include "ordeal/view.h"
#include "tests/oracle/random/made.h"
#include "tests/oracle/random/program.h"

namespace ordeal::oracle {

template <class... T>
int state_of(const View& view, NodeId node) {
  int state = 0;
  ((view.is<T>(node) ? state = view.node<T>(node).cell.state : 0), ...);
  return state;
}

inline int sum_of_states(const View& view) {
  int sum = 0;
  for (NodeId node : view.nodes()) {
    const value::Type* const type = view.slot(node).state;
    if (type != nullptr && type->is_made()) {
      sum += dynamic::state(view, node)["cell"][made().state].as<uint8_t>();
      continue;
    }
    sum += state_of<Full, Plain, Deaf, Digested<Full>, Digested<Plain>, Digested<Deaf>>(view, node);
  }
  return sum;
}

// What a node persisted; -1: it never did.
inline int saved_by(const View& view, NodeId node) {
  if (const Saved* disk = view.disk<Saved>(node)) return disk->what;
  const value::Any* disk = view.disk(node);
  return disk == nullptr ? -1 : static_cast<int>(dynamic::ConstRef(*disk)["what"].integer());
}

// The library's agreement(), said once more in other words: both must get the same verdict.
inline bool agree(const View& view, bool only_correct) {
  std::set<std::pair<int, int>> values;  // of which type, and what
  for (NodeId node : view.nodes()) {
    if (only_correct && !view.up(node)) continue;
    for (const value::Any& decision : view.decisions(node)) {
      if (const int* number = decision.try_get<int>()) values.emplace(0, *number);
      if (const auto* sealed = decision.try_get<Sealed<Ping>>()) values.emplace(1, sealed->n);
      if (const auto* sealed = decision.try_get<Sealed<Token>>()) values.emplace(2, sealed->n);
      if (!decision.type()->is_made()) continue;
      const bool of_ping = decision.type()->same_as(*made().sealed_ping);
      values.emplace(of_ping ? 1 : 2, dynamic::ConstRef(decision)["n"].integer());
    }
  }
  return values.size() <= 1;
}

}  // namespace ordeal::oracle
