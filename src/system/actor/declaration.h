// Declared systems before they run: see detail::Declaration and detail::settled().
#pragma once

#include "ordeal/result.h"
#include "ordeal/system.h"
#include "world/type_names.h"

namespace ordeal::actor {

// Whether a node is an opaque object, so that states cannot be saved and come back to.
bool is_opaque(const detail::Declaration& declaration);

// What messages and requests are called.
TypeNames names_of(const detail::Declaration& declaration);

// An Error that says what makes no sense. REQUIRES: the declaration is settled.
Result<void> validate(const detail::Declaration& settled);

}  // namespace ordeal::actor
