// What exploration of RSL can be led by: colours of replicas, predicates about them, ways to places
// that are worth a visit.
#pragma once

#include "ordeal/system.h"

namespace ordeal::protocols::rsl {

void add_steering(System& system);

}  // namespace ordeal::protocols::rsl
