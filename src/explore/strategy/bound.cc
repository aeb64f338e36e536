// What kept an exploration from being complete, in words.
#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "explore/strategy/findings.h"

namespace ordeal {

std::string to_string(const Bound& bound) {
  using Kind = Bound::Kind;
  if (!bound.text.empty()) return bound.text;
  switch (bound.kind) {
    case Kind::kInterrupted:
      return "interrupted";
    case Kind::kTime: {
      char text[64];
      std::snprintf(text, sizeof text, "time: %g seconds", bound.seconds);
      return text;
    }
    case Kind::kMemory:
      return "memory: " + bytes_text(bound.used) + " of " + bytes_text(bound.limit);
    case Kind::kStates:
      return grouped(bound.limit) + " states";
    case Kind::kRuns:
      return grouped(bound.limit) + " runs";
    case Kind::kSteps:
      return grouped(bound.limit) + " steps";
    case Kind::kDepth:
      return "depth " + grouped(bound.limit);
    case Kind::kViolation:
      return "stopped at the first violation";
    case Kind::kPart:
      return "there are no more runs of its kind";
    case Kind::kGuide:
      return "only runs that start with the guide were explored";
    case Kind::kAudit:
      return "the audit failed: nothing else was checked";
    case Kind::kReplay:
      return "one run was replayed";
    case Kind::kSize:
      return "something was larger than can be told";
    case Kind::kFile:
      return "a file could not be written or read";
    case Kind::kBroken:
      return "the model failed";
    case Kind::kTrouble:
      return "stopped where the subject could not say what comes next";
  }
  return "";
}

bool Report::ended_by(Bound::Kind kind) const {
  return std::any_of(bounds.begin(), bounds.end(),
                     [&](const Bound& bound) { return bound.kind == kind; });
}

}  // namespace ordeal
