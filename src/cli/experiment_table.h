// What the commands about experiments and their results take.
#pragma once

#include <vector>

#include "cli/options.h"

namespace ordeal::cli {

std::vector<CommandSpec> experiment_specs();

}  // namespace ordeal::cli
