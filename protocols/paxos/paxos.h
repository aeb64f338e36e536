// Paxos in three forms: behind a register (register_server.h), among equals (node.h), and as a
// contest of proposers (duel.h).
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::paxos {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::paxos
