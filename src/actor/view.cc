#include "ordeal/view.h"

#include "ordeal/context.h"

namespace ordeal {

const View::Slot& View::slot(NodeId id) const {
  const size_t position = static_cast<size_t>(id.value - first_id_);
  if (position >= slots_->size()) {
    throw AssertionFailed("a property asked for node " + std::to_string(id.value) +
                          ", which does not exist");
  }
  return (*slots_)[position];
}

const void* View::checked(NodeId id, std::string_view type_name) const {
  const Slot& found = slot(id);
  if (!same_type(found.type_name, type_name)) {
    throw AssertionFailed("a property asked for node " + std::to_string(id.value) + " as " +
                          std::string(type_name) + ", but it is " + std::string(found.type_name));
  }
  return found.data;
}

}  // namespace ordeal
