// Optimal partial-order reduction over runs (strategy dpor).
//
// Two runs are of the same *partial order* if one becomes the other by swapping neighbours that are
// independent (ordeal/footprint.h). Exactly one run of every partial order is explored, and none is
// begun that is not. The method is that of source sets and wakeup trees (Abdulla, Aronsson,
// Jonsson, Sagonas: Optimal dynamic partial order reduction, POPL 2014), with one rule for races:
//
//   For every event p of a finished run, taken in a state s: let everything in the rest of the run
//   happen that does not depend on p, without p. What is enabled then (or was, and was lost on the
//   way) and depends on p could have come before p, or instead of it: that is another partial
//   order.
//
// This covers events that were executed behind p (the usual races) and actions that p made
// impossible: the other answer of choose(n), a message that was dropped, whatever was pending at a
// node that crashed, a fault when its supply ran out, a fault that was possible when the run ended.
//
// Every place on the way is a saved state (or is reached again from the start, where the world
// cannot save states), so that what is enabled is looked up, never guessed.
#pragma once

#include <functional>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// Told the keys of the actions of each run, the end included.
using RunSeen = std::function<void(const std::vector<uint64_t>&)>;

// `space` is null where states cannot be saved; `world` is then used instead.
Exploration explore_orders(StateSpace* space, World* world, const Options& options,
                           const RunSeen& run_seen = {});

}  // namespace ordeal::explore
