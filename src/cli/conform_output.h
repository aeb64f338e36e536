// What the commands that hold a log against a model share.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "conform/conformance.h"
#include "ordeal/result.h"

namespace ordeal::cli {

// --max-frontier, --nearest, --json, …
std::vector<OptionSpec> conform_options();

// Opens the log (a file, or '-' for standard input), has it followed, tells what was found, and
// returns the exit code.
using FollowLog =
    std::function<Result<conform::Conformance>(std::istream&, const conform::ConformOptions&)>;
int follow_log(const Program& program, const std::string& command, const Parsed& parsed,
               const std::string& path, const FollowLog& follow);

}  // namespace ordeal::cli
