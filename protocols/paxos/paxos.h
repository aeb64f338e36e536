// Paxos in two forms: behind a register (register_server.h) and among equals (node.h).
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::paxos {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::paxos
