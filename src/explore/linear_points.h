// Where the operations of a client history took effect in a run.
#pragma once

#include <vector>

#include "ordeal/history.h"
#include "ordeal/trace.h"

namespace ordeal::explore {

// A point for each operation of the order: as early as its call and the points before it allow, so
// within the operation, and never before that of an operation that comes earlier in the order.
// REQUIRES: the order is one of operations of the trace, and respects real time.
std::vector<LinearPoint> points_of(const Trace& trace, const std::vector<OpRef>& order);

}  // namespace ordeal::explore
