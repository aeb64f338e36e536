// Paxos in two forms: behind a register (register_server.h) and among equals (node.h).
#pragma once

#include "ordeal/suite.h"

namespace ordeal::protocols::paxos {

Subject subject();

}  // namespace ordeal::protocols::paxos
