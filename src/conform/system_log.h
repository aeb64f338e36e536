// Logs against systems: each line is a step, as traces and live runs write it
// (trace/event_log.h), or as much of it as is known.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "conform/conformance.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::conform {

struct SystemLogOptions {
  std::string name;                          // of the system
  bool as_declared = false;                  // no more faults than it declares
  std::vector<ActionKind> hidden;            // kinds of steps that may happen without a line,
  uint32_t most_hidden = 1;                  // … so many between two lines
  uint64_t space_bytes = uint64_t{1} << 30;  // of remembered states, before the past is forgotten
};

// An Error: states of the subject cannot be saved, or it cannot start.
Result<Conformance> follow_system_log(const Checkable& subject, std::istream& log,
                                      const SystemLogOptions& system,
                                      const ConformOptions& options);

}  // namespace ordeal::conform
