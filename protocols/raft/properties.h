// What Raft promises.
#pragma once

#include "ordeal/system.h"

namespace ordeal::protocols::raft {

// What can happen under the parameters: goals are only set where they can be reached.
struct Possible {
  bool deposing = false;    // a leader may be followed by another
  bool installing = false;  // somebody may need a snapshot
  bool changing = false;    // the members may change
  bool endless = false;     // runs go on for ever
};

void add_properties(System& system, const Possible& possible);

}  // namespace ordeal::protocols::raft
