// What the command that mines waypoints takes.
#pragma once

#include "cli/options.h"

namespace ordeal::cli {

// With the options that other commands have too.
CommandSpec waypoints_spec(const OptionSpec& bug, const OptionSpec& handler);

}  // namespace ordeal::cli
