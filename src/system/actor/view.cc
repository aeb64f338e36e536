#include "ordeal/view.h"

#include <algorithm>

#include "system/actor/foreign.h"

namespace ordeal {

const View::Slot& View::slot(NodeId id, uint8_t what) const {
  const size_t position =
      first_id_ == kByList
          ? static_cast<size_t>(std::find(nodes_->begin(), nodes_->end(), id) - nodes_->begin())
          : static_cast<size_t>(id.value - first_id_);
  if (position >= slots_->size()) throw actor::NoSuchNode(id);
  if (looked_ != nullptr) looked_->nodes[position] |= what;
  return (*slots_)[position];
}

const void* View::checked(NodeId id, const detail::TypeId& type) const {
  const Slot& found = slot(id, kState);
  if (found.type != type) {
    throw AssertionFailed("a property asked for node " + std::to_string(id.value) + " as " +
                          type.spelled() + ", but it is " + found.type.spelled());
  }
  return found.data;
}

}  // namespace ordeal
