// Which search a checkpoint belongs to.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// What must be the same for a search to go on: names and values, as people give them. A value that
// is empty is the same as none.
using Identity = std::vector<std::pair<std::string, std::string>>;

// An Error where the space does not say what it interprets.
Result<Identity> identity_of(const StateSpace& space, const std::vector<StateSpace::Initial>& roots,
                             const Options& options);

// What differs, in words: "--rms was 8 there and is 7 here". "": nothing.
std::string difference(const Identity& there, const Identity& here);

}  // namespace ordeal::explore
