// What the commands about scenarios take.
#pragma once

#include <vector>

#include "cli/options.h"
#include "explore/strategy/strategy.h"

namespace ordeal::cli {

// The options of strategies, as commands have them.
std::vector<OptionSpec> strategy_option_specs(const std::vector<explore::KnownOption>& options);

// `check` are the options of that command, of which scenarios have many, too.
std::vector<CommandSpec> scenario_specs(const std::vector<OptionSpec>& check);

}  // namespace ordeal::cli
