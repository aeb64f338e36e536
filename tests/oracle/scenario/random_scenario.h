// A seeded generator of random scenarios for the systems of tests/oracle/random: filters and
// machines made of every kind of condition and reaction there is.
//
// Functions of a user's own are generic: called with a ScenarioContext by the engine, and with a
// reference::Memory by the reference.
#pragma once

#include <cstdint>

#include "ordeal/scenario.h"
#include "tests/oracle/random/case.h"
#include "tests/oracle/reference/memory.h"

namespace ordeal::oracle {

struct RandomScenario {
  Scenario scenario;
  reference::OwnFunctions own;
};

RandomScenario generate_scenario(uint64_t seed, const Case& item);

}  // namespace ordeal::oracle
