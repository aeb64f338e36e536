#include "actor/opaque_world.h"
namespace ordeal::actor {
std::unique_ptr<World> opaque_world(std::shared_ptr<const detail::Declaration>,
                                    std::vector<Property>) {
  return nullptr;
}
}  // namespace ordeal::actor
