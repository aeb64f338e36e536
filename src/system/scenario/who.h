// How a scenario names a node: by its id, or as what is drawn.
#pragma once

#include <string>

#include "ordeal/condition.h"

namespace ordeal::monitor {

inline std::string show_who(const Who& who) {
  return who.is_drawn() ? who.name() : std::to_string(who.id().value);
}

}  // namespace ordeal::monitor
