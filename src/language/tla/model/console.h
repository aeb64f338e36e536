// What Print, TLCGet, TLCSet and RandomElement talk to.
#pragma once

#include <memory>
#include <string>

#include "language/tla/library/library.h"

namespace ordeal::tla {

std::unique_ptr<Host> make_console(std::string directory, bool may_write);

}  // namespace ordeal::tla
