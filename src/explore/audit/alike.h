// What is declared alike, put to the test; and the way back from classes of states to states.
#pragma once

#include <string>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/symmetry.h"

namespace ordeal::explore {

// Looks for a state and a renaming that show that the declaration is not true, or that a property
// does not treat alike what is alike: an Error that tells it. Samples, so finding none is no proof;
// but the same seed looks at the same states. Returns notes for the report.
Result<std::vector<std::string>> try_symmetry(Symmetry& symmetry, uint64_t seed);

// The finding as a run of the system: at each step the action whose successor is of the next class
// of the finding's path. An Error: there is none, or the run does not violate the property; then
// the declaration is not true, or the property is not symmetric, and nothing was found.
Result<Finding> real_finding(Symmetry& symmetry, const Finding& finding);

}  // namespace ordeal::explore
