#include "ordeal/world.h"

namespace ordeal {

Result<std::unique_ptr<Checkable>> Checkable::with_free_faults() const {
  return Error{
      "it has no nodes that could run on their own: faults at any time are for systems of nodes"};
}

}  // namespace ordeal
