// Here: what is possible and true where a walk has come to.
#pragma once

#include "explore/explain/walk.h"
#include "serve/ask.h"

namespace ordeal::serve {

Json here_of(explore::Walk& walk);

}  // namespace ordeal::serve
