// RSL, the Replicated State Library: a log of decrees, voted for one at a time under one primary.
#pragma once

#include <vector>

#include "ordeal/suite.h"

namespace ordeal::protocols::rsl {

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::rsl
