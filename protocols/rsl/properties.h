// What RSL promises.
#pragma once

#include "ordeal/system.h"

namespace ordeal::protocols::rsl {

struct Promised {
  int requests = 0;         // values 1 to this one are submitted
  bool terminates = false;  // replica 1 alone stands, all are submitted there, and nothing fails
};

void add_properties(System& system, const Promised& promised);

}  // namespace ordeal::protocols::rsl
