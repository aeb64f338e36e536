// What exploration of Raft can be led by: colours of servers, predicates about them, ways to places
// that are worth a visit.
#pragma once

#include "ordeal/system.h"

namespace ordeal::protocols::raft {

void add_steering(System& system);

}  // namespace ordeal::protocols::raft
