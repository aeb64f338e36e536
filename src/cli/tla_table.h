// What the commands about specifications in TLA+ take.
#pragma once

#include <vector>

#include "cli/options.h"

namespace ordeal::cli {

// `check`: the options of 'check'.
std::vector<CommandSpec> tla_specs(const std::vector<OptionSpec>& check);

}  // namespace ordeal::cli
