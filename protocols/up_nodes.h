// Questions about the nodes of one type that are up: the others have nothing but their disk. For
// predicates that exploration is led by.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ordeal/view.h"

namespace ordeal::protocols {

// How many are up and so.
template <class Node, class F>
int count_up(const View& view, F is_so) {
  return static_cast<int>(std::count_if(view.nodes().begin(), view.nodes().end(), [&](NodeId id) {
    return view.is<Node>(id) && view.up(id) && is_so(view.node<Node>(id));
  }));
}

// Whether all of that type are up and so.
template <class Node, class F>
bool all_up(const View& view, F is_so) {
  return std::all_of(view.nodes().begin(), view.nodes().end(), [&](NodeId id) {
    return !view.is<Node>(id) || (view.up(id) && is_so(view.node<Node>(id)));
  });
}

// The most that `of` is of any that is up; -1: none is.
template <class Node, class F>
int64_t up_most(const View& view, F of) {
  int64_t most = -1;
  for (NodeId id : view.nodes()) {
    if (!view.is<Node>(id) || !view.up(id)) continue;
    most = std::max(most, static_cast<int64_t>(of(view.node<Node>(id))));
  }
  return most;
}

// By how much two of them differ in `of`, at most; -1: none is up.
template <class Node, class F>
int64_t up_spread(const View& view, F of) {
  int64_t least = INT64_MAX;
  int64_t most = INT64_MIN;
  for (NodeId id : view.nodes()) {
    if (!view.is<Node>(id) || !view.up(id)) continue;
    const auto value = static_cast<int64_t>(of(view.node<Node>(id)));
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most >= least ? most - least : -1;
}

}  // namespace ordeal::protocols
