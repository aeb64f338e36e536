// Which nodes a system declares alike.
#pragma once

#include <vector>

#include "ordeal/system.h"

namespace ordeal::actor {

// Class by class, those given by their type included.
std::vector<std::vector<NodeId>> like_nodes(const detail::Declaration& declaration);
// What is wrong with what is declared alike, for System::validate.
Result<void> validate_alike(const detail::Declaration& declaration);

}  // namespace ordeal::actor
