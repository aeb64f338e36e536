// Scenarios of a suite, from words on a command line to something that can be run.
#pragma once

#include <string>
#include <vector>

#include "cli/subject.h"
#include "ordeal/scenario.h"

namespace ordeal::cli {

// Parameters and bug as on the command line; parameters that its subject does not have are left
// out. An Error: they make no sense, or the scenario does not for them.
Result<Ready> make_ready(const Suite& suite, const SuiteScenario& declared, const Parsed& parsed);

// The scenarios that the words name, before it is known which options there are.
Result<std::vector<const SuiteScenario*>> named_scenarios(const Program& program,
                                                          const CommandSpec& spec,
                                                          const Words& words);

// Ends a command with what is wrong: a word that is no scenario may follow a misspelt option.
int refuse_name(const Program& program, const std::string& command, const Words& words,
                const Error& error);

// The parameters of all subjects that the scenarios are for.
std::vector<OptionSpec> all_parameters(const Suite& suite,
                                       const std::vector<const SuiteScenario*>& scenarios);

// search_options() and --iterations.
Result<Options> scenario_options(const Parsed& parsed);

}  // namespace ordeal::cli
