// The list behind find_type().
#pragma once

#include "ordeal/value.h"

namespace ordeal::value {

// A type that was made at run time. REQUIRES: it outlives everything.
void list_made_type(const Type& type);

}  // namespace ordeal::value
