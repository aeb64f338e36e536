// Raft: a replicated log behind a register.
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::raft {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::raft
