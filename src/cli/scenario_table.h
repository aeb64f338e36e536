// What the commands about scenarios take.
#pragma once

#include <vector>

#include "cli/options.h"

namespace ordeal::cli {

// `check` are the options of that command, of which scenarios have many, too.
std::vector<CommandSpec> scenario_specs(const std::vector<OptionSpec>& check);

}  // namespace ordeal::cli
