// Stateful search over a StateSpace: breadth first (shortest counterexamples) and depth first, on
// all cores, with results that do not depend on the number of threads.
//
// The search goes in rounds. A round takes a fixed number of waiting states and (1) expands them,
// in parallel; (2) looks up every successor in the visited set, in parallel by shard, each thread
// going through the successors in the same order, so that the same successor wins whoever runs;
// (3) adds the new ones to the frontier, in that order. Depth first takes the newest states, a
// chunk at a time: it is depth first with a width. A round that is too small to be shared is one
// thread's; the others are only there once there was a larger one.
#pragma once

#include <atomic>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

enum class Order : uint8_t { kBreadthFirst, kDepthFirst };

Exploration search(StateSpace& space, Order order, const Options& options);

// Whether threads share the smallest rounds, too: for tests, so that they meet in small systems.
inline std::atomic<bool> share_small_rounds{false};

}  // namespace ordeal::explore
