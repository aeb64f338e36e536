// The operations of a client history, and where in the run they took effect.
#pragma once

#include <vector>

#include "ordeal/history.h"
#include "ordeal/trace.h"

namespace ordeal::explore {

// All that were called, in order of their calls.
std::vector<TraceOperation> operations_of(const Trace& trace);

// A point for each operation of the order, within the operation, and never before that of one that
// comes earlier in the order. Where these allow, it lies at the first step that took what the
// client sent and that led to the operation's return: before that nobody but the client knew of it.
// REQUIRES: the order is one of operations of the trace, and respects real time.
std::vector<LinearPoint> points_of(const Trace& trace, const std::vector<OpRef>& order);

}  // namespace ordeal::explore
