// Whether declared footprints are true, found out on samples: a footprint that says too little lets
// a reduction leave out what it must not.
#pragma once

#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// What the report should say of it; nothing where the space works its footprints out itself. An
// Error names two actions that are declared independent and are not.
Result<std::vector<std::string>> try_footprints(StateSpace& space, uint64_t seed);

}  // namespace ordeal::explore
