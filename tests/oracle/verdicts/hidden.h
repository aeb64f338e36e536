// A type of another file that has the name of one of names_test.cc.
#pragma once

#include "ordeal/context.h"

namespace ordeal::hidden {

void decide_a_note(Context& ctx);

}  // namespace ordeal::hidden
