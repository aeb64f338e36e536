// Lines of a script: actions as traces show them.
#pragma once

#include <string>

#include "ordeal/world.h"

namespace ordeal::monitor {

// An Error says why the line can be no action of such a system.
Result<void> check_script_line(const std::string& line, const Cast& cast);

}  // namespace ordeal::monitor
