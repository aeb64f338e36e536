// A run as a log: one JSON object in each line, as an implementation would write it that says what
// it does. To be held against a model.
#pragma once

#include <string>

#include "ordeal/result.h"
#include "ordeal/trace.h"

namespace ordeal::trace {

// kind, node, from, type, payload, choices; where the trace has states, `up`, and of a node
// that is up its `state` behind the step. An Error: the states of the trace make no sense.
Result<std::string> to_event_log(const Trace& trace);

}  // namespace ordeal::trace
