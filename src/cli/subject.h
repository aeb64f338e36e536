// From words on the command line to the parameters of a subject, or to a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "ordeal/check.h"
#include "suite/choose.h"

namespace ordeal::cli {

// The subject's parameters as options.
std::vector<OptionSpec> parameter_options(const Subject& subject);

// The first word that is no option and no option's value, before it is known which subject (and
// hence which options) it is: any parameter of any subject counts as an option. Empty: none.
std::string first_word(const Program& program, const CommandSpec& command, const Words& words,
                       size_t skip = 0);

// The only subject of the suite; nullptr where there are several, or none.
const Subject* only_subject(const Program& program);
// The subject that the words name; where they name none, the only one, if there is one.
Result<const Subject*> subject_in(const Program& program, const std::string& command,
                                  const Words& words);
// What to say where they name none of several.
std::string which_subject(const Program& program);

// The parameters among parsed options, and "bug".
std::map<std::string, std::string> given_parameters(const Subject& subject, const Parsed& parsed);
// What the options name, as far as the command has them.
Address address_in(const Subject& subject, const Parsed& parsed);

// A run named on the command line, as this subject takes it: a short form, or a trace file, whose
// actions are found by what they are.
Result<ShortForm> find_run(const std::string& option, const std::string& text,
                           const Checkable& subject);
bool looks_like_short_form(const std::string& text);

}  // namespace ordeal::cli
