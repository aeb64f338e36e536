// Tendermint: consensus among nodes of which fewer than a third may be Byzantine. See node.h.
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::tendermint {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::tendermint
