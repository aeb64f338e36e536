// Mining waypoints: what held on the way in runs that came to a target, put into an order.
// docs/reference/learning.md defines it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

struct MiningSettings {
  std::string target = {};
  uint32_t numbers = 5;   // predicates are tried with arguments from 0 to this
  uint64_t enough = 100;  // runs that came to the target
  uint64_t most = 6;      // waypoints before the target
};

struct Mined {
  struct Waypoint {
    std::string predicate;
    double first = 0;     // after how many steps it first held, on average
    uint64_t others = 0;  // in how many of the other runs that were looked at it held
  };
  std::vector<Waypoint> waypoints;  // the last is the target

  uint64_t runs = 0;
  uint64_t steps = 0;
  uint64_t reached = 0;  // runs that came to the target: what the list rests on
  uint64_t others = 0;   // runs that did not, and were looked at
  // No run did: these are smaller forms of the target, and nothing says that they lie on a way.
  bool is_graded = false;
  std::optional<Bound> stopped = {};  // what ended the runs before there were enough

  // How many predicates were tried with numbers, and why others were left out.
  uint64_t tried = 0;
  uint64_t at_start = 0;
  uint64_t not_in_all = 0;
  uint64_t everywhere = 0;  // runs that do not come to the target have it too
  uint64_t together = 0;    // with one that was taken
  uint64_t beyond = 0;      // MiningSettings::most

  std::string list() const;  // as --waypoints takes it
};

// An Error: what is asked for makes no sense for the subject; the strategy does not pick runs step
// by step; or the target holds where runs begin.
Result<Mined> mine_waypoints(const Checkable& subject, const Options& options,
                             const MiningSettings& settings);

}  // namespace ordeal::explore
