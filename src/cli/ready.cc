#include "cli/ready.h"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::cli {

Result<Ready> make_ready(const Suite& suite, const SuiteScenario& declared, const Parsed& parsed) {
  const Subject& subject = *suite.find(declared.subject);
  return ordeal::make_ready(suite, declared, given_parameters(subject, parsed));
}

Result<std::vector<const SuiteScenario*>> named_scenarios(const Program& program,
                                                          const CommandSpec& spec,
                                                          const Words& words) {
  std::vector<const SuiteScenario*> found;
  for (size_t i = 0;; ++i) {
    const std::string name = first_word(program, spec, words, i);
    if (name.empty()) return found;
    const Result<const SuiteScenario*> scenario = find_scenario(program.suite, name);
    if (!scenario) return scenario.error();
    if (std::find(found.begin(), found.end(), *scenario) != found.end()) {
      return Error{fmt::format("{} is named twice", name)};
    }
    found.push_back(*scenario);
  }
}

int refuse_name(const Program& program, const std::string& command, const Words& words,
                const Error& error) {
  std::vector<const SuiteScenario*> all;
  for (const SuiteScenario& scenario : program.suite.scenarios()) all.push_back(&scenario);
  const Parsing parsing = parse(program, command, words, all_parameters(program.suite, all));
  return parsing.exit >= 0 ? parsing.exit : trouble(program, command, error.message);
}

std::vector<OptionSpec> all_parameters(const Suite& suite,
                                       const std::vector<const SuiteScenario*>& scenarios) {
  std::vector<OptionSpec> options;
  for (const SuiteScenario* scenario : scenarios) {
    for (OptionSpec& option : parameter_options(*suite.find(scenario->subject))) {
      const bool known = std::any_of(options.begin(), options.end(), [&](const OptionSpec& other) {
        return other.name == option.name;
      });
      if (!known) options.push_back(std::move(option));
    }
  }
  return options;
}

Result<Options> scenario_options(const Parsed& parsed) {
  Result<Options> options = search_options(parsed);
  if (!options || !parsed.has("iterations")) return options;
  const Result<uint64_t> runs =
      parse_number("--iterations", parsed.get("iterations"), 1, UINT64_MAX);
  if (!runs) return runs.error();
  options->max_runs = *runs;
  return options;
}

}  // namespace ordeal::cli
