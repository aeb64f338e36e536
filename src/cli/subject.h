// From words on the command line to a subject that is ready to be explored.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "ordeal/check.h"

namespace ordeal::cli {

// The subject of that name, or an Error that suggests one.
Result<const Subject*> find_subject(const Suite& suite, const std::string& name);

// The subject's parameters as options.
std::vector<OptionSpec> parameter_options(const Subject& subject);

// The first word that is no option and no option's value, before it is known which subject (and
// hence which options) it is: any parameter of any subject counts as an option. Empty: none.
std::string first_word(const Program& program, const CommandSpec& command, const Words& words,
                       size_t skip = 0);

struct Chosen {
  const Subject* subject = nullptr;
  Arguments arguments;
  std::unique_ptr<Checkable> checkable;
  std::map<std::string, std::string> parameters;  // as text, with "bug" if one is on
  std::string command_words;                      // "paxos --nodes 3": what the user would type
  // Where it is to run under a scenario: its name, and the subject with it.
  std::string scenario;
  std::unique_ptr<Checkable> product;
  const Checkable& explored() const { return product != nullptr ? *product : *checkable; }
};

// `given` are parameters by name.
Result<Chosen> choose_subject(const Suite& suite, const Subject& subject,
                              const std::map<std::string, std::string>& given,
                              const std::string& bug);

// The scenario of that name, or an Error that suggests one.
Result<const SuiteScenario*> find_scenario(const Suite& suite, const std::string& name);

// Puts the subject under a scenario of the suite. An Error: there is none of that name, it is for
// another subject, or it makes no sense for this one.
Result<void> put_under(const Suite& suite, const std::string& scenario, Chosen& chosen);

// The parameters among parsed options.
std::map<std::string, std::string> given_parameters(const Subject& subject, const Parsed& parsed);

// A run named on the command line: a trace file, or a short form.
Result<ShortForm> parse_run(const std::string& option, const std::string& text);
bool looks_like_short_form(const std::string& text);
ShortForm short_form_of(const Trace& trace);

}  // namespace ordeal::cli
