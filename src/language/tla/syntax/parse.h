// TLA+ text to a Module.
#pragma once

#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/syntax/source.h"
#include "ordeal/result.h"

namespace ordeal::tla {

// A module of the file: the first, or after so many others. What stands before `---- MODULE` and
// after `====` is no part of it. An Error has the place, the line underlined and what would be
// right.
Result<Module> parse_module(const Sources& sources, uint32_t file, uint32_t number = 0);
// One expression, for the command line and the prompt.
Result<ExprRef> parse_expression(const Sources& sources, uint32_t file);
// Definitions without a module around them, `A == 1 B(x) == x`, for the prompt.
Result<std::vector<Unit>> parse_definitions(const Sources& sources, uint32_t file);

}  // namespace ordeal::tla
