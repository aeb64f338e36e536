// A seeded generator of random small protocols: a random table of rules (program.h), and a system
// around it with faults, detectors, partitions, timers and properties switched on at random.
//
// Every state space is finite: a rule that sends, decides or invokes takes fuel, and one that is
// free puts at most one event in the place of the one it consumed. Spaces may still be large; who
// explores them sets a cap and skips what goes beyond it.
#pragma once

#include <cstdint>

#include "tests/oracle/random/case.h"

namespace ordeal::oracle {

Case generate(uint64_t seed, Purpose purpose = {});

}  // namespace ordeal::oracle
