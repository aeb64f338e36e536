// StateLog: what every part of the state is after every step, written as changes. For viewers; a
// trace without it replays as well.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "ordeal/world.h"

namespace ordeal::trace {

class StateLog {
 public:
  // Every part, whole. Forgets what it knew.
  std::string start(const Snapshot& snapshot);
  // The parts that differ from those of the last call, as patches (RFC 6902); "" if none does.
  std::string step(const Snapshot& snapshot);

 private:
  struct Known {
    uint64_t digest = 0;
    bool up = true;
    nlohmann::ordered_json tree;
  };
  std::map<std::string, Known> known_;  // by name
};

}  // namespace ordeal::trace
