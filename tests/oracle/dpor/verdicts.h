// What dpor says of the properties that it claims to keep, against the reference, which visits all
// states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "explore/dpor/dpor.h"
#include "explore/strategy/claims.h"
#include "ordeal/check.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/reference/explore.h"

namespace ordeal::oracle {

struct VerdictCount {
  uint64_t compared = 0;
  uint64_t too_many = 0;
  uint64_t properties = 0;
  uint64_t violated = 0;
};

inline bool kept_by_dpor(explore::About about) {
  for (const explore::Claims& claims : explore::claims()) {
    if (claims.name == "dpor") {
      return claims.kept[static_cast<size_t>(about)] != explore::Kept::kRefused;
    }
  }
  return false;
}

inline std::string problem_with_verdicts(const Case& item, uint64_t most_runs,
                                         VerdictCount& count) {
  if (item.system.constrained()) return "";
  // In a set, runs do not end unless deliveries that change nothing are left out.
  if (item.features.count("network set") > 0 && item.features.count("skip no-ops") == 0) return "";
  const auto space = item.system.space();
  const Options by_runs{
      .strategy = "dpor", .max_depth = 40, .max_runs = most_runs, .keep_going = true};
  const explore::Exploration runs = explore::explore_orders(space.get(), nullptr, by_runs);
  if (!runs.error.empty() || !runs.bounds.empty()) {
    ++count.too_many;
    return "";
  }
  const reference::Exploration all = reference::explore(item.system, 2000);
  if (!all.complete) return "";
  ++count.compared;
  if (runs.terminal_states != all.terminal) {
    return "dpor has " + std::to_string(runs.terminal_states) + " terminal states, the reference " +
           std::to_string(all.terminal);
  }
  const std::vector<Property>& properties = item.system.properties();
  for (uint32_t i = 0; i < properties.size(); ++i) {
    if (!kept_by_dpor(explore::about(properties[i], i))) continue;
    ++count.properties;
    const bool seen = all.first[i].has_value();  // violated; reached, if it is a `sometimes`
    count.violated += seen ? 1 : 0;
    const bool found = std::any_of(runs.findings.begin(), runs.findings.end(),
                                   [&](const explore::Finding& f) { return f.property == i; });
    const bool reached = runs.reached_depth[i] >= 0;
    if (seen != (properties[i].kind == PropertyKind::kSometimes ? reached : found)) {
      return "they differ about '" + properties[i].name + "'";
    }
  }
  return "";
}

}  // namespace ordeal::oracle
