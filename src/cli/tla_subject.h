// The specification that a command line names.
#pragma once

#include <memory>
#include <string>

#include "cli/commands.h"
#include "ordeal/result.h"

namespace ordeal::tla {
class Specification;
}

namespace ordeal::cli {

// With or without its suffix.
Result<const Subject*> specification_named(const std::string& name);

// What the first word names, with the parameters among the options.
Result<std::shared_ptr<tla::Specification>> specification_in(const Program& program,
                                                             const Parsed& parsed);

// "ordeal tla eval: message" on standard error, with the lines that errors of specifications have;
// returns kExitTrouble.
int complain(const Program& program, const std::string& command, const Error& error);

}  // namespace ordeal::cli
