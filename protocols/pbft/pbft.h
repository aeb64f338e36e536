// Practical Byzantine Fault Tolerance: replicas that agree on a sequence of requests, of which less
// than a third may be Byzantine.
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::pbft {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::pbft
