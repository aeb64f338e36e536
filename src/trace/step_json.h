// Parts of a trace as JSON, each one line, as they stand in the file: for runs that are told while
// they go on.
#pragma once

#include <cstddef>
#include <string>

#include "ordeal/trace.h"

namespace ordeal::trace {

// `number`: from 1.
std::string step_json(const TraceStep& step, size_t number);
std::string verdict_json(const TraceVerdict& verdict);  // "null" where nothing is violated

}  // namespace ordeal::trace
