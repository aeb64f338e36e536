// Opaque nodes: opaque objects, re-executed from the start in worker processes.
#pragma once

#include <memory>
#include <vector>

#include "ordeal/system.h"
#include "ordeal/world.h"

namespace ordeal::actor {

std::unique_ptr<World> opaque_world(std::shared_ptr<const detail::Declaration> declaration,
                                    std::vector<Property> properties);

}  // namespace ordeal::actor
